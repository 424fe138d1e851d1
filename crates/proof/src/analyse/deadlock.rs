//! Deadlocks: sets of pieces at home of which none can move first.

use crate::analyse::legs::{Goal, LegSequence};
use crate::analyse::plan::StrategyPlan;
use crate::distance::move_kind::MoveKind;
use crate::problem::man::Man;
use crate::problem::pawn::behind;
use umbrail_chess::geometry::{Bitboard, Square};

/// Returns the survivors that never move because each of their first moves enters or crosses a
/// square of another one of them or of a fixed piece.
///
/// *Admissible*: suppose some of them move, and take the first one to do so. At that time all the
/// others still stand at home (they live to the end), so its move was blocked. The set is the
/// largest with that property, found by removing every piece that can move. A king that castles is
/// removed, and so are pawns that a capture could lead away.
pub(crate) fn shut_in(plan: &StrategyPlan) -> Vec<Man> {
    let candidate = |sequence: &&LegSequence| {
        let first = &sequence.legs[0];
        sequence.survives()
            && !plan.fixed.contains(sequence.man)
            && !matches!(first.goal, Goal::Castle(_))
            && (sequence.legs.len() == 1 || !sequence.man.is_pawn())
    };
    let mut ring: Vec<Man> =
        plan.sequences.iter().filter(candidate).map(|sequence| sequence.man).collect();
    loop {
        let homes = ring.iter().fold(plan.fixed_squares, |all, man| all.with(man.origin()));
        let before = ring.len();
        ring.retain(|&man| exits(man, homes).is_empty());
        if ring.len() == before {
            return ring;
        }
    }
}

/// Returns the squares to which a piece can make its first move while these squares are occupied.
fn exits(man: Man, occupied: Bitboard) -> Bitboard {
    if man.is_pawn() {
        let front: Square = behind(!man.color(), man.origin());
        return Bitboard::of(front) & !occupied;
    }
    MoveKind::of(man.role(), man.color()).quiet(man.origin(), occupied)
}
