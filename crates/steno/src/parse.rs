//! Parser of stenos.
//!
//! ```text
//! steno := ['$'] turn+
//! turn  := mark { ('&' | '!' | '&!') mark } { '[' set ']' } ['$']
//! set   := list { '|' list }        list := condition { '&' condition }
//! ```
//!
//! Preprocessing drops white space of any kind, and then comments in (nested) parentheses. Accepted
//! deviations: typographic dashes for `-`, curly double quotes for `"`, and `Q'` for `q` (`R'`,
//! `N'`, `L'` alike) outside PGN.

mod fault;

use super::condition::{ColoredPiece, Condition, ConditionSet, PieceKind, Region};
use super::mark::{Literal, Mark};
use super::vocabulary::Vocabulary;
use nom::bytes::complete::take_till;
use nom::character::complete::{anychar, char, one_of, satisfy};
use nom::combinator::{opt, peek};
use nom::error::{ErrorKind, ParseError};
use nom::{IResult, Offset, Parser};
use std::fmt;
use umbrail_chess::Role;
use umbrail_chess::geometry::Color;

pub use fault::{ParseFault, StenoError};

/// A parsed steno.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steno {
    /// Vocabulary of the text.
    pub vocabulary: Vocabulary,
    /// True if the text begins with `$`: it continues from a checkpoint.
    pub resumes: bool,
    /// Turns, one per half-move.
    pub turns: Vec<Turn>,
}

/// Constraints on one half-move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// Literals that must all hold; never empty.
    pub(crate) literals: Vec<Literal>,
    /// Conditions that must all hold.
    pub(crate) conditions: Vec<ConditionSet>,
    /// True if `$` follows the turn.
    pub(crate) checkpoint: bool,
}

/// Maximum number of half-moves of a steno. Two bare kings can move forever; no published puzzle
/// under the 75-move rule is longer.
pub const TURNS_MAX: usize = 1000;

/// An error on its way through nom: the rest of the input at the error, and its reason.
struct ParseFailure<'a> {
    rest: &'a str,
    fault: ParseFault,
}

impl<'a> ParseError<&'a str> for ParseFailure<'a> {
    fn from_error_kind(rest: &'a str, _: ErrorKind) -> Self {
        Self { rest, fault: ParseFault::Empty }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

type Parsed<'a, T> = IResult<&'a str, T, ParseFailure<'a>>;

fn fail<T>(rest: &str, fault: ParseFault) -> Parsed<'_, T> {
    Err(nom::Err::Failure(ParseFailure { rest, fault }))
}

impl Steno {
    /// Parses a string.
    ///
    /// # Errors
    /// Returns a [`StenoError`] with the column of the first error.
    pub fn parse(text: &str, vocabulary: Vocabulary) -> Result<Self, StenoError> {
        let (bare, columns) = strip(text)?;
        let error =
            |at: usize, fault| StenoError { column: columns[at.min(columns.len() - 1)], fault };
        match steno(&bare, vocabulary) {
            Ok((_, steno)) => Ok(steno),
            Err(nom::Err::Failure(trouble) | nom::Err::Error(trouble)) => {
                let at = bare[..bare.offset(trouble.rest)].chars().count();
                Err(error(at, trouble.fault))
            }
            Err(nom::Err::Incomplete(_)) => Err(error(0, ParseFault::Empty)),
        }
    }

    /// Returns the steno with `+` interpreted as in strict notation: a check that is not mate.
    #[must_use]
    pub(crate) fn strict(mut self) -> Self {
        for literal in self.turns.iter_mut().flat_map(|turn| &mut turn.literals) {
            if literal.mark == Mark::Check && self.vocabulary == Vocabulary::Pgn {
                literal.mark = Mark::BareCheck;
            }
        }
        self
    }

    /// Returns the number of turns before a `$` inside the string.
    pub fn checkpoint(&self) -> Option<usize> {
        self.turns.iter().position(|turn| turn.checkpoint).map(|at| at + 1)
    }

    /// Returns one turn as text, in canonical characters and without `$`.
    pub fn turn_text(&self, turn: &Turn) -> String {
        let symbol = |mark| self.vocabulary.symbol(mark).unwrap_or('~');
        let mut text = String::new();
        for (at, literal) in turn.literals.iter().enumerate() {
            match (at, literal.negated) {
                (_, true) => text.push('!'),
                (0, _) => {}
                _ => text.push('&'),
            }
            text.push(symbol(literal.mark));
        }
        turn.conditions.iter().for_each(|set| text.push_str(&set.to_string()));
        text
    }
}

impl fmt::Display for Steno {
    /// Writes the string in canonical characters: no blanks, no comments, no aliases.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.resumes {
            write!(f, "$")?;
        }
        for turn in &self.turns {
            f.write_str(&self.turn_text(turn))?;
            if turn.checkpoint {
                write!(f, "$")?;
            }
        }
        Ok(())
    }
}

/// Returns the text without blanks and comments and with look-alikes replaced, and the column of
/// each remaining character (and of the end).
fn strip(text: &str) -> Result<(String, Vec<usize>), StenoError> {
    let mut bare = String::with_capacity(text.len());
    let mut columns = Vec::with_capacity(text.len() + 1);
    let mut open = Vec::new();
    let mut column = 0;
    for symbol in text.chars() {
        column += 1;
        match symbol {
            '(' => open.push(column),
            ')' => {
                if open.pop().is_none() {
                    return Err(StenoError { column, fault: ParseFault::StrayParenthesis });
                }
            }
            _ if !open.is_empty() || symbol.is_whitespace() => {}
            _ => {
                bare.push(match symbol {
                    '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
                    '\u{201c}'..='\u{201e}' | '\u{2033}' => '"',
                    other => other,
                });
                columns.push(column);
            }
        }
    }
    if let Some(&column) = open.first() {
        return Err(StenoError { column, fault: ParseFault::OpenParenthesis });
    }
    columns.push(column + 1);
    Ok((bare, columns))
}

fn steno(input: &str, vocabulary: Vocabulary) -> Parsed<'_, Steno> {
    let (mut rest, resumes) = opt(char('$')).parse(input)?;
    let mut turns: Vec<Turn> = Vec::new();
    while !rest.is_empty() {
        let before = rest;
        let parsed;
        (rest, parsed) = turn(rest, vocabulary)?;
        if parsed.checkpoint && turns.iter().any(|turn| turn.checkpoint) {
            let dollar = &before[before.len() - rest.len() - 1..];
            return fail(dollar, ParseFault::SecondCheckpoint);
        }
        if turns.len() == TURNS_MAX {
            return fail(before, ParseFault::TooLong);
        }
        turns.push(parsed);
    }
    if turns.is_empty() {
        return fail(rest, ParseFault::Empty);
    }
    Ok((rest, Steno { vocabulary, resumes: resumes.is_some(), turns }))
}

fn turn(input: &str, vocabulary: Vocabulary) -> Parsed<'_, Turn> {
    let (mut rest, first) = mark(input, vocabulary)?;
    let mut literals = vec![Literal { negated: false, mark: first }];
    while let (behind, Some(sign)) = opt(one_of("&!")).parse(rest)? {
        let (behind, second) =
            if sign == '&' { opt(char('!')).parse(behind)? } else { (behind, None) };
        let negated = sign == '!' || second.is_some();
        let next;
        (rest, next) = mark(behind, vocabulary)?;
        literals.push(Literal { negated, mark: next });
    }
    let mut conditions = Vec::new();
    while let (behind, Some(_)) = opt(char('[')).parse(rest)? {
        let (close, body) = take_till(|symbol| symbol == ']').parse(behind)?;
        let (behind, Some(_)) = opt(char(']')).parse(close)? else {
            return fail(rest, ParseFault::OpenBracket);
        };
        conditions.push(condition_set(body)?.1);
        rest = behind;
    }
    let (rest, dollar) = opt(char('$')).parse(rest)?;
    Ok((rest, Turn { literals, conditions, checkpoint: dollar.is_some() }))
}

fn mark(input: &str, vocabulary: Vocabulary) -> Parsed<'_, Mark> {
    let (rest, Some(symbol)) = opt(anychar).parse(input)? else {
        return fail(input, ParseFault::MarkMissing);
    };
    if vocabulary.has_primes() && matches!(symbol, 'Q' | 'R' | 'N' | 'L') {
        let (behind, prime) = opt(char('\'')).parse(rest)?;
        if prime.is_some() {
            return Ok((
                behind,
                Mark::Promotion(PieceKind::from_letter(symbol).map(promoted_role)),
            ));
        }
    }
    match vocabulary.read(symbol) {
        Some(mark) => Ok((rest, mark)),
        None => fail(input, ParseFault::NoMark(symbol, vocabulary)),
    }
}

/// Returns the role of a promotion; `L'` is a bishop of any color.
fn promoted_role(kind: PieceKind) -> Role {
    kind.role()
}

fn condition_set(body: &str) -> Parsed<'_, ConditionSet> {
    let mut all = vec![Vec::new()];
    let mut rest = body;
    loop {
        let one;
        (rest, one) = condition(rest)?;
        if let Some(list) = all.last_mut() {
            list.push(one);
        }
        let (behind, sign) = opt(one_of("&|")).parse(rest)?;
        match sign {
            Some('|') => all.push(Vec::new()),
            Some(_) => {}
            None => return Ok((behind, ConditionSet(all))),
        }
        rest = behind;
    }
}

/// Parses one condition; the next character is `&`, `|` or the end.
fn condition(input: &str) -> Parsed<'_, Condition> {
    let (rest, sign) = opt(satisfy(|symbol| !matches!(symbol, '&' | '|'))).parse(input)?;
    let (rest, condition) = match sign {
        None => return fail(input, ParseFault::EmptyCondition),
        Some('x') => {
            let (rest, pieces) = pieces(rest, 'x', "PNBLDRQpnbldrq")?;
            match pieces[..] {
                [piece] => (rest, Condition::Takes(piece.kind)),
                _ => return fail(rest, ParseFault::Pieces('x', None)),
            }
        }
        Some('X') => {
            let (rest, pieces) = pieces(rest, 'X', "PNBLDRQpnbldrq")?;
            if pieces.is_empty() {
                return fail(rest, ParseFault::Pieces('X', None));
            }
            (rest, Condition::Taken(pieces))
        }
        Some('=') => {
            let (rest, pieces) = pieces(rest, '=', "NBLDRQnbldrq")?;
            (rest, Condition::Promoted(pieces))
        }
        Some(sign @ ('^' | 'v')) => {
            let (behind, digit) = opt(one_of("234567")).parse(rest)?;
            let color = if sign == '^' { Color::White } else { Color::Black };
            match (digit, behind.chars().next()) {
                (Some(digit), None | Some('&' | '|')) => {
                    (behind, Condition::Advanced(color, digit as u8 - b'1'))
                }
                (Some(_), next) => return fail(behind, ParseFault::PawnRank(next)),
                (None, next) => return fail(rest, ParseFault::PawnRank(next)),
            }
        }
        Some('-') => {
            let (rest, region) = region(rest, true)?;
            (rest, Condition::Vacant(region))
        }
        Some('@') => {
            let (rest, region) = region(rest, true)?;
            (rest, Condition::From(region))
        }
        Some(letter) => match ColoredPiece::from_letter(letter) {
            Some(piece) => {
                let (rest, region) = region(rest, false)?;
                (rest, Condition::On(piece, region))
            }
            None => return fail(input, ParseFault::NoCondition(letter)),
        },
    };
    Ok((rest, condition))
}

/// Parses pieces up to the end of the condition, all with one of these letters.
fn pieces<'a>(input: &'a str, sign: char, letters: &str) -> Parsed<'a, Vec<ColoredPiece>> {
    let mut pieces = Vec::new();
    let mut rest = input;
    loop {
        let next: Option<char>;
        (_, next) = peek(opt(anychar)).parse(rest)?;
        match next {
            None | Some('&' | '|') => return Ok((rest, pieces)),
            Some(letter) if letters.contains(letter) && !(sign == 'x' && pieces.len() == 1) => {
                pieces.extend(ColoredPiece::from_letter(letter));
                rest = &rest[letter.len_utf8()..];
            }
            found => return fail(rest, ParseFault::Pieces(sign, found)),
        }
    }
}

/// Parses a file, a rank or both, up to the end of the condition.
fn region(input: &str, needed: bool) -> Parsed<'_, Region> {
    let (rest, file) = opt(one_of("abcdefgh")).parse(input)?;
    let (rest, rank) = opt(one_of("12345678")).parse(rest)?;
    let next = rest.chars().next();
    if !matches!(next, None | Some('&' | '|')) || needed && file.is_none() && rank.is_none() {
        return fail(rest, ParseFault::Place(next.filter(|next| !matches!(next, '&' | '|'))));
    }
    let region = Region {
        file: file.map(|file| file as u8 - b'a'),
        rank: rank.map(|rank| rank as u8 - b'1'),
    };
    Ok((rest, region))
}

#[cfg(test)]
mod tests;
