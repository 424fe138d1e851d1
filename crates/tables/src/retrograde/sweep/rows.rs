//! Steps of a ply for a whole row of words; `sweep` has those for one word.

use super::Sweep;
use crate::fairy::RayStep;
use crate::move_tables::spread;
use crate::retrograde::bent::{BentPiece, BentRow};
use crate::retrograde::passant::EnPassant;
use crate::retrograde::row::{DENSE, Row, filled, room, row, row_mut, take_back};
use crate::retrograde::slice::{CHUNK, Frontier, Slice};
use crate::retrograde::{Depth, Others, members};
use umbrail_chess::geometry::{Square, Symmetry};

/// Data shared by the words of a row.
struct RowContext {
    /// Square of the attacker's royal.
    home: u8,
    /// First word of the row.
    base: usize,
    /// Pieces, with the row's piece on a1.
    pieces: Others,
    /// Squares of the attacker's royal and the other pieces.
    occupied: u64,
}

/// Rays of a list of ray steps.
struct RayIter<'a>(&'a [RayStep]);

impl<'a> Iterator for RayIter<'a> {
    type Item = &'a [RayStep];

    #[inline(always)]
    fn next(&mut self) -> Option<&'a [RayStep]> {
        let length = self.0.first()?.left as usize + 1;
        let (ray, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(ray)
    }
}

impl<'a> Sweep<'a> {
    /// Returns true when this row is full enough to be processed as a whole.
    #[inline(always)]
    pub(super) fn is_dense(self, words: &Row) -> bool {
        self.endgame.in_rows && filled(words).count_ones() >= DENSE
    }

    #[inline(always)]
    fn context(self, home: u8, number: usize) -> RowContext {
        let base = number * CHUNK;
        let pieces = self.endgame.layout.decode(base);
        let mut occupied = 1u64 << home;
        for (piece, &square) in pieces.iter().enumerate().take(self.endgame.layout.others) {
            if Some(piece) != self.endgame.layout.inner {
                occupied |= 1 << square;
            }
        }
        RowContext { home, base, pieces, occupied }
    }

    /// Returns a piece that hops, is lame or turns, with its surroundings in a row.
    #[inline(always)]
    fn bent_row(self, context: &RowContext, piece: usize) -> Option<BentRow<'a>> {
        let templates = self.endgame.pieces[piece].templates()?;
        let inner = self.endgame.layout.inner?;
        let sides = self.endgame.sides(context.home, &context.pieces, 1 << inner);
        let is_attacker = |piece: usize| piece < self.endgame.attackers;
        let square = context.pieces[piece];
        Some(BentRow {
            piece: BentPiece { templates, square, is_attacker: is_attacker(piece), sides },
            inner_is_attacker: is_attacker(inner),
        })
    }

    /// Adds candidates for losses: squares from which the loser moves into the wins of a row.
    #[inline(always)]
    pub(super) fn unmove_loser_row<D: Depth>(self, slice: &mut Slice<D>, number: usize, won: &Row) {
        let context = self.context(slice.home, number);
        let cand = &mut slice.cand;
        cand.dirty[number] = true;
        let here = row_mut(&mut cand.words, number);
        if self.endgame.loser.king {
            for (here, &won) in here.iter_mut().zip(won) {
                *here |= spread(won);
            }
        } else {
            for (square, (here, &won)) in here.iter_mut().zip(won).enumerate() {
                let free = !(context.occupied | 1 << square);
                *here |= self.endgame.loser.before_quiet(won, free);
            }
        }
        if self.endgame.rules.null_move {
            for (here, &won) in here.iter_mut().zip(won) {
                *here |= won;
            }
        }
        for piece in self.endgame.attackers..self.endgame.pieces.len() {
            self.unmove_row(&context, number, piece, won, cand, |_, _| {});
        }
    }

    /// Adds candidates for wins: words from which the attacker's pieces move into the losses of a
    /// row.
    #[inline(always)]
    pub(super) fn unmove_attackers_row<D: Depth>(
        self,
        slice: &mut Slice<D>,
        number: usize,
        lost: &Row,
    ) {
        let home = slice.home;
        let context = self.context(home, number);
        let enemy_pawns =
            self.endgame.pieces[self.endgame.attackers..].iter().any(|piece| piece.pawn);
        for piece in 0..self.endgame.attackers {
            let pawn = self.endgame.pieces[piece].pawn && enemy_pawns;
            self.unmove_row(
                &context,
                number,
                piece,
                lost,
                &mut slice.frontier,
                |ray_step, moved| {
                    if !pawn || context.pieces[piece] - ray_step.to != 16 {
                        return;
                    }
                    // A double step may be answered en passant.
                    for (square, moved) in moved.iter_mut().enumerate().filter(|(_, m)| **m != 0) {
                        let mut pieces = context.pieces;
                        if let Some(inner) = self.endgame.layout.inner {
                            pieces[inner] = square as u8;
                        }
                        let occupied = context.occupied | 1 << square;
                        *moved &= !EnPassant { endgame: self.endgame }
                            .answers(home, &pieces, piece, occupied);
                    }
                },
            );
        }
    }

    /// Adds the words from which a piece moves into those of a row; `limit` may remove some.
    #[inline(always)]
    fn unmove_row(
        self,
        context: &RowContext,
        number: usize,
        piece: usize,
        from: &Row,
        into: &mut Frontier,
        limit: impl Fn(&RayStep, &mut Row),
    ) {
        let mover = &self.endgame.pieces[piece];
        if let Some(bent) = self.bent_row(context, piece) {
            if Some(piece) == self.endgame.layout.inner {
                into.dirty[number] = true;
                bent.unmove_inner(from, row_mut(&mut into.words, number));
            } else {
                let axis = self.endgame.layout.axis(context.base, piece, &context.pieces);
                bent.unmove(&axis, &context.pieces, from, into);
            }
            return;
        }
        if Some(piece) == self.endgame.layout.inner {
            into.dirty[number] = true;
            let room = room(context.occupied);
            let here = row_mut(&mut into.words, number);
            for step in &mover.quiet {
                take_back(step, from, &room, here);
            }
            return;
        }
        let axis = self.endgame.layout.axis(context.base, piece, &context.pieces);
        let mut left = *from;
        for ray in RayIter(mover.unmoves.from(context.pieces[piece] as usize)) {
            let mut passed = 0u64;
            for ray_step in ray {
                if context.occupied >> ray_step.to & 1 != 0 {
                    break;
                }
                let to = axis.to(&context.pieces, ray_step.to) / CHUNK;
                into.dirty[to] = true;
                let there = row_mut(&mut into.words, to);
                if mover.pawn {
                    let mut moved = left.map(|word| word & !ray_step.clear);
                    limit(ray_step, &mut moved);
                    for (there, &moved) in there.iter_mut().zip(&moved) {
                        *there |= moved;
                    }
                } else {
                    for (there, &left) in there.iter_mut().zip(&left) {
                        *there |= left & !ray_step.clear;
                    }
                }
                // With the row's piece on this square, the ray ends.
                if ray_step.left > 0 {
                    left[ray_step.to as usize & 63] = 0;
                    passed |= 1 << ray_step.to;
                }
            }
            for square in members(passed) {
                left[square] = from[square];
            }
        }
    }

    /// Removes from a row of candidates those with a quiet move that does not lead to a known win.
    #[inline(always)]
    pub(super) fn remove_escapes_row<D: Depth>(
        self,
        slice: &Slice<D>,
        number: usize,
        cand: &mut Row,
        ply: usize,
    ) {
        let context = self.context(slice.home, number);
        let safe = row(&slice.safe, number);
        if self.endgame.loser.king {
            for (cand, &safe) in cand.iter_mut().zip(safe) {
                *cand &= !spread(safe);
            }
        } else {
            for (square, (cand, &safe)) in cand.iter_mut().zip(safe).enumerate() {
                let free = !(context.occupied | 1 << square);
                *cand &= !self.endgame.loser.before_quiet(safe, free);
            }
        }
        if self.endgame.rules.null_move {
            for (cand, &safe) in cand.iter_mut().zip(safe) {
                *cand &= !safe;
            }
        }
        for piece in self.endgame.attackers..self.endgame.pieces.len() {
            if cand.iter().fold(0, |any, word| any | word) == 0 {
                return;
            }
            let mover = &self.endgame.pieces[piece];
            if let Some(bent) = self.bent_row(&context, piece) {
                if Some(piece) == self.endgame.layout.inner {
                    bent.remove_escapes_of_inner(safe, cand);
                } else {
                    let axis = self.endgame.layout.axis(context.base, piece, &context.pieces);
                    bent.remove_escapes(&axis, &context.pieces, &slice.safe, cand);
                }
                continue;
            }
            if Some(piece) == self.endgame.layout.inner {
                let room = room(context.occupied);
                let mut escapes = [0; 64];
                for step in &mover.quiet {
                    take_back(step, safe, &room, &mut escapes);
                }
                for (cand, &escapes) in cand.iter_mut().zip(&escapes) {
                    *cand &= !escapes;
                }
                continue;
            }
            let axis = self.endgame.layout.axis(context.base, piece, &context.pieces);
            let mut open: Row = [!0; 64];
            for ray in RayIter(mover.moves.from(context.pieces[piece] as usize)) {
                let mut passed = 0u64;
                for ray_step in ray {
                    if context.occupied >> ray_step.to & 1 != 0 {
                        break;
                    }
                    let to = axis.to(&context.pieces, ray_step.to);
                    let there = row(&slice.safe, to / CHUNK);
                    if mover.pawn
                        && context.pieces[piece] - ray_step.to == 16
                        && !slice.passants.is_empty()
                    {
                        for (square, (cand, &there)) in cand.iter_mut().zip(there).enumerate() {
                            if *cand != 0 && open[square] != 0 {
                                let won = slice.passant_wins(context.base + square, piece, ply);
                                *cand &= !(there & !won & !ray_step.clear);
                            }
                        }
                    } else {
                        for ((cand, &there), &open) in cand.iter_mut().zip(there).zip(&open) {
                            *cand &= !(there & open & !ray_step.clear);
                        }
                    }
                    if ray_step.left > 0 {
                        open[ray_step.to as usize & 63] = 0;
                        passed |= 1 << ray_step.to;
                    }
                }
                for square in members(passed) {
                    open[square] = !0;
                }
            }
        }
    }

    /// Adds candidates for wins in the row that a symmetry maps to from a row of losses of another
    /// slice. The attacker's royal leaps there and leaves the squares of `clear` empty.
    #[inline(always)]
    pub(super) fn unmove_royal_row(
        self,
        frontier: &mut Frontier,
        number: usize,
        lost: &Row,
        back: Symmetry,
        clear: u64,
    ) {
        let image = self.endgame.layout.image(number * CHUNK, back) / CHUNK;
        frontier.dirty[image] = true;
        let there = row_mut(&mut frontier.words, image);
        let mut words = *lost;
        back.words(&mut words);
        for (square, &word) in words.iter().enumerate() {
            let to = back.square(Square::new(square as u8)).index();
            there[to] |= word & !clear;
        }
    }
}
