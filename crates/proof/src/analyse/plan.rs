//! A plan: the legs of all men with their distances, the men that never move, and the free moves.

use crate::analyse::assumptions::Assumptions;
use crate::analyse::legs::LegSequence;
use crate::analyse::pairs::costs::PairCosts;
use crate::problem::man::{Man, MenSet};
use crate::rules::Rule;
use std::sync::Arc;
use umbrail_chess::geometry::Bitboard;

/// A strategy has no game: the rule that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrategyRefutation {
    /// The rule; none when counting moves was enough.
    pub rule: Option<Rule>,
    /// The man whose legs show it, if it was one man's.
    pub man: Option<Man>,
}

impl StrategyRefutation {
    /// Refutation by a rule at a man.
    pub(crate) const fn by(rule: Rule, man: Man) -> Self {
        Self { rule: Some(rule), man: Some(man) }
    }
}

/// The legs of all 32 men with their distances.
#[derive(Clone)]
pub struct StrategyPlan {
    /// By man.
    pub(crate) sequences: Vec<LegSequence>,
    /// Moves of each side.
    pub(crate) budget: [i16; 2],
    /// Moves that no man needs, by color.
    pub(crate) free: [i16; 2],
    /// Men that never move.
    pub(crate) fixed: MenSet,
    /// Their squares.
    pub(crate) fixed_squares: Bitboard,
    /// The assumptions of the case. `away` also holds the men with forced excursions.
    pub(crate) assumptions: Assumptions,
    /// The costs of pairs; empty unless pairs were analysed.
    pub(crate) pair_costs: Arc<PairCosts>,
}

impl StrategyPlan {
    /// The legs of a man.
    #[inline]
    pub(crate) fn sequence(&self, man: Man) -> &LegSequence {
        &self.sequences[man.index()]
    }
}
