//! A required interposition: some man must stop on a square, or a king would stay in check (rule
//! A17).

use crate::problem::man::MenSet;
use umbrail_chess::geometry::Square;

/// Men that cannot finish their routes unless another man stops on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interposition {
    /// The men.
    pub(crate) men: MenSet,
    /// The square.
    pub(crate) square: Square,
    /// The length of the proof, in moves.
    pub(crate) moves: u64,
}
