//! Drawings as SVG: diagrams with men of our own, histograms, shares and plots over time. HTML exports and the local page
//! draw with these, so that a diagram looks the same everywhere.
//!
//! Colors are plain attributes, so that a drawing stands alone in any file. Each shape has a class as well, by which a
//! style sheet may color it otherwise.

mod board;
mod histogram;
mod men;
mod share;

pub use board::{Arrow, Board};
pub use histogram::{Bar, Histogram};
pub use men::{redraw_script, symbols};
pub use share::Share;
