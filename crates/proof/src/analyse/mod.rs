//! Thinking about one strategy before it is played.
//!
//! A strategy says where everybody captures, promotes, castles and ends. Analysis measures how many
//! moves that takes at least ([`Plan`]), finds men that never move, lines that stay shut, men that must
//! step aside, and orders that events must have, until nothing new follows; often a contradiction shows
//! that the strategy has no game. Every deduction is about *all* games of the strategy with at most the
//! problem's plies, and says in its doc comment why it is admissible.

pub(crate) mod assumptions;
mod checks;
mod deadlock;
mod excursion;
pub mod facts;
pub mod legs;
pub(crate) mod pairs;
mod plan;
mod segments;

pub use assumptions::{AVOIDS_MAX, Suppose, VISITS_MAX, Visit};
pub use pairs::{Joint, Shun};
pub use plan::{Plan, Refused};
pub use segments::{Segment, segments, ways};

use crate::distance::cache::Atlas;

use crate::problem::Problem;
use crate::problem::man::{Man, MenSet};
use crate::rules::{Rule, Rules};
use crate::strategy::Strategy;
use std::sync::Arc;
use umbrail_chess::Role;

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
                more = excursion::forced(&plan, atlas);
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
            if more.is_empty()
                && self.effort == Effort::Deep
                && self.rules.has(Rule::Splitting)
                && let Some(forced) = self.forced(&plan, suppose, &shuns, atlas)?
            {
                last = Some(Rule::Splitting);
                shuns.push(forced);
                continue;
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

    /// Rule A20: what follows when one of the two ways of a leg of two moves is refused; none when both
    /// ways of every such leg may have games.
    ///
    /// *Admissible*: in every game the leg goes by exactly one of the two squares ([`segments()`]), so what
    /// is refused in one case leaves the other, and what is refused in both has no game.
    ///
    /// # Errors
    /// When both ways of some leg are refused.
    fn forced(
        &self,
        plan: &Plan,
        suppose: Suppose,
        shuns: &[Shun],
        atlas: &mut Atlas,
    ) -> Result<Option<Shun>, Refused> {
        for segment in segments(plan, atlas) {
            let alive = [0, 1].map(|index| {
                let mut case = shuns.to_vec();
                case.push(segment.by(index));
                self.plan(suppose, &case, atlas).is_ok()
            });
            match alive {
                [true, true] => {}
                [true, false] => return Ok(Some(segment.by(0))),
                [false, true] => return Ok(Some(segment.by(1))),
                [false, false] => return Err(Refused::by(Rule::Splitting, segment.man)),
            }
        }
        Ok(None)
    }

    /// The cases into which the legs of [`segments()`] part a plan, at most `most`; only the plan itself when
    /// there are none. Every game of the plan belongs to exactly one case.
    pub fn cases(&self, plan: Plan, most: usize, atlas: &mut Atlas) -> Vec<Plan> {
        let legs = segments(&plan, atlas);
        let width = (most.max(1).ilog2() as usize).min(legs.len());
        if width == 0 {
            return vec![plan];
        }
        let known: Vec<Shun> = plan
            .lives
            .iter()
            .flat_map(|life| (0..).zip(&life.legs).map(|(at, leg)| (life.man, at, leg.shunned)))
            .filter(|(_, _, squares)| squares.any())
            .collect();
        let suppose = plan.suppose;
        (0..1usize << width)
            .filter_map(|case| {
                let by = legs[..width].iter().enumerate().map(|(at, leg)| leg.by(case >> at & 1));
                let shuns: Vec<Shun> = known.iter().copied().chain(by).collect();
                let mut plan = self.plan(suppose, &shuns, atlas).ok()?;
                if self.deep() {
                    plan.joint = Arc::new(pairs::narrow(&plan, atlas).ok()?.1);
                }
                Some(plan)
            })
            .collect()
    }

    /// Rule A19 for idle men: the first one without whose absence the strategy has no game.
    ///
    /// *Admissible*: an idle man moves or does not; if the case that it never moves is refused, it moves,
    /// and since it rests at home it comes back. Kings first, because a king that never moves cannot
    /// answer checks (A15).
    fn probe(&self, plan: &Plan, suppose: Suppose, shuns: &[Shun], atlas: &mut Atlas) -> MenSet {
        let loose = |life: &&legs::Life| {
            let man = life.man;
            life.idle()
                && plan.free[man.color().index()] >= 2
                && !plan.fixed.contains(man)
                && !plan.suppose.away.contains(man)
        };
        let mut men: Vec<Man> = plan.lives.iter().filter(loose).map(|life| life.man).collect();
        men.sort_by_key(|man| man.role() != Role::King);
        let must_move = |man: &Man| {
            let mut case = suppose;
            case.stay = case.stay.with(*man);
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
