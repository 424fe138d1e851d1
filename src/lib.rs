//! Umbrail: playing, endgame tables, shortest proof games and Steno-Chess in one program, which
//! chess GUIs, match runners and scripts use as one engine.
//!
//! The facts and the solvers are separate crates, re-exported here under short names. A crate
//! depends only on those below it:
//!
//! - facts: [`chess`] (orthodox rules) with [`geometry`] (squares and sets), [`fairy`] (pieces as
//!   data), [`control`] (stop, clock, progress, workers), [`report`] (pages and escaped texts);
//!   with the feature `cluster`, units of work over a message queue;
//! - solvers: [`search`] (the player), [`tables`] (endgame tables), [`proof`] (shortest proof
//!   games), [`steno`] (Steno-Chess), which do not depend on each other.
//!
//! The conversation:
//!
//! - [`session`]: a state machine with commands in and effects out; it uses no file, no thread and
//!   no clock;
//! - [`tasks`]: the verbs of the solvers (tables, proof games, stenos) and runs on a cluster, which
//!   use files and threads;
//! - [`protocol`]: UCI, XBoard, plain terminal, JSON, option files;
//! - [`server`]: the process with its pipes, clock, signals and jobs.
//!
//! The command line, `src/cli`, belongs to the program and not to the library. The laboratory, the
//! local page and the training tools are crates behind the features `lab`, `page` and `training`.
//!
//! `ARCHITECTURE.md` describes the whole; `tests/tidy.rs` checks the rules that Cargo cannot.

pub use umbrail_chess as chess;
pub use umbrail_chess::geometry;
#[cfg(feature = "cluster")]
pub use umbrail_cluster as cluster;
pub use umbrail_control as control;
pub use umbrail_proof as proof;
pub use umbrail_protocol as protocol;
pub use umbrail_report as report;
pub use umbrail_search as search;
pub use umbrail_server as server;
pub use umbrail_session as session;
pub use umbrail_steno as steno;
pub use umbrail_tables as tables;
pub use umbrail_tables::fairy;
pub use umbrail_tasks as tasks;
#[cfg(feature = "training")]
pub use umbrail_training as training;
