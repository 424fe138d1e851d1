//! Captures and promotions: their values are in the tables of the material after them.

use super::change::After;
use super::index::Men;
use super::slice::{HomeSlice, Sets, push};
use super::solved::{ILLEGAL, OPEN};
use super::table::Table;
use crate::grid::SquareSet;
use std::ops::Range;

impl<S: SquareSet, W: SquareSet> Table<'_, S, W> {
    /// Returns the set of the captured pieces; none when a square has no piece of the range.
    fn victims(&self, take: S, men: &Men, range: Range<usize>) -> Option<u32> {
        let mut found = 0;
        for man in range {
            found |= u32::from(take.has(men[man])) << man;
        }
        (found.count_ones() == take.count()).then_some(found)
    }

    /// Schedules the attacker's winning captures and promotions.
    pub(super) fn attacker_conversions(
        &self,
        slice: &mut HomeSlice<W>,
        word: usize,
        men: &Men,
        sets: Sets<S>,
    ) {
        let home = slice.home;
        let legal = slice.safe[word];
        let movers = (0..self.strikers).map(|man| (&self.men[man], Some(man), men[man]));
        for (piece, man, from) in std::iter::once((&self.royal, None, home)).chain(movers) {
            let own = sets.attackers & !S::bit(from);
            for step in piece.conversions.at(from) {
                let take = step.template.take;
                if !(take & !sets.losers).is_none() {
                    continue;
                }
                let mask = step.mask(own, sets.losers, false, &self.index.axis) & legal;
                if mask.is_none() {
                    continue;
                }
                let victims = self.victims(take, men, self.strikers..self.index.men);
                let Some(after) = victims.and_then(|set| self.after(set, man, step.becomes)) else {
                    continue;
                };
                let (mut royal, mut moved) = (home, *men);
                match man {
                    None => royal = step.template.to,
                    Some(man) => moved[man] = step.template.to,
                }
                let Some(spot) = after.index().spot(royal, &after.men(&moved)) else { continue };
                for bit in mask.squares() {
                    let cell = after.table.lost[spot.cell(after.index(), bit)];
                    if let Some(plies) = after.table.plies(cell, false) {
                        let due = self.metric.through(plies);
                        push(slice.due.entry(due).or_default(), word, W::bit(bit));
                    }
                }
            }
        }
    }

    /// Returns the squares of the loser's royal with a capture or promotion that does not lose, and
    /// notes the depths of those that lose.
    pub(super) fn loser_conversions(
        &self,
        slice: &mut HomeSlice<W>,
        word: usize,
        men: &Men,
        sets: Sets<S>,
    ) -> W {
        let home = slice.home;
        let legal = slice.open[word];
        let mut escapes = W::NONE;
        let Sets { attackers, losers } = sets;
        for man in self.strikers..self.index.men {
            let from = men[man];
            for step in self.men[man].conversions.at(from) {
                let take = step.template.take;
                if !(take & !attackers).is_none() || take.has(home) {
                    continue;
                }
                let own = losers & !S::bit(from);
                let mask = step.mask(own, attackers, true, &self.index.axis) & legal;
                if mask.is_none() {
                    continue;
                }
                let victims = self.victims(take, men, 0..self.strikers);
                let Some(after) = victims.and_then(|set| self.after(set, Some(man), step.becomes))
                else {
                    continue;
                };
                let mut moved = *men;
                moved[man] = step.template.to;
                let Some(spot) = after.index().spot(home, &after.men(&moved)) else { continue };
                for bit in mask.squares() {
                    let depth = after.table.won[spot.cell(after.index(), bit)];
                    self.answer(slice, word, bit, depth, &mut escapes);
                }
            }
        }
        for (from, template) in &self.axis_royal.captures {
            if !legal.has(*from) || !(template.take & !attackers).is_none() {
                continue;
            }
            if template.take.has(home) || !template.path_is_open(losers, attackers) {
                continue;
            }
            let victims = self.victims(template.take, men, 0..self.strikers);
            let Some(after) = victims.and_then(|set| self.after(set, None, None)) else { continue };
            let Some(spot) = after.index().spot(home, &after.men(men)) else { continue };
            let Some(to) = self.index.axis.bit(template.to) else { continue };
            let depth = after.table.won[spot.cell(after.index(), to)];
            self.answer(slice, word, *from, depth, &mut escapes);
        }
        escapes
    }

    /// Notes the value of one conversion of the loser.
    fn answer(&self, slice: &mut HomeSlice<W>, word: usize, bit: u8, depth: u8, escapes: &mut W) {
        match depth {
            ILLEGAL => {}
            OPEN => *escapes |= W::bit(bit),
            _ => {
                let plies = self.unit.plies(depth, true).unwrap_or(0);
                let Some(hold) = self.unit.cell(self.metric.through(plies)) else {
                    slice.overflow = true;
                    return;
                };
                let cell = word * self.index.axis.squares.len() + usize::from(bit);
                slice.hold[cell] = slice.hold[cell].max(hold);
            }
        }
    }

    fn after(&self, victims: u32, man: Option<usize>, becomes: Option<u8>) -> Option<&After> {
        self.changes.get(&(victims, man.zip(becomes)))
    }
}
