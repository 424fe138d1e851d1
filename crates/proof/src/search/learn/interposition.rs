//! Required interpositions: a piece must stop on a square, otherwise a king would stay in check
//! (rule A17).

use crate::problem::piece::PieceMask;
use umbrail_chess::geometry::Square;

/// Pieces that cannot finish their routes unless another piece stops on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interposition {
    /// The pieces.
    pub(crate) pieces: PieceMask,
    /// The square.
    pub(crate) square: Square,
    /// Length of the proof, in moves.
    pub(crate) moves: u64,
}
