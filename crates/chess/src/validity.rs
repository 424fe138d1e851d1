//! Validation of a setup: [`Setup`] → [`Position`], or all reasons to refuse it.
//!
//! A setup is refused when the rules cannot be applied to it: letters that are not chess pieces, a
//! side without exactly one king, pawns on the first or last rank, more pieces than a side can
//! have, a king that could be captured. Two faults are accepted, because GUIs and old files are
//! careless:
//! - castling rights without king and rook in place, or of another [`CastlingMode`], are dropped;
//! - an en passant square that no pawn can just have passed, or without a legal capture, is
//!   dropped.
//!
//! Positions that no game can reach (nine queens and eight pawns, three checks at once) are
//! accepted.

use super::castling_mode::CastlingMode;
use super::fen;
use super::piece::{Piece, Role};
use super::position::Position;
use crate::geometry::{Bitboard, Color, Setup, Square};

/// Reason to refuse a setup.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// A letter that is not an orthodox piece.
    #[error("'{0}' on {1} is not a standard piece (expected P N B R Q K)")]
    UnknownPiece(char, Square),
    /// A side does not have exactly one king.
    #[error("{0} has {kings}", kings = kings(*.1))]
    Kings(Color, u32),
    /// A side has more than 16 pieces.
    #[error("{0} has {1} pieces, expected at most 16")]
    TooManyPieces(Color, u32),
    /// A side has more than 8 pawns.
    #[error("{0} has {1} pawns, expected at most 8")]
    TooManyPawns(Color, u32),
    /// A pawn on the first or last rank.
    #[error("pawn on {0}")]
    PawnOnLastRank(Square),
    /// The side that is not to move is in check.
    #[error("the {0} king is in check, but {other} is to move", other = !*.0)]
    KingCanBeTaken(Color),
}

/// Returns the fault of a number of kings other than one.
fn kings(count: u32) -> String {
    if count == 0 { "no king".into() } else { format!("{count} kings, expected one") }
}

/// All reasons to refuse a setup; at least one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct PositionError(pub Vec<Reason>);

impl Position {
    /// Returns the position of a setup, with the castling rights that the mode allows. Every
    /// external position passes through here, so a position of standard chess never allows castling
    /// of Chess960.
    ///
    /// # Errors
    /// All reasons why the rules cannot be applied to the setup.
    pub fn from_setup(setup: &Setup, mode: CastlingMode) -> Result<Self, PositionError> {
        let mut position = Self::empty();
        let mut reasons = Vec::new();
        for (square, color, letter) in setup.pieces() {
            match Role::from_letter(letter) {
                Some(role) => position.place(square, Piece { color, role }),
                None => reasons.push(Reason::UnknownPiece(
                    if color.is_white() { letter } else { letter.to_ascii_lowercase() },
                    square,
                )),
            }
        }
        let ends = Bitboard::rank(0) | Bitboard::rank(7);
        for square in position.by_role(Role::Pawn) & ends {
            reasons.push(Reason::PawnOnLastRank(square));
        }
        let mut kings_are_one = true;
        for color in Color::ALL {
            let kings = position.pieces(color, Role::King).len();
            if kings != 1 {
                kings_are_one = false;
                reasons.push(Reason::Kings(color, kings));
            }
            let (pieces, pawns) =
                (position.by_color(color).len(), position.pieces(color, Role::Pawn).len());
            if pieces > 16 {
                reasons.push(Reason::TooManyPieces(color, pieces));
            }
            if pawns > 8 {
                reasons.push(Reason::TooManyPawns(color, pawns));
            }
        }
        let waiting = !setup.turn;
        if kings_are_one
            && position.is_attacked(position.king(waiting), setup.turn, position.occupied())
        {
            reasons.push(Reason::KingCanBeTaken(waiting));
        }
        if !reasons.is_empty() {
            return Err(PositionError(reasons));
        }
        let castling = fen::read_castling(&position, &setup.castling, mode);
        let en_passant = setup.en_passant.filter(|&s| could_have_passed(&position, setup.turn, s));
        position.settle(
            setup.turn,
            castling,
            en_passant,
            (setup.halfmoves, setup.fullmoves.max(1)),
        );
        Ok(position)
    }
}

impl TryFrom<&Setup> for Position {
    type Error = PositionError;

    /// Returns the position in standard chess; [`Position::from_setup`] also supports Chess960.
    fn try_from(setup: &Setup) -> Result<Self, PositionError> {
        Self::from_setup(setup, CastlingMode::Standard)
    }
}

/// Returns true when a pawn of the side not to move stands in front of this square and can just
/// have made its double step over it.
fn could_have_passed(position: &Position, turn: Color, behind: Square) -> bool {
    let (rank, pawn_dy) = if turn.is_white() { (5, -1) } else { (2, 1) };
    let (Some(pawn), Some(origin)) = (behind.offset(0, pawn_dy), behind.offset(0, -pawn_dy)) else {
        return false;
    };
    behind.rank() == rank
        && position.pieces(!turn, Role::Pawn).contains(pawn)
        && !position.occupied().contains(behind)
        && !position.occupied().contains(origin)
}

#[cfg(test)]
mod tests {
    use crate::Position;
    use crate::geometry::Setup;

    fn position(fen: &str) -> Result<Position, String> {
        Position::try_from(&fen.parse::<Setup>().unwrap()).map_err(|e| e.to_string())
    }

    fn refuses(fen: &str, message: &str) {
        assert_eq!(position(fen).unwrap_err(), message);
    }

    #[test]
    fn every_reason_is_given() {
        refuses(
            "8/8/8/3k4/3l4/8/8/KA5P w - - 0 1",
            "'A' on b1 is not a standard piece (expected P N B R Q K); \
             'l' on d4 is not a standard piece (expected P N B R Q K); pawn on h1",
        );
        refuses("8/8/8/8/8/8/8/8 w - - 0 1", "white has no king; black has no king");
        refuses("k6k/8/8/8/8/8/8/K7 w - - 0 1", "black has 2 kings, expected one");
        refuses("k7/8/8/8/8/8/8/K6r b - - 0 1", "the white king is in check, but black is to move");
        refuses("8/8/8/8/8/8/8/Kk6 w - - 0 1", "the black king is in check, but white is to move");
        refuses(
            "k7/PPPPPPPP/PPPPPPPP/8/8/8/8/K7 w - - 0 1",
            "white has 17 pieces, expected at most 16; white has 16 pawns, expected at most 8; \
             the black king is in check, but white is to move",
        );
    }

    #[test]
    fn careless_castling_and_en_passant_are_forgiven() {
        let believed = position("r3k3/8/8/8/4P3/8/8/R3K2R b KQkq e3 0 1").unwrap();
        assert_eq!(believed.to_string(), "r3k3/8/8/8/4P3/8/8/R3K2R b KQq - 0 1");
        let pinned = position("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1").unwrap();
        assert_eq!(pinned.en_passant(), None);
    }
}
