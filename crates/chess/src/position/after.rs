//! Position after a move. A move creates a new value; nothing is ever unmade.

use super::keys::structure;
use super::{NO_SQUARE, Position};
use crate::attacks;
use crate::geometry::{Bitboard, Color, Square};
use crate::moves::Move;
use crate::piece::Role;
use crate::zobrist;

/// For each role, a full set at its own index and empty sets elsewhere.
static ONE_ROLE: [[Bitboard; 6]; 6] = {
    let mut table = [[Bitboard::EMPTY; 6]; 6];
    let mut role = 0;
    while role < 6 {
        table[role][role] = Bitboard::FULL;
        role += 1;
    }
    table
};

impl Position {
    /// Returns the position after a legal move. For an illegal move the result has no meaning, but
    /// the call is safe.
    #[inline]
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        self.after_as(self.role_on(mv.from()), mv)
    }

    /// Returns [`Position::after`] for callers that know the moving role, as generators do.
    ///
    /// Every field is computed in registers and written once. Changing a copy in place takes twice
    /// as long: the processor stalls when a value just written in parts is read back whole.
    #[inline(always)]
    #[must_use]
    pub fn after_as(&self, role: Role, mv: Move) -> Self {
        let (us, them) = (self.turn, !self.turn);
        let (from, to) = (mv.from(), mv.to());
        if role == Role::King && self.by_color(us).contains(to) {
            return self.after_castling(from, to);
        }
        let (from_bit, to_bit) = (Bitboard::of(from), Bitboard::of(to));
        let placed = mv.placed(role);
        let (left, entered) = (zobrist::piece(us, role, from), zobrist::piece(us, placed, to));
        let mut key = self.key ^ zobrist::black_to_move() ^ left ^ entered;
        let mut structures = self.structures;
        structures[structure(us, role)] ^= left as u16;
        structures[structure(us, placed)] ^= entered as u16;
        let mut gone = from_bit | to_bit;
        let mut halfmoves = self.halfmoves.wrapping_add(1);
        if self.by_color(them).contains(to) {
            let victim = self.role_on(to);
            let captured = zobrist::piece(them, victim, to);
            key ^= captured;
            structures[structure(them, victim)] ^= captured as u16;
            halfmoves = 0;
        }
        let mut en_passant = NO_SQUARE;
        if self.en_passant != NO_SQUARE {
            key ^= zobrist::en_passant(Square::new(self.en_passant));
        }
        if role == Role::Pawn {
            halfmoves = 0;
            if to.number() == self.en_passant {
                let victim = Square::at(to.file(), from.rank());
                gone = gone.with(victim);
                let captured = zobrist::piece(them, Role::Pawn, victim);
                key ^= captured;
                structures[0] ^= captured as u16;
            } else if from.number().abs_diff(to.number()) == 16 && self.opens_passing(from, to) {
                let behind = Square::new((from.number() + to.number()) / 2);
                en_passant = behind.number();
                key ^= zobrist::en_passant(behind);
            }
        }
        let mut castling = self.castling;
        if castling.any() {
            let lost = castling & if role == Role::King { gone | self.by_color(us) } else { gone };
            if lost.any() {
                castling ^= lost;
                key ^= zobrist::castling(lost);
            }
        }
        let mine = self.by_color(us) ^ (from_bit | to_bit);
        let theirs = self.by_color(them) - gone;
        let select = &ONE_ROLE[placed.index()];
        let set = |role: usize| (self.roles[role] - gone) | (select[role] & to_bit);
        Self {
            roles: [set(0), set(1), set(2), set(3), set(4), set(5)],
            colors: if us.is_white() { [mine, theirs] } else { [theirs, mine] },
            key,
            structures,
            castling,
            halfmoves,
            fullmoves: self.fullmoves.wrapping_add(us as u16),
            en_passant,
            turn: them,
        }
    }

    /// Estimates the key of the position after a move of a piece of this role: castling, lost
    /// castling rights and en passant are ignored. Useful for prefetching a table's entry before
    /// the move is made.
    #[inline]
    pub fn likely_key_after(&self, role: Role, mv: Move) -> u64 {
        let (us, them) = (self.turn, !self.turn);
        let (from, to) = (mv.from(), mv.to());
        let mut key = self.key
            ^ zobrist::black_to_move()
            ^ zobrist::piece(us, role, from)
            ^ zobrist::piece(us, mv.placed(role), to);
        if self.by_color(them).contains(to) {
            key ^= zobrist::piece(them, self.role_on(to), to);
        }
        if self.en_passant != NO_SQUARE {
            key ^= zobrist::en_passant(Square::new(self.en_passant));
        }
        key
    }

    #[inline(never)]
    fn after_castling(&self, king: Square, rook: Square) -> Self {
        let us = self.turn;
        let mut next = *self;
        if let Some(passed) = self.en_passant() {
            next.key ^= zobrist::en_passant(passed);
            next.en_passant = NO_SQUARE;
        }
        let lost = self.castling & self.by_color(us);
        next.castling ^= lost;
        next.key ^= zobrist::castling(lost) ^ zobrist::black_to_move();
        next.toggle(us, Role::King, king);
        next.toggle(us, Role::Rook, rook);
        next.toggle(us, Role::King, Self::king_after_castling(king, rook));
        next.toggle(us, Role::Rook, Self::rook_after_castling(king, rook));
        next.turn = !us;
        next.halfmoves = self.halfmoves.wrapping_add(1);
        next.fullmoves = self.fullmoves.wrapping_add(us as u16);
        next
    }

    /// Returns true when this double step can be answered by a legal en passant capture. Only
    /// sliders can prevent it: before the step no piece attacked the other king, and the pawn
    /// itself is captured.
    #[inline]
    fn opens_passing(&self, from: Square, to: Square) -> bool {
        let (us, them) = (self.turn, !self.turn);
        let behind = Square::new((from.number() + to.number()) / 2);
        let takers = attacks::pawn(us, behind) & self.pieces(them, Role::Pawn);
        let king = self.king(them);
        let stepped = self.occupied().without(from).with(behind);
        takers.squares().any(|taker| {
            let occupied = stepped.without(taker);
            (attacks::bishop(king, occupied) & self.diagonal_sliders(us)).is_empty()
                && (attacks::rook(king, occupied) & self.straight_sliders(us)).is_empty()
        })
    }

    /// Returns the position with the other side to move and nothing else changed but en passant;
    /// none when in check, where a null move would leave the king en prise.
    #[must_use]
    pub fn after_null(&self) -> Option<Self> {
        if self.in_check() {
            return None;
        }
        let mut next = *self;
        next.turn = !self.turn;
        next.key ^= zobrist::black_to_move();
        next.halfmoves = self.halfmoves.wrapping_add(1);
        next.fullmoves = self.fullmoves.wrapping_add(self.turn as u16);
        if self.en_passant != NO_SQUARE {
            next.key ^= zobrist::en_passant(Square::new(self.en_passant));
            next.en_passant = NO_SQUARE;
        }
        Some(next)
    }

    #[inline]
    fn toggle(&mut self, color: Color, role: Role, square: Square) {
        self.roles[role.index()] ^= square.into();
        self.colors[color.index()] ^= square.into();
        let number = zobrist::piece(color, role, square);
        self.key ^= number;
        self.structures[structure(color, role)] ^= number as u16;
    }
}

#[cfg(test)]
mod tests {
    use crate::Position;
    use crate::geometry::Setup;

    #[test]
    fn keys_of_structures_follow_every_kind_of_move() {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
        ];
        let mut compared = 0;
        for fen in fens {
            let position = Position::try_from(&fen.parse::<Setup>().unwrap()).unwrap();
            for mv in position.legal_moves() {
                let next = position.after(mv);
                assert_eq!(next.structures(), next.computed_structures(), "{fen} {mv:?}");
                for mv in next.legal_moves() {
                    let next = next.after(mv);
                    assert_eq!(next.structures(), next.computed_structures(), "{fen} {mv:?}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 2_000, "{compared}");
    }

    #[test]
    fn the_likely_key_is_the_right_one_but_for_castling_and_passing() {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
        ];
        let (mut right, mut all) = (0, 0);
        for fen in fens {
            let position = Position::try_from(&fen.parse::<Setup>().unwrap()).unwrap();
            for mv in position.legal_moves() {
                let role = position.role_at(mv.from()).unwrap();
                let next = position.after(mv);
                let is_right = position.likely_key_after(role, mv) == next.key();
                let plain = next.castling == position.castling
                    && next.en_passant().is_none()
                    && !position.is_en_passant(mv);
                assert!(is_right || !plain, "{fen} {mv:?}");
                right += u32::from(is_right);
                all += 1;
            }
        }
        assert!(right * 10 > all * 8 && right < all, "{right} of {all}");
    }
}
