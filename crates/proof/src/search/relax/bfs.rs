//! Breadth-first search of a subset relaxation, for long tests.
//!
//! Depth-first search can reach a state first with little budget and must then expand it again.
//! Breadth-first search reaches it with the largest budget first. A state reached again with less
//! is not expanded: nothing is possible with less that is not possible with more.

use crate::search::context::SearchContext;
use crate::search::relax::feasibility::Feasibility;
use crate::search::relax::frontier::{Frontier, QueuedState};
use crate::search::relax::subset::{EffortLimit, SubsetRelaxation};

impl SubsetRelaxation {
    /// Returns whether a state has a continuation.
    ///
    /// *Admissible*: continuations of a state with less slack also exist with more
    /// ([`CacheEntry`]). If no expanded state is a success, none of the skipped ones leads to one.
    /// All states met are then infeasible, since their successors were also met.
    pub(crate) fn breadth_first(
        &mut self,
        context: &mut SearchContext<'_>,
        start: QueuedState,
        limit: EffortLimit,
    ) -> Feasibility {
        let (code, room) = start.left.part(self.waits);
        let key = start.board.key ^ code;
        let mut frontier = Frontier::default();
        frontier.meet(key, room, || start);
        let mut answer = Feasibility::Infeasible;
        let mut searching = Vec::new();
        while answer == Feasibility::Infeasible && !frontier.next.is_empty() {
            std::mem::swap(&mut searching, &mut frontier.next);
            self.frontier = Some(frontier);
            for QueuedState { board, bound, left } in &mut searching {
                answer = self.expand(context, board, bound, *left, limit);
                if answer != Feasibility::Infeasible {
                    break;
                }
            }
            searching.clear();
            frontier = self.frontier.take().unwrap_or_default();
        }
        match answer {
            Feasibility::Infeasible => {
                self.reserve(frontier.met.len());
                for (key, met) in frontier.met {
                    met.dead().for_each(|room| self.note_at(key, room, Feasibility::Infeasible));
                }
            }
            Feasibility::Unknown(_) => self.note_at(key, room, Feasibility::Unknown(limit.level)),
            Feasibility::Feasible => self.note_at(key, room, Feasibility::Feasible),
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::cache::AnalysisCache;
    use crate::analyse::{Analysis, Assumptions, Effort};
    use crate::check::random::{GameStyle, random_game};
    use crate::problem::piece::{PieceId, PieceMask};
    use crate::search::blocked_maps::BlockedMaps;
    use crate::search::bound::MoveBound;
    use crate::search::context::Blockade;
    use crate::search::depth_first::budgets;
    use crate::search::relax::feasibility::MovesLeft;
    use crate::search::state::compiled::CompiledPlan;
    use crate::{Length, Problem, Rules, project};
    use umbrail_control::Cancel;

    /// Returns the depth-first and breadth-first results of some pieces at the root of a random
    /// game's strategy, with `more` plies added.
    fn both(seed: u64, more: u16) -> Option<[Feasibility; 2]> {
        let game = random_game(GameStyle::Tight(0), 2 + seed as usize % 7, seed);
        let strategy = project(&game).unwrap();
        let diagram = strategy.diagram().unwrap();
        let plies = game.len() as u16 + more;
        let problem = Problem { diagram, plies, length: Length::Exact };
        let (mut cache, mut blocked_maps) = (AnalysisCache::default(), BlockedMaps::default());
        let (rules, effort) = (Rules::default(), Effort::Quick);
        let analysis = Analysis { problem: &problem, strategy: &strategy, rules, effort };
        let plan = analysis.propagate(Assumptions::default(), &mut cache).ok()?;
        let compiled = CompiledPlan::new(&plan);
        let blockade = Blockade { on: true, sum: true };
        let cancel = Cancel::default();
        let mut context = SearchContext {
            compiled: &compiled,
            distances: &cache.distances,
            blocked_maps: &mut blocked_maps,
            blockade,
            length: Length::Exact,
            cancel: &cancel,
        };
        // White cannot wait, Black may.
        let some = |piece: &PieceId| {
            piece.color().is_white() || !(piece.index() as u64 + seed).is_multiple_of(5)
        };
        let pieces: PieceMask = PieceId::all().filter(some).collect();
        let limit = EffortLimit { moves: 20_000, level: 14 };
        let answers = [false, true].map(|wide| {
            let mut relaxation = SubsetRelaxation::new(pieces, &compiled);
            let board = relaxation.part_of_array(&compiled);
            let left = MovesLeft { plies, own: budgets(plies, 0) };
            let Some(bound) = MoveBound::of(&mut context, &board, pieces, left.own) else {
                return Feasibility::Infeasible;
            };
            if wide {
                relaxation.breadth_first(&mut context, QueuedState { board, bound, left }, limit)
            } else {
                relaxation.depth_first(&mut context, &mut board.clone(), &bound, left, limit)
            }
        });
        Some(answers)
    }

    #[test]
    fn breadth_and_depth_agree() {
        let mut counts = [0; 2];
        for seed in 0..200 {
            for more in [0, 2, 4] {
                match both(seed, more) {
                    Some([Feasibility::Infeasible, Feasibility::Infeasible]) => counts[0] += 1,
                    Some([Feasibility::Feasible, Feasibility::Feasible]) => counts[1] += 1,
                    Some([Feasibility::Unknown(_), _] | [_, Feasibility::Unknown(_)]) | None => {}
                    Some(_) => panic!("seed {seed}, {more} plies more"),
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
    }
}
