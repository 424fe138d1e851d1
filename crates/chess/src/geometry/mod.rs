//! The board: squares, sets of squares, the two colors, symmetries, and setups.
//!
//! Nothing here depends on the rules of chess. A [`Setup`] has any letters on any squares, as in a
//! FEN; the rules determine whether it is a legal position.

mod bitboard;
mod color;
mod setup;
mod square;
mod symmetry;

pub use bitboard::{Bitboard, Squares};
pub use color::Color;
pub use setup::{Setup, SetupError};
pub use square::{File, Rank, Square};
pub use symmetry::{Symmetry, SymmetryGroup};
