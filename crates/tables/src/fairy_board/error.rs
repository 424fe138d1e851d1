//! Reasons why a setup is not a position of an endgame table.

use umbrail_chess::geometry::{Color, Square};

/// Reason why a setup is not a position of an endgame table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FairyBoardError {
    /// No piece has this letter.
    #[error("no piece has the letter '{0}' that stands on {1}")]
    Letter(char, Square),
    /// A side has no royal of the expected letter.
    #[error("{0} has no royal '{1}'")]
    NoRoyal(Color, char),
    /// A pawn stands on the first or the last rank.
    #[error("a pawn cannot stand on {0}")]
    PawnRank(Square),
    /// The side that just moved left its royal en prise.
    #[error("{0} is in check and it is the other side's move, so the royal piece can be captured")]
    RoyalHangs(Color),
    /// The en passant square is not one that a pawn may just have passed over.
    #[error("no pawn can just have passed over {0}")]
    EnPassant(Square),
    /// Castling rights without king and rook in place, or letters other than `KQkq`.
    #[error(
        "castling rights \"{0}\" must be letters KQkq, with kings and rooks on their initial squares"
    )]
    Castling(String),
    /// More pieces than a table can have.
    #[error("{0} pieces are too many for a table")]
    TooMany(usize),
}
