//! Coordinate notation: `e2e4`, `e7e8q`, and castling in both forms.
//!
//! [`parse_uci`] accepts an upper-case promotion letter, and castling as the king's two-square step
//! (`e1g1`), as king takes own rook (`e1h1`) and as `O-O`/`O-O-O` (Chess960 under XBoard).

use super::attacks;
use super::castling_mode::CastlingMode;
use super::movegen::ahead;
use super::moves::Move;
use super::piece::Role;
use super::position::Position;
use crate::geometry::{Bitboard, Square};

/// Reason why a text is not a legal move in the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The text is not a coordinate move.
    #[error("expected a move such as e2e4 or e7e8q")]
    Syntax,
    /// The text is the null move `0000` (`@@@@` in XBoard), which is not legal.
    #[error("a side may not pass")]
    Null,
    /// No piece stands on the first square.
    #[error("no piece on {0}")]
    NoPiece(Square),
    /// The piece on the first square is the opponent's.
    #[error("the piece on {0} is not yours")]
    NotYours(Square),
    /// The piece does not move like that, or its path is blocked.
    #[error("the piece cannot reach that square")]
    Unreachable,
    /// The own king would be in check after the move.
    #[error("the king would be in check")]
    InCheck,
    /// The king may not castle now.
    #[error("castling is not possible now")]
    Castling,
    /// A pawn reaches the last rank and no promotion is named.
    #[error("a promotion must be named, such as e7e8q")]
    NoPromotion,
    /// A promotion is named, but no pawn reaches the last rank.
    #[error("only a pawn on the last rank is promoted")]
    Promotion,
}

/// Returns the move in UCI notation. Castling is the king's two-square step, or king takes own rook
/// when `chess960` (or when the king does not start from the e-file with a rook on a or h, where
/// the two-square form would be wrong).
pub fn to_uci(position: &Position, mv: Move, chess960: bool) -> String {
    let king_steps = |mv: Move| CastlingMode::Standard.allows(mv.from(), mv.to());
    let to = if position.is_castle(mv) && !chess960 && king_steps(mv) {
        Position::king_after_castling(mv.from(), mv.to())
    } else {
        mv.to()
    };
    let mut text = format!("{}{to}", mv.from());
    if let Some(role) = mv.promotion() {
        text.push(role.letter().to_ascii_lowercase());
    }
    text
}

/// Returns the legal move named by a coordinate text.
///
/// # Errors
/// [`MoveError`] with the reason.
pub fn parse_uci(position: &Position, text: &str) -> Result<Move, MoveError> {
    if matches!(text, "0000" | "@@@@" | "null" | "--") {
        return Err(MoveError::Null);
    }
    if let Some(kingside) = castling_word(text) {
        let rook = position.castling_rook(position.turn(), kingside);
        let mv = rook.map(|rook| Move::new(position.king(position.turn()), rook));
        return mv.filter(|&mv| position.is_legal(mv)).ok_or(MoveError::Castling);
    }
    let (from, to, promotion) = coordinates(text).ok_or(MoveError::Syntax)?;
    let mut mv = match promotion {
        Some(role) => Move::promoting(from, to, role),
        None => Move::new(from, to),
    };
    if let Some(rook) = king_step_rook(position, from, to) {
        mv = Move::new(from, rook);
    }
    if position.is_legal(mv) { Ok(mv) } else { Err(why_not(position, mv)) }
}

/// Parses `O-O` and `O-O-O` with letters or zeros: true for the king's side.
pub(super) fn castling_word(text: &str) -> Option<bool> {
    match text {
        "O-O" | "0-0" | "o-o" => Some(true),
        "O-O-O" | "0-0-0" | "o-o-o" => Some(false),
        _ => None,
    }
}

fn coordinates(text: &str) -> Option<(Square, Square, Option<Role>)> {
    if !text.is_ascii() || !matches!(text.len(), 4 | 5) {
        return None;
    }
    let from = text[..2].parse().ok()?;
    let to = text[2..4].parse().ok()?;
    let promotion = match text[4..].chars().next() {
        None => None,
        Some(letter) => {
            Some(Role::from_letter(letter).filter(|role| Role::PROMOTIONS.contains(role))?)
        }
    };
    Some((from, to, promotion))
}

/// Returns the rook of a castling move spelled as the king's step from the e-file to the g- or
/// c-file.
fn king_step_rook(position: &Position, from: Square, to: Square) -> Option<Square> {
    let us = position.turn();
    if from != position.king(us) || from.rank() != to.rank() || from.file().abs_diff(to.file()) != 2
    {
        return None;
    }
    position.castling_rook(us, to.file() > from.file()).filter(|&rook| {
        Position::king_after_castling(from, rook) == to && !position.by_color(us).contains(to)
            || rook == to
    })
}

/// Returns the reason why a move is not legal.
fn why_not(position: &Position, mv: Move) -> MoveError {
    let (from, to) = (mv.from(), mv.to());
    let us = position.turn();
    let Some(piece) = position.piece_at(from) else { return MoveError::NoPiece(from) };
    if piece.color != us {
        return MoveError::NotYours(from);
    }
    if piece.role == Role::King && from.rank() == to.rank() && from.distance(to) > 1 {
        return MoveError::Castling;
    }
    let last_rank = matches!(to.rank(), 0 | 7);
    let promotes = piece.role == Role::Pawn && last_rank;
    if !promotes && mv.promotion().is_some() {
        return MoveError::Promotion;
    }
    if promotes && mv.promotion().is_none() {
        let queen = Move::promoting(from, to, Role::Queen);
        return if position.is_legal(queen) {
            MoveError::NoPromotion
        } else {
            why_not(position, queen)
        };
    }
    if reaches(position, piece.role, from, to) {
        MoveError::InCheck
    } else {
        MoveError::Unreachable
    }
}

/// Returns true when a piece could move there if its own king were ignored.
fn reaches(position: &Position, role: Role, from: Square, to: Square) -> bool {
    let (us, occupied) = (position.turn(), position.occupied());
    if position.by_color(us).contains(to) {
        return false;
    }
    if role != Role::Pawn {
        return attacks::of(role, us, from, occupied).contains(to);
    }
    if attacks::pawn(us, from).contains(to) {
        return position.by_color(!us).contains(to);
    }
    let one = ahead(us, from.into()) & !occupied;
    let third = Bitboard::rank(if us.is_white() { 2 } else { 5 });
    let two = ahead(us, one & third) & !occupied;
    (one | two).contains(to)
}

#[cfg(test)]
mod tests {
    use super::{MoveError, parse_uci, to_uci};
    use crate::geometry::{Setup, Square};
    use crate::{CastlingMode, Position};

    fn position(fen: &str) -> Position {
        Position::from_setup(&fen.parse().unwrap(), CastlingMode::Chess960).unwrap()
    }

    #[test]
    fn legal_moves_round_trip() {
        for fen in [
            Setup::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/P6k/8/8/8/8/7p/K7 w - - 0 1",
            "4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1",
        ] {
            let position = position(fen);
            for mv in position.legal_moves() {
                for chess960 in [false, true] {
                    let text = to_uci(&position, mv, chess960);
                    assert_eq!(parse_uci(&position, &text), Ok(mv), "{text} in {fen}");
                }
            }
        }
    }

    #[test]
    fn castling_is_read_in_three_manners() {
        let position = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        let short = parse_uci(&position, "e1g1").unwrap();
        assert!(position.is_castle(short));
        assert_eq!(parse_uci(&position, "e1h1"), Ok(short));
        assert_eq!(parse_uci(&position, "O-O"), Ok(short));
        assert_eq!(to_uci(&position, short, false), "e1g1");
        assert_eq!(to_uci(&position, short, true), "e1h1");
    }

    #[test]
    fn the_reason_is_named() {
        let why = |fen: &str, text: &str| parse_uci(&position(fen), text).unwrap_err();
        let array = Setup::START_FEN;
        assert_eq!(why(array, "e2"), MoveError::Syntax);
        assert_eq!(why(array, "0000"), MoveError::Null);
        assert_eq!(why(array, "é2e4"), MoveError::Syntax);
        assert_eq!(why(array, "e3e4"), MoveError::NoPiece(Square::E3));
        assert_eq!(why(array, "e7e5"), MoveError::NotYours(Square::E7));
        assert_eq!(why(array, "e2e5"), MoveError::Unreachable);
        assert_eq!(why(array, "e2e4q"), MoveError::Promotion);
        assert_eq!(why(array, "e1g1"), MoveError::Castling);
        assert_eq!(why("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8"), MoveError::NoPromotion);
        assert_eq!(why("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2g3"), MoveError::InCheck);
    }
}
