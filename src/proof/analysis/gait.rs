//! How a man moves: its role, and for pawns its color. Officers of both colors move alike.

use crate::chess::{Role, attacks};
use crate::geometry::{Bitboard, Color, Square};

/// The seven ways to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Gait {
    /// White pawn.
    WhitePawn,
    /// Black pawn.
    BlackPawn,
    /// Knight.
    Knight,
    /// Bishop.
    Bishop,
    /// Rook.
    Rook,
    /// Queen.
    Queen,
    /// King.
    King,
}

impl Gait {
    /// The gait of a role and color.
    pub const fn of(role: Role, color: Color) -> Self {
        match (role, color) {
            (Role::Pawn, Color::White) => Self::WhitePawn,
            (Role::Pawn, Color::Black) => Self::BlackPawn,
            (Role::Knight, _) => Self::Knight,
            (Role::Bishop, _) => Self::Bishop,
            (Role::Rook, _) => Self::Rook,
            (Role::Queen, _) => Self::Queen,
            (Role::King, _) => Self::King,
        }
    }

    /// Its role.
    pub const fn role(self) -> Role {
        match self {
            Self::WhitePawn | Self::BlackPawn => Role::Pawn,
            Self::Knight => Role::Knight,
            Self::Bishop => Role::Bishop,
            Self::Rook => Role::Rook,
            Self::Queen => Role::Queen,
            Self::King => Role::King,
        }
    }

    /// The color of a pawn's gait; White for officers, where it does not matter.
    pub const fn color(self) -> Color {
        match self {
            Self::BlackPawn => Color::Black,
            _ => Color::White,
        }
    }

    /// True for the two pawn gaits.
    pub const fn is_pawn(self) -> bool {
        matches!(self, Self::WhitePawn | Self::BlackPawn)
    }

    /// The squares a quiet move may end on when exactly `occupied` is occupied. A pawn's steps to the
    /// last rank are among them.
    #[inline]
    pub fn quiet(self, from: Square, occupied: Bitboard) -> Bitboard {
        match self {
            Self::WhitePawn => {
                let one = (Bitboard::of(from) << 8) & !occupied;
                one | ((one & Bitboard::rank(2)) << 8) & !occupied
            }
            Self::BlackPawn => {
                let one = (Bitboard::of(from) >> 8) & !occupied;
                one | ((one & Bitboard::rank(5)) >> 8) & !occupied
            }
            Self::Knight => attacks::knight(from) & !occupied,
            Self::Bishop => attacks::bishop(from, occupied) & !occupied,
            Self::Rook => attacks::rook(from, occupied) & !occupied,
            Self::Queen => attacks::queen(from, occupied) & !occupied,
            Self::King => attacks::king(from) & !occupied,
        }
    }

    /// The squares attacked from a square.
    #[inline]
    pub fn attacks(self, from: Square, occupied: Bitboard) -> Bitboard {
        match self {
            Self::WhitePawn => attacks::pawn(Color::White, from),
            Self::BlackPawn => attacks::pawn(Color::Black, from),
            Self::Knight => attacks::knight(from),
            Self::Bishop => attacks::bishop(from, occupied),
            Self::Rook => attacks::rook(from, occupied),
            Self::Queen => attacks::queen(from, occupied),
            Self::King => attacks::king(from),
        }
    }
}
