//! State that conditions add to a position.

use crate::positions::board::{CastlingRights, Man, ManKind, SearchPosition};
use umbrail_chess::geometry::{Color, Square};
use xxhash_rust::xxh3::xxh3_128;

/// Position of a game with fairy conditions.
pub(crate) type FairyPosition = SearchPosition<FairyState>;

/// State of all conditions. Each condition documents which fields it uses; two that use the same
/// field are not combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FairyState {
    /// Kings and rooks at home that may castle as far as their history matters: e1, a1, h1, e8, a8,
    /// h8 from the lowest bit. Used where rights come back.
    pub unmoved: u8,
    /// Squares of the men that each side moved last.
    pub last: [[Option<Square>; 2]; 2],
    /// A captured man that may appear later, and a square.
    pub pending: Option<(Man, Square)>,
    /// Square of a man of no side.
    pub imitator: Option<Square>,
    /// Marked squares.
    pub marks: u64,
    /// Required castlings that were made: kingside and queenside of White, then of Black.
    pub castled: u8,
    /// Squares whose first man, which never moves, was captured.
    pub captured: u64,
    /// For each man, the square on which it stood at the start; 64 where that does not matter.
    pub homes: [u8; 64],
}

impl Default for FairyState {
    fn default() -> Self {
        Self {
            unmoved: 0,
            last: [[None; 2]; 2],
            pending: None,
            imitator: None,
            marks: 0,
            castled: 0,
            captured: 0,
            homes: [64; 64],
        }
    }
}

impl FairyState {
    /// Returns the key of the state.
    pub(super) fn key(&self) -> u128 {
        let square = |square: Option<Square>| square.map_or(64, Square::number);
        let mut bytes = [0; 89];
        bytes[..64].copy_from_slice(&self.homes);
        bytes[64..72].copy_from_slice(&self.marks.to_le_bytes());
        for (at, one) in self.last.iter().flatten().enumerate() {
            bytes[72 + at] = square(*one);
        }
        bytes[76] = self.unmoved;
        bytes[77] = self.pending.map_or(0, |(man, _)| man.code() as u8);
        bytes[78] = square(self.pending.map(|(_, square)| square));
        bytes[79] = square(self.imitator);
        bytes[80] = self.castled;
        bytes[81..89].copy_from_slice(&self.captured.to_le_bytes());
        xxh3_128(&bytes)
    }
}

/// Home squares of king and rooks, in the order of [`FairyState::unmoved`].
const HOMES: [(Square, Color, bool); 6] = [
    (Square::E1, Color::White, true),
    (Square::A1, Color::White, false),
    (Square::H1, Color::White, false),
    (Square::E8, Color::Black, true),
    (Square::A8, Color::Black, false),
    (Square::H8, Color::Black, false),
];

/// Returns the bits of [`FairyState::unmoved`] whose squares hold their man.
fn at_home(position: &FairyPosition, king: ManKind, rook: ManKind) -> u8 {
    let is_home = |&(square, color, is_king): &(Square, Color, bool)| {
        position.at(square) == Man::of(color, if is_king { king } else { rook })
    };
    HOMES.iter().enumerate().map(|(at, home)| u8::from(is_home(home)) << at).sum()
}

/// Marks the king or rook that was put on its home square by an effect as unmoved.
pub(crate) fn reinstate(
    position: &mut FairyPosition,
    square: Square,
    king: ManKind,
    rook: ManKind,
) {
    let bit = HOMES.iter().position(|&(home, ..)| home == square);
    if let Some(bit) = bit {
        position.extra.unmoved |= at_home(position, king, rook) & 1 << bit;
    }
}

/// Sets the flags of a start from its castling rights: kings and rooks at home never moved.
pub(super) fn begin(position: &mut FairyPosition, king: ManKind, rook: ManKind) {
    let of = |color, kingside| position.rights.has(CastlingRights::one(color, kingside));
    let mut unmoved = 0;
    for (color, shift) in [(Color::White, 0), (Color::Black, 3)] {
        let (queen, king) = (of(color, false), of(color, true));
        unmoved |= (u8::from(queen || king) | u8::from(queen) << 1 | u8::from(king) << 2) << shift;
    }
    position.extra.unmoved = unmoved & at_home(position, king, rook);
}

/// Sets the castling rights from the flags, after a move.
pub(super) fn update_rights(position: &mut FairyPosition, king: ManKind, rook: ManKind) {
    position.extra.unmoved &= at_home(position, king, rook);
    let unmoved = position.extra.unmoved;
    let mut rights = 0;
    for (color, shift) in [(Color::White, 0), (Color::Black, 3)] {
        let own = unmoved >> shift;
        for (kingside, both) in [(true, 0b101), (false, 0b011)] {
            if own & both == both {
                rights |= CastlingRights::one(color, kingside).0;
            }
        }
    }
    position.rights = CastlingRights(rights);
}
