//! Pawn moves as conversions, for distances to zeroing.
//!
//! A pawn never moves back, so positions fall into *stages* by the number of steps that all pawns
//! can still make. Stages are solved in sequence, the most advanced first, and a push leads to a
//! finished stage. Pushes leave both royals in place, so a slice needs only itself. En passant
//! needs no lists here: the stage after a double step is already finished.

use super::ConversionFinder;
use crate::move_tables::walk;
use crate::retrograde::passant::EnPassant;
use crate::retrograde::row::row;
use crate::retrograde::slice::{Conversions, Slice};
use crate::retrograde::{Depth, NO_PIECE, Others, each};

/// Push of a pawn.
struct PawnPush {
    word: usize,
    piece: usize,
    /// Pieces, word and occupied squares after the push.
    after: Others,
    child: usize,
    occupied: u64,
}

impl ConversionFinder<'_> {
    /// Stores the values of the pushes of a word (promotions excepted).
    pub(in crate::retrograde) fn push_conversions<D: Depth>(
        self,
        slice: &mut Slice<D>,
        word: usize,
        pieces: &Others,
        occupied: u64,
        (attacker_legal, loser_legal): (u64, u64),
        found: &mut Conversions,
    ) {
        for piece in (0..self.endgame.pieces.len()).filter(|&m| self.endgame.pieces[m].pawn) {
            let from = pieces[piece];
            let rest = self.endgame.layout.without(word, piece, pieces);
            let ours = piece < self.endgame.attackers;
            walk(self.endgame.pieces[piece].pushes.from(from as usize), |ray_step| {
                let legal = if ours { attacker_legal } else { loser_legal } & !ray_step.clear;
                if occupied >> ray_step.to & 1 != 0 || legal == 0 {
                    return false;
                }
                let mut after = *pieces;
                after[piece] = ray_step.to;
                let child = self.endgame.layout.with(rest, piece, pieces, ray_step.to);
                let occupied = occupied & !(1 << from) | 1 << ray_step.to;
                let push = PawnPush { word, piece, after, child, occupied };
                let double = ray_step.to.abs_diff(from) == 16;
                if ours {
                    self.push_wins(slice, &push, legal, double, found);
                } else {
                    self.push_answers(slice, &push, legal, double, found);
                }
                true
            });
        }
    }

    /// Stores a push of the attacker. It wins where the loser is lost after it, also with en
    /// passant.
    fn push_wins<D: Depth>(
        self,
        slice: &mut Slice<D>,
        push: &PawnPush,
        legal: u64,
        double: bool,
        found: &mut Conversions,
    ) {
        let cells = push.child * 64..push.child * 64 + 64;
        let lost = !D::equal(row(&slice.lost_in, push.child), D::default(), None);
        let mut wins = lost & !slice.open[push.child] & legal;
        let mut plies = [0; 64];
        each(wins, |b| plies[b] = slice.lost_in[cells.start + b].raw() - 1);
        if let (true, Some(sub)) = (double, &self.endgame.subs.captured[push.piece]) {
            // A stalemate that only en passant breaks depends on the captures alone.
            let stale = slice.stale.get(&(push.child as u32)).copied().unwrap_or(0);
            let (mut any, mut saved) = (0, 0);
            let passants = EnPassant { endgame: self.endgame };
            passants.each_passant(
                slice.home,
                &push.after,
                push.piece,
                push.occupied,
                |_, pieces, answers| {
                    let answers = answers & legal;
                    let (won, spot) = sub.solved.won_word(slice.home, &sub.pieces(pieces));
                    any |= answers;
                    saved |= answers & !won;
                    each(answers & won, |b| {
                        let ply = sub.solved.won_ply(spot, b as u8).unwrap_or(0);
                        plies[b] = plies[b].max(self.endgame.rules.metric.through(ply));
                    });
                },
            );
            wins = (wins | stale & any) & !saved;
        }
        let metric = self.endgame.rules.metric;
        slice.note_wins(push.word, wins, found, &plies.map(|ply| metric.through(ply)));
    }

    /// Stores a push of the loser. It escapes where the attacker does not win after it, en passant
    /// or otherwise.
    fn push_answers<D: Depth>(
        self,
        slice: &mut Slice<D>,
        push: &PawnPush,
        legal: u64,
        double: bool,
        found: &mut Conversions,
    ) {
        let attacked = self.endgame.attacked(slice.home, &push.after, NO_PIECE, push.occupied);
        let legal = legal & !attacked;
        let cells = push.child * 64..push.child * 64 + 64;
        let mut won = !D::equal(row(&slice.won_in, push.child), D::default(), None);
        let mut plies = [usize::MAX; 64];
        each(won, |b| plies[b] = slice.won_in[cells.start + b].raw() - 1);
        if let (true, Some(sub)) = (double, &self.endgame.subs.captured[push.piece]) {
            let passants = EnPassant { endgame: self.endgame };
            passants.each_answer(&push.after, push.piece, |pieces| {
                let (lost, spot) = sub.solved.lost_word(slice.home, &sub.pieces(pieces));
                won |= lost & legal;
                each(lost & legal, |b| {
                    let ply = sub.solved.lost_ply(spot, b as u8).unwrap_or(0);
                    plies[b] = plies[b].min(self.endgame.rules.metric.through(ply));
                });
            });
        }
        found.escape |= legal & !won;
        self.loses(slice, push.word, legal & won, |b| Some(plies[b as usize]), found);
    }
}
