//! Drawings as SVG: diagrams, histograms, shares, estimates with their errors, and courses over
//! games. HTML exports, the laboratory and the local page use these functions, so that drawings
//! look alike everywhere.
//!
//! Colors are plain attributes, so that a drawing is self-contained in any file. Each shape also
//! has a class, so that a style sheet can change its color.

mod board;
mod course;
mod figure;
mod histogram;
mod intervals;
mod pieces;
mod share;

pub use board::{Arrow, Board, single_piece};
pub use course::{Course, CoursePoint};
pub use figure::Figure;
pub use histogram::{Bar, Histogram};
pub use intervals::{Intervals, Measured};
pub use pieces::{PIECE_MODULE, fairy_symbols, piece_script, symbols};
pub use share::Share;

/// Returns a diagram as a file of its own: one `svg` element with the symbols that it requires.
pub fn self_contained(board: &Board<'_>) -> String {
    let fairy = if board.figures.is_empty() { "" } else { fairy_symbols() };
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400" viewBox="0 0 800 800">{}{fairy}{board}</svg>"#,
        symbols()
    )
}
