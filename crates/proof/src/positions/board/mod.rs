//! Position of the search: a board with the state that decides which moves are possible.
//!
//! A move copies the position and edits the copy. There is no way to take a move back, because the
//! effects of fairy conditions are arbitrary edits.

pub(crate) mod keys;
mod man;

pub(crate) use man::{Man, ManKind};

use umbrail_chess::Role;
use umbrail_chess::geometry::{Bitboard, Color, Square};

/// Castling rights in four bits: kingside and queenside of White, then of Black.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CastlingRights(pub u8);

impl CastlingRights {
    /// Returns the right of one side and wing.
    #[inline]
    pub(crate) const fn one(color: Color, kingside: bool) -> Self {
        Self(1 << (2 * color as u8 + !kingside as u8))
    }

    /// Returns both rights of a side.
    #[inline]
    pub(crate) const fn both(color: Color) -> Self {
        Self(3 << (2 * color as u8))
    }

    /// Returns true if any right of `other` is one of these.
    #[inline]
    pub(crate) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns these rights without those of `other`.
    #[inline]
    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the rights that end when a man arrives at or leaves a square.
    #[inline]
    const fn ended_at(square: Square) -> Self {
        Self(match square.number() {
            0 => 2,
            4 => 3,
            7 => 1,
            56 => 8,
            60 => 12,
            63 => 4,
            _ => 0,
        })
    }
}

/// A position. `Extra` is the state that a fairy condition adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SearchPosition<Extra> {
    men: [Man; 64],
    /// Squares of each kind of chess, then of all other kinds together.
    kinds: [Bitboard; ManKind::STANDARD + 1],
    colors: [Bitboard; 2],
    armies: [u128; 2],
    /// Side to move.
    pub turn: Color,
    /// Castling that the history still allows.
    pub rights: CastlingRights,
    /// Square behind a pawn that just made a double step, if an enemy pawn attacks it.
    pub en_passant: Option<Square>,
    /// State of the condition.
    pub extra: Extra,
}

impl<Extra: Copy> SearchPosition<Extra> {
    /// Returns an empty board.
    pub(crate) fn empty(turn: Color, extra: Extra) -> Self {
        Self {
            men: [Man::NONE; 64],
            kinds: [Bitboard::EMPTY; ManKind::STANDARD + 1],
            colors: [Bitboard::EMPTY; 2],
            armies: [0; 2],
            turn,
            rights: CastlingRights::default(),
            en_passant: None,
            extra,
        }
    }

    /// Puts a man on an empty square. The castling rights of that square end.
    #[inline]
    pub(crate) fn put(&mut self, man: Man, square: Square) {
        debug_assert!(self.at(square).is_none() && !man.is_none());
        self.men[square.index()] = man;
        self.toggle(man, square);
    }

    /// Removes the man of a square and returns it. The castling rights of that square end.
    #[inline]
    pub(crate) fn remove(&mut self, square: Square) -> Man {
        let man = std::mem::take(&mut self.men[square.index()]);
        debug_assert!(!man.is_none());
        self.toggle(man, square);
        man
    }

    #[inline]
    fn toggle(&mut self, man: Man, square: Square) {
        let (one, color) = (Bitboard::of(square), man.color().index());
        self.kinds[man.kind().index().min(ManKind::STANDARD)] ^= one;
        self.colors[color] ^= one;
        self.armies[color] ^= keys::of_man(man, square.index());
        self.rights = self.rights.without(CastlingRights::ended_at(square));
    }

    /// Returns the man of a square.
    #[inline]
    pub(crate) fn at(&self, square: Square) -> Man {
        self.men[square.index()]
    }

    /// Returns the whole board, a1 first.
    #[inline]
    pub(crate) fn men(&self) -> &[Man; 64] {
        &self.men
    }

    /// Returns all squares of a side.
    #[inline]
    pub(crate) fn by_color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// Returns all squares of a role.
    #[inline]
    pub(crate) fn by_role(&self, role: Role) -> Bitboard {
        self.kinds[role.index()]
    }

    /// Returns all squares of kinds that are not of chess.
    #[inline]
    pub(crate) fn by_further_kinds(&self) -> Bitboard {
        self.kinds[ManKind::STANDARD]
    }

    /// Returns all occupied squares.
    #[inline]
    pub(crate) fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Returns the key of the men of one side alone.
    #[inline]
    pub(crate) fn army(&self, color: Color) -> u128 {
        self.armies[color.index()]
    }

    /// Returns the key of the position without the condition's state.
    #[inline]
    pub(crate) fn key(&self) -> u128 {
        let mut key = self.armies[0] ^ self.armies[1] ^ keys::of_rights(self.rights.0);
        if let Some(square) = self.en_passant {
            key ^= keys::of_en_passant(square.file());
        }
        if self.turn == Color::Black { key ^ keys::of_black_to_move() } else { key }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_removed_leaves_no_trace_but_the_rights() {
        let mut position = SearchPosition::empty(Color::White, ());
        position.rights = CastlingRights(15);
        let before = position;
        let rook = Man::new(Color::White, Role::Rook);
        position.put(rook, Square::new(7));
        assert_ne!(position.key(), before.key());
        assert_eq!(position.remove(Square::new(7)), rook);
        assert_eq!(position.rights, CastlingRights(14));
        position.rights = before.rights;
        assert_eq!(position, before);
    }

    #[test]
    fn each_right_belongs_to_one_side_and_wing() {
        let rights: Vec<u8> = Color::ALL
            .into_iter()
            .flat_map(|color| [true, false].map(|wing| CastlingRights::one(color, wing).0))
            .collect();
        assert_eq!(rights, [1, 2, 4, 8]);
        assert_eq!(CastlingRights::both(Color::Black).0, 12);
    }
}
