//! Search: finds every game of one strategy, or proves that there is none.
//!
//! - `strategy_searcher`: searches strategies of one problem; `options` and `result` are its interface.
//! - `depth_first`: the search itself. `state`: script, board, and views of it. `moves`: the moves in
//!   any view. `bound`: the moves still needed (rules B1, B2). `table`: refuted positions (B5). `context`: what
//!   all of these read of the strategy.
//! - `relax`: one side alone (B3), and subsets of the pieces of both sides (B4).
//! - `learn`: minimal conflicts, active patterns, stored nogoods.
//! - `split`: cases of a hard strategy: by excursions (A19), and by interpositions (A17);
//!   strategies of one promotion class searched together (A21).
//! - `team`: several players on one strategy.
//! - `witness`: follows a known game through all of this, and names the first rule that loses it.

pub(crate) mod blocked_maps;
pub(crate) mod bound;
pub(crate) mod context;
pub(crate) mod depth_first;
pub(crate) mod learn;
pub(crate) mod moves;
pub(crate) mod node;
pub(crate) mod options;
pub(crate) mod player_view;
pub(crate) mod relax;
pub(crate) mod residual_case;
pub(crate) mod result;
pub(crate) mod searching_table;
pub(crate) mod split;
pub(crate) mod state;
pub(crate) mod strategy_searcher;
pub(crate) mod table;
pub(crate) mod team;
#[cfg(test)]
mod tests;
pub(crate) mod witness;

pub(crate) use learn::nogoods::NogoodStore;
pub use options::SearchOptions;
pub use player_view::{PlayerSnapshot, PlayerView};
pub(crate) use residual_case::ResidualCase;
pub use result::PlayResult;
pub use strategy_searcher::StrategySearcher;
pub use table::{RefutationTable, SPLITS_MAX};
pub(crate) use team::{TeamSearch, search_left_case, search_with_team};
