//! The table of deductions that [`Analysis::propagate`] applies to a fixpoint, in this order.
//!
//! To add a deduction: a rule in `rules.rs`, a function that says in its documentation why it is admissible,
//! and a line here. The first finding starts a new round with the plan measured again.

use crate::analyse::cache::AnalysisCache;
use crate::analyse::forbidden::ForbiddenSquares;
use crate::analyse::{
    Analysis, Assumptions, Effort, StrategyPlan, StrategyRefutation, excursion, pairs,
};
use crate::problem::man::MenSet;
use crate::rules::Rule;
use std::sync::Arc;

/// Rounds of pairwise analysis for one strategy; each round is sound by itself.
const PAIR_ROUNDS_MAX: usize = 4;

/// What the rounds so far have found.
pub(crate) struct Propagation {
    /// The assumptions, with the excursions found.
    pub(crate) assumptions: Assumptions,
    /// The forbidden squares found.
    pub(crate) forbidden: Vec<ForbiddenSquares>,
    /// Rounds of pairwise analysis.
    pub(crate) pair_rounds: usize,
}

impl Propagation {
    /// Adds forced excursions. An excursion is a new first leg, so the leg numbers of forbidden squares are
    /// void.
    pub(crate) fn add_excursions(&mut self, men: MenSet) {
        self.forbidden.clear();
        self.assumptions.away = men.men().fold(self.assumptions.away, MenSet::with);
    }
}

/// What a deduction finds in a plan that it does not refute.
pub(crate) enum Finding {
    /// Nothing new.
    Nothing,
    /// Squares on which men never stop.
    Forbidden(Vec<ForbiddenSquares>),
    /// Men that must make an excursion.
    Excursions(MenSet),
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
    /// The rule by which it is switched off, and which a refutation names.
    pub(crate) rule: Rule,
    /// Another rule that must be on.
    with: Option<Rule>,
    /// The least effort at which it is applied.
    effort: Effort,
    /// The deduction.
    pub(crate) deduce: Deduce,
}

impl Deduction {
    /// Whether it is applied in this analysis.
    pub(crate) fn applies(&self, analysis: &Analysis<'_>) -> bool {
        let on = |rule: Rule| analysis.rules.has(rule);
        on(self.rule) && self.with.is_none_or(on) && analysis.effort >= self.effort
    }
}

/// All deductions, in the order in which they are applied.
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
        deduce: pairs_of_men,
    },
    Deduction { rule: Rule::TwoWayLegs, with: None, effort: Effort::Deep, deduce: two_way_legs },
    Deduction { rule: Rule::IdleMenProbing, with: None, effort: Effort::Quick, deduce: idle_men },
];

/// See [`excursion::forced`].
fn forced_excursions(
    _: &Analysis<'_>,
    plan: &mut StrategyPlan,
    _: &mut Propagation,
    cache: &mut AnalysisCache,
) -> Result<Finding, StrategyRefutation> {
    Ok(excursions(excursion::forced(plan, &mut cache.distances)))
}

/// See [`pairs::narrow`]. The plan keeps the costs of pairs.
fn pairs_of_men(
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

/// See [`Analysis::forced`].
fn two_way_legs(
    analysis: &Analysis<'_>,
    plan: &mut StrategyPlan,
    state: &mut Propagation,
    cache: &mut AnalysisCache,
) -> Result<Finding, StrategyRefutation> {
    let forced = analysis.forced(plan, state.assumptions, &state.forbidden, cache)?;
    Ok(forced.map_or(Finding::Nothing, |forced| Finding::Forbidden(vec![forced])))
}

/// See [`Analysis::probe`].
fn idle_men(
    analysis: &Analysis<'_>,
    plan: &mut StrategyPlan,
    state: &mut Propagation,
    cache: &mut AnalysisCache,
) -> Result<Finding, StrategyRefutation> {
    Ok(excursions(analysis.probe(plan, state.assumptions, &state.forbidden, cache)))
}

/// The finding that these men must make an excursion.
fn excursions(men: MenSet) -> Finding {
    if men.is_empty() { Finding::Nothing } else { Finding::Excursions(men) }
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
