//! Analysis: deductions about one strategy before it is searched.
//!
//! A strategy fixes where each piece captures, promotes, castles and ends. Analysis computes the
//! least number of moves for this ([`StrategyPlan`]), the pieces that never move, the lines that
//! stay blocked and the pieces that must make an excursion. This repeats until a fixpoint is
//! reached. Often a contradiction shows that the strategy has no game. Every deduction holds for
//! *all* games of the strategy with at most the problem's plies; its doc comment states why it is
//! admissible.

pub(crate) mod assumptions;
pub(crate) mod cache;
mod checks;
mod deadlock;
mod deductions;
mod excursion;
pub(crate) mod facts;
pub(crate) mod forbidden;
pub(crate) mod legs;
mod measure;
mod pair_costs;
mod pair_graph;
pub(crate) mod pairs;
mod plan;
mod two_way_legs;

pub(crate) use assumptions::{Assumptions, Visit};
pub(crate) use forbidden::ForbiddenSquares;
pub(crate) use pair_costs::PairCosts;
pub(crate) use plan::StrategyPlan;
pub use plan::StrategyRefutation;
pub(crate) use two_way_legs::{two_way_legs, waypoints};

use crate::analyse::cache::AnalysisCache;
use crate::analyse::deductions::{DEDUCTIONS, Finding, Propagation};
use crate::problem::Problem;
use crate::problem::piece::{PieceId, PieceMask};
use crate::rules::{Rule, Rules};
use crate::strategy::Strategy;
use std::sync::Arc;
use umbrail_chess::Role;

/// Effort of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// Deductions that pay for every strategy.
    Quick,
    /// Also deductions that pay only for a strategy that takes long to search: all pairs of pieces.
    Deep,
}

/// A strategy of a problem, to be analysed with a set of rules.
#[derive(Clone, Copy)]
pub(crate) struct Analysis<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// Strategy of the problem.
    pub strategy: &'a Strategy,
    /// Enabled rules.
    pub rules: Rules,
    /// The effort.
    pub effort: Effort,
}

impl Analysis<'_> {
    /// Propagates all deductions to a fixpoint.
    ///
    /// # Errors
    /// Returns the rule that shows that the strategy has no game in this case.
    pub(crate) fn propagate(
        &self,
        assumptions: Assumptions,
        cache: &mut AnalysisCache,
    ) -> Result<StrategyPlan, StrategyRefutation> {
        let mut last = None;
        let mut state = Propagation { assumptions, forbidden: Vec::new(), pair_rounds: 0 };
        'fixpoint: loop {
            let plan = self.plan(state.assumptions, &state.forbidden, cache);
            let mut plan = plan
                .map_err(|refused| StrategyRefutation { rule: last.or(refused.rule), ..refused })?;
            for deduction in DEDUCTIONS.iter().filter(|deduction| deduction.applies(self)) {
                match (deduction.deduce)(self, &mut plan, &mut state, cache)? {
                    Finding::Nothing => continue,
                    Finding::Forbidden(squares) => state.forbidden.extend(squares),
                    Finding::Excursions(pieces) => state.add_excursions(pieces),
                }
                last = Some(deduction.rule);
                continue 'fixpoint;
            }
            return Ok(plan);
        }
    }

    /// Returns true if all pairs of pieces are analysed.
    const fn analyses_pairs(&self) -> bool {
        matches!(self.effort, Effort::Deep) && self.rules.has(Rule::PairCollisions)
    }

    fn plan(
        &self,
        assumptions: Assumptions,
        forbidden: &[ForbiddenSquares],
        cache: &mut AnalysisCache,
    ) -> Result<StrategyPlan, StrategyRefutation> {
        StrategyPlan::new(
            self.problem,
            self.strategy,
            assumptions,
            forbidden,
            self.rules,
            &mut cache.distances,
        )
    }

    /// Applies rule A20: returns the consequences if one of the two paths of a two-move leg is
    /// refuted; `None` if both paths of every such leg may have games.
    ///
    /// *Admissible*: in every game the leg passes exactly one of the two squares
    /// ([`two_way_legs()`]). If one case is refuted, the other one holds; if both are refuted, the
    /// strategy has no game.
    ///
    /// # Errors
    /// Returns the refutation if both paths of some leg are refuted.
    fn forced(
        &self,
        plan: &StrategyPlan,
        assumptions: Assumptions,
        forbidden: &[ForbiddenSquares],
        cache: &mut AnalysisCache,
    ) -> Result<Option<ForbiddenSquares>, StrategyRefutation> {
        for segment in two_way_legs(plan, &cache.distances) {
            let alive = [0, 1].map(|index| {
                let mut case = forbidden.to_vec();
                case.push(segment.by(index));
                self.plan(assumptions, &case, cache).is_ok()
            });
            match alive {
                [true, true] => {}
                [true, false] => return Ok(Some(segment.by(0))),
                [false, true] => return Ok(Some(segment.by(1))),
                [false, false] => {
                    return Err(StrategyRefutation::by(Rule::TwoWayLegs, segment.piece));
                }
            }
        }
        Ok(None)
    }

    /// Returns the cases into which the legs of [`two_way_legs()`] split a plan, at most `most`;
    /// only the plan itself if there are no such legs. Every game of the plan belongs to exactly
    /// one case.
    pub(crate) fn cases(
        &self,
        plan: StrategyPlan,
        most: usize,
        cache: &mut AnalysisCache,
    ) -> Vec<StrategyPlan> {
        let legs = two_way_legs(&plan, &cache.distances);
        let width = (most.max(1).ilog2() as usize).min(legs.len());
        if width == 0 {
            return vec![plan];
        }
        let known: Vec<ForbiddenSquares> = plan
            .sequences
            .iter()
            .flat_map(|sequence| {
                let piece = sequence.piece;
                (0..).zip(&sequence.legs).map(move |(leg, of)| ForbiddenSquares {
                    piece,
                    leg,
                    squares: of.forbidden,
                })
            })
            .filter(|known| known.squares.any())
            .collect();
        let assumptions = plan.assumptions;
        (0..1usize << width)
            .filter_map(|case| {
                let by = legs[..width].iter().enumerate().map(|(at, leg)| leg.by(case >> at & 1));
                let forbidden: Vec<ForbiddenSquares> = known.iter().copied().chain(by).collect();
                let mut plan = self.plan(assumptions, &forbidden, cache).ok()?;
                if self.analyses_pairs() {
                    plan.pair_costs =
                        Arc::new(pairs::narrow(&plan, &cache.distances, &mut cache.pairs).ok()?.1);
                }
                Some(plan)
            })
            .collect()
    }

    /// Applies rule A19 to idle pieces: returns the first idle piece without whose excursion the
    /// strategy has no game.
    ///
    /// *Admissible*: an idle piece moves or does not. If the case that it never moves is refuted,
    /// it moves, and since it rests at home it returns. Kings are tried first, because a king that
    /// never moves cannot answer checks (rule S4).
    fn probe(
        &self,
        plan: &StrategyPlan,
        assumptions: Assumptions,
        forbidden: &[ForbiddenSquares],
        cache: &mut AnalysisCache,
    ) -> PieceMask {
        let loose = |sequence: &&legs::LegSequence| {
            let piece = sequence.piece;
            sequence.idle()
                && plan.free[piece.color().index()] >= 2
                && !plan.fixed.contains(piece)
                && !plan.assumptions.away.contains(piece)
        };
        let mut pieces: Vec<PieceId> =
            plan.sequences.iter().filter(loose).map(|sequence| sequence.piece).collect();
        pieces.sort_by_key(|piece| piece.role() != Role::King);
        let must_move = |piece: &PieceId| {
            let mut case = assumptions;
            case.stay = case.stay.with(*piece);
            match self.plan(case, forbidden, cache) {
                Err(_) => true,
                // A second pairwise analysis pays for kings, because a king's squares conflict with
                // those of every enemy.
                Ok(plan) => {
                    self.analyses_pairs()
                        && piece.role() == Role::King
                        && pairs::narrow(&plan, &cache.distances, &mut cache.pairs).is_err()
                }
            }
        };
        pieces.into_iter().find(must_move).into_iter().collect()
    }
}
