//! Captures of pieces that hop, are lame or turn.

use super::ConversionFinder;
use crate::fairy::Template;
use crate::retrograde::bent::Sides;
use crate::retrograde::slice::{Conversions, Slice};
use crate::retrograde::{Depth, Others, members};

impl ConversionFinder<'_> {
    /// Returns the set of the pieces that a template captures, all of them enemies of its mover;
    /// none when a square is empty, or has an own piece or a royal.
    fn victims(self, template: &Template, pieces: &Others, of_attacker: bool) -> Option<u32> {
        let count = self.endgame.pieces.len();
        let enemies =
            if of_attacker { self.endgame.attackers..count } else { 0..self.endgame.attackers };
        let mut found = 0;
        for enemy in enemies {
            found |= u32::from(template.take >> pieces[enemy] & 1 != 0) << enemy;
        }
        (found.count_ones() == template.take.count_ones()).then_some(found)
    }

    /// Finds the captures of the attacker's bent pieces.
    #[inline(never)]
    pub(super) fn bent_wins<D: Depth>(
        self,
        slice: &mut Slice<D>,
        word: usize,
        pieces: &Others,
        legal: u64,
        found: &mut Conversions,
    ) {
        let home = slice.home;
        let Sides { attackers, losers } = self.endgame.sides(home, pieces, 0);
        let royal = std::iter::once((&self.endgame.attacker, None, home));
        let others =
            (0..self.endgame.attackers).map(|m| (&self.endgame.pieces[m], Some(m), pieces[m]));
        for (mover, number, from) in royal.chain(others) {
            let Some(templates) = mover.templates() else { continue };
            let own = attackers & !(1 << from);
            for template in templates.captures.at(from) {
                let mask = template.mask(own, losers, false) & legal;
                let Some(victims) = self.victims(template, pieces, true).filter(|_| mask != 0)
                else {
                    continue;
                };
                let Some(sub) = self.endgame.subs.without(victims) else { continue };
                let (mut royal, mut after) = (home, *pieces);
                match number {
                    None => royal = template.to,
                    Some(number) => after[number] = template.to,
                }
                self.wins(slice, word, sub, royal, &after, mask, found);
            }
        }
    }

    /// Finds the captures of the loser's bent pieces.
    #[inline(never)]
    pub(super) fn bent_answers<D: Depth>(
        self,
        slice: &mut Slice<D>,
        word: usize,
        pieces: &Others,
        legal: u64,
        found: &mut Conversions,
    ) {
        let home = slice.home;
        let Sides { attackers, losers } = self.endgame.sides(home, pieces, 0);
        let occupied = attackers | losers;
        for number in self.endgame.attackers..self.endgame.pieces.len() {
            let Some(templates) = self.endgame.pieces[number].templates() else { continue };
            let from = pieces[number];
            for template in templates.captures.at(from) {
                let mask = template.mask(losers & !(1 << from), attackers, true) & legal;
                let Some(victims) = self.victims(template, pieces, false).filter(|_| mask != 0)
                else {
                    continue;
                };
                let Some(sub) = self.endgame.subs.without(victims) else { continue };
                let mut after = *pieces;
                after[number] = template.to;
                let left = occupied & !(template.take | 1 << from) | 1 << template.to;
                let attacked = self.endgame.attacked(home, pieces, victims, left);
                self.answers(slice, word, sub, &after, mask & !attacked, found);
            }
        }
        let Some(templates) = self.endgame.loser.templates() else { return };
        for from in members(legal) {
            for template in templates.captures.at(from as u8) {
                if !template.path_is_open(losers, attackers) {
                    continue;
                }
                let Some(victims) = self.victims(template, pieces, false) else { continue };
                let Some(sub) = self.endgame.subs.without(victims) else { continue };
                let left = occupied & !template.take;
                if self.endgame.attacked(home, pieces, victims, left) >> template.to & 1 != 0 {
                    continue;
                }
                let (won, spot) = sub.solved.won_word(home, &sub.pieces(pieces));
                if won >> template.to & 1 == 0 {
                    found.escape |= 1 << from;
                } else {
                    let ply = sub.solved.won_ply(spot, template.to);
                    self.loses(slice, word, 1 << from, |_| ply, found);
                }
            }
        }
    }
}
