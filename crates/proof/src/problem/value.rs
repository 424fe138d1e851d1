//! Partition values: pieces of one value are interchangeable on a diagram.

use umbrail_chess::Role;
use umbrail_chess::geometry::{Bitboard, Square};

/// The light squares.
pub(crate) const LIGHT: Bitboard = Bitboard(0x55AA_55AA_55AA_55AA);

/// Kinds of pieces that are interchangeable on a diagram. Two pieces of different values never are;
/// bishops have two values, because a bishop never leaves the squares of its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PartitionValue {
    /// King.
    King,
    /// Queen.
    Queen,
    /// Rook.
    Rook,
    /// Bishop of the light squares.
    LightBishop,
    /// Bishop of the dark squares.
    DarkBishop,
    /// Knight.
    Knight,
    /// Pawn.
    Pawn,
}

impl PartitionValue {
    /// All seven values.
    pub(crate) const ALL: [Self; 7] = [
        Self::King,
        Self::Queen,
        Self::Rook,
        Self::LightBishop,
        Self::DarkBishop,
        Self::Knight,
        Self::Pawn,
    ];

    /// Returns the value of a role on a square (the square distinguishes bishops).
    pub(crate) fn of(role: Role, square: Square) -> Self {
        match role {
            Role::King => Self::King,
            Role::Queen => Self::Queen,
            Role::Rook => Self::Rook,
            Role::Bishop if square.is_light() => Self::LightBishop,
            Role::Bishop => Self::DarkBishop,
            Role::Knight => Self::Knight,
            Role::Pawn => Self::Pawn,
        }
    }

    /// Returns the role.
    pub(crate) const fn role(self) -> Role {
        match self {
            Self::King => Role::King,
            Self::Queen => Role::Queen,
            Self::Rook => Role::Rook,
            Self::LightBishop | Self::DarkBishop => Role::Bishop,
            Self::Knight => Role::Knight,
            Self::Pawn => Role::Pawn,
        }
    }

    /// Returns the number of pieces of this value in the initial position.
    pub(crate) const fn at_start(self) -> u32 {
        match self {
            Self::King | Self::Queen | Self::LightBishop | Self::DarkBishop => 1,
            Self::Rook | Self::Knight => 2,
            Self::Pawn => 8,
        }
    }

    /// Returns the index, 0 to 6.
    pub(crate) const fn index(self) -> usize {
        self as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_squares_agree_with_the_geometry() {
        for square in Square::all() {
            assert_eq!(LIGHT.contains(square), square.is_light(), "{square}");
        }
        assert_eq!(PartitionValue::of(Role::Bishop, Square::F1), PartitionValue::LightBishop);
        assert_eq!(PartitionValue::of(Role::Bishop, Square::C1), PartitionValue::DarkBishop);
    }
}
