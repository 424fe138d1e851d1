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
mod plan;
pub mod steps;

pub use atlas::Atlas;
pub use plan::{Plan, Refused, Suppose};

use super::man::{Man, MenSet};
use super::problem::Problem;
use super::rules::{Rule, Rules};
use super::strategy::Strategy;
use crate::chess::Role;

/// Thinks about a strategy until nothing new follows.
///
/// # Errors
/// The rule that shows that it has no game.
pub fn think(
    problem: &Problem,
    strategy: &Strategy,
    mut suppose: Suppose,
    rules: Rules,
    atlas: &mut Atlas,
) -> Result<Plan, Refused> {
    let mut last = None;
    loop {
        let plan = Plan::new(problem, strategy, suppose, rules, atlas)
            .map_err(|refused| Refused { rule: last.or(refused.rule), ..refused })?;
        let mut more = MenSet::EMPTY;
        if rules.has(Rule::Occupancy) && rules.has(Rule::Dominators) {
            last = Some(Rule::Occupancy);
            more = absence::forced(&plan, atlas);
        }
        if more.is_empty() && rules.has(Rule::Probing) {
            last = Some(Rule::Probing);
            more = probe(&plan, problem, strategy, suppose, rules, atlas);
        }
        if more.is_empty() {
            return Ok(plan);
        }
        suppose.away = more.men().fold(suppose.away, MenSet::with);
    }
}

/// Rule A19 for idle men: the first one without whose absence the strategy has no game.
///
/// *Admissible*: an idle man moves or does not; if the case that it never moves is refused, it moves, and
/// since it rests at home it comes back. Kings first, because a king that never moves cannot answer
/// checks (A15).
fn probe(
    plan: &Plan,
    problem: &Problem,
    strategy: &Strategy,
    suppose: Suppose,
    rules: Rules,
    atlas: &mut Atlas,
) -> MenSet {
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
        Plan::new(problem, strategy, case, rules, atlas).is_err()
    };
    men.into_iter().find(must_move).into_iter().collect()
}
