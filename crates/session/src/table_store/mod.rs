//! Endgame tables in memory: their inputs, the cache that games and tasks share, and the request for
//! a table to play from.

mod cache;
mod config;
mod game_cache;
mod request;

pub use cache::CachedTable;
pub use cache::TableCache;
pub use config::{TableConfig, covers};
pub use game_cache::GameCache;
pub use request::{GameRequest, TableRequest};
