//! Endgame tables: who wins a material, in how many plies, and by which moves.
//!
//! A [`Request`] names a [`Material`] (`KQ.KR`), pieces and [`Rules`]; [`solve`] builds the tables
//! of both directions (White wins, Black wins) with all sub-endings and hands back a [`Table`],
//! which is asked for values, moves and statistics. `docs/tables.md` explains the method.

mod board;
mod castling;
pub mod classic;
pub mod egtgen;
pub mod fairy;
mod family;
mod files;
mod gear;
mod layout;
mod material;
mod packed;
mod play;
mod probe;
mod rep2;
mod report;
mod retrograde;
mod rules;
pub mod seed;
mod shades;
mod solved;
mod stats;
mod store;
pub mod survey;
#[cfg(feature = "syzygy")]
mod syzygy;
mod table;
#[cfg(test)]
mod tests;
mod value;
mod vectors;
mod verify;

pub use board::{Board, BoardError, BoardMove, Man};
pub use castling::Rights;
pub use family::{Growth, Unsolved};
pub use files::Unsaved;
pub use material::{MEN_MAX, Material, MaterialError};
pub use probe::{ProbeError, ValuedMove};
pub use retrograde::Level;
pub use rules::{FIFTY_MOVES, Metric, Rules, Stalemate};
pub use shades::ColorClass;
pub use solved::Count;
pub use stats::{Side, Squeeze, Statistics, Zugzwangs};
pub use store::{Effort, StoreError};
#[cfg(feature = "syzygy")]
pub use syzygy::SyzygyError;
pub use table::{Answer, Fact, Params, Request, Table, Uncounted, count_each, solve};
pub use value::Value;
pub use verify::Verdict;
