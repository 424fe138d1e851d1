//! By whose fault a position has no future.

use crate::problem::man::{Man, MenSet};
use crate::search::bound::{BlockedMaps, MoveBound};
use crate::search::relax::subset::{SubsetContext, SubsetRelaxation};
use crate::search::state::board::SearchBoard;
use std::cmp::Reverse;

/// What making a party costs, in moves.
const PARTY_COST: u64 = 8;

/// The fewest of some men who by themselves cannot go their ways, as far as leaving them out one by one tells;
/// none when all of them together can, or when that takes more than so many moves. The cost in moves is
/// added up.
///
/// This is how a refutation becomes general: whoever can be left out without opening a way has nothing to
/// do with it (minimal conflicts, as in deletion filters for infeasible constraints). The men who can stand on
/// most squares are left out first, because they make the most work.
pub(crate) fn minimize_conflict(
    context: &SubsetContext<'_>,
    (board, bound, plies): (&SearchBoard, &MoveBound, u16),
    blocked_maps: &mut BlockedMaps,
    among: MenSet,
    (most, cost): (u64, &mut u64),
) -> Option<MenSet> {
    let script = context.script;
    let mut refuted = |men: MenSet| {
        let mut relaxation = SubsetRelaxation::new(men, script);
        let able = relaxation.allows(context, board, bound, plies, blocked_maps, most);
        *cost += relaxation.moves + PARTY_COST;
        !able
    };
    let mut men = MenSet(among.0 & bound.alive.0 & !script.fixed.0);
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
