//! The board as a place: squares, sets of squares, the two colors, and what somebody *said* stands
//! where.
//!
//! Nothing here knows a chess rule. [`Setup`] is gossip (any letters anywhere); the rule books
//! `chess` and `fairy` decide what of it they believe.

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
