//! The 32 pieces of a game, named by their start squares, and sets of them.

use std::fmt;
use umbrail_chess::Role;
use umbrail_chess::geometry::{Color, Square};

/// One of the 32 pieces. A piece is named by its start square, and keeps this name through moves,
/// promotion and castling: 0 to 7 are White's officers a1 to h1, 8 to 15 White's pawns a2 to h2, 16
/// to 23 Black's officers a8 to h8, 24 to 31 Black's pawns a7 to h7.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct PieceId(u8);

impl PieceId {
    /// Returns the piece with this number, taken modulo 32.
    #[inline]
    pub(crate) const fn new(number: u8) -> Self {
        Self(number & 31)
    }

    /// Returns all pieces, White's first.
    pub(crate) fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..32).map(Self)
    }

    /// Returns the sixteen pieces of one color, officers first.
    pub(crate) fn of_color(
        color: Color,
    ) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        let first = 16 * color as u8;
        (first..first + 16).map(Self)
    }

    /// Returns the piece that starts on a square; `None` for the four initially empty ranks.
    pub(crate) const fn starting_on(square: Square) -> Option<Self> {
        match square.rank() {
            0 => Some(Self(square.file())),
            1 => Some(Self(8 + square.file())),
            6 => Some(Self(24 + square.file())),
            7 => Some(Self(16 + square.file())),
            _ => None,
        }
    }

    /// Returns the king of a color.
    #[inline]
    pub(crate) const fn king(color: Color) -> Self {
        Self(16 * color as u8 + 4)
    }

    /// Returns the number, 0 to 31, as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the number, 0 to 31.
    #[inline]
    pub(crate) const fn number(self) -> u8 {
        self.0
    }

    /// Returns the color.
    #[inline]
    pub const fn color(self) -> Color {
        if self.0 < 16 { Color::White } else { Color::Black }
    }

    /// Returns the role in the initial position.
    #[inline]
    pub(crate) const fn role(self) -> Role {
        if self.0 & 8 != 0 {
            return Role::Pawn;
        }
        match self.0 & 7 {
            0 | 7 => Role::Rook,
            1 | 6 => Role::Knight,
            2 | 5 => Role::Bishop,
            3 => Role::Queen,
            _ => Role::King,
        }
    }

    /// Returns true for the sixteen pawns.
    #[inline]
    pub const fn is_pawn(self) -> bool {
        self.0 & 8 != 0
    }

    /// Returns the start square.
    #[inline]
    pub(crate) const fn origin(self) -> Square {
        let rank = match self.0 >> 3 {
            0 => 0,
            1 => 1,
            2 => 7,
            _ => 6,
        };
        Square::at(self.0 & 7, rank)
    }
}

impl fmt::Display for PieceId {
    /// Writes the problemist's name: letter (`S` for knights) and origin, as `Sb1` or `Pa2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", letter(self.role()), self.origin())
    }
}

impl fmt::Debug for PieceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Returns the problemist's letter of a role: `S` for the knight, the others as in English.
pub const fn letter(role: Role) -> char {
    match role {
        Role::Knight => 'S',
        other => other.letter(),
    }
}

/// A set of pieces, one bit each.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct PieceMask(pub u32);

impl PieceMask {
    /// The empty set.
    pub(crate) const EMPTY: Self = Self(0);
    /// All 32 pieces.
    pub(crate) const ALL: Self = Self(u32::MAX);

    /// Returns the sixteen pieces of a color.
    #[inline]
    pub(crate) const fn of_color(color: Color) -> Self {
        Self(0xFFFF << (16 * color as u32))
    }

    /// Returns true if the set contains the piece.
    #[inline]
    pub(crate) const fn contains(self, piece: PieceId) -> bool {
        self.0 >> piece.0 & 1 != 0
    }

    /// Returns the set with the piece added.
    #[inline]
    #[must_use]
    pub(crate) const fn with(self, piece: PieceId) -> Self {
        Self(self.0 | 1 << piece.0)
    }

    /// Returns the set without the piece.
    #[inline]
    #[must_use]
    pub(crate) const fn without(self, piece: PieceId) -> Self {
        Self(self.0 & !(1 << piece.0))
    }

    /// Returns the number of pieces.
    #[inline]
    pub(crate) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns true if the set is empty.
    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the pieces of the set, by number.
    pub(crate) fn pieces(self) -> impl Iterator<Item = PieceId> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let piece = PieceId(left.trailing_zeros() as u8);
                left &= left - 1;
                piece
            })
        })
    }
}

impl std::ops::BitOr for PieceMask {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl FromIterator<PieceId> for PieceMask {
    fn from_iter<I: IntoIterator<Item = PieceId>>(pieces: I) -> Self {
        pieces.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for PieceMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.pieces()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_named_by_letter_and_origin() {
        let names: Vec<String> = PieceId::all().map(|piece| piece.to_string()).collect();
        assert_eq!(
            names.join(" "),
            "Ra1 Sb1 Bc1 Qd1 Ke1 Bf1 Sg1 Rh1 Pa2 Pb2 Pc2 Pd2 Pe2 Pf2 Pg2 Ph2 \
             Ra8 Sb8 Bc8 Qd8 Ke8 Bf8 Sg8 Rh8 Pa7 Pb7 Pc7 Pd7 Pe7 Pf7 Pg7 Ph7"
        );
        for piece in PieceId::all() {
            assert_eq!(PieceId::starting_on(piece.origin()), Some(piece));
            assert!(PieceMask::of_color(piece.color()).contains(piece));
        }
        assert_eq!(PieceId::starting_on(Square::E4), None);
    }
}
