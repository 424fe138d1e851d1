//! Conditions in square brackets, which must hold after a move.
//!
//! They are equal in all vocabularies. Upper case means White, lower case Black (except after `x`,
//! where the case is irrelevant); `L` and `D` are bishops on light and dark squares, `B` any
//! bishop.

use std::fmt;
use umbrail_chess::Role;
use umbrail_chess::geometry::{Bitboard, Color, File, Rank, Square};

/// Kind of a piece that a letter names; finer than a role, because bishops have a square color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PieceKind {
    /// A piece of this role, bishops on any square.
    Role(Role),
    /// A bishop on light squares.
    LightBishop,
    /// A bishop on dark squares.
    DarkBishop,
}

impl PieceKind {
    /// Returns the kind with this letter, in either case.
    pub(crate) fn from_letter(letter: char) -> Option<Self> {
        match letter.to_ascii_uppercase() {
            'L' => Some(Self::LightBishop),
            'D' => Some(Self::DarkBishop),
            _ => Role::from_letter(letter).map(Self::Role),
        }
    }

    /// Returns the letter in upper case.
    pub(crate) const fn letter(self) -> char {
        match self {
            Self::Role(role) => role.letter(),
            Self::LightBishop => 'L',
            Self::DarkBishop => 'D',
        }
    }

    /// Returns the role.
    pub(crate) const fn role(self) -> Role {
        match self {
            Self::Role(role) => role,
            _ => Role::Bishop,
        }
    }

    /// Returns the squares on which such a piece may stand.
    pub(crate) const fn squares(self) -> Bitboard {
        match self {
            Self::Role(_) => Bitboard::FULL,
            Self::LightBishop => Bitboard::LIGHT,
            Self::DarkBishop => Bitboard::DARK,
        }
    }

    /// Returns true if a piece of this role on this square is of this kind.
    pub(crate) fn fits(self, role: Role, square: Square) -> bool {
        self.role() == role && self.squares().contains(square)
    }
}

/// A kind of piece of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ColoredPiece {
    /// Side of the piece.
    pub color: Color,
    /// Kind of the piece.
    pub kind: PieceKind,
}

impl ColoredPiece {
    /// Returns the piece with this letter.
    pub(crate) fn from_letter(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        Some(Self { color, kind: PieceKind::from_letter(letter)? })
    }
}

impl fmt::Display for ColoredPiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = self.kind.letter();
        let letter = if self.color.is_white() { letter } else { letter.to_ascii_lowercase() };
        write!(f, "{letter}")
    }
}

/// A square, a file, a rank, or (where allowed) the whole board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Region {
    /// Restriction to this file.
    pub file: Option<File>,
    /// Restriction to this rank.
    pub rank: Option<Rank>,
}

impl Region {
    /// Returns the squares of the region.
    pub(crate) fn squares(self) -> Bitboard {
        self.file.map_or(Bitboard::FULL, Bitboard::file)
            & self.rank.map_or(Bitboard::FULL, Bitboard::rank)
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = self.file {
            write!(f, "{}", (b'a' + file) as char)?;
        }
        self.rank.map_or(Ok(()), |rank| write!(f, "{}", rank + 1))
    }
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Condition {
    /// `[xB]`: this move captured such a piece.
    Takes(PieceKind),
    /// `[XnBp]`: all these have been captured so far; a repeated letter means two of them.
    Taken(Vec<ColoredPiece>),
    /// `[=rR]`: all these have been created by promotion; `[=]`: any promotion so far.
    Promoted(Vec<ColoredPiece>),
    /// `[^5]`, `[v3]`: a White pawn stands on this rank or higher, a Black one on it or lower.
    Advanced(Color, Rank),
    /// `[-f6]`: the region is empty.
    Vacant(Region),
    /// `[@g3]`: the move began in the region.
    From(Region),
    /// `[qb4]`: such a piece stands in the region.
    On(ColoredPiece, Region),
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces = |f: &mut fmt::Formatter<'_>, sign: char, pieces: &[ColoredPiece]| {
            write!(f, "{sign}")?;
            pieces.iter().try_for_each(|piece| write!(f, "{piece}"))
        };
        match self {
            Self::Takes(kind) => write!(f, "x{}", kind.letter()),
            Self::Taken(list) => pieces(f, 'X', list),
            Self::Promoted(list) => pieces(f, '=', list),
            Self::Advanced(Color::White, rank) => write!(f, "^{}", rank + 1),
            Self::Advanced(Color::Black, rank) => write!(f, "v{}", rank + 1),
            Self::Vacant(region) => write!(f, "-{region}"),
            Self::From(region) => write!(f, "@{region}"),
            Self::On(piece, region) => write!(f, "{piece}{region}"),
        }
    }
}

/// Contents of one pair of brackets: alternatives, each of which is a list of conditions that must
/// all hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ConditionSet(pub Vec<Vec<Condition>>);

impl fmt::Display for ConditionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let join =
            |list: &[Condition]| list.iter().map(ToString::to_string).collect::<Vec<_>>().join("&");
        let all: Vec<String> = self.0.iter().map(|list| join(list)).collect();
        write!(f, "[{}]", all.join("|"))
    }
}
