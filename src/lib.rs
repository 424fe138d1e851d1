//! Umbrail: one program, four crafts (playing, endgame tables, shortest proof games and
//! Steno-Chess) that chess GUIs, match runners and scripts talk to as one engine.
//!
//! The house has floors, and a floor knows only those below it:
//!
//! - floor 0: [`geometry`] (squares and sets), [`chess`] (orthodox rules), [`fairy`] (pieces as
//!   data), [`control`] (stop, clock, progress, workers);
//! - floor 1: [`search`] (the player), [`steno`] (Steno-Chess), [`tables`] (endgame tables);
//! - floor 2: [`session`] (commands in, effects out; a state machine without threads or I/O);
//! - floor 3: [`protocol`] (UCI, XBoard, plain terminal, option files);
//! - floor 4: [`server`] (the process: pipes, clock, signals, jobs) and [`cli`] (its arguments).
//!
//! `ARCHITECTURE.md` draws the whole picture; `tests/tidy.rs` guards it.

pub mod chess;
pub mod cli;
pub mod control;
pub mod fairy;
pub mod geometry;
pub mod proof;
pub mod protocol;
pub mod search;
pub mod server;
pub mod session;
pub mod steno;
pub mod tables;
