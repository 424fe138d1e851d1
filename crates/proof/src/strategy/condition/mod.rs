//! Strategy conditions: filters that select the strategies to search (`Pc2-c8=B-e6<.Pf7: AND
//! Ra1-a4<.a`).
//!
//! The language is that of the Stelvio manual. Two rows of its tables lost a character in print;
//! they are read here as follows: one `_` is "moves to or captures on, with no capture between",
//! two are "with any captures between", `_x` is "captures on, with any captures between". `|` is
//! accepted for `_`, `N` for `S`, and `and`/`or`/`not` in any case.
//!
//! A condition filters; it never changes a strategy or its search. A result under a condition that
//! excludes some strategy is therefore partial.

mod display;
mod matching;
mod parse;

pub use parse::SyntaxError;

use crate::problem::castling::Wing;
use crate::problem::piece::PieceId;
use crate::strategy::Strategy;
use std::cmp::Ordering;
use std::str::FromStr;
use umbrail_chess::Role;
use umbrail_chess::geometry::{Color, Square};

/// A condition on strategies, parsed from its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition(Formula);

impl Condition {
    /// Returns true if a strategy fulfils the condition.
    pub(crate) fn holds(&self, analysed: &Analysed<'_>) -> bool {
        self.0.holds(analysed)
    }
}

/// A parsed condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Formula {
    /// All of these.
    And(Vec<Self>),
    /// At least one of these.
    Or(Vec<Self>),
    /// Not this.
    Not(Box<Self>),
    /// Free moves of a color (`fm:w>=5`).
    FreeMoves(Color, Comparison, i32),
    /// Captures of a piece (`cc:Sb1>=3`).
    Captures(Who, Comparison, i32),
    /// Moves that the strategy needs for a piece (`ml:Sb1<5`).
    Moves(Who, Comparison, i32),
    /// The path of a piece (`Pa2xSg8_b8=RxQd8_c4.a`).
    Path(PathCondition),
}

/// A relation between two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `=`
    Equal,
    /// `>=`
    AtLeast,
    /// `>`
    More,
}

impl Comparison {
    /// Returns true if the relation holds.
    pub(crate) fn holds(self, left: i32, right: i32) -> bool {
        let order = left.cmp(&right);
        match self {
            Self::Less => order == Ordering::Less,
            Self::AtMost => order != Ordering::Greater,
            Self::Equal => order == Ordering::Equal,
            Self::AtLeast => order != Ordering::Less,
            Self::More => order == Ordering::Greater,
        }
    }
}

/// A piece as named in conditions: by its origin, or a king or rook by its castling square, which
/// also requires that castling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Who {
    /// The piece.
    pub piece: PieceId,
    /// Castling that the name requires.
    pub castled: Option<Wing>,
}

/// Path of a piece from its origin onward.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathCondition {
    /// The piece.
    pub who: Who,
    /// Steps in order.
    pub segments: Vec<PathStep>,
    /// `<`: no step follows.
    pub stays: bool,
    /// End of the piece, if the condition specifies it.
    pub fate: Option<FateCondition>,
}

/// A step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathStep {
    /// `-q`: the next stop is `q`, reached without a capture.
    To(Square),
    /// `xV`, `xq`, `xV q`: the next capture takes that piece, or is on that square, or both.
    Takes(Option<PieceId>, Option<Square>),
    /// `_q`: stops on `q` or captures there, with no capture between.
    Reaches(Square),
    /// `__q`: stops on `q` or captures there, with any captures between.
    Visits(Square),
    /// `_xV`, `_xq`, `_xV q`: such a capture, with any captures between.
    TakesLater(Option<PieceId>, Option<Square>),
    /// `=k`: promotes to that type, with no capture between.
    Promotes(Role),
}

/// End of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FateCondition {
    /// `.a`
    Alive,
    /// `.d`
    Dead,
    /// `.Qd8:`
    TakenBy(PieceId),
}

/// A strategy with the results of its analysis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Analysed<'a> {
    /// The strategy.
    pub strategy: &'a Strategy,
    /// Moves that each piece needs, by piece number.
    pub needed: &'a [u8; 32],
    /// Free moves of both colors.
    pub free: [i32; 2],
}

impl Formula {
    /// Returns true if a strategy fulfils the condition.
    fn holds(&self, analysed: &Analysed<'_>) -> bool {
        let route = |who: &Who| analysed.strategy.route(who.piece);
        let fits = |who: &Who| who.castled.is_none_or(|wing| route(who).castling() == Some(wing));
        match self {
            Self::And(all) => all.iter().all(|one| one.holds(analysed)),
            Self::Or(any) => any.iter().any(|one| one.holds(analysed)),
            Self::Not(one) => !one.holds(analysed),
            Self::FreeMoves(color, comparison, number) => {
                comparison.holds(analysed.free[color.index()], *number)
            }
            Self::Captures(who, comparison, number) => {
                fits(who) && comparison.holds(route(who).captures().count() as i32, *number)
            }
            Self::Moves(who, comparison, number) => {
                let needed = i32::from(analysed.needed[who.piece.index()]);
                fits(who) && comparison.holds(needed, *number)
            }
            Self::Path(path) => fits(&path.who) && matching::holds(path, analysed),
        }
    }
}

impl FromStr for Condition {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        parse::condition(text).map(Self)
    }
}

#[cfg(test)]
mod tests;
