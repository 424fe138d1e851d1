//! Drawings as SVG: diagrams with men of our own, histograms, shares, estimates with their errors, and courses over games.
//! HTML exports, the laboratory and the local page draw with these, so that a drawing looks the same everywhere.
//!
//! Colors are plain attributes, so that a drawing stands alone in any file. Each shape has a class as well, by which a
//! style sheet may color it otherwise.

mod board;
mod course;
mod histogram;
mod intervals;
mod men;
mod share;

pub use board::{Arrow, Board, single_man};
pub use course::{Course, CoursePoint};
pub use histogram::{Bar, Histogram};
pub use intervals::{Intervals, Measured};
pub use men::{redraw_script, symbols};
pub use share::Share;
