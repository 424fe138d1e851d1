//! Changes of twins: words and signs for pieces that move, come, go or change.
//!
//! The grammar is that of [`twins`](super::twins).

use super::clause::{Clause, LinePart, clause, parts};
use crate::files::board_change::{BoardChange, BoardFault, WholeBoard};
use crate::positions::{ConditionName, NameError, PieceName, PlacedMan};
use umbrail_chess::PieceLetters;
use umbrail_chess::geometry::{Color, Square};

/// A change of a twin that is not one of its boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TwinChange {
    /// Of the stipulation.
    Clause(Clause),
    /// No conditions.
    NoConditions,
}

/// Reason why a twin is not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum TwinFault {
    /// A change is not known.
    #[error(
        "expected a change such as Qd8->e8, b1<->c1, -Pa2, +wPa2, Qd8=R, PG in 3.5 or Circe, got \"{0}\"{hint}; commas, semicolons or & stand between changes",
        hint = super::lines::change_hint(.0)
    )]
    Change(String),
    /// The letter is not that of the piece.
    #[error("\"{text}\" names another piece than the one on its square, a {found}")]
    Piece {
        /// The piece as it is named.
        text: String,
        /// The piece that stands there.
        found: String,
    },
    /// A piece that is added has no color.
    #[error("expected a color before the piece, such as wPa2 or white Pa2, got \"{0}\"")]
    Color(String),
    /// A condition.
    #[error("{0}")]
    Condition(#[from] NameError),
    /// The board.
    #[error("{0}")]
    Board(#[from] BoardFault),
}

/// Meaning of letters of pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letters<'a> {
    /// Letters of the language of the diagram.
    pub language: PieceLetters,
    /// Letters with a meaning of their own.
    pub pieces: &'a [(char, PieceName)],
}

impl Letters<'_> {
    fn piece(self, letter: char) -> Option<PieceName> {
        let own = self.pieces.iter().find(|(known, _)| known.eq_ignore_ascii_case(&letter));
        own.map(|(_, piece)| *piece).or_else(|| self.language.role(letter).map(PieceName::Standard))
    }

    /// Reads `w`, `b`, and the first letters of colors in other languages.
    fn color(self, letter: char) -> Option<Color> {
        let black = match self.language {
            PieceLetters::German => 's',
            PieceLetters::French | PieceLetters::Italian => 'n',
            PieceLetters::English => 'b',
        };
        match letter {
            'w' => Some(Color::White),
            'b' if black == 'n' => Some(Color::White),
            _ if letter == black => Some(Color::Black),
            _ => None,
        }
    }
}

/// A piece as a twin names it: `e4`, `Se4`, `wSe4`, `wS`.
#[derive(Clone, Copy, Debug)]
struct NamedMan {
    color: Option<Color>,
    piece: Option<PieceName>,
    square: Option<Square>,
}

impl NamedMan {
    fn read(text: &str, letters: Letters<'_>) -> Option<Self> {
        let text = text.trim_matches([',', ';', '.', ':', ')', '(']);
        let split = text.len().checked_sub(2).filter(|&at| text.is_char_boundary(at));
        let square: Option<Square> = split.and_then(|at| text[at..].parse().ok());
        let mut rest = if square.is_some() { &text[..text.len() - 2] } else { text };
        let mut color = None;
        let mut symbols = rest.chars();
        if let (Some(first), Some(second)) = (symbols.next(), symbols.next())
            && (second.is_uppercase() || second == '.')
        {
            color = Some(letters.color(first)?);
            rest = rest[first.len_utf8()..].trim_start_matches('.');
        }
        let mut symbols = rest.chars();
        let piece = match (symbols.next(), symbols.next()) {
            (None, _) => None,
            (Some(letter), None) if letter.is_uppercase() => Some(letters.piece(letter)?),
            _ => return None,
        };
        (square.is_some() || piece.is_some()).then_some(Self { color, piece, square })
    }

    /// Returns the square of this piece on a board.
    fn on(&self, men: &[PlacedMan], text: &str) -> Result<Square, TwinFault> {
        let square = self.square.ok_or_else(|| TwinFault::Change(text.to_owned()))?;
        let placed = men.iter().find(|man| man.square == square);
        let placed = placed.ok_or(BoardFault::Empty(square))?;
        let fits = self.piece.is_none_or(|piece| piece == placed.piece)
            && self.color.is_none_or(|color| color == placed.color);
        let found = || format!("{} {}", placed.color, placed.piece.word());
        if fits {
            Ok(square)
        } else {
            Err(TwinFault::Piece { text: text.to_owned(), found: found() })
        }
    }
}

/// A word that applies to the pieces after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verb {
    Add,
    Remove,
    Exchange,
    Move,
}

const VERBS: [(&[&str], Verb); 4] = [
    (&["add", "added", "plus", "hinzu", "ajouter", "ajoute", "füge", "mit"], Verb::Add),
    (
        &[
            "remove", "removed", "delete", "without", "ohne", "entferne", "entfernt", "sans",
            "retirer", "ote",
        ],
        Verb::Remove,
    ),
    (&["exchange", "swap", "tausche", "échanger", "echange"], Verb::Exchange),
    (&["move", "versetze", "deplacement"], Verb::Move),
];
/// Words between pieces.
const BETWEEN: [&str; 16] = [
    "and", "und", "et", "with", "mit", "to", "nach", "auf", "vers", "en", "à", "on", "&", "of",
    "von", "the",
];

/// Reads the changes of a twin, applies those of boards, and returns the others: `men` are diagram and start.
///
/// # Errors
/// The place of the change in bytes, and what was expected.
pub(super) fn changes(
    part: LinePart<'_>,
    letters: Letters<'_>,
    men: &mut [Vec<PlacedMan>; 2],
) -> Result<Vec<TwinChange>, (usize, TwinFault)> {
    let mut all = vec![];
    let mut of_start = false;
    let mut verb: Option<Verb> = None;
    for one in parts(part.text) {
        for piece in split_at_ampersand(one) {
            let mut text = piece.text;
            let first = text.split([':', ' ']).next().unwrap_or_default();
            if first.eq_ignore_ascii_case("start") && text.len() > first.len() {
                of_start = true;
                text = text[first.len()..].trim_start_matches([':', ' ']);
            }
            let board = &mut men[usize::from(of_start)];
            let read = change(text, letters, board, &mut verb);
            all.extend(read.map_err(|fault| (part.at + piece.at, fault))?);
        }
    }
    Ok(all)
}

/// Splits at `&`, but not the names of conditions such as Make&Take.
fn split_at_ampersand(part: LinePart<'_>) -> Vec<LinePart<'_>> {
    let mut all = vec![];
    let mut from = 0;
    for text in part.text.split(" & ") {
        if !text.trim().is_empty() {
            all.push(LinePart { text: text.trim(), at: part.at + from });
        }
        from += text.len() + 3;
    }
    all
}

fn change(
    text: &str,
    letters: Letters<'_>,
    men: &mut Vec<PlacedMan>,
    last: &mut Option<Verb>,
) -> Result<Option<TwinChange>, TwinFault> {
    let lower = text.to_lowercase();
    match lower.as_str() {
        "diagram" | "diagramm" | "diagramme" | "diagr." | "position" | "continued" | "ferner"
        | "weiter" | "enplus" => return Ok(None),
        "no condition" | "no conditions" | "without conditions" | "orthodox" => {
            return Ok(Some(TwinChange::NoConditions));
        }
        _ => {}
    }
    if let Some(found) = clause(text)? {
        return Ok(Some(TwinChange::Clause(found)));
    }
    let board = match whole(&lower) {
        Some(whole) => vec![BoardChange::Whole(whole)],
        None => match of_pieces(text, letters, men, last)? {
            Some(board) => board,
            None => {
                if let Some(fault) = ConditionName::wrong_squares(text) {
                    return Err(fault.into());
                }
                let name = ConditionName::read_whole(text);
                let name = name.ok_or_else(|| TwinFault::Change(text.to_owned()))?;
                return Ok(Some(TwinChange::Clause(Clause::Condition(name))));
            }
        },
    };
    for change in &board {
        change.apply(men)?;
    }
    Ok(None)
}

/// Reads a change of the whole board.
fn whole(lower: &str) -> Option<WholeBoard> {
    let words: Vec<&str> = lower
        .split([' ', '<', '>', '-', '=', '↔', '→', '°'])
        .filter(|word| !word.is_empty())
        .collect();
    let square = |text: &str| text.parse::<Square>().ok();
    match words.as_slice() {
        ["polishtype" | "polish"] | ["polish", "type"] => Some(WholeBoard::ColorsExchanged),
        ["rotate" | "drehe", "90"] => Some(WholeBoard::Rotated(1)),
        ["rotate" | "drehe", "180"] => Some(WholeBoard::Rotated(2)),
        ["rotate" | "drehe", "270"] => Some(WholeBoard::Rotated(3)),
        ["mirror" | "spiegle", one, other] => {
            Some(WholeBoard::Mirrored(square(one)?, square(other)?))
        }
        ["shift" | "verschiebe", from, to] => {
            let (from, to) = (square(from)?, square(to)?);
            let by = |a: u8, b: u8| i32::from(b) - i32::from(a);
            Some(WholeBoard::Shifted(by(from.file(), to.file()), by(from.rank(), to.rank())))
        }
        _ => None,
    }
}

/// Reads a change of single pieces.
fn of_pieces(
    text: &str,
    letters: Letters<'_>,
    men: &[PlacedMan],
    last: &mut Option<Verb>,
) -> Result<Option<Vec<BoardChange>>, TwinFault> {
    let man = |text: &str| NamedMan::read(text, letters);
    let wrong = || TwinFault::Change(text.to_owned());
    if let Some((before, sign, after)) = arrow(text) {
        let (Some(one), Some(other)) = (man(before), man(after)) else { return Ok(None) };
        let from = one.on(men, before)?;
        *last = None;
        if sign == Arrow::Both {
            return Ok(Some(vec![BoardChange::Exchange(from, other.on(men, after)?)]));
        }
        let mut board = vec![];
        let to = other.square.unwrap_or(from);
        match (sign, other.square) {
            (Arrow::Equals, Some(to)) if to != from => return Ok(None),
            (_, Some(to)) if to != from => board.push(BoardChange::Move(from, to)),
            _ => {}
        }
        if let Some(piece) = other.piece {
            let now = men.iter().find(|man| man.square == from).map(|man| (man.piece, man.color));
            let color = other.color;
            if now.is_some_and(|(old, side)| old != piece || color.is_some_and(|c| c != side)) {
                board.push(BoardChange::Replace(to, piece, color));
            }
        }
        return if board.is_empty() { Err(wrong()) } else { Ok(Some(board)) };
    }
    let mut verb = *last;
    let mut color = None;
    let mut named: Vec<(&str, NamedMan)> = vec![];
    let spaced = text.replace('+', " + ").replace(['\u{2212}', '\u{2013}'], " - ");
    let spaced = match spaced.trim_start().strip_prefix('-') {
        Some(rest) => format!("- {rest}"),
        None => spaced,
    };
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut found = false;
    for word in &words {
        let lower = word.to_lowercase();
        let is_verb = |(names, _): &&(&[&str], Verb)| names.contains(&lower.as_str());
        match lower.as_str() {
            "+" => (verb, found) = (Some(Verb::Add), true),
            "-" => (verb, found) = (Some(Verb::Remove), true),
            "white" | "weiss" | "weiß" | "weisser" | "blanc" => color = Some(Color::White),
            "black" | "schwarz" | "schwarzer" | "noir" => color = Some(Color::Black),
            _ if named.is_empty() && VERBS.iter().any(|one| is_verb(&one)) => {
                (verb, found) = (VERBS.iter().find(is_verb).map(|(_, verb)| *verb), true);
            }
            "removed" | "entfernt" => (verb, found) = (Some(Verb::Remove), true),
            "added" => (verb, found) = (Some(Verb::Add), true),
            other if BETWEEN.contains(&other) => {
                if matches!(other, "to" | "nach" | "auf" | "vers" | "à" | "on") && verb.is_none() {
                    (verb, found) = (Some(Verb::Move), true);
                }
            }
            _ => {
                let Some(mut one) = man(word) else { return Ok(None) };
                one.color = one.color.or(color);
                named.push((*word, one));
            }
        }
    }
    let Some(verb) = verb.filter(|_| found || last.is_some()) else { return Ok(None) };
    *last = Some(verb);
    let on = |(word, one): &(&str, NamedMan)| one.on(men, word);
    let board = match (verb, named.as_slice()) {
        (_, []) => return Err(wrong()),
        (Verb::Remove, all) => {
            BoardChange::Remove(all.iter().map(on).collect::<Result<Vec<_>, _>>()?)
        }
        (Verb::Add, all) => {
            let added = |(word, one): &(&str, NamedMan)| match (one.square, one.piece, one.color) {
                (Some(square), Some(piece), Some(color)) => {
                    Ok(PlacedMan { square, color, piece, on_b: false })
                }
                (Some(_), Some(_), None) => Err(TwinFault::Color((*word).to_owned())),
                _ => Err(wrong()),
            };
            BoardChange::Add(all.iter().map(added).collect::<Result<Vec<_>, _>>()?)
        }
        (Verb::Exchange, [one, other]) => BoardChange::Exchange(on(one)?, on(other)?),
        (Verb::Move, [one, (_, NamedMan { square: Some(to), .. })]) => {
            BoardChange::Move(on(one)?, *to)
        }
        (Verb::Exchange | Verb::Move, _) => return Err(wrong()),
    };
    Ok(Some(vec![board]))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arrow {
    One,
    Both,
    Equals,
}

/// Splits at an arrow, an equals sign, or a hyphen between squares.
fn arrow(text: &str) -> Option<(&str, Arrow, &str)> {
    let signs = |symbol: char| "-=<>→⇒↔⇄⇆⟶⟷".contains(symbol);
    // A sign in front adds or removes.
    let start = text.char_indices().find(|&(at, symbol)| at > 0 && signs(symbol))?.0;
    let (before, from) = text.split_at(start);
    let end = from.find(|symbol: char| !signs(symbol)).unwrap_or(from.len());
    let (sign, after) = from.split_at(end);
    let both = sign.contains(['<', '↔', '⇄', '⇆', '⟷']);
    let kind = match () {
        () if both => Arrow::Both,
        () if sign == "=" => Arrow::Equals,
        () => Arrow::One,
    };
    let (before, after) = (before.trim(), after.trim());
    (!before.is_empty() && !before.contains(' ') && !after.is_empty())
        .then_some((before, kind, after))
}
