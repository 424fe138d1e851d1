//! Umbrail: one program, four crafts (playing, endgame tables, shortest proof games and
//! Steno-Chess) that chess GUIs, match runners and scripts talk to as one engine.
//!
//! The facts and the solvers are crates of their own, re-exported here under their short names; a crate knows
//! only those below it:
//!
//! - facts: [`chess`] (orthodox rules) with [`geometry`] (squares and sets), [`fairy`] (pieces as data),
//!   [`control`] (stop, clock, progress, workers), [`report`] (pages and escaped texts); with the feature
//!   `cluster`, units of work over a message queue;
//! - solvers: [`search`] (the player), [`tables`] (endgame tables), [`proof`] (shortest proof games), [`steno`]
//!   (Steno-Chess); none of them knows another.
//!
//! This package holds what a user meets:
//!
//! - [`session`] (commands in, effects out; a state machine without threads or I/O);
//! - [`protocol`] (UCI, XBoard, plain terminal, option files);
//! - [`server`] (the process: pipes, clock, signals, jobs).
//!
//! The command line, `src/cli`, belongs to the program and not to the library, so that a change of it builds nothing else.
//!
//! `ARCHITECTURE.md` draws the whole; `tests/tidy.rs` guards what Cargo cannot.

pub use umbrail_chess as chess;
pub use umbrail_chess::geometry;
#[cfg(feature = "cluster")]
pub use umbrail_cluster as cluster;
pub use umbrail_control as control;
pub use umbrail_proof as proof;
pub use umbrail_report as report;
pub use umbrail_search as search;
pub use umbrail_steno as steno;
pub use umbrail_tables as tables;
pub use umbrail_tables::fairy;
pub use umbrail_training as training;

pub mod protocol;
pub mod server;
pub mod session;
