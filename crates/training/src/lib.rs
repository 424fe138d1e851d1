//! Self-play for training: games at soft node limits, written to files that remain readable after
//! the process is killed, and the training of a network on these games.
//!
//! [`generate`] plays games until it is stopped, [`GameFile`] appends and reads them, and
//! [`Summary`] counts the contents of a folder. The format is described at [`GameFile`]. [`train`]
//! makes a network for the search from the games. [`spsa`] tunes the constants of the search by
//! games, [`screen`] estimates the effects of many of their values, [`tune`] fits the weights of the hand-written evaluation, and [`fit_wins`] fits the
//! chances for a score. [`pair_match`] plays two sets of search parameters against each other.
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

mod checkpoint;
mod dataset;
mod export;
mod generate;
mod import;
mod losses;
mod model;
mod network_log;
mod openings;
mod optimizer;
mod options;
mod pair_match;
mod pairs;
mod play_limit;
mod quantize;
mod random;
mod record;
mod sample;
mod screen;
mod self_play_engine;
mod spsa;
mod start;
mod summary;
mod target;
mod teacher;
mod train;
mod tune;
mod wdl;

pub use checkpoint::TrainingStateError;
pub use dataset::DataFileRecord;
pub use export::{ExportFormat, Exported, export};
pub use generate::{DatagenError, DatagenOptions, Generated, generate};
pub use import::{ImportError, import};
pub use losses::{EpochLoss, HandLoss};
pub use openings::openings;
pub use options::{TrainOptionError, TrainOptions};
pub use pair_match::{PairMatchOptions, PairMatchState, pair_match};
pub use play_limit::{PlayLimit, PlayLimitError};
pub use record::{GameFile, GameRecord, GameResult, Ply, RecordError};
pub use screen::{Factor, ScreenError, ScreenOptions, ScreenState, screen};
pub use self_play_engine::SelfPlayError;
pub use spsa::{SpsaError, SpsaOptions, SpsaState, TunedConstant, spsa};
pub use start::StartNetworkError;
pub use summary::Summary;
pub use target::Loss;
pub use teacher::{TeacherError, TeacherOptions};
pub use train::{TrainError, TrainFact, Trained, train};
pub use tune::{TuneError, TuneFact, TuneOptions, Tuned, tune};
pub use wdl::{FittedWins, WinsError, fit_wins};
