//! Thinking about one strategy before it is played.
//!
//! A strategy says where everybody captures, promotes, castles and ends. Analysis measures how many
//! moves that takes at least ([`Plan`]), finds men that never move, lines that stay shut, men that must
//! step aside, and orders that events must have, until nothing new follows; often a contradiction shows
//! that the strategy has no game. Every deduction is about *all* games of the strategy with at most the
//! problem's plies, and says in its doc comment why it is admissible.

mod absence;
pub mod atlas;
mod checks;
pub mod facts;
pub mod field;
pub mod gait;
pub mod life;
mod nest;
mod pairs;
mod plan;
pub mod steps;
mod track;

pub use atlas::Atlas;
pub use pairs::{Joint, Shun};
pub use plan::{Plan, Refused, Suppose};

use super::man::{Man, MenSet};
use super::problem::Problem;
use super::rules::{Rule, Rules};
use super::strategy::Strategy;
use crate::chess::Role;
use std::sync::Arc;

/// How often all pairs of men are looked at for one strategy; each look is sound by itself.
const ROUNDS_MAX: usize = 4;

/// How hard to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// What is worth while for every strategy.
    Quick,
    /// What pays for a strategy that takes long to play: all pairs of men.
    Deep,
}

/// A strategy of a problem, to be thought about with certain rules.
#[derive(Clone, Copy)]
pub struct Matter<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// Its strategy.
    pub strategy: &'a Strategy,
    /// The rules that are on.
    pub rules: Rules,
    /// How hard to think.
    pub effort: Effort,
}

impl Matter<'_> {
    /// Thinks until nothing new follows.
    ///
    /// # Errors
    /// The rule that shows that the strategy has no game in this case.
    pub fn think(&self, mut suppose: Suppose, atlas: &mut Atlas) -> Result<Plan, Refused> {
        let mut last = None;
        let mut shuns = Vec::new();
        let mut rounds = 0;
        loop {
            let plan = self.plan(suppose, &shuns, atlas);
            let mut plan =
                plan.map_err(|refused| Refused { rule: last.or(refused.rule), ..refused })?;
            let mut more = MenSet::EMPTY;
            if self.rules.has(Rule::Occupancy) && self.rules.has(Rule::Dominators) {
                last = Some(Rule::Occupancy);
                more = absence::forced(&plan, atlas);
            }
            if more.is_empty() && self.deep() {
                rounds += 1;
                let (found, known) = pairs::narrow(&plan, atlas)?;
                plan.joint = Arc::new(known);
                if !found.is_empty() && rounds < ROUNDS_MAX {
                    last = Some(Rule::Collisions);
                    shuns.extend(found);
                    continue;
                }
            }
            if more.is_empty() && self.rules.has(Rule::Probing) {
                last = Some(Rule::Probing);
                more = self.probe(&plan, suppose, &shuns, atlas);
            }
            if more.is_empty() {
                return Ok(plan);
            }
            // An absence is a new first leg, so what was said of legs by number is void.
            shuns.clear();
            suppose.away = more.men().fold(suppose.away, MenSet::with);
        }
    }

    const fn deep(&self) -> bool {
        matches!(self.effort, Effort::Deep) && self.rules.has(Rule::Collisions)
    }

    fn plan(&self, suppose: Suppose, shuns: &[Shun], atlas: &mut Atlas) -> Result<Plan, Refused> {
        Plan::new(self.problem, self.strategy, suppose, shuns, self.rules, atlas)
    }

    /// Rule A19 for idle men: the first one without whose absence the strategy has no game.
    ///
    /// *Admissible*: an idle man moves or does not; if the case that it never moves is refused, it moves,
    /// and since it rests at home it comes back. Kings first, because a king that never moves cannot
    /// answer checks (A15).
    fn probe(&self, plan: &Plan, suppose: Suppose, shuns: &[Shun], atlas: &mut Atlas) -> MenSet {
        let loose = |life: &&life::Life| {
            let man = life.man;
            life.idle()
                && plan.free[man.color().index()] >= 2
                && !plan.fixed.contains(man)
                && !plan.away.contains(man)
        };
        let mut men: Vec<Man> = plan.lives.iter().filter(loose).map(|life| life.man).collect();
        men.sort_by_key(|man| man.role() != Role::King);
        let must_move = |man: &Man| {
            let case = Suppose { stay: suppose.stay.with(*man), ..suppose };
            match self.plan(case, shuns, atlas) {
                Err(_) => true,
                // All pairs once more are worth their time for kings, who meet everybody.
                Ok(plan) => {
                    self.deep() && man.role() == Role::King && pairs::narrow(&plan, atlas).is_err()
                }
            }
        };
        men.into_iter().find(must_move).into_iter().collect()
    }
}
