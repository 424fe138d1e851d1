//! Minimal conflicts: the smallest subset of men that still refutes a position.

use crate::problem::man::{Man, MenSet};
use crate::search::bound::BlockedMaps;
use crate::search::node::SearchNode;
use crate::search::relax::subset::{SubsetContext, SubsetRelaxation};
use std::cmp::Reverse;

/// The budget of one minimization, in moves.
pub(crate) struct ConflictBudget {
    /// Limit of each single test.
    pub(crate) test_max: u64,
    /// Moves spent so far.
    pub(crate) spent: u64,
}

impl ConflictBudget {
    /// Nothing spent yet.
    pub(crate) const fn new(test_max: u64) -> Self {
        Self { test_max, spent: 0 }
    }
}

/// Fixed cost of building a relaxation, in moves.
const SETUP_COST: u64 = 8;

/// A minimal subset of some men that cannot finish by themselves (deletion filter: men are removed
/// one by one); none when all of them together can, or when that takes more than the budget. The
/// cost in moves is added up.
///
/// This makes a refutation general: a man whose removal does not make the relaxation feasible has
/// nothing to do with it (minimal conflicts, as in deletion filters for infeasible constraints).
/// The men that can stand on the most squares are removed first, because they make the most work.
pub(crate) fn minimize_conflict(
    context: &SubsetContext<'_>,
    node: SearchNode<'_>,
    blocked_maps: &mut BlockedMaps,
    among: MenSet,
    budget: &mut ConflictBudget,
) -> Option<MenSet> {
    let script = context.script;
    let mut refuted = |men: MenSet| {
        let mut relaxation = SubsetRelaxation::new(men, script);
        let able = relaxation.allows(context, node, blocked_maps, budget.test_max);
        budget.spent += relaxation.moves + SETUP_COST;
        !able
    };
    let mut men = MenSet(among.0 & node.bound.alive.0 & !script.fixed.0);
    if !refuted(men) {
        return None;
    }
    let mut order: Vec<Man> = men.men().collect();
    order.sort_by_key(|man| Reverse(script.squares[man.index()].len()));
    for man in order {
        if refuted(men.without(man)) {
            men = men.without(man);
        }
    }
    Some(men)
}
