//! En passant without stored en passant positions.
//!
//! A double step of the attacker that the loser may answer en passant is kept in a list. It wins
//! only when all those captures lose and the ordinary child is lost (or is a stalemate that only
//! the capture breaks). A double step of the loser that the attacker may answer en passant stops
//! being safe when that capture wins, even if the ordinary child never does. The position is then
//! tested again at that ply. Both cases are rare.

use super::slice::{DoubleStepWin, Slice};
use super::{Depth, Endgame, NO_PIECE, Others, each, schedule};
use crate::rules::Metric;

/// Finds double steps and the captures that answer them.
#[derive(Clone, Copy)]
pub(super) struct EnPassant<'a> {
    pub(super) endgame: &'a Endgame,
}

impl EnPassant<'_> {
    /// Returns, for a child where the attacker's pawn `piece` just made a double step, the squares of
    /// the loser's royal from which some en passant capture is legal.
    pub(super) fn answers(self, home: u8, pieces: &Others, piece: usize, occupied: u64) -> u64 {
        let mut all = 0;
        self.each_passant(home, pieces, piece, occupied, |_, _, legal| all |= legal);
        all
    }

    /// Calls `visit` with each loser's pawn that may capture en passant, the pieces after the
    /// capture, and the squares of the loser's royal for which it is legal.
    pub(super) fn each_passant(
        self,
        home: u8,
        pieces: &Others,
        piece: usize,
        occupied: u64,
        mut visit: impl FnMut(usize, &Others, u64),
    ) {
        let (stands, behind) = (pieces[piece], pieces[piece] - 8);
        for taker in self.endgame.attackers..self.endgame.pieces.len() {
            if !self.endgame.pieces[taker].pawn || !beside(pieces[taker], stands) {
                continue;
            }
            let mut after = *pieces;
            after[taker] = behind;
            let occupied = occupied & !(1 << stands) & !(1 << pieces[taker]) | 1 << behind;
            let legal = !occupied & !self.endgame.attacked(home, pieces, 1 << piece, occupied);
            visit(taker, &after, legal);
        }
    }

    /// Calls `visit` with the pieces after each en passant capture of the attacker that answers the
    /// double step of the loser's pawn `piece`. Legality is that of the child.
    pub(super) fn each_answer(self, child: &Others, piece: usize, mut visit: impl FnMut(&Others)) {
        for taker in 0..self.endgame.attackers {
            if self.endgame.pieces[taker].pawn && beside(child[taker], child[piece]) {
                let mut after = *child;
                after[taker] = child[piece] + 8;
                visit(&after);
            }
        }
    }

    /// Finds the double steps of a word that can be answered en passant.
    pub(super) fn find<D: Depth>(
        self,
        slice: &mut Slice<D>,
        word: usize,
        pieces: &Others,
        occupied: u64,
        attacker_legal: u64,
    ) {
        for piece in 0..self.endgame.pieces.len() {
            if !self.endgame.pieces[piece].double_step {
                continue;
            }
            let up = piece < self.endgame.attackers;
            let from = pieces[piece];
            if from / 8 != if up { 1 } else { 6 } {
                continue;
            }
            let (over, to) = if up { (from + 8, from + 16) } else { (from - 8, from - 16) };
            let path = 1u64 << over | 1 << to;
            if path & occupied != 0 {
                continue;
            }
            let mut child = *pieces;
            child[piece] = to;
            let after = occupied & !(1 << from) | 1 << to;
            if up {
                self.find_special(slice, word, piece, &child, after, attacker_legal & !path);
            } else {
                self.find_answer(slice, word, piece, &child, path);
            }
        }
    }

    fn find_special<D: Depth>(
        self,
        slice: &mut Slice<D>,
        word: usize,
        piece: usize,
        child: &Others,
        occupied: u64,
        mask: u64,
    ) {
        let Some(sub) = &self.endgame.subs.captured[piece] else { return };
        let mut worst = [0u16; 64];
        let (mut any, mut saved) = (0, 0);
        self.each_passant(slice.home, child, piece, occupied, |_, after, legal| {
            let legal = legal & mask;
            let (won, spot) = sub.solved.won_word(slice.home, &sub.pieces(after));
            any |= legal;
            saved |= legal & !won;
            each(legal & won, |b| {
                let through = self.endgame.rules.metric == Metric::Dtm;
                let ply = if through { sub.solved.won_ply(spot, b as u8) } else { None };
                worst[b] = worst[b].max(ply.map_or(1, |p| p + 1) as u16);
            });
        });
        let child = self.endgame.layout.encode(child) as u32;
        each(any & !saved, |b| {
            slice.horizon = slice.horizon.max(worst[b] as usize + 1);
            slice.double_step_wins.push(DoubleStepWin {
                word: word as u32,
                child,
                square: b as u8,
                stalemate: false,
                ply: worst[b],
            });
        });
    }

    fn find_answer<D: Depth>(
        self,
        slice: &mut Slice<D>,
        word: usize,
        piece: usize,
        child: &Others,
        path: u64,
    ) {
        let Some(sub) = &self.endgame.subs.captured[piece] else { return };
        let mut best = [u16::MAX; 64];
        let mut any = 0;
        // The child must be legal: the attacker, to move, may not have the royal en prise.
        let legal = self.endgame.occupied(slice.home, child).map_or(0, |occupied| {
            !occupied & !self.endgame.attacked(slice.home, child, NO_PIECE, occupied)
        });
        self.each_answer(child, piece, |after| {
            let (lost, spot) = sub.solved.lost_word(slice.home, &sub.pieces(after));
            let wins = lost & legal & !path;
            any |= wins;
            each(wins, |b| {
                let through = self.endgame.rules.metric.looks_through();
                let ply = if through { sub.solved.lost_ply(spot, b as u8) } else { None };
                best[b] = best[b].min(self.endgame.rules.metric.through(ply.unwrap_or(0)) as u16);
            });
        });
        if any == 0 {
            return;
        }
        let mut list: Vec<(u64, u16)> = Vec::new();
        each(any, |b| match list.iter_mut().find(|(_, e)| *e == best[b]) {
            Some((bits, _)) => *bits |= 1 << b,
            None => list.push((1 << b, best[b])),
        });
        for &(bits, e) in &list {
            let ply = e as usize + 1;
            slice.horizon = slice.horizon.max(ply);
            schedule(&mut slice.retest, ply, word, bits);
        }
        slice.passants.insert((word as u32, piece as u8), list);
    }
}

/// Returns true for adjacent squares of one rank.
const fn beside(a: u8, b: u8) -> bool {
    a / 8 == b / 8 && a.abs_diff(b) == 1
}
