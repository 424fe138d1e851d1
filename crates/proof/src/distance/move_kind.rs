//! Move kinds: the role of a piece, and for pawns its color. Officers of both colors move alike.
//! The promotion type of a promoted piece may be left open.

use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Role, attacks};

/// The seven kinds of moves, and one for promoted pieces of open type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(crate) enum MoveKind {
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
    /// Queen, rook or bishop, left open. Such a piece may do anything that one of them may do, and
    /// forbids nothing to other pieces: it moves like a queen, and gives no check.
    AnyLinePiece,
}

/// Number of piece sets of a board: six roles, and [`MoveKind::AnyLinePiece`].
pub(crate) const BOARD_SETS: usize = 7;

impl MoveKind {
    /// Number of move kinds.
    pub(crate) const ALL: usize = Self::AnyLinePiece as usize + 1;

    /// Returns the move kind of a role and color.
    pub(crate) const fn of(role: Role, color: Color) -> Self {
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

    /// Returns the role, if it is known.
    pub(crate) const fn role(self) -> Option<Role> {
        match self {
            Self::WhitePawn | Self::BlackPawn => Some(Role::Pawn),
            Self::Knight => Some(Role::Knight),
            Self::Bishop => Some(Role::Bishop),
            Self::Rook => Some(Role::Rook),
            Self::Queen => Some(Role::Queen),
            Self::King => Some(Role::King),
            Self::AnyLinePiece => None,
        }
    }

    /// Returns the piece set: that of its role, or the last one.
    #[inline]
    pub(crate) const fn board_set(self) -> usize {
        // Both pawn kinds share one set.
        (self as usize).saturating_sub(1)
    }

    /// Returns the color of a pawn kind; White for officers, whose color is irrelevant.
    pub(crate) const fn color(self) -> Color {
        match self {
            Self::BlackPawn => Color::Black,
            _ => Color::White,
        }
    }

    /// Returns true for the two pawn kinds.
    pub(crate) const fn is_pawn(self) -> bool {
        matches!(self, Self::WhitePawn | Self::BlackPawn)
    }

    /// Returns the squares where a quiet move may end if exactly `occupied` is occupied. A pawn's
    /// steps to the last rank are included.
    #[inline]
    pub(crate) fn quiet(self, from: Square, occupied: Bitboard) -> Bitboard {
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
            Self::Queen | Self::AnyLinePiece => attacks::queen(from, occupied) & !occupied,
            Self::King => attacks::king(from) & !occupied,
        }
    }

    /// Returns the squares on which the piece may capture.
    #[inline]
    pub(crate) fn attacks(self, from: Square, occupied: Bitboard) -> Bitboard {
        match self {
            Self::WhitePawn => attacks::pawn(Color::White, from),
            Self::BlackPawn => attacks::pawn(Color::Black, from),
            Self::Knight => attacks::knight(from),
            Self::Bishop => attacks::bishop(from, occupied),
            Self::Rook => attacks::rook(from, occupied),
            Self::Queen | Self::AnyLinePiece => attacks::queen(from, occupied),
            Self::King => attacks::king(from),
        }
    }

    /// Returns the squares where it would certainly give check to a king.
    #[inline]
    pub(crate) fn checks(self, from: Square, occupied: Bitboard) -> Bitboard {
        match self {
            Self::AnyLinePiece => Bitboard::EMPTY,
            _ => self.attacks(from, occupied),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_promotion_type_moves_like_all_three_and_gives_no_check() {
        let occupied = Bitboard::of(Square::D6).with(Square::F4);
        for move_kind in [MoveKind::Queen, MoveKind::Rook, MoveKind::Bishop] {
            let line = MoveKind::AnyLinePiece;
            assert!(
                move_kind.quiet(Square::D4, occupied).is_subset(line.quiet(Square::D4, occupied))
            );
            assert!(
                move_kind
                    .attacks(Square::D4, occupied)
                    .is_subset(line.attacks(Square::D4, occupied))
            );
        }
        assert!(MoveKind::AnyLinePiece.checks(Square::D4, occupied).is_empty());
    }

    #[test]
    fn kinds_are_numbered_like_roles() {
        for role in Role::ALL {
            for color in Color::ALL {
                let move_kind = MoveKind::of(role, color);
                assert_eq!((move_kind.board_set(), move_kind.role()), (role.index(), Some(role)));
            }
        }
        assert_eq!(
            (MoveKind::AnyLinePiece.board_set(), MoveKind::AnyLinePiece.role()),
            (BOARD_SETS - 1, None)
        );
    }
}
