//! Reasons why a setup is not a position of an endgame table.

use std::fmt;
use umbrail_chess::geometry::{Color, Square};

/// Reason why a setup is not a position of an endgame table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FairyBoardError {
    /// No piece has this letter.
    Letter(char, Square),
    /// A side has no royal of the expected letter.
    NoRoyal(Color, char),
    /// A pawn stands on the first or the last rank.
    PawnRank(Square),
    /// The side that just moved left its royal en prise.
    RoyalHangs(Color),
    /// The en passant square is not one that a pawn may just have passed over.
    EnPassant(Square),
    /// Castling rights without king and rook in place, or letters other than `KQkq`.
    Castling(String),
    /// More pieces than a table can have.
    TooMany(usize),
}

impl fmt::Display for FairyBoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Letter(letter, square) => {
                write!(f, "no piece has the letter '{letter}' that stands on {square}")
            }
            Self::NoRoyal(color, letter) => write!(f, "{color} has no royal '{letter}'"),
            Self::PawnRank(square) => write!(f, "a pawn cannot stand on {square}"),
            Self::RoyalHangs(color) => {
                write!(
                    f,
                    "{color} is in check and it is the other side's move, so the royal piece can be captured"
                )
            }
            Self::EnPassant(square) => {
                write!(f, "no pawn can just have passed over {square}")
            }
            Self::Castling(text) => {
                write!(
                    f,
                    "castling rights \"{text}\" must be letters KQkq, with kings and rooks on their initial squares"
                )
            }
            Self::TooMany(pieces) => write!(f, "{pieces} pieces are too many for a table"),
        }
    }
}

impl std::error::Error for FairyBoardError {}
