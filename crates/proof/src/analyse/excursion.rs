//! Excursions: idle pieces that must leave home and return, although their routes have no
//! milestone.

use crate::analyse::legs::{Goal, Leg, LegSequence};
use crate::analyse::plan::StrategyPlan;
use crate::distance::NEVER;
use crate::distance::cache::DistanceCache;
use crate::problem::castling::castling_rook;
use crate::problem::piece::PieceMask;
use umbrail_chess::attacks;
use umbrail_chess::geometry::Bitboard;

/// Returns the idle pieces on whose home squares another piece must stop, pass or castle over.
///
/// *Admissible* (rule A7 with A3): an idle piece that never left would stand at home throughout,
/// and every path of the other piece's leg within the free moves needs the square. The piece
/// therefore leaves, and since it rests at home it returns.
pub(crate) fn forced(plan: &StrategyPlan, distances: &mut DistanceCache) -> PieceMask {
    let idle = |sequence: &&LegSequence| {
        sequence.idle()
            && !plan.fixed.contains(sequence.piece)
            && !plan.assumptions.away.contains(sequence.piece)
    };
    let idle: Vec<&LegSequence> = plan.sequences.iter().filter(idle).collect();
    let homes: Bitboard = idle.iter().map(|sequence| sequence.piece.origin()).collect();
    let mut needed = [Bitboard::EMPTY; 32];
    if homes.is_empty() {
        return PieceMask::EMPTY;
    }
    for sequence in &plan.sequences {
        let free = plan.free[sequence.piece.color().index()];
        for leg in &sequence.legs {
            let squares = needs(sequence, leg, free, homes, distances);
            needed[sequence.piece.index()] |= squares;
        }
    }
    let asked = |sequence: &&&LegSequence| {
        let home = sequence.piece.origin();
        needed.iter().enumerate().any(|(m, set)| m != sequence.piece.index() && set.contains(home))
    };
    idle.iter().filter(asked).map(|sequence| sequence.piece).collect()
}

/// Returns the squares of `among` that every path of a leg touches.
pub(crate) fn needs(
    sequence: &LegSequence,
    leg: &Leg,
    free: i16,
    among: Bitboard,
    distances: &mut DistanceCache,
) -> Bitboard {
    match leg.goal {
        Goal::Castle(wing) => {
            let color = sequence.piece.color();
            attacks::between(
                crate::problem::piece::PieceId::king(color).origin(),
                castling_rook(color, wing).origin(),
            )
        }
        Goal::Leave => Bitboard::EMPTY,
        _ => {
            if (leg.touched & among).is_empty() || leg.stops.is_empty() {
                return Bitboard::EMPTY;
            }
            let least = distances.get(leg.map_id).moves[leg.start.index()];
            let limit = (i16::from(least) + free).min(i16::from(NEVER) - 1) as u8;
            distances.needs(leg.map_id, leg.start, limit)
        }
    }
}
