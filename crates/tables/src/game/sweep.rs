//! One step of the fixpoint: losses from the newest wins, wins from the newest losses.

use super::index::Men;
use super::slice::{HomeSlice, Sets, Touched, push};
use super::solved::OPEN;
use super::table::Table;
use crate::grid::SquareSet;

impl<S: SquareSet, W: SquareSet> Table<'_, S, W> {
    /// Finds the positions that are lost in this number of plies; `depth` is their cell.
    pub(super) fn find_losses(
        &self,
        slice: &mut HomeSlice<W>,
        lost: &mut Touched<W>,
        (ply, depth): (usize, u8),
    ) {
        lost.clear();
        let mut candidates = std::mem::replace(&mut slice.candidates, Touched::new(0));
        if ply == 0 {
            for word in 0..self.index.words {
                candidates.add(word, slice.open[word]);
            }
        } else {
            for &word in &slice.frontier.list {
                let won = slice.frontier.bits[word as usize];
                self.unmove_loser(slice.home, word as usize, won, &mut candidates);
            }
        }
        for &word in &candidates.list {
            let word = word as usize;
            let open = candidates.bits[word] & slice.open[word];
            if open.is_none() {
                continue;
            }
            let men = self.index.decode(word);
            let Some(sets) = self.sets(slice.home, &men) else { continue };
            let left = self.without_escapes(slice, word, &men, sets, open);
            slice.open[word] &= !left;
            // Only at first is every attacked square still known from the legal ones.
            let quiet = if ply == 0 { self.free(sets) & slice.safe[word] } else { W::NONE };
            for bit in left.squares() {
                let cell = word * self.index.axis.squares.len() + usize::from(bit);
                let hold = slice.hold[cell];
                if hold > depth {
                    let plies = self.unit.plies(hold, false).unwrap_or(0);
                    push(slice.held.entry(plies).or_default(), word, W::bit(bit));
                    continue;
                }
                let stalemate = hold == OPEN && quiet.has(bit);
                if stalemate {
                    slice.stalemates.push((word as u32, bit));
                }
                if !stalemate || self.game.rules.stalemate_loses {
                    slice.lost[cell] = depth;
                    lost.add(word, W::bit(bit));
                }
            }
        }
        candidates.clear();
        slice.candidates = candidates;
        for (word, bits) in slice.held.remove(&ply).unwrap_or_default() {
            for bit in bits.squares() {
                let width = self.index.axis.squares.len();
                slice.lost[word as usize * width + usize::from(bit)] = depth;
            }
            lost.add(word as usize, bits);
        }
    }

    /// Adds the positions from which the loser can move to one of these.
    fn unmove_loser(&self, home: u8, word: usize, won: W, candidates: &mut Touched<W>) {
        let men = self.index.decode(word);
        let Some(Sets { attackers, losers }) = self.sets(home, &men) else { return };
        candidates.add(word, self.axis_royal.before(won, losers, attackers));
        for man in self.strikers..self.index.men {
            let rest = self.index.rest(word, &men, man);
            let own = losers & !S::bit(men[man]);
            for step in self.men[man].unmoves.at(men[man]) {
                let moved = won & step.mask(own, attackers, true, &self.index.axis);
                if !moved.is_none() {
                    let before = self.index.with(rest, &men, man, step.template.from);
                    candidates.add(before, moved);
                }
            }
        }
    }

    /// Returns the squares from which every quiet move of the loser leads to a known win.
    fn without_escapes(
        &self,
        slice: &HomeSlice<W>,
        word: usize,
        men: &Men,
        sets: Sets<S>,
        mut left: W,
    ) -> W {
        let Sets { attackers, losers } = sets;
        left &= !self.axis_royal.before(slice.safe[word], losers, attackers);
        for man in self.strikers..self.index.men {
            if left.is_none() {
                break;
            }
            let rest = self.index.rest(word, men, man);
            let own = losers & !S::bit(men[man]);
            for step in self.men[man].quiet.at(men[man]) {
                let mask = left & step.mask(own, attackers, true, &self.index.axis);
                if !mask.is_none() {
                    let after = self.index.with(rest, men, man, step.template.to);
                    left &= !(mask & slice.safe[after]);
                }
            }
        }
        left
    }

    /// Finds the positions that are won in this number of plies, from the losses of the ply before
    /// in all slices; `depth` is their cell.
    pub(super) fn find_wins(
        &self,
        slice: &mut HomeSlice<W>,
        number: usize,
        lost: &[Touched<W>],
        (ply, depth): (usize, u8),
    ) -> u64 {
        if self.loser_is_bare() {
            // The game is over before the attacker moves.
            return 0;
        }
        let mut found = std::mem::replace(&mut slice.frontier, Touched::new(0));
        found.clear();
        for &word in &lost[number].list {
            let bits = lost[number].bits[word as usize];
            self.unmove_strikers(slice.home, word as usize, bits, &mut found);
        }
        self.unmove_royal(slice.home, lost, &mut found);
        for (word, bits) in slice.due.remove(&ply).unwrap_or_default() {
            found.add(word as usize, bits);
        }
        let mut count = 0;
        let width = self.index.axis.squares.len();
        let Touched { bits, list } = &mut found;
        list.retain(|&word| {
            let word = word as usize;
            bits[word] &= slice.safe[word];
            slice.safe[word] &= !bits[word];
            for bit in bits[word].squares() {
                slice.won[word * width + usize::from(bit)] = depth;
                count += 1;
            }
            !bits[word].is_none()
        });
        slice.frontier = found;
        count
    }

    /// Adds the positions from which a piece of the attacker, not the royal, can move to one of
    /// these.
    fn unmove_strikers(&self, home: u8, word: usize, bits: W, found: &mut Touched<W>) {
        let men = self.index.decode(word);
        let Some(Sets { attackers, losers }) = self.sets(home, &men) else { return };
        for man in 0..self.strikers {
            let rest = self.index.rest(word, &men, man);
            let own = attackers & !S::bit(men[man]);
            for step in self.men[man].unmoves.at(men[man]) {
                let moved = bits & step.mask(own, losers, false, &self.index.axis);
                if !moved.is_none() {
                    found.add(self.index.with(rest, &men, man, step.template.from), moved);
                }
            }
        }
    }

    /// Adds the positions of a slice from which the attacker's royal can move to a lost one.
    fn unmove_royal(&self, home: u8, lost: &[Touched<W>], found: &mut Touched<W>) {
        for step in self.royal.quiet.at(home) {
            let Some((slot, back)) = self.index.home(step.template.to) else { continue };
            for &word in &lost[slot].list {
                let men = back.men(&self.index.decode(word as usize), self.index.men);
                let Some(Sets { attackers, losers }) = self.sets(home, &men) else { continue };
                let own = attackers & !S::bit(home);
                let mask = step.mask(own, losers, false, &self.index.axis);
                if mask.is_none() {
                    continue;
                }
                let bits = lost[slot].bits[word as usize].squares();
                let bits = bits.fold(W::NONE, |set, bit| set | W::bit(back.bit[usize::from(bit)]));
                found.add(self.index.word(&men), bits & mask);
            }
        }
    }
}
