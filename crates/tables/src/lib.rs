//! Endgame tables: who wins a material, in how many plies, and by which moves.
//!
//! A [`BuildRequest`] names a [`Material`] (`KQ.KR`), pieces and [`Rules`]; [`solve`] builds the tables
//! of both directions (White wins, Black wins) with all sub-endings and hands back a [`Tablebase`],
//! which is asked for values, moves and statistics. `docs/tables.md` explains the method.

mod castling;
pub mod classic;
mod color_class;
pub mod egtgen;
pub mod fairy;
mod fairy_board;
mod files;
mod layout;
mod material;
mod move_tables;
mod packed_distances;
mod play;
mod probe;
mod rep2;
mod report;
mod retrograde;
mod rules;
pub mod seed;
mod solved_table;
mod stats;
mod store;
pub mod survey;
#[cfg(feature = "syzygy")]
mod syzygy;
mod table_set;
mod tablebase;
#[cfg(test)]
mod tests;
mod value;
mod vectors;
mod verify;

pub use castling::Rights;
pub use color_class::ColorClass;
pub use fairy_board::{BoardMan, FairyBoard, FairyBoardError, FairyMove};
pub use files::SaveError;
pub use material::{MEN_MAX, Material, MaterialError};
pub use probe::{ProbeError, ValuedMove};
pub use retrograde::PlyCounts;
pub use rules::{FIFTY_MOVES, Metric, Rules, Stalemate};
pub use solved_table::Count;
pub use stats::{MutualZugzwang, SideStatistics, Statistics, Zugzwangs};
pub use store::{Compression, StoreError};
#[cfg(feature = "syzygy")]
pub use syzygy::SyzygyError;
pub use table_set::{BuildError, BuildEvent};
pub use tablebase::{
    BuildOutcome, BuildParams, BuildRequest, CountError, Tablebase, count_each, solve,
};
pub use value::TableValue;
pub use verify::Verification;
