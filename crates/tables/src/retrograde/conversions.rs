//! Captures and promotions: looks up their values in the tables of the resulting material.

mod bent;
mod push;

use super::slice::{Conversions, Slice};
use super::{Depth, Endgame, NO_PIECE, Others, SubTable, each, members};
use crate::rules::Metric;

/// Evaluates the conversions of a word.
#[derive(Clone, Copy)]
pub(super) struct ConversionFinder<'a> {
    pub(super) endgame: &'a Endgame,
}

impl ConversionFinder<'_> {
    /// Finds captures and promotions of the attacker.
    #[inline(always)]
    pub(super) fn attacker_conversions<D: Depth>(
        self,
        slice: &mut Slice<D>,
        word: usize,
        pieces: &Others,
        occupied: u64,
        legal: u64,
        found: &mut Conversions,
    ) {
        let home = slice.home;
        for victim in self.endgame.attackers..self.endgame.pieces.len() {
            let to = pieces[victim];
            let Some(sub) = &self.endgame.subs.captured[victim] else { continue };
            for &between in self.endgame.attacker.paths(home, to) {
                if between & occupied == 0 {
                    self.wins(slice, word, sub, to, pieces, legal & !between, found);
                }
            }
            for number in 0..self.endgame.attackers {
                let mover = &self.endgame.pieces[number];
                for &between in mover.paths(pieces[number], to) {
                    if between & occupied != 0 {
                        continue;
                    }
                    let mut after = *pieces;
                    after[number] = to;
                    if mover.pawn && to >= 56 {
                        for sub in &self.endgame.subs.promoted_capturing[number][victim] {
                            self.wins(slice, word, sub, home, &after, legal, found);
                        }
                    } else {
                        self.wins(slice, word, sub, home, &after, legal & !between, found);
                    }
                }
            }
        }
        for mover in 0..self.endgame.attackers {
            if self.endgame.pieces[mover].pawn && pieces[mover] >= 48 {
                let to = pieces[mover] + 8;
                if occupied >> to & 1 == 0 {
                    let mut after = *pieces;
                    after[mover] = to;
                    for sub in &self.endgame.subs.promoted[mover] {
                        self.wins(slice, word, sub, home, &after, legal & !(1 << to), found);
                    }
                }
            }
        }
        if self.endgame.is_bent {
            self.bent_wins(slice, word, pieces, legal, found);
        }
    }

    /// Stores the winning squares of a conversion of the attacker.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "one call site's state, spelled out")]
    fn wins<D: Depth>(
        self,
        slice: &mut Slice<D>,
        word: usize,
        sub: &SubTable,
        royal: u8,
        after: &Others,
        mask: u64,
        found: &mut Conversions,
    ) {
        let (lost, spot) = sub.solved.lost_word(royal, &sub.pieces(after));
        let wins = lost & mask;
        if wins == 0 {
            return;
        }
        let metric = self.endgame.rules.metric;
        let mut plies = [metric.through(0); 64];
        if metric.looks_through() {
            for b in members(wins) {
                plies[b] = metric.through(sub.solved.lost_ply(spot, b as u8).unwrap_or(0));
            }
        }
        slice.note_wins(word, wins, found, &plies);
    }

    /// Finds captures and promotions of the loser.
    #[inline(always)]
    pub(super) fn loser_conversions<D: Depth>(
        self,
        slice: &mut Slice<D>,
        word: usize,
        pieces: &Others,
        occupied: u64,
        legal: u64,
        found: &mut Conversions,
    ) {
        let home = slice.home;
        for victim in 0..self.endgame.attackers {
            let to = pieces[victim];
            let Some(sub) = &self.endgame.subs.captured[victim] else { continue };
            let from = self.endgame.loser.before_capture(1 << to, !occupied) & legal;
            if from != 0 && !self.defends(home, pieces, victim, occupied) {
                let (won, spot) = sub.solved.won_word(home, &sub.pieces(pieces));
                if won >> to & 1 == 0 {
                    found.escape |= from;
                } else {
                    let ply = sub.solved.won_ply(spot, to);
                    self.loses(slice, word, from, |_| ply, found);
                }
            }
            for number in self.endgame.attackers..self.endgame.pieces.len() {
                let mover = &self.endgame.pieces[number];
                for &between in mover.paths(pieces[number], to) {
                    if between & occupied != 0 {
                        continue;
                    }
                    let mut after = *pieces;
                    after[number] = to;
                    let occupied = occupied & !(1 << pieces[number]);
                    let attacked = self.endgame.attacked(home, pieces, 1 << victim, occupied);
                    let mask = legal & !attacked & !between;
                    if mover.pawn && to < 8 {
                        for sub in &self.endgame.subs.promoted_capturing[number][victim] {
                            self.answers(slice, word, sub, &after, mask, found);
                        }
                    } else {
                        self.answers(slice, word, sub, &after, mask, found);
                    }
                }
            }
        }
        for mover in self.endgame.attackers..self.endgame.pieces.len() {
            if self.endgame.pieces[mover].pawn && pieces[mover] < 16 {
                let to = pieces[mover] - 8;
                if occupied >> to & 1 == 0 {
                    let mut after = *pieces;
                    after[mover] = to;
                    let occupied = occupied & !(1 << pieces[mover]) | 1 << to;
                    let attacked = self.endgame.attacked(home, pieces, NO_PIECE, occupied);
                    let mask = legal & !attacked & !(1 << to);
                    for sub in &self.endgame.subs.promoted[mover] {
                        self.answers(slice, word, sub, &after, mask, found);
                    }
                }
            }
        }
        if self.endgame.is_bent {
            self.bent_answers(slice, word, pieces, legal, found);
        }
    }

    /// Returns true when another piece of the attacker guards the square of this one.
    fn defends(self, home: u8, pieces: &Others, guarded: usize, occupied: u64) -> bool {
        let to = pieces[guarded];
        if self.endgame.is_bent {
            let left = occupied & !(1 << to);
            return self.endgame.attacked(home, pieces, 1 << guarded, left) >> to & 1 != 0;
        }
        let open = |paths: &[u64]| paths.iter().any(|between| between & occupied == 0);
        open(self.endgame.attacker.paths(home, to))
            || (0..self.endgame.attackers).any(|piece| {
                piece != guarded && open(self.endgame.pieces[piece].paths(pieces[piece], to))
            })
    }

    /// Stores the value of a conversion of the loser on the squares of `mask`.
    fn answers<D: Depth>(
        self,
        slice: &mut Slice<D>,
        word: usize,
        sub: &SubTable,
        after: &Others,
        mask: u64,
        found: &mut Conversions,
    ) {
        if mask == 0 {
            return;
        }
        let (won, spot) = sub.solved.won_word(slice.home, &sub.pieces(after));
        found.escape |= mask & !won;
        self.loses(slice, word, mask & won, |b| sub.solved.won_ply(spot, b), found);
    }

    /// Stores losing conversions on these squares.
    pub(super) fn loses<D: Depth>(
        self,
        slice: &mut Slice<D>,
        word: usize,
        bits: u64,
        ply: impl Fn(u8) -> Option<usize>,
        found: &mut Conversions,
    ) {
        found.losing |= bits;
        if self.endgame.rules.metric == Metric::Level {
            return;
        }
        let metric = self.endgame.rules.metric;
        each(bits, |b| {
            let ply = metric.through(ply(b as u8).unwrap_or(0));
            slice.horizon = slice.horizon.max(ply);
            if !D::STORED {
                if let Some(pending) = &mut slice.pending {
                    pending.lost.most(b, ply);
                }
                return;
            }
            slice.overflow |= ply > D::PLY_MAX;
            let value = D::of_ply(ply.min(D::PLY_MAX));
            let cell = &mut slice.lost_in[word * 64 + b];
            if *cell < value {
                *cell = value;
            }
        });
    }
}
