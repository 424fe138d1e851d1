//! What one character of a steno says about one move.
//!
//! The same character means different things in different vocabularies ([`super::Vocabulary`]); a
//! [`Mark`] is the meaning.

use umbrail_chess::Role;
use umbrail_chess::geometry::{File, Rank};

/// The meaning of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mark {
    /// Any move.
    Any,
    /// The man ends on this file; castling: the king does.
    File(File),
    /// The man ends on this rank; castling: the king does.
    Rank(Rank),
    /// This file's letter stands in the move's notation: it ends there, or the letter tells the
    /// origin. Never castling.
    FileLetter(File),
    /// This rank's digit stands in the move's notation. Never castling.
    RankDigit(Rank),
    /// A man of this role moves; promotions are pawn moves, castling is a king's move.
    Man(Role),
    /// This role's letter stands in the notation: such a man moves, or a pawn becomes one. Never
    /// castling.
    ManLetter(Role),
    /// A pawn becomes this role, or any.
    Promotion(Option<Role>),
    /// A capture, en passant too.
    Capture,
    /// Not a capture.
    Quiet,
    /// A capture en passant.
    EnPassant,
    /// Castling: short, long, or either.
    Castling(Option<CastlingSide>),
    /// Check, mate included.
    Check,
    /// Check, but not mate: the `+` of strict notation.
    BareCheck,
    /// Mate.
    Mate,
    /// Stalemate.
    Stalemate,
    /// Stalemate, or a dead position by material.
    Draw,
    /// Straight along this kind of line.
    Along(LineKind),
    /// Nearer to this edge of the board, as White sees it.
    Toward(BoardEdge),
    /// The man that this player moved last moves again.
    Again,
    /// The move's notation has this many characters, the sign for check or mate included.
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
    /// Both, the short one first.
    pub(crate) const ALL: [Self; 2] = [Self::Short, Self::Long];

    /// 0 for the short one.
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

/// An edge of the board as White sees it.
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
    /// True when a step of `dx` files and `dy` ranks lies on such a line.
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
    /// True when a step of `dx` files and `dy` ranks brings a man nearer to this edge.
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
    /// What it says.
    pub mark: Mark,
}
