//! One piece in one byte, so that a board is an array of 64 bytes.

use umbrail_chess::geometry::Color;
use umbrail_chess::{Piece, Role};

/// Kind of a piece: one of the six of chess, or a further one that a problem adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ManKind(u8);

impl ManKind {
    /// Pawn.
    pub(crate) const PAWN: Self = Self(1);
    /// Knight.
    pub(crate) const KNIGHT: Self = Self(2);
    /// Bishop.
    pub(crate) const BISHOP: Self = Self(3);
    /// Rook.
    pub(crate) const ROOK: Self = Self(4);
    /// Queen.
    pub(crate) const QUEEN: Self = Self(5);
    /// King.
    pub(crate) const KING: Self = Self(6);
    /// Number of kinds of chess.
    pub(crate) const STANDARD: usize = 6;
    /// Largest number of kinds of a problem.
    pub(crate) const MAX: usize = 31;

    /// Returns the kind with an index below [`Self::MAX`].
    #[inline]
    pub(crate) const fn at(index: usize) -> Self {
        debug_assert!(index < Self::MAX);
        Self(index as u8 + 1)
    }

    /// Returns the number of the kind, from 0.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize - 1
    }

    /// Returns the role of a kind of chess; `None` for a further kind.
    #[inline]
    pub(crate) fn role(self) -> Option<Role> {
        Role::ALL.into_iter().find(|&role| Self::from(role) == self)
    }
}

impl From<Role> for ManKind {
    #[inline]
    fn from(role: Role) -> Self {
        Self(1 + role as u8)
    }
}

/// A piece, or [`Man::NONE`] for an empty square. The lower five bits are the kind, the sixth is 1
/// for Black.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Man(u8);

/// Bit of Black's men.
const BLACK: u8 = 32;

impl Man {
    /// An empty square.
    pub(crate) const NONE: Self = Self(0);
    /// Number of codes, used and unused ones.
    pub(crate) const CODES: usize = 64;

    /// Returns the man of a color and role.
    #[inline]
    pub(crate) const fn new(color: Color, role: Role) -> Self {
        Self(1 + role as u8 + BLACK * color as u8)
    }

    /// Returns the man of a color and kind.
    #[inline]
    pub(crate) const fn of(color: Color, kind: ManKind) -> Self {
        Self(kind.0 + BLACK * color as u8)
    }

    /// Returns the code, below [`Self::CODES`].
    #[inline]
    pub(crate) const fn code(self) -> usize {
        self.0 as usize
    }

    /// Returns true for an empty square.
    #[inline]
    pub(crate) const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Returns the color. Meaningless for an empty square.
    #[inline]
    pub(crate) const fn color(self) -> Color {
        if self.0 < BLACK { Color::White } else { Color::Black }
    }

    /// Returns the kind. Meaningless for an empty square.
    #[inline]
    pub(crate) const fn kind(self) -> ManKind {
        ManKind(self.0 & (BLACK - 1))
    }

    /// Returns the man of the same kind and the other color.
    #[inline]
    pub(crate) const fn flipped(self) -> Self {
        Self(self.0 ^ BLACK)
    }

    /// Returns the role of a man of chess. Meaningless for other kinds and for an empty square.
    #[inline]
    pub(crate) const fn role(self) -> Role {
        match self.0 & (BLACK - 1) {
            1 => Role::Pawn,
            2 => Role::Knight,
            3 => Role::Bishop,
            4 => Role::Rook,
            5 => Role::Queen,
            _ => Role::King,
        }
    }
}

impl From<Piece> for Man {
    fn from(piece: Piece) -> Self {
        Self::new(piece.color, piece.role)
    }
}

#[cfg(test)]
mod tests {
    use super::{Man, ManKind};
    use umbrail_chess::Role;
    use umbrail_chess::geometry::Color;

    #[test]
    fn a_man_has_the_color_and_kind_that_it_was_made_from() {
        for color in Color::ALL {
            for role in Role::ALL {
                let man = Man::new(color, role);
                assert_eq!((man.color(), man.role(), man.is_none()), (color, role, false));
                assert_eq!((man.kind(), man.kind().role()), (ManKind::from(role), Some(role)));
                assert_eq!(man.flipped(), Man::new(!color, role));
            }
            for index in 0..ManKind::MAX {
                let man = Man::of(color, ManKind::at(index));
                assert_eq!((man.color(), man.kind().index()), (color, index));
                assert!(man.code() < Man::CODES);
            }
        }
        assert!(Man::NONE.is_none());
        assert_eq!(ManKind::at(ManKind::STANDARD).role(), None);
    }
}
