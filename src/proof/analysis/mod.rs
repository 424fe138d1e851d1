//! Thinking about one strategy before it is played.
//!
//! A strategy says where everybody captures, promotes, castles and ends. Analysis measures how many
//! moves that takes at least ([`Plan`]), finds men that never move, lines that stay shut, men that must
//! step aside, and orders that events must have, until nothing new follows; often a contradiction shows
//! that the strategy has no game. Every deduction is about *all* games of the strategy with at most the
//! problem's plies, and says in its doc comment why it is admissible.

pub mod atlas;
mod checks;
pub mod field;
pub mod gait;
pub mod life;
mod nest;
mod plan;
pub mod steps;

pub use atlas::Atlas;
pub use plan::{Plan, Refused};
