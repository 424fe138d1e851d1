//! Marks: the meaning of one character of a steno for one move.
//!
//! Characters have different meanings in different vocabularies ([`super::Vocabulary`]); a [`Mark`]
//! is such a meaning.

use umbrail_chess::Role;
use umbrail_chess::geometry::{File, Rank};

/// Meaning of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mark {
    /// Any move.
    Any,
    /// The piece ends on this file; in castling, the king.
    File(File),
    /// The piece ends on this rank; in castling, the king.
    Rank(Rank),
    /// This file's letter is in the move's notation: as the target, or as the origin. Never
    /// castling.
    FileLetter(File),
    /// This rank's digit is in the move's notation. Never castling.
    RankDigit(Rank),
    /// A piece of this role moves; promotions are pawn moves, castling is a king's move.
    Piece(Role),
    /// This role's letter is in the notation: such a piece moves, or a pawn promotes to it. Never
    /// castling.
    PieceLetter(Role),
    /// A pawn promotes to this role, or to any.
    Promotion(Option<Role>),
    /// A capture, including en passant.
    Capture,
    /// Not a capture.
    Quiet,
    /// An en passant capture.
    EnPassant,
    /// Castling: short, long, or either.
    Castling(Option<CastlingSide>),
    /// Check, including mate.
    Check,
    /// Check, but not mate: the `+` of strict notation.
    BareCheck,
    /// Mate.
    Mate,
    /// Stalemate.
    Stalemate,
    /// Stalemate, or a dead position by material.
    Draw,
    /// Move along this kind of line.
    Along(LineKind),
    /// Move toward this edge of the board, from White's viewpoint.
    Toward(BoardEdge),
    /// The piece that this player moved last moves again.
    Again,
    /// The move's notation has this many characters, including the sign for check or mate.
    Length(u8),
}

/// A side of castling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CastlingSide {
    /// Toward the h-file.
    Short,
    /// Toward the a-file.
    Long,
}

impl CastlingSide {
    /// Both sides, the short one first.
    pub(crate) const ALL: [Self; 2] = [Self::Short, Self::Long];

    /// Returns the index, 0 for the short side.
    pub(crate) const fn index(self) -> usize {
        self as usize
    }
}

/// A kind of straight line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LineKind {
    /// A rank.
    Rank,
    /// A file.
    File,
    /// A diagonal parallel to a1–h8.
    Rising,
    /// A diagonal parallel to a8–h1.
    Falling,
}

/// An edge of the board from White's viewpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum BoardEdge {
    /// Rank 8.
    Top,
    /// Rank 1.
    Bottom,
    /// The a-file.
    Left,
    /// The h-file.
    Right,
}

impl LineKind {
    /// Returns true if a step of `dx` files and `dy` ranks lies on such a line.
    pub(crate) const fn holds(self, dx: i32, dy: i32) -> bool {
        match self {
            Self::Rank => dy == 0,
            Self::File => dx == 0,
            Self::Rising => dx != 0 && dx == dy,
            Self::Falling => dx != 0 && dx == -dy,
        }
    }
}

impl BoardEdge {
    /// Returns true if a step of `dx` files and `dy` ranks brings a piece nearer to this edge.
    pub(crate) const fn holds(self, dx: i32, dy: i32) -> bool {
        match self {
            Self::Top => dy > 0,
            Self::Bottom => dy < 0,
            Self::Left => dx < 0,
            Self::Right => dx > 0,
        }
    }
}

/// A mark or its denial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Literal {
    /// True for a forbidden mark (`!`).
    pub negated: bool,
    /// The mark.
    pub mark: Mark,
}
