//! A square that must be interposed on, with the men whose routes prove it (rule A17).

use crate::problem::man::MenSet;
use umbrail_chess::geometry::Square;

/// Men who cannot go their ways unless somebody else stops on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interposition {
    /// The men.
    pub(crate) men: MenSet,
    /// Where somebody else stops.
    pub(crate) square: Square,
    /// How many moves the proof took.
    pub(crate) moves: u64,
}
