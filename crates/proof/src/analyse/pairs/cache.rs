//! State graphs of pieces and results of pairs, cached across strategies.
//!
//! Strategies of one problem differ in a few routes, so nearly every pair of pieces has been solved
//! before with equal legs and equal free moves. Every cached value is a pure function of its key.

use crate::analyse::legs::{Goal, LegSequence};
use crate::analyse::pair_graph::StateGraph;
use crate::analyse::pairs::{Pair, PairResult, STATES_MAX};
use crate::analyse::plan::StrategyPlan;
use crate::distance::cache::DistanceCache;
use crate::problem::piece::PieceId;
use std::sync::Arc;
use umbrail_chess::geometry::{Bitboard, Square};
use umbrail_chess::{Role, attacks};
use umbrail_control::FastMap;

/// Memory limit in bytes, at which the cache is cleared. `PAIR_BYTES` is the size of an entry
/// without its costs.
const BYTES_MAX: usize = 64 << 20;
const PAIR_BYTES: usize = 120;

/// Key of the state graph of a piece: the piece with its captor and its side's free moves, and its
/// legs.
#[derive(PartialEq, Eq, Hash)]
struct SequenceKey {
    piece: PieceId,
    captor: Option<PieceId>,
    free: i16,
    legs: Box<[LegKey]>,
}

#[derive(PartialEq, Eq, Hash)]
struct LegKey {
    goal: Goal,
    start: Square,
    /// Identifies move kind, steps, target and distances.
    map_id: u32,
    after: u8,
    stops: Bitboard,
    touched: Bitboard,
    forbidden: Bitboard,
}

impl SequenceKey {
    fn new(plan: &StrategyPlan, sequence: &LegSequence) -> Self {
        let legs = sequence.legs.iter().map(|leg| LegKey {
            goal: leg.goal,
            start: leg.start,
            map_id: leg.map_id,
            after: leg.after,
            stops: leg.stops,
            touched: leg.touched,
            forbidden: leg.forbidden,
        });
        let free = plan.free[sequence.piece.color().index()];
        Self { piece: sequence.piece, captor: sequence.captor, free, legs: legs.collect() }
    }
}

/// A state graph and its number.
type Numbered = (u32, Arc<StateGraph>);

/// Cache of graphs and pairs. The keys hold numbers of distance maps, so the cache is cleared
/// together with the distances.
#[derive(Default)]
pub(crate) struct PairCache {
    /// State graphs; `None` for pieces with too many states.
    graphs: FastMap<SequenceKey, Option<Numbered>>,
    numbers: u32,
    /// Squares where third pieces matter, by the numbers of two graphs, one of them a king's.
    lines: FastMap<(u32, u32), Bitboard>,
    /// Results by two graphs and the relevant squares of third pieces; `None` for pairs that are
    /// not analysed.
    results: FastMap<(u32, u32, Bitboard), Option<PairResult>>,
    bytes: usize,
}

impl PairCache {
    /// Clears the cache if it exceeds its memory limit; graph numbers then become invalid.
    pub(crate) fn clear_if_full(&mut self) {
        if self.bytes > BYTES_MAX {
            *self = Self::default();
        }
    }

    /// Returns the state graph of a piece and its number.
    pub(crate) fn graph(
        &mut self,
        plan: &StrategyPlan,
        sequence: &LegSequence,
        distances: &DistanceCache,
    ) -> Option<Numbered> {
        let key = SequenceKey::new(plan, sequence);
        let free = key.free;
        let (numbers, bytes) = (&mut self.numbers, &mut self.bytes);
        let graph = self.graphs.entry(key).or_insert_with(|| {
            *numbers += 1;
            let graph = StateGraph::new(sequence, free, distances, STATES_MAX)?;
            *bytes += graph.bytes();
            Some((*numbers, Arc::new(graph)))
        });
        graph.clone()
    }

    /// Returns the result of a pair of pieces; `None` if the pair is not analysed.
    pub(crate) fn solve(
        &mut self,
        plan: &StrategyPlan,
        a: &Numbered,
        b: &Numbered,
    ) -> Option<&PairResult> {
        let ((i, a), (j, b)) = (a, b);
        let mut maybe = Bitboard::EMPTY;
        if Pair::is_royal(a, b) {
            let lines = *self.lines.entry((*i, *j)).or_insert_with(|| lines(a, b));
            if lines.any() {
                let others = plan
                    .sequences
                    .iter()
                    .filter(|sequence| ![a.piece, b.piece].contains(&sequence.piece));
                maybe = others.fold(maybe, |all, sequence| all | sequence.squares()) & lines;
            }
        }
        let bytes = &mut self.bytes;
        let result = self.results.entry((*i, *j, maybe)).or_insert_with(|| {
            let result = Pair::new(a, b, maybe).map(|pair| pair.solve());
            let costs = match &result {
                Some(PairResult::Feasible { costs: Some(costs), .. }) => costs.bytes(),
                _ => 0,
            };
            *bytes += PAIR_BYTES + costs;
            result
        });
        result.as_ref()
    }
}

/// Returns the squares between a king and a piece that may check it along a line.
fn lines(a: &StateGraph, b: &StateGraph) -> Bitboard {
    let mut lines = Bitboard::EMPTY;
    for (king, other) in [(a, b), (b, a)] {
        if king.piece.role() != Role::King {
            continue;
        }
        let stands = king.states.iter().map(|&(_, square)| square).collect::<Bitboard>();
        let targets = king.edges.iter().fold(stands, |all, edge| all | edge.safe);
        for (&(_, from), move_kind) in other.states.iter().zip(&other.move_kinds) {
            let seen = targets & move_kind.checks(from, Bitboard::EMPTY);
            for to in seen.squares() {
                lines |= attacks::between(from, to);
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::cache::AnalysisCache;
    use crate::analyse::{Analysis, Assumptions, Effort, pairs};
    use crate::{Length, Problem, Rule, Rules, game_of, project};

    /// Returns the plans of a few games' strategies, with few free moves.
    fn plans(cache: &mut AnalysisCache) -> Vec<StrategyPlan> {
        let games = [
            "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O Bg4 h3 Bxf3 Qxf3 Qf6",
            "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 bxc6 O-O Bb7 h3 Qf6 Re1 O-O-O",
            "d4 d5 Qd3 Qd6 Qa6 Nxa6 Nc3 Qg3 hxg3 Bf5 Rh6 Nxh6 Nb5 Nxb5",
        ];
        let mut plans = Vec::new();
        for text in games {
            let Ok(game) = game_of(text) else { continue };
            let strategy = project(&game).unwrap();
            let plies = game.len() as u16 + 2;
            let diagram = strategy.diagram().unwrap();
            let problem = Problem { diagram, plies, length: Length::Exact };
            let (rules, effort) = (Rules::default(), Effort::Quick);
            let analysis = Analysis { problem: &problem, strategy: &strategy, rules, effort };
            plans.push(analysis.propagate(Assumptions::default(), cache).unwrap());
        }
        assert!(plans.len() >= 2);
        plans
    }

    #[test]
    fn cached_results_equal_fresh_ones() {
        let mut cache = AnalysisCache::default();
        let plans = plans(&mut cache);
        let states =
            |found: &(Vec<crate::analyse::ForbiddenSquares>, crate::analyse::PairCosts)| {
                found.0.clone()
            };
        let fresh: Vec<_> = plans
            .iter()
            .map(|plan| {
                cache.pairs = PairCache::default();
                states(&pairs::narrow(plan, &cache.distances, &mut cache.pairs).unwrap())
            })
            .collect();
        for _ in 0..2 {
            for (plan, fresh) in plans.iter().zip(&fresh) {
                assert_eq!(
                    &states(&pairs::narrow(plan, &cache.distances, &mut cache.pairs).unwrap()),
                    fresh
                );
            }
        }
        assert!(fresh.iter().any(|forbidden| !forbidden.is_empty()), "pairs find something");
    }

    #[test]
    fn rooks_that_pass_each_other_on_the_first_rank_cost_two_moves() {
        // Ra1-g1 and Rh1-b1, one move each if they could jump.
        let text = "h4 a6 b4 h6 d4 Nc6 e4 Nb8 Bg5 Nc6 Bc4 Nb8 Qg4 Nc6 Nc3 Nb8 Nd5 Nc6 Nge2 Nb8 \
            Nef4 Nc6 Ke2 Nb8 Rh3 Nc6 Rg1 Nb8 Rb3 Nc6 Rbb1 Nb8";
        let game = game_of(text).unwrap();
        let strategy = project(&game).unwrap();
        let diagram = strategy.diagram().unwrap();
        let mut cache = AnalysisCache::default();
        let mut think = |plies, rules: Rules| {
            let problem = Problem { diagram, plies, length: Length::Exact };
            let effort = Effort::Deep;
            let analysis = Analysis { problem: &problem, strategy: &strategy, rules, effort };
            analysis.propagate(Assumptions::default(), &mut cache).map(|plan| plan.free[0])
        };
        let without = Rules::default().set(Rule::PairCollisions, false);
        assert!(think(game.len() as u16, Rules::default()).is_ok());
        let refused = think(game.len() as u16 - 2, Rules::default()).unwrap_err();
        assert_eq!(refused.rule, Some(Rule::PairCollisions));
        assert_eq!(think(game.len() as u16 - 2, without), Ok(1));
    }
}
