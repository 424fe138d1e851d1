//! Enumeration: the tree whose leaves are all strategies that may have a game, each exactly once.
//!
//! Every level decides the value of one function of the full strategy, and its branches have
//! different values. Leaves are therefore distinct, and only a bound removes strategies. The levels
//! are: the final squares of both colors' survivors (`ends`), the promotion squares of surviving
//! promoted pawns, and for each captured piece the captor, the place in the captor's order, and the
//! square (`captures`). Ends come first, because every later capture is then a detour between two
//! known ends, with an exact cost.
//!
//! A *seeker* is a worker that walks the tree; several seekers share its nodes by claims.

pub(crate) mod agreement;
pub(crate) mod branches;
pub(crate) mod captures;
pub(crate) mod claim_place;
pub(crate) mod claims;
pub(crate) mod ends;
pub(crate) mod leaf;
pub(crate) mod lookahead;
pub(crate) mod matching;
pub(crate) mod place;
pub(crate) mod place_tracker;
pub(crate) mod precedence;
pub(crate) mod progress_trace;
pub(crate) mod request;
pub(crate) mod root;
pub(crate) mod state;
pub(crate) mod tally;
pub(crate) mod tree;
pub(crate) mod witness;

#[cfg(test)]
mod tests;

pub(crate) use branches::SharedBranches;
pub(crate) use claim_place::ClaimPlace;
pub use claims::AllClaims;
pub(crate) use claims::{ClaimDecision, Claims, Counter, DoneClaims, ShardClaims};
pub(crate) use ends::{RootEnds, least_moves};
pub use matching::Matching;
pub(crate) use place::TreePlace;
pub(crate) use place_tracker::{WalkEnd, WalkFrom};
pub use progress_trace::{NodeDecision, ProgressStep, ProgressTrace, STEPS_MAX};
pub use request::{EnumerationOptions, WalkCounts};
pub(crate) use request::{EnumerationResult, FoundStrategy};
pub use state::NodeRefutation;
pub use tree::enumerate_strategies;
pub(crate) use tree::{enumerate_from, enumerate_watched};
pub use witness::follow;
