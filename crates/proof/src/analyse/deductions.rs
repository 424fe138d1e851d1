//! Table of the deductions that [`Analysis::propagate`] applies to a fixpoint, in this order.
//!
//! A new deduction needs a rule in `rules.rs`, a function whose documentation states why it is
//! admissible, and a line here. The first finding starts a new round with the plan measured again.

use crate::analyse::cache::AnalysisCache;
use crate::analyse::forbidden::ForbiddenSquares;
use crate::analyse::{
    Analysis, Assumptions, Effort, StrategyPlan, StrategyRefutation, excursion, pairs,
};
use crate::problem::piece::PieceMask;
use crate::rules::Rule;
use std::sync::Arc;

/// Maximum number of rounds of pairwise analysis for one strategy; each round is sound.
const PAIR_ROUNDS_MAX: usize = 4;

/// Findings of the rounds so far.
pub(crate) struct Propagation {
    /// Assumptions, with the excursions found.
    pub(crate) assumptions: Assumptions,
    /// Forbidden squares found.
    pub(crate) forbidden: Vec<ForbiddenSquares>,
    /// Number of rounds of pairwise analysis.
    pub(crate) pair_rounds: usize,
}

impl Propagation {
    /// Adds forced excursions. An excursion is a new first leg, so leg numbers of forbidden squares
    /// become invalid.
    pub(crate) fn add_excursions(&mut self, pieces: PieceMask) {
        self.forbidden.clear();
        self.assumptions.away = pieces.pieces().fold(self.assumptions.away, PieceMask::with);
    }
}

/// Finding of a deduction in a plan that it does not refute.
pub(crate) enum Finding {
    /// Nothing new.
    Nothing,
    /// Squares on which pieces never stop.
    Forbidden(Vec<ForbiddenSquares>),
    /// Pieces that must make an excursion.
    Excursions(PieceMask),
}

/// A deduction about a plan: a finding, or the refutation of the strategy.
type Deduce = fn(
    &Analysis<'_>,
    &mut StrategyPlan,
    &mut Propagation,
    &mut AnalysisCache,
) -> Result<Finding, StrategyRefutation>;

/// A line of the table.
pub(crate) struct Deduction {
    /// Rule that switches the deduction off, and that a refutation names.
    pub(crate) rule: Rule,
    /// Another rule that must be enabled.
    with: Option<Rule>,
    /// Least effort at which the deduction is applied.
    effort: Effort,
    /// The deduction.
    pub(crate) deduce: Deduce,
}

impl Deduction {
    /// Returns true if the deduction is applied in this analysis.
    pub(crate) fn applies(&self, analysis: &Analysis<'_>) -> bool {
        let on = |rule: Rule| analysis.rules.has(rule);
        on(self.rule) && self.with.is_none_or(on) && analysis.effort >= self.effort
    }
}

/// All deductions, in the order of application.
pub(crate) const DEDUCTIONS: [Deduction; 4] = [
    Deduction {
        rule: Rule::ForcedExcursions,
        with: Some(Rule::RequiredSquares),
        effort: Effort::Quick,
        deduce: forced_excursions,
    },
    Deduction {
        rule: Rule::PairCollisions,
        with: None,
        effort: Effort::Deep,
        deduce: pairs_of_pieces,
    },
    Deduction { rule: Rule::TwoWayLegs, with: None, effort: Effort::Deep, deduce: two_way_legs },
    Deduction {
        rule: Rule::IdlePiecesProbing,
        with: None,
        effort: Effort::Quick,
        deduce: idle_pieces,
    },
];

/// Applies [`excursion::forced`].
fn forced_excursions(
    _: &Analysis<'_>,
    plan: &mut StrategyPlan,
    _: &mut Propagation,
    cache: &mut AnalysisCache,
) -> Result<Finding, StrategyRefutation> {
    Ok(excursions(excursion::forced(plan, &mut cache.distances)))
}

/// Applies [`pairs::narrow`]. The plan keeps the costs of pairs.
fn pairs_of_pieces(
    _: &Analysis<'_>,
    plan: &mut StrategyPlan,
    state: &mut Propagation,
    cache: &mut AnalysisCache,
) -> Result<Finding, StrategyRefutation> {
    state.pair_rounds += 1;
    let (found, costs) = pairs::narrow(plan, &cache.distances, &mut cache.pairs)?;
    plan.pair_costs = Arc::new(costs);
    let more = !found.is_empty() && state.pair_rounds < PAIR_ROUNDS_MAX;
    Ok(if more { Finding::Forbidden(found) } else { Finding::Nothing })
}

/// Applies [`Analysis::forced`].
fn two_way_legs(
    analysis: &Analysis<'_>,
    plan: &mut StrategyPlan,
    state: &mut Propagation,
    cache: &mut AnalysisCache,
) -> Result<Finding, StrategyRefutation> {
    let forced = analysis.forced(plan, state.assumptions, &state.forbidden, cache)?;
    Ok(forced.map_or(Finding::Nothing, |forced| Finding::Forbidden(vec![forced])))
}

/// Applies [`Analysis::probe`].
fn idle_pieces(
    analysis: &Analysis<'_>,
    plan: &mut StrategyPlan,
    state: &mut Propagation,
    cache: &mut AnalysisCache,
) -> Result<Finding, StrategyRefutation> {
    Ok(excursions(analysis.probe(plan, state.assumptions, &state.forbidden, cache)))
}

/// Returns the finding that these pieces must make an excursion.
fn excursions(pieces: PieceMask) -> Finding {
    if pieces.is_empty() { Finding::Nothing } else { Finding::Excursions(pieces) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_deduction_has_a_rule_of_its_own() {
        for (number, deduction) in DEDUCTIONS.iter().enumerate() {
            assert!(DEDUCTIONS[..number].iter().all(|other| other.rule != deduction.rule));
            assert!(deduction.rule.name().starts_with('A'));
        }
    }
}
