//! Deadlocks: sets of pieces at home of which none can move first.

use crate::analyse::legs::{Goal, LegSequence};
use crate::analyse::plan::StrategyPlan;
use crate::distance::move_kind::MoveKind;
use crate::problem::pawn::behind;
use crate::problem::piece::PieceId;
use umbrail_chess::geometry::{Bitboard, Square};

/// Returns the survivors that never move because each of their first moves enters or crosses a
/// square of another one of them or of a fixed piece.
///
/// *Admissible*: suppose some of them move, and take the first one to do so. At that time all the
/// others still stand at home (they live to the end), so its move was blocked. The set is the
/// largest with that property, found by removing every piece that can move. A king that castles is
/// removed, and so are pawns that a capture could lead away.
pub(crate) fn shut_in(plan: &StrategyPlan) -> Vec<PieceId> {
    let candidate = |sequence: &&LegSequence| {
        let first = &sequence.legs[0];
        sequence.survives()
            && !plan.fixed.contains(sequence.piece)
            && !matches!(first.goal, Goal::Castle(_))
            && (sequence.legs.len() == 1 || !sequence.piece.is_pawn())
    };
    let mut ring: Vec<PieceId> =
        plan.sequences.iter().filter(candidate).map(|sequence| sequence.piece).collect();
    loop {
        let homes = ring.iter().fold(plan.fixed_squares, |all, piece| all.with(piece.origin()));
        let before = ring.len();
        ring.retain(|&piece| exits(piece, homes).is_empty());
        if ring.len() == before {
            return ring;
        }
    }
}

/// Returns the squares to which a piece can make its first move while these squares are occupied.
fn exits(piece: PieceId, occupied: Bitboard) -> Bitboard {
    if piece.is_pawn() {
        let front: Square = behind(!piece.color(), piece.origin());
        return Bitboard::of(front) & !occupied;
    }
    MoveKind::of(piece.role(), piece.color()).quiet(piece.origin(), occupied)
}
