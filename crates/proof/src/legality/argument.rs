//! Arguments against the legality of a position. Each variant is a proof.

use crate::problem::census::Refusal;
use umbrail_chess::Role;
use umbrail_chess::geometry::{Color, Square};

/// Piece that contradicts a castling right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnlikelyRight {
    /// The king is not at home.
    King,
    /// The rook is not at home.
    Rook,
}

/// Reason why no game leads to a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Argument {
    /// A letter does not stand for an orthodox piece.
    #[error("a letter of the placement is not a chess piece")]
    Letters,
    /// Pieces were counted.
    #[error("{0}")]
    Counting(Refusal),
    /// The rules of positions are broken in another way.
    #[error("{0}")]
    Position(String),
    /// A castling right without its king or rook.
    #[error("{color} may castle by the FEN, but has no {} on {square}", if *missing == UnlikelyRight::King { "king" } else { "rook" })]
    Castling {
        /// The side.
        color: Color,
        /// Piece that is not at home.
        missing: UnlikelyRight,
        /// Its home square.
        square: Square,
    },
    /// No pawn can have passed the en passant square.
    #[error("no pawn can have passed {0} with the last move")]
    EnPassant(Square),
    /// A king or another officer that stands where no piece of its kind can come to.
    #[error("{color}'s {} on {square} cannot have come there: pawns that never moved, and pieces behind them, block every way", name(*role))]
    NoWay {
        /// The side.
        color: Color,
        /// Kind of the piece.
        role: Role,
        /// Its square.
        square: Square,
    },
    /// More promoted pieces than missing pawns, counting pieces that cannot have left home.
    #[error(
        "{color} has {}, since pieces behind pawns that never moved cannot have left home, but only {missing} of its pawns are missing", counted(*needed, "promoted piece")
    )]
    Promotions {
        /// The side.
        color: Color,
        /// Promoted pieces.
        needed: u32,
        /// Pawns missing.
        missing: u32,
    },
    /// A pawn cannot come from its home rank.
    #[error("{0}'s pawns cannot all have come from different squares of their home rank")]
    PawnOrigins(Color),
    /// The pawns on the board need more captures than possible.
    #[error("{color}'s pawns must have captured at least {}, but {} can have been captured by them{}", counted(*needed, "piece"), only(*possible, "piece"), at_home(*locked))]
    PawnCaptures {
        /// Side of the pawns.
        color: Color,
        /// Captures that the pawns need.
        needed: u32,
        /// Pieces of the other side that pawns can have captured.
        possible: u32,
        /// Missing bishops that were captured at home.
        locked: u32,
    },
    /// The number of moves of both sides has the wrong parity.
    #[error("parity: only knights and rooks can have moved, so {white} has made an {} number of moves and {black} an {} one, and {turn} cannot be to move", parity(*odd_white), parity(*odd_black), white = Color::White, black = Color::Black)]
    Parity {
        /// White has made an odd number of moves.
        odd_white: bool,
        /// Black has made an odd number of moves.
        odd_black: bool,
        /// Side to move.
        turn: Color,
    },
    /// The check has no origin.
    #[error("{color} is in {}, and no last move of {} can have given it", if *checkers > 1 { "double check" } else { "check" }, !*color)]
    Check {
        /// Side in check.
        color: Color,
        /// Number of checking pieces.
        checkers: u32,
    },
    /// Retro-stalemate: no legal move can have been the last one.
    #[error("retro-stalemate: {0} has no last move")]
    NoLastMove(Color),
    /// Every sequence of last moves ends.
    #[error(
        "retro-stalemate: every line of last moves ends after {} at most (last move: {first})", counted(*plies, "half-move")
    )]
    Exhausted {
        /// Half-moves of the longest line.
        plies: u32,
        /// The last moves in short notation.
        first: String,
    },
}

fn name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// A number with its noun, such as `1 piece` or `2 pieces`.
fn counted(number: u32, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// `no piece`, `only 1 piece` or `only 2 pieces`.
fn only(number: u32, noun: &str) -> String {
    if number == 0 { format!("no {noun}") } else { format!("only {}", counted(number, noun)) }
}

fn parity(odd: bool) -> &'static str {
    if odd { "odd" } else { "even" }
}

fn at_home(locked: u32) -> String {
    match locked {
        0 => String::new(),
        1 => " (one bishop was captured at home)".to_owned(),
        several => format!(" ({several} bishops were captured at home)"),
    }
}
