//! First look at each word: legality, conversions, and bare royals.

use super::definition::BareRoyal;
use super::index::Men;
use super::slice::{HomeSlice, Sets, Touched, push};
use super::solved::{ILLEGAL, OPEN};
use super::table::Table;
use crate::grid::SquareSet;
use std::collections::BTreeMap;

impl<S: SquareSet, W: SquareSet> Table<'_, S, W> {
    /// Returns the squares of both sides; none when two pieces share one.
    #[inline(always)]
    pub(super) fn sets(&self, home: u8, men: &Men) -> Option<Sets<S>> {
        let (mut attackers, mut losers) = (S::bit(home), S::NONE);
        for (man, &square) in men[..self.index.men].iter().enumerate() {
            if (attackers | losers).has(square) {
                return None;
            }
            let side = if man < self.strikers { &mut attackers } else { &mut losers };
            *side |= S::bit(square);
        }
        Some(Sets { attackers, losers })
    }

    /// Returns the squares of the axis man that no other piece occupies.
    pub(super) fn free(&self, sets: Sets<S>) -> W {
        self.all & !self.index.axis.project::<S, W>(sets.attackers | sets.losers)
    }

    /// Returns the squares of the loser's royal that the attacker's pieces attack.
    fn attacked(&self, home: u8, men: &Men, sets: Sets<S>) -> W {
        let mut found = W::NONE;
        let movers = (0..self.strikers).map(|man| (&self.men[man], men[man]));
        for (piece, from) in std::iter::once((&self.royal, home)).chain(movers) {
            let own = sets.attackers & !S::bit(from);
            for step in piece.checks.at(from) {
                let template = &step.template;
                if !template.path_is_open(own, sets.losers) {
                    continue;
                }
                // One victim is the royal; the others, if any, stand there.
                let royals = template.take & !sets.losers;
                if royals.without_first().is_none() {
                    found |= self.index.axis.project(royals);
                }
            }
        }
        found
    }

    /// Returns the squares of the loser's royal with which the attacker's royal is attacked.
    fn checked(&self, home: u8, men: &Men, sets: Sets<S>) -> W {
        let Sets { attackers, losers } = sets;
        let mut found = self.axis_royal.checks_on(home, losers, attackers);
        let enemy = attackers & !S::bit(home);
        let others = self.men.iter().zip(men).skip(self.strikers);
        for (piece, &from) in others {
            let own = losers & !S::bit(from);
            for step in piece.checks.at(from) {
                let take = step.template.take;
                if take.has(home) && (take & !S::bit(home) & !enemy).is_none() {
                    found |= step.mask(own, enemy, true, &self.index.axis);
                }
            }
        }
        found
    }

    /// Prepares all words of a slice.
    pub(super) fn prepare(&self, home: u8) -> HomeSlice<W> {
        let (words, width) = (self.index.words, self.index.axis.squares.len());
        let mut slice = HomeSlice {
            home,
            safe: vec![W::NONE; words],
            open: vec![W::NONE; words],
            frontier: Touched::new(words),
            candidates: Touched::new(words),
            won: vec![ILLEGAL; words * width],
            lost: vec![ILLEGAL; words * width],
            hold: vec![OPEN; words * width],
            due: BTreeMap::new(),
            held: BTreeMap::new(),
            stalemates: vec![],
            overflow: false,
        };
        for word in 0..words {
            let men = self.index.decode(word);
            let Some(sets) = self.sets(home, &men) else { continue };
            let free = self.free(sets);
            let legal = free & !self.attacked(home, &men, sets);
            let open = free & !self.checked(home, &men, sets);
            slice.safe[word] = legal;
            for bit in legal.squares() {
                slice.won[word * width + usize::from(bit)] = OPEN;
            }
            for bit in open.squares() {
                slice.lost[word * width + usize::from(bit)] = OPEN;
            }
            slice.open[word] = open;
            if self.attacker_is_bare() {
                slice.open[word] = W::NONE;
            } else if self.loser_is_bare() {
                let escapes = match self.game.rules.bare {
                    BareRoyal::LosesUnlessItBares => {
                        self.loser_conversions(&mut slice, word, &men, sets)
                    }
                    _ => W::NONE,
                };
                slice.open[word] = W::NONE;
                push(slice.held.entry(0).or_default(), word, open & !escapes);
            } else {
                self.attacker_conversions(&mut slice, word, &men, sets);
                let escapes = self.loser_conversions(&mut slice, word, &men, sets);
                slice.open[word] &= !escapes;
            }
        }
        slice
    }

    /// Returns true when the loser has lost because it has only its royal.
    pub(super) fn loser_is_bare(&self) -> bool {
        self.game.rules.bare != BareRoyal::Plays && self.index.men == self.strikers
    }

    /// Returns true when the attacker has only its royal and so cannot win.
    fn attacker_is_bare(&self) -> bool {
        self.game.rules.bare != BareRoyal::Plays && self.strikers == 0
    }
}
