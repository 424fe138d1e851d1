//! Forbidden squares of a leg, as deductions pass them on.

use crate::problem::man::Man;
use umbrail_chess::geometry::Bitboard;

/// Squares on which a man never stops during one of its legs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ForbiddenSquares {
    /// The man.
    pub man: Man,
    /// The number of the leg.
    pub leg: u8,
    /// The squares.
    pub squares: Bitboard,
}
