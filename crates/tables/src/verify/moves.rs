//! Moves of the verifier, directly from the steps of the pieces.

use super::{NONE, Verifier, VerifierPosition};
use crate::fairy::MoveAtom;

/// Change of material by a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct MaterialChange {
    pub(super) victim: u8,
    /// Second captured piece, of a higher number.
    pub(super) also: u8,
    pub(super) pawn: u8,
    pub(super) becomes: usize,
}

pub(super) const QUIET: MaterialChange =
    MaterialChange { victim: NONE, also: NONE, pawn: NONE, becomes: 0 };

impl Verifier<'_> {
    pub(super) fn piece_on(&self, position: &VerifierPosition, square: u8) -> Option<usize> {
        position.squares[..self.pieces.len()].iter().position(|&s| s == square)
    }

    /// Returns true when a piece of the attacker (or of the loser) attacks the square.
    pub(super) fn attacks(&self, position: &VerifierPosition, attacker: bool, square: u8) -> bool {
        self.pieces.iter().enumerate().any(|(piece, table_piece)| {
            if table_piece.attacker != attacker || position.squares[piece] >= NONE {
                return false;
            }
            table_piece.steps.iter().filter(|s| s.capture).any(|step| {
                let mut at = position.squares[piece];
                for _ in 0..step.reach {
                    let Some(to) = go(at, step) else { return false };
                    if to == square {
                        return true;
                    }
                    if self.piece_on(position, to).is_some() {
                        return false;
                    }
                    at = to;
                }
                false
            }) || self.captures_bent(position, piece, square)
        })
    }

    /// Visits the position after every legal move, with the change of material.
    pub(super) fn each_move(
        &self,
        position: &VerifierPosition,
        mut visit: impl FnMut(VerifierPosition, MaterialChange),
    ) {
        let mut legal = |after: VerifierPosition, change: MaterialChange| {
            if !self.royal_hangs(&after) {
                visit(after, change);
            }
        };
        for (piece, table_piece) in self.pieces.iter().enumerate() {
            if table_piece.attacker != position.attacker_moves || position.squares[piece] >= NONE {
                continue;
            }
            let from = position.squares[piece];
            for step in &table_piece.steps {
                let mut at = from;
                for _ in 0..step.reach {
                    let Some(to) = go(at, step) else { break };
                    at = to;
                    match self.piece_on(position, to) {
                        None if step.quiet => {
                            self.resolve_arrival(position, piece, to, &[], &mut legal)
                        }
                        None => {}
                        Some(victim) => {
                            // The royals themselves are never captured: such positions are illegal.
                            let enemy = self.pieces[victim].attacker != table_piece.attacker;
                            if enemy && step.capture && victim > 1 {
                                self.resolve_arrival(position, piece, to, &[victim], &mut legal);
                            }
                            break;
                        }
                    }
                }
            }
            self.each_bent(position, piece, &mut |to, taken| {
                if taken.iter().all(|&victim| victim > 1) {
                    self.resolve_arrival(position, piece, to, taken, &mut legal);
                }
            });
            if table_piece.double_step {
                self.pawn_extras(position, piece, &mut legal);
            }
        }
    }

    fn pawn_extras(
        &self,
        position: &VerifierPosition,
        piece: usize,
        legal: &mut impl FnMut(VerifierPosition, MaterialChange),
    ) {
        let table_piece = &self.pieces[piece];
        let from = position.squares[piece];
        let (second, up) = if table_piece.attacker { (1, 8i32) } else { (6, -8) };
        if from / 8 == second {
            let (one, two) = ((i32::from(from) + up) as u8, (i32::from(from) + 2 * up) as u8);
            if self.piece_on(position, one).is_none() && self.piece_on(position, two).is_none() {
                let mut after = *position;
                after.squares[piece] = two;
                after.attacker_moves = !position.attacker_moves;
                after.doubled = piece as u8;
                legal(after, QUIET);
            }
        }
        if position.doubled != NONE {
            let target = position.squares[position.doubled as usize];
            if target / 8 == from / 8 && target.abs_diff(from) == 1 {
                let to = (i32::from(target) + up) as u8;
                let mut after = *position;
                after.squares[piece] = to;
                after.squares[position.doubled as usize] = NONE;
                after.attacker_moves = !position.attacker_moves;
                after.doubled = NONE;
                legal(after, MaterialChange { victim: position.doubled, ..QUIET });
            }
        }
    }

    /// Moves a piece to its target; a pawn on the last rank becomes each promotion piece. Legality
    /// ignores the kind of the new piece, since it can attack only the enemy royal.
    fn resolve_arrival(
        &self,
        position: &VerifierPosition,
        piece: usize,
        to: u8,
        victims: &[usize],
        legal: &mut impl FnMut(VerifierPosition, MaterialChange),
    ) {
        let mut after = *position;
        after.squares[piece] = to;
        after.attacker_moves = !position.attacker_moves;
        after.doubled = NONE;
        let mut change = QUIET;
        for &victim in victims {
            after.squares[victim] = NONE;
            let victim = victim as u8;
            (change.victim, change.also) = (change.victim.min(victim), change.victim.max(victim));
        }
        let table_piece = &self.pieces[piece];
        if table_piece.pawn && to / 8 == if table_piece.attacker { 7 } else { 0 } {
            for &becomes in &self.promotions {
                legal(after, MaterialChange { pawn: piece as u8, becomes, ..change });
            }
        } else {
            legal(after, change);
        }
    }
}

fn go(from: u8, step: &MoveAtom) -> Option<u8> {
    let (file, rank) = ((from & 7) as i8 + step.dx, (from >> 3) as i8 + step.dy);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as u8)
}
