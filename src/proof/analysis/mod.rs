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
pub mod field;
pub mod gait;
pub mod life;
mod nest;
mod plan;
pub mod steps;

pub use atlas::Atlas;
pub use plan::{Plan, Refused, Suppose};

use super::man::MenSet;
use super::problem::Problem;
use super::rules::{Rule, Rules};
use super::strategy::Strategy;

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
    let mut found = MenSet::EMPTY;
    loop {
        let plan = Plan::new(problem, strategy, suppose, rules, atlas).map_err(|refused| {
            if found.is_empty() {
                refused
            } else {
                Refused { rule: Some(Rule::Occupancy), ..refused }
            }
        })?;
        if !rules.has(Rule::Occupancy) || !rules.has(Rule::Dominators) {
            return Ok(plan);
        }
        let more = absence::forced(&plan, atlas);
        if more.is_empty() {
            return Ok(plan);
        }
        found = more;
        suppose.away = more.men().fold(suppose.away, MenSet::with);
    }
}
