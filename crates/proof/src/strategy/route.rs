//! Routes: the irreversible milestones of one man.

use crate::problem::castling::Wing;
use crate::problem::man::Man;
use arrayvec::ArrayVec;
use umbrail_chess::Role;
use umbrail_chess::geometry::Square;

/// A milestone of a man. Quiet moves are not milestones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Milestone {
    /// It lands on `square` and captures `victim`. In an en passant capture the victim stands behind
    /// that square, on the rank the captor comes from.
    Capture {
        /// Where the captor lands.
        square: Square,
        /// The victim.
        victim: Man,
        /// Whether it is en passant.
        en_passant: bool,
    },
    /// The pawn becomes `kind` on `square`. Directly after a capture on the same square it is that
    /// very move, else a quiet one.
    Promotion {
        /// A square of the last rank.
        square: Square,
        /// Queen, rook, bishop or knight.
        kind: Role,
    },
    /// The king castles; the rook's route has the same milestone.
    Castling(Wing),
}

/// How a man ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum End {
    /// It stands there on the diagram.
    Rest(Square),
    /// It is captured.
    Dead {
        /// Where it stands when it is taken.
        square: Square,
        /// The captor.
        captor: Man,
        /// The number of captures that the captor has made before.
        index: u8,
    },
}

/// The most milestones of one man: fifteen captures (kings are never taken) and a promotion.
pub(crate) const MILESTONES_MAX: usize = 16;

/// Origin (which is the man's name), milestones in order, and end. Two games give a man the same route
/// iff these agree; quiet moves, and the order between different men, are not part of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Route {
    /// Milestones in order.
    pub milestones: ArrayVec<Milestone, MILESTONES_MAX>,
    /// Where it ends.
    pub end: End,
}

impl Route {
    /// A route without milestones.
    pub(crate) fn to(end: End) -> Self {
        Self { milestones: ArrayVec::new(), end }
    }

    /// Where the man stands at the end of its route: on the diagram or when it is taken.
    pub(crate) const fn last_square(&self) -> Square {
        match self.end {
            End::Rest(square) | End::Dead { square, .. } => square,
        }
    }

    /// True when it is captured.
    pub(crate) const fn dies(&self) -> bool {
        matches!(self.end, End::Dead { .. })
    }

    /// The promotion, if there is one: square and kind.
    pub(crate) fn promotion(&self) -> Option<(Square, Role)> {
        self.milestones.iter().find_map(|milestone| match *milestone {
            Milestone::Promotion { square, kind } => Some((square, kind)),
            _ => None,
        })
    }

    /// The route with another promotion type, if it promotes.
    #[must_use]
    pub(crate) fn promoting_to(mut self, new: Role) -> Self {
        for milestone in &mut self.milestones {
            if let Milestone::Promotion { kind, .. } = milestone {
                *kind = new;
            }
        }
        self
    }

    /// How the king or rook castles, if it does.
    pub(crate) fn castling(&self) -> Option<Wing> {
        self.milestones.iter().find_map(|milestone| match *milestone {
            Milestone::Castling(wing) => Some(wing),
            _ => None,
        })
    }

    /// Its captures in order: square, victim, en passant.
    pub(crate) fn captures(&self) -> impl Iterator<Item = (Square, Man, bool)> {
        self.milestones.iter().filter_map(|milestone| match *milestone {
            Milestone::Capture { square, victim, en_passant } => Some((square, victim, en_passant)),
            _ => None,
        })
    }

    /// The man's role on its last leg: its role at the start, or its promotion type.
    pub(crate) fn last_role(&self, man: Man) -> Role {
        self.promotion().map_or(man.role(), |(_, kind)| kind)
    }
}
