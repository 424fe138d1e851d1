//! Bounds that are switched on. All of them are, except in tests of their admissibility.

/// Switches of the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoundSet {
    /// Numbers of men, and captures alone where no quiet move is left.
    pub number: bool,
    /// Squares that lack their man.
    pub missing: bool,
    /// Moves of the cheapest assignment.
    pub army: bool,
    /// Captures by pawns of the cheapest assignment.
    pub pawn_captures: bool,
    /// Straight moves of pawns of the cheapest assignment.
    pub pawn_quiet: bool,
    /// Assignments also where castling is possible.
    pub castling: bool,
    /// Pawns that never move are walls.
    pub frozen: bool,
}

impl BoundSet {
    /// Every bound.
    pub(crate) const ALL: Self = Self {
        number: true,
        missing: true,
        army: true,
        pawn_captures: true,
        pawn_quiet: true,
        castling: true,
        frozen: true,
    };
}
