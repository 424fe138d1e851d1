//! Endgame tables: who wins a material, in how many plies, and by which moves.
//!
//! A [`BuildRequest`] names a [`Material`] (`KQ.KR`), pieces and [`Rules`]; [`solve`] builds the tables
//! of both directions (White wins, Black wins) with all sub-endings and hands back a [`Tablebase`],
//! which is asked for values, moves and statistics. `docs/tables.md` explains the method.

mod build_options;
mod catalog;
pub mod classic;
mod color_class;
mod depths;
pub mod egtgen;
pub mod fairy;
mod fairy_board;
mod files;
mod layout;
mod material;
mod material_key;
mod move_tables;
mod packed_distances;
mod part_file;
mod play;
mod probe;
mod rep2;
mod report;
mod retrograde;
mod rights;
mod rules;
pub mod seed;
mod solved_table;
mod solver;
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

pub use build_options::{BuildOptions, BuildRequest};
pub use color_class::ColorClass;
pub use fairy_board::{BoardMan, FairyBoard, FairyBoardError, FairyMove};
pub use files::SaveError;
pub use material::{MEN_MAX, Material, MaterialError};
pub use probe::{ProbeError, ValuedMove};
pub use retrograde::PlyCounts;
pub use rights::Rights;
pub use rules::{FIFTY_MOVES, Metric, Rules, Stalemate};
pub use solved_table::Count;
pub use solver::{BuildError, BuildEvent};
pub use stats::{MutualZugzwang, SideStatistics, Statistics, Zugzwangs};
pub use store::{Compression, StoreError};
#[cfg(feature = "syzygy")]
pub use syzygy::SyzygyError;
pub use tablebase::{BuildOutcome, CountError, Tablebase, count_each, solve};
pub use value::TableValue;
pub use verify::Verification;
