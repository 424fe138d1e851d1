//! Routes: the irreversible milestones of one piece.

use crate::problem::castling::Wing;
use crate::problem::piece::PieceId;
use arrayvec::ArrayVec;
use umbrail_chess::Role;
use umbrail_chess::geometry::Square;

/// A milestone of a piece. Quiet moves are not milestones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Milestone {
    /// Capture of `victim`, landing on `square`. In an en passant capture the victim stands behind
    /// that square, on the captor's rank of departure.
    Capture {
        /// Square where the captor lands.
        square: Square,
        /// The victim.
        victim: PieceId,
        /// True if the capture is en passant.
        en_passant: bool,
    },
    /// Promotion of the pawn to `kind` on `square`. Directly after a capture on that square it is
    /// part of the capturing move, otherwise a quiet move.
    Promotion {
        /// A square of the last rank.
        square: Square,
        /// Queen, rook, bishop or knight.
        kind: Role,
    },
    /// Castling of the king; the rook's route has an equal milestone.
    Castling(Wing),
}

/// End of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum End {
    /// The piece stands there in the diagram.
    Rest(Square),
    /// It is captured.
    Dead {
        /// Square of the piece when it is taken.
        square: Square,
        /// The captor.
        captor: PieceId,
        /// Number of earlier captures by the captor.
        index: u8,
    },
}

/// Maximum number of milestones of one piece: fifteen captures (kings are never taken) and a
/// promotion.
pub(crate) const MILESTONES_MAX: usize = 16;

/// Origin (which is the piece's name), milestones in order, and end. Two games give a piece the
/// same route iff these agree; quiet moves, and the order between different pieces, are not part of
/// it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Route {
    /// Milestones in order.
    pub milestones: ArrayVec<Milestone, MILESTONES_MAX>,
    /// End of the piece.
    pub end: End,
}

impl Route {
    /// Creates a route without milestones.
    pub(crate) fn to(end: End) -> Self {
        Self { milestones: ArrayVec::new(), end }
    }

    /// Returns the square of the piece at the end of its route: in the diagram or when it is taken.
    pub(crate) const fn last_square(&self) -> Square {
        match self.end {
            End::Rest(square) | End::Dead { square, .. } => square,
        }
    }

    /// Returns true if the piece is captured.
    pub(crate) const fn dies(&self) -> bool {
        matches!(self.end, End::Dead { .. })
    }

    /// Returns the promotion, if there is one: square and kind.
    pub(crate) fn promotion(&self) -> Option<(Square, Role)> {
        self.milestones.iter().find_map(|milestone| match *milestone {
            Milestone::Promotion { square, kind } => Some((square, kind)),
            _ => None,
        })
    }

    /// Returns the route with another promotion type, if it promotes.
    #[must_use]
    pub(crate) fn promoting_to(mut self, new: Role) -> Self {
        for milestone in &mut self.milestones {
            if let Milestone::Promotion { kind, .. } = milestone {
                *kind = new;
            }
        }
        self
    }

    /// Returns the wing on which the king or rook castles, if it does.
    pub(crate) fn castling(&self) -> Option<Wing> {
        self.milestones.iter().find_map(|milestone| match *milestone {
            Milestone::Castling(wing) => Some(wing),
            _ => None,
        })
    }

    /// Returns the captures in order: square, victim, en passant.
    pub(crate) fn captures(&self) -> impl Iterator<Item = (Square, PieceId, bool)> {
        self.milestones.iter().filter_map(|milestone| match *milestone {
            Milestone::Capture { square, victim, en_passant } => Some((square, victim, en_passant)),
            _ => None,
        })
    }

    /// Returns the piece's role on its last leg: its initial role, or its promotion type.
    pub(crate) fn last_role(&self, piece: PieceId) -> Role {
        self.promotion().map_or(piece.role(), |(_, kind)| kind)
    }
}
