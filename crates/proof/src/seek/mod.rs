//! Seeking: the tree whose leaves are all strategies that may have a game, each exactly once.
//!
//! Every level decides the value of one function of the full strategy, and its branches take different
//! values; so leaves differ, and no strategy is lost unless a bound refutes it. The levels: where both
//! colors' survivors end (`ends`), where surviving promoted pawns promoted, and then for each captured
//! man by whom, when in the captor's order, and where (`options`). Homes come first because then every
//! later capture is a detour from a way with two ends, which has an exact price.

mod ahead;
mod branches;
mod captors;
mod claims;
mod ends;
mod falls;
mod leaf;
mod life;
mod matching;
mod options;
mod root;
mod sought;
mod state;
mod trail;
mod tree;
mod walls;
mod witness;

#[cfg(test)]
mod tests;

pub use branches::{Branches, Front};
pub use claims::{AllClaims, Claims, Counter, DoneClaims, ShardClaims};
pub(super) use life::{Deed, Fate, Life, gain};
pub use matching::Matching;
pub use sought::{Found, Options, Sought};
pub use state::Dead;
pub use trail::{Decision, STEPS_MAX, Step, Tally, Trail};
pub use tree::{seek, seek_watched};
pub use witness::{Lost, follow};
