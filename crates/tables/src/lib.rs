//! Endgame tables for orthodox and fairy pieces: result, distance in plies and moves of every
//! position with a given material.
//!
//! - A [`BuildRequest`] names a [`Material`] (`KQ.KR`), pieces ([`fairy::PieceSet`]) and [`Rules`];
//!   [`BuildOptions`] control the build.
//! - [`solve`] builds the tables of both directions (White wins, Black wins) with all sub-endings
//!   and returns a [`Tablebase`]; [`count_each`] only counts.
//! - A [`Tablebase`] returns values, moves, best play and [`Statistics`], saves and opens files,
//!   and checks itself with a verifier that shares no code with the builder.
//! - Formats: [`egtgen`] (indices and listings), [`seed`] files, [`survey`] rows, the [`classic`]
//!   index.
//!
//! `docs/tables.md` explains the method.
//!
//! ```
//! use std::time::Instant;
//! use umbrail_chess::geometry::{Color, Setup};
//! use umbrail_control::{Cancel, Clock, Control, Pool, Progress};
//! use umbrail_tables::fairy::PieceSet;
//! use umbrail_tables::{
//!     BuildOptions, BuildOutcome, BuildRequest, Material, Metric, Rules, TableValue, solve,
//! };
//!
//! let pieces = PieceSet::default();
//! let material = Material::read("KQ.K", &pieces)?;
//! let request = BuildRequest::new(&material, &pieces, &Rules::orthodox(Metric::Dtm));
//!
//! let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
//! let pool = Pool::new(1)?;
//! let control = Control::new(Cancel::default(), &clock, &progress, &pool, &|_| {});
//! let BuildOutcome::Complete(mut tables) = solve(&request, &BuildOptions::default(), &control)
//! else {
//!     panic!("the build was stopped or refused")
//! };
//!
//! let board = tables.board(&"k7/8/1K6/8/8/8/8/6Q1 w - - 0 1".parse::<Setup>()?)?;
//! assert_eq!(tables.value(&board)?, TableValue::Win(1));
//! assert_eq!(tables.best(&board)?.unwrap().mv.to_string(), "g1g8");
//! assert_eq!(tables.statistics().unwrap().max_win(Color::White), 19);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! | module | contents |
//! |---|---|
//! | `fairy` | pieces as data: Betza notation, piecedef.ini |
//! | `material`, `material_key`, `layout` | request; key of one table; index of its positions |
//! | `catalog`, `table_set` | keys and layouts under one set of rules; their tables |
//! | `retrograde` | builder of one table: `prepare`, `fixpoint` (plies), `sweep` (steps) |
//! | `solver` | order of the tables, and what is retained of each |
//! | `tablebase`, `probe`, `play` | public tablebase; values and moves of a board; best play |
//! | `store` | files |
//! | `grid`, `game` | boards of any size; tables on them, under the rules of other games |
//! | `verify`, `fairy_board` | one-ply verifier; plain move generator, unused by the builder |
//! | `stats`, `report`, `egtgen`, `rep2`, `survey` | statistics, reports and listings |

mod beyond;
mod build_options;
mod catalog;
pub mod classic;
mod color_class;
mod depths;
mod disk;
pub mod egtgen;
pub mod fairy;
mod fairy_board;
mod fifty_moves;
mod files;
pub mod game;
mod grid;
mod layout;
mod material;
mod material_key;
mod move_tables;
mod packed_distances;
mod part_file;
mod pgn;
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
pub use fairy_board::{BoardPiece, FairyBoard, FairyBoardError, FairyMove};
pub use fifty_moves::{FiftyMoveError, FiftyMoveSearch};
pub use files::SaveError;
pub use grid::{Grid, GridError, Members, SquareSet};
pub use material::{Material, MaterialError, PIECES_MAX};
pub use pgn::{PgnGame, PgnResult};
pub use probe::{ProbeError, ValuedMove};
pub use retrograde::{PartDone, PlyCounts};
pub use rights::Rights;
pub use rules::{FIFTY_MOVES, Metric, Rules, Stalemate};
pub use solved_table::Count;
pub use solver::{BuildError, BuildEvent};
pub use stats::{MutualZugzwang, SideStatistics, Statistics, Zugzwangs};
pub use store::{Compression, StoreError};
#[cfg(feature = "syzygy")]
pub use syzygy::SyzygyError;
pub use tablebase::{BuildNeeds, BuildOutcome, CountError, Tablebase, count_each, solve};
pub use value::TableValue;
pub use verify::Verification;
