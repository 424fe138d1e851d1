//! Conversion of positions to the `shakmaty` package, which provides the keys of Polyglot books and
//! whose sister package reads Syzygy tables.

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Bitboard, ByColor, ByRole, CastlingMode, Chess, EnPassantMode, Setup};
use umbrail_chess::geometry::{Color, Square};
use umbrail_chess::{Position, Role};

/// Converts a position; none for the few that the other library rejects.
pub(super) fn position(ours: &Position) -> Option<Chess> {
    let role = |role| Bitboard(ours.by_role(role).0);
    let color = |color| Bitboard(ours.by_color(color).0);
    let roles = ByRole {
        pawn: role(Role::Pawn),
        knight: role(Role::Knight),
        bishop: role(Role::Bishop),
        rook: role(Role::Rook),
        queen: role(Role::Queen),
        king: role(Role::King),
    };
    let colors = ByColor { black: color(Color::Black), white: color(Color::White) };
    let mut setup = Setup::empty();
    setup.board = shakmaty::Board::try_from_bitboards(roles, colors).ok()?;
    setup.turn = shakmaty::Color::from_white(ours.turn().is_white());
    for color in Color::ALL {
        for kingside in [false, true] {
            if let Some(rook) = ours.castling_rook(color, kingside) {
                setup.castling_rights.add(square(rook));
            }
        }
    }
    setup.ep_square = ours.en_passant().map(square);
    setup.halfmoves = u32::from(ours.halfmoves());
    setup.position(CastlingMode::Chess960).ok()
}

fn square(square: Square) -> shakmaty::Square {
    shakmaty::Square::new(square.index() as u32)
}

/// Returns the key of a position in Polyglot books.
pub(super) fn polyglot_key(ours: &Position) -> Option<u64> {
    let foreign = position(ours)?;
    let Zobrist64(key) = shakmaty::Position::zobrist_hash(&foreign, EnPassantMode::PseudoLegal);
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::polyglot_key;
    use umbrail_chess::{Position, parse_uci};

    /// Examples of the format description (Michel Van den Bergh, "The PolyGlot book format").
    #[test]
    fn keys_are_the_published_ones() {
        for (moves, key) in [
            ("", 0x463B_9618_1691_FC9C_u64),
            ("e2e4", 0x823C_9B50_FD11_4196),
            ("e2e4 d7d5", 0x0756_B944_61C5_0FB0),
            ("e2e4 d7d5 e4e5", 0x662F_AFB9_65DB_29D4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22A4_8B5A_8E47_FF78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652A_607C_A3F2_42C1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00FD_D303_C946_BDD9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3C81_23EA_7B06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5C3F_9B82_9B27_9560),
        ] {
            let position = moves.split_whitespace().fold(Position::startpos(), |position, mv| {
                position.after(parse_uci(&position, mv).unwrap())
            });
            assert_eq!(polyglot_key(&position), Some(key), "{moves}");
        }
    }
}
