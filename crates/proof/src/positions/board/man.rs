//! One piece in one byte, so that a board is an array of 64 bytes.

use umbrail_chess::geometry::Color;
use umbrail_chess::{Piece, Role};

/// A piece, or [`Man::NONE`] for an empty square. Codes 1 to 6 are white, 9 to 14 black.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Man(u8);

impl Man {
    /// An empty square.
    pub(crate) const NONE: Self = Self(0);
    /// Number of codes, used and unused ones.
    pub(crate) const CODES: usize = 16;

    /// Returns the man of a color and role.
    #[inline]
    pub(crate) const fn new(color: Color, role: Role) -> Self {
        Self(1 + role as u8 + 8 * color as u8)
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
        if self.0 < 8 { Color::White } else { Color::Black }
    }

    /// Returns the role. Meaningless for an empty square.
    #[inline]
    pub(crate) const fn role(self) -> Role {
        match self.0 & 7 {
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
    use super::Man;
    use umbrail_chess::Role;
    use umbrail_chess::geometry::Color;

    #[test]
    fn a_man_has_the_color_and_role_that_it_was_made_from() {
        for color in Color::ALL {
            for role in Role::ALL {
                let man = Man::new(color, role);
                assert_eq!((man.color(), man.role(), man.is_none()), (color, role, false));
                assert!(man.code() < Man::CODES);
            }
        }
        assert!(Man::NONE.is_none());
    }
}
