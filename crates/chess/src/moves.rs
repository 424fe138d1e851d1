//! Moves in two bytes, lists of moves, and sets of moves of one piece.

use super::piece::Role;
use crate::geometry::{Bitboard, Square};
use arrayvec::ArrayVec;
use std::fmt;

/// Move: origin, target and promotion piece. Castling is stored as *the king takes its own rook*,
/// in orthodox chess and Chess960 alike; [`super::lan`] and [`super::san`] write it for people.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Move(u16);

impl Move {
    /// Creates a move without promotion.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Self {
        Self(from.number() as u16 | (to.number() as u16) << 6)
    }

    /// Creates a pawn's move to the last rank. A pawn or king as `role` means no promotion.
    #[inline]
    pub const fn promoting(from: Square, to: Square, role: Role) -> Self {
        let code = match role {
            Role::Pawn | Role::King => 0,
            other => other as u16,
        };
        Self(Self::new(from, to).0 | code << 12)
    }

    /// Returns the origin square.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new((self.0 & 63) as u8)
    }

    /// Returns the target square; for castling, the rook's square.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 6 & 63) as u8)
    }

    /// Returns the promotion piece.
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        match self.0 >> 12 {
            0 => None,
            code => Some(Role::from_index(code as usize)),
        }
    }

    /// Returns the role on the target square after the move, for a mover of this role.
    #[inline]
    pub(super) const fn placed(self, role: Role) -> Role {
        let code = (self.0 >> 12) as usize;
        Role::from_index(if code == 0 { role as usize } else { code })
    }

    /// Returns the move as 15 bits, for tables; [`Move::from_bits`] is the inverse. Never 0 for a
    /// legal move.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Returns the move with these bits, or none when they do not encode a move.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        if bits >> 12 > 4 || bits & 63 == bits >> 6 & 63 { None } else { Some(Self(bits)) }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(role) => write!(f, "{}", role.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

/// Upper bound on the number of moves of a position: 15 queens reach at most 27 squares each, the
/// king 10.
pub const MOVES_MAX: usize = 420;

/// All or some moves of a position.
pub type MoveList = ArrayVec<Move, MOVES_MAX>;

/// Piece and the set of its target squares: the unit of generation. Solvers narrow `to` with set
/// operations before any move is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Targets {
    /// Role of the moving piece.
    pub role: Role,
    /// Origin square.
    pub from: Square,
    /// Target squares. For a king this contains its own rooks' squares when it may castle with
    /// them.
    pub to: Bitboard,
}

impl Targets {
    /// Returns true when moves to the last rank are promotions, four for each square.
    #[inline]
    pub fn promotes(&self) -> bool {
        self.role == Role::Pawn && matches!(self.from.rank(), 1 | 6) && {
            let last = Bitboard::rank(0) | Bitboard::rank(7);
            (self.to & last).any()
        }
    }

    /// Passes every move of the set to the visitor, promotions from queen to knight.
    #[inline]
    pub fn for_each(self, mut visit: impl FnMut(Move)) {
        if self.promotes() {
            for to in self.to {
                for role in Role::PROMOTIONS {
                    visit(Move::promoting(self.from, to, role));
                }
            }
        } else {
            for to in self.to {
                visit(Move::new(self.from, to));
            }
        }
    }

    /// Iterates over every move of the set, promotions from queen to knight.
    pub fn moves(self) -> impl Iterator<Item = Move> {
        let promotions: &'static [Role] =
            if self.promotes() { &Role::PROMOTIONS } else { &[Role::Pawn] };
        self.to.squares().flat_map(move |to| {
            promotions.iter().map(move |&role| Move::promoting(self.from, to, role))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Move, Targets};
    use crate::Role;
    use crate::geometry::{Bitboard, Square};

    #[test]
    fn a_move_keeps_what_it_is_given() {
        for role in Role::PROMOTIONS {
            let mv = Move::promoting(Square::A7, Square::B8, role);
            assert_eq!((mv.from(), mv.to()), (Square::A7, Square::B8));
            assert_eq!(mv.promotion(), Some(role));
            assert_eq!(Move::from_bits(mv.bits()), Some(mv));
        }
        assert_eq!(Move::new(Square::E2, Square::E4).promotion(), None);
        assert_eq!(Move::from_bits(0), None);
        assert_eq!(Move::from_bits(0xFFFF), None);
        assert_eq!(size_of::<Option<Move>>(), 4);
    }

    #[test]
    fn a_pawn_on_the_seventh_has_four_moves_a_square() {
        let to = Bitboard::of(Square::A8).with(Square::B8);
        let targets = Targets { role: Role::Pawn, from: Square::A7, to };
        assert_eq!(targets.moves().count(), 8);
        let single = Targets { role: Role::Rook, from: Square::A7, to };
        assert_eq!(single.moves().count(), 2);
    }
}
