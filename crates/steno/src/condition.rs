//! Conditions in square brackets: what must be true after a move.
//!
//! They are read the same way in all vocabularies. Upper case means White, lower case Black (except
//! after `x`, where the case says nothing); `L` and `D` are bishops on light and dark squares, `B`
//! any bishop.

use std::fmt;
use umbrail_chess::Role;
use umbrail_chess::geometry::{Bitboard, Color, File, Rank, Square};

/// What kind of man a letter names; finer than a role, because bishops have a square color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ManKind {
    /// A man of this role, bishops on any square.
    Role(Role),
    /// A bishop on light squares.
    LightBishop,
    /// A bishop on dark squares.
    DarkBishop,
}

impl ManKind {
    /// The kind with this letter, in either case.
    pub(crate) fn from_letter(letter: char) -> Option<Self> {
        match letter.to_ascii_uppercase() {
            'L' => Some(Self::LightBishop),
            'D' => Some(Self::DarkBishop),
            _ => Role::from_letter(letter).map(Self::Role),
        }
    }

    /// The letter in upper case.
    pub(crate) const fn letter(self) -> char {
        match self {
            Self::Role(role) => role.letter(),
            Self::LightBishop => 'L',
            Self::DarkBishop => 'D',
        }
    }

    /// The role.
    pub(crate) const fn role(self) -> Role {
        match self {
            Self::Role(role) => role,
            _ => Role::Bishop,
        }
    }

    /// The squares on which such a man may stand.
    pub(crate) const fn squares(self) -> Bitboard {
        match self {
            Self::Role(_) => Bitboard::FULL,
            Self::LightBishop => Bitboard::LIGHT,
            Self::DarkBishop => Bitboard::DARK,
        }
    }

    /// True when a man of this role on this square is of this kind.
    pub(crate) fn fits(self, role: Role, square: Square) -> bool {
        self.role() == role && self.squares().contains(square)
    }
}

/// A kind of man of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ColoredMan {
    /// Whose.
    pub color: Color,
    /// Of what kind.
    pub kind: ManKind,
}

impl ColoredMan {
    /// The man with this letter.
    pub(crate) fn from_letter(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        Some(Self { color, kind: ManKind::from_letter(letter)? })
    }
}

impl fmt::Display for ColoredMan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = self.kind.letter();
        let letter = if self.color.is_white() { letter } else { letter.to_ascii_lowercase() };
        write!(f, "{letter}")
    }
}

/// A square, a file, a rank, or (where allowed) anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Region {
    /// On this file only.
    pub file: Option<File>,
    /// On this rank only.
    pub rank: Option<Rank>,
}

impl Region {
    /// Its squares.
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

/// One condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Condition {
    /// `[xB]`: this move captured such a man.
    Takes(ManKind),
    /// `[XnBp]`: all these have been captured so far; a letter twice means two of them.
    Taken(Vec<ColoredMan>),
    /// `[=rR]`: all these have been created by promotion; `[=]`: anything has.
    Promoted(Vec<ColoredMan>),
    /// `[^5]`, `[v3]`: a White pawn stands on this rank or higher, a Black one on it or lower.
    Advanced(Color, Rank),
    /// `[-f6]`: no man stands there.
    Vacant(Region),
    /// `[@g3]`: the move began there.
    From(Region),
    /// `[qb4]`: such a man stands there.
    On(ColoredMan, Region),
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let men = |f: &mut fmt::Formatter<'_>, sign: char, men: &[ColoredMan]| {
            write!(f, "{sign}")?;
            men.iter().try_for_each(|man| write!(f, "{man}"))
        };
        match self {
            Self::Takes(kind) => write!(f, "x{}", kind.letter()),
            Self::Taken(list) => men(f, 'X', list),
            Self::Promoted(list) => men(f, '=', list),
            Self::Advanced(Color::White, rank) => write!(f, "^{}", rank + 1),
            Self::Advanced(Color::Black, rank) => write!(f, "v{}", rank + 1),
            Self::Vacant(region) => write!(f, "-{region}"),
            Self::From(region) => write!(f, "@{region}"),
            Self::On(man, region) => write!(f, "{man}{region}"),
        }
    }
}

/// What stands between one pair of brackets: alternatives, each of which is a list of conditions that
/// must all hold.
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
