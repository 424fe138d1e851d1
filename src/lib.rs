//! Umbrail: one program, four crafts (playing, endgame tables, shortest proof games and
//! Steno-Chess) that chess GUIs, match runners and scripts talk to as one engine.
//!
//! The house has floors, and a floor knows only those below it:
//!
//! - floor 0: [`geometry`] (squares and sets), [`chess`] (orthodox rules), [`fairy`] (pieces as
//!   data), [`control`] (stop, clock, progress, workers);
//! - floor 1: [`tables`] (endgame tables).
//!
//! `ARCHITECTURE.md` draws the whole picture; `tests/tidy.rs` guards it.

pub mod chess;
pub mod control;
pub mod fairy;
pub mod geometry;
pub mod tables;
