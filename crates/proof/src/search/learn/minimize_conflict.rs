//! Minimal conflicts: the smallest subset of pieces that still refutes a position.

use crate::problem::man::{Man, MenSet};
use crate::search::context::SearchContext;
use crate::search::node::SearchNode;
use crate::search::relax::subset::SubsetRelaxation;
use std::cmp::Reverse;

/// Budget of one minimization, in moves.
pub(crate) struct ConflictBudget {
    /// Limit of each single test, in moves.
    pub(crate) test_max: u64,
    /// Moves spent so far.
    pub(crate) spent: u64,
}

impl ConflictBudget {
    /// Creates an unused budget.
    pub(crate) const fn new(test_max: u64) -> Self {
        Self { test_max, spent: 0 }
    }
}

/// Fixed cost of building a relaxation, in moves.
const SETUP_COST: u64 = 8;

/// Returns a minimal subset of the pieces that cannot finish alone. `None` if all of them together
/// can finish, or if the test exceeds the budget. The cost in moves is added to the budget.
///
/// Pieces are removed one by one (deletion filter for infeasible constraints). This generalizes a
/// refutation: a piece whose removal leaves the relaxation infeasible is irrelevant to it. Pieces
/// that can stand on the most squares are removed first, because they cost the most work.
pub(crate) fn minimize_conflict(
    context: &mut SearchContext<'_>,
    node: SearchNode<'_>,
    among: MenSet,
    budget: &mut ConflictBudget,
) -> Option<MenSet> {
    let script = context.script;
    let mut refuted = |men: MenSet| {
        let mut relaxation = SubsetRelaxation::new(men, script);
        let able = relaxation.allows(context, node, budget.test_max);
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
