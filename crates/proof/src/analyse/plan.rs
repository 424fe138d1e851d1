//! Plan: the legs of all pieces with their distances, the pieces that never move, and the free
//! moves.

use crate::analyse::assumptions::Assumptions;
use crate::analyse::legs::LegSequence;
use crate::analyse::pair_costs::PairCosts;
use crate::problem::piece::{PieceId, PieceMask};
use crate::rules::Rule;
use std::sync::Arc;
use umbrail_chess::geometry::Bitboard;

/// Refutation of a strategy, with the rule that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrategyRefutation {
    /// The rule; `None` if counting moves was enough.
    pub rule: Option<Rule>,
    /// Piece whose legs show it, if it is one piece.
    pub piece: Option<PieceId>,
}

impl StrategyRefutation {
    /// Creates the refutation by a rule at a piece.
    pub(crate) const fn by(rule: Rule, piece: PieceId) -> Self {
        Self { rule: Some(rule), piece: Some(piece) }
    }
}

/// Legs of all 32 pieces with their distances.
#[derive(Clone)]
pub struct StrategyPlan {
    /// Leg sequences by piece.
    pub(crate) sequences: Vec<LegSequence>,
    /// Number of moves of each side.
    pub(crate) budget: [i16; 2],
    /// Moves that no piece needs, by color.
    pub(crate) free: [i16; 2],
    /// Pieces that never move.
    pub(crate) fixed: PieceMask,
    /// Squares of these pieces.
    pub(crate) fixed_squares: Bitboard,
    /// Assumptions of the case. `away` also contains the pieces with forced excursions.
    pub(crate) assumptions: Assumptions,
    /// Costs of pairs; empty unless pairs were analysed.
    pub(crate) pair_costs: Arc<PairCosts>,
}

impl StrategyPlan {
    /// Returns the legs of a piece.
    #[inline]
    pub(crate) fn sequence(&self, piece: PieceId) -> &LegSequence {
        &self.sequences[piece.index()]
    }
}
