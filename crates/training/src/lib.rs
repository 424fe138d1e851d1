//! Self-play for training: games at soft node limits, written to files that a killed process leaves readable.
//!
//! [`generate`] plays games until it is told to stop; [`GameFile`] appends and reads them; [`Summary`] counts what
//! a folder holds. The format is described at [`GameFile`].
//!
//! ```
//! use umbrail_chess::Position;
//! use umbrail_training::{GameRecord, GameResult, Ply};
//!
//! let start = Position::startpos();
//! let best = umbrail_chess::parse_uci(&start, "e2e4").unwrap();
//! let game = GameRecord { start, outcome: GameResult::Draw, adjudicated: true, plies: vec![Ply { best, score: 31 }] };
//! assert_eq!(GameRecord::from_bytes(&game.to_bytes()).unwrap(), (game, 48));
//! ```

mod generate;
mod random;
mod record;
mod summary;

pub use generate::{DatagenError, DatagenOptions, Generated, generate};
pub use record::{GameFile, GameRecord, GameResult, Ply, RecordError};
pub use summary::Summary;
