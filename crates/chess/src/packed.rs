//! Positions in 32 bytes, for solvers that store millions of them.
//!
//! A square is a code of four bits, spread over four sets: 0 empty, 1–6 pawn to king, 7 a piece
//! with a special right, and the fourth bit for Black. Special is a rook that may still castle
//! (first and last rank) or a pawn that can be captured en passant (fourth and fifth rank), so
//! rights need no extra space. Side to move and counters are not stored.

use super::piece::Role;
use super::position::Position;
use crate::geometry::{Bitboard, Color, Square};

/// Position without side to move and counters. Equal values mean equal pieces and rights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PackedPosition(pub [u64; 4]);

impl Position {
    /// Returns the position in 32 bytes. Only castling rights with `rooks` are stored, and the en
    /// passant square only on request: unused rights make equal games look different.
    #[inline]
    pub fn pack(&self, rooks: Bitboard, passing: bool) -> PackedPosition {
        let mut special = self.castling_rooks() & rooks;
        if passing && let Some(behind) = self.en_passant() {
            special = special.with(passed_pawn(behind));
        }
        let role = |role: Role| self.by_role(role).0;
        PackedPosition([
            role(Role::Pawn) | role(Role::Bishop) | role(Role::Queen) | special.0,
            role(Role::Knight) | role(Role::Bishop) | role(Role::King) | special.0,
            role(Role::Rook) | role(Role::Queen) | role(Role::King) | special.0,
            self.by_color(Color::Black).0,
        ])
    }
}

/// Returns the square of the pawn that has just passed this square.
fn passed_pawn(behind: Square) -> Square {
    Square::at(behind.file(), if behind.rank() == 2 { 3 } else { 4 })
}

impl PackedPosition {
    /// Returns the position with this side to move and counters as at the start of a game. Its
    /// [key](Position::key) is not computed and has no meaning.
    #[inline]
    pub fn unpack(self, turn: Color) -> Position {
        let [a, b, c, black] = self.0;
        let special = a & b & c;
        let ends = (Bitboard::rank(0) | Bitboard::rank(7)).0;
        let castling = Bitboard(special & ends);
        let passed = Bitboard(special & !ends);
        let roles = [
            Bitboard(a & !b & !c) | passed,
            Bitboard(b & !a & !c),
            Bitboard(a & b & !c),
            Bitboard(c & !a & !b) | castling,
            Bitboard(a & c & !b),
            Bitboard(b & c & !a),
        ];
        let colors = [Bitboard((a | b | c) & !black), Bitboard(black)];
        let behind = passed
            .first()
            .map(|pawn| Square::at(pawn.file(), if pawn.rank() == 3 { 2 } else { 5 }));
        Position::from_sets(roles, colors, castling, behind, turn)
    }

    /// Returns the squares on which two positions differ in any way.
    #[inline]
    pub const fn difference(self, other: Self) -> Bitboard {
        let (a, b) = (&self.0, &other.0);
        Bitboard((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]))
    }

    /// Returns a well-mixed hash: equal positions have equal hashes.
    #[inline]
    pub const fn mixed(self) -> u64 {
        const fn fold(a: u64, b: u64) -> u64 {
            let wide = (a as u128) * (b as u128);
            wide as u64 ^ (wide >> 64) as u64
        }
        let [a, b, c, d] = self.0;
        // Odd constants from the golden ratio and the square roots of 2, 3 and 5.
        let low = fold(a ^ 0x9E37_79B9_7F4A_7C15, b ^ 0x6A09_E667_F3BC_C909);
        let high = fold(c ^ 0xBB67_AE85_84CA_A73B, d ^ 0x3C6E_F372_FE94_F82B);
        fold(low ^ 0xA54F_F53A_5F1D_36F1, high ^ 0x510E_527F_ADE6_82D1)
    }
}

#[cfg(test)]
mod tests {
    use crate::Position;
    use crate::geometry::{Bitboard, Setup};

    #[test]
    fn packing_loses_only_side_and_counters() {
        for fen in [
            Setup::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 1",
            "rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b Kq d3 0 1",
            "4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1",
        ] {
            let position = Position::try_from(&fen.parse::<Setup>().unwrap()).unwrap();
            let again = position.pack(Bitboard::FULL, true).unpack(position.turn());
            assert_eq!(again.to_string(), position.with_counters(0, 1).to_string());
        }
    }

    #[test]
    fn unwanted_rights_are_dropped() {
        let fen = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 1";
        let position = Position::try_from(&fen.parse::<Setup>().unwrap()).unwrap();
        let bare = position.pack(Bitboard::EMPTY, false).unpack(position.turn());
        assert!(bare.castling_rooks().is_empty() && bare.en_passant().is_none());
        assert_eq!(bare.occupied(), position.occupied());
    }
}
