//! Lines that seem to belong to a problem, wherever they stand: twins, stipulations, and constraints of other programs. They
//! would change the question, so they are no comments.
//!
//! Recognized are:
//!
//! - twins: `b) Qd8->e8`, `a) diagram b) Pa2 to a3`, `Twin: …`, `zero position`, arrows at a square, and words such as
//!   `remove Sg1`;
//! - constraints of Euclide: a sign and a man, `+Bf1`, `-Pa2`;
//! - lengths: a second one, or several in one line, `3.5 and 4.0`;
//! - stipulations with a word or a sign that is not known: `PG 17¼`, `ser-dia5`, `2 solutions`, `duplex`;
//! - keywords of Popeye with a stipulation or a condition, and names of fairy conditions.
//!
//! A line that begins with `#`, `%`, `;` or `//` is always a comment.

use super::clause::{Clause, clause};
use super::length::length_of;
use super::lines::{is_credit, is_marked_comment, is_nearly_clauses};
use super::{LENGTH, SheetError, is_placement};
use crate::positions::ConditionName;
use crate::problem::PLIES_MAX;
use std::fmt;

/// The meaning that a line seems to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnclearLine {
    /// Another problem with nearly the same diagram.
    Twin,
    /// A length in half-moves. A bare number may count something else.
    Length { plies: u16, bare: bool },
    /// A stipulation with a part that is not known.
    Stipulation,
    /// The number of intended solutions.
    Solutions,
    /// A condition, or a constraint, in the notation of another program.
    Condition,
    /// A diagram behind other words.
    Diagram,
    /// A keyword without a diagram above it.
    Keyword,
}

/// Such a line with its place.
pub(super) struct UnclearAt {
    pub(super) seems: UnclearLine,
    pub(super) text: String,
    pub(super) line: usize,
    pub(super) column: usize,
}

impl UnclearAt {
    /// The error about the line.
    pub(super) fn error(self) -> SheetError {
        let Self { seems, text, line, column } = self;
        let what = format!("\"{text}\" looks like {seems}; a comment begins with #");
        SheetError::new(line, column, what)
    }

    /// Whether the line, right above a diagram, changes nothing in a problem of this length: it is the length, or the
    /// number of the problem.
    pub(super) fn fits(&self, plies: u16) -> bool {
        match self.seems {
            UnclearLine::Length { plies: own, bare } => bare || own == plies,
            _ => false,
        }
    }
}

impl fmt::Display for UnclearLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Twin => f.write_str(
                "a twin apart from its problem, expected it in a line below the diagram, such as \"b) Qd8->e8\"",
            ),
            Self::Length { .. } => f.write_str(
                "another length, expected one for each diagram, below it; write a second length below a second diagram",
            ),
            Self::Stipulation => write!(f, "a stipulation that is not known, expected {LENGTH}"),
            Self::Solutions => {
                f.write_str("a number of intended solutions, expected a line such as Intended: 2")
            }
            Self::Condition => f.write_str(
                "a condition that is not known, expected the name of a fairy condition, or StrategyConditions: and a condition such as Sb1-c3",
            ),
            Self::Keyword => f.write_str(
                "a keyword without a diagram above it, expected it in a line below the diagram",
            ),
            Self::Diagram => f.write_str("a diagram behind other words, expected it first in its line"),
        }
    }
}

/// The meaning that a line seems to have, which is neither a keyword nor the only length of its problem; none for a
/// comment.
pub(super) fn unclear(text: &str) -> Option<UnclearLine> {
    if is_marked_comment(text) || is_credit(text) {
        return None;
    }
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    if text
        .split_whitespace()
        .skip(1)
        .any(|word| word.matches('/').count() >= 6 && is_placement(word))
    {
        return Some(UnclearLine::Diagram);
    }
    if has_twin_mark(&words) || has_arrow(text) || edits_diagram(&words) {
        return Some(UnclearLine::Twin);
    }
    if let Some(plies) = length_of(text) {
        let bare = text.bytes().all(|byte| byte.is_ascii_digit());
        // A larger number is a year, as in `BP 2010`.
        let is_length = plies <= PLIES_MAX || text.contains(['.', ',']);
        return is_length.then_some(UnclearLine::Length { plies, bare });
    }
    let is_other = || matches!(clause(text), Ok(Some(Clause::Uncolored | Clause::Added(..))));
    if is_constraint(&words) || is_condition(&words) || is_other() || is_of_game(text) {
        return Some(UnclearLine::Condition);
    }
    if counts_solutions(&words) {
        return Some(UnclearLine::Solutions);
    }
    match is_stipulation(text, &words) {
        true => Some(UnclearLine::Stipulation),
        false => is_nearly_clauses(text).then_some(UnclearLine::Condition),
    }
}

/// Whether a list of words, separated by blanks, has this one.
fn is_one_of(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// Words that announce twins.
const TWINS: &str =
    "twin twins zwilling zwillinge jumeau jumeaux zeroposition zero-position nullstellung";

/// `b)` in front, or behind other words; `Twin` or `zero position` in front.
fn has_twin_mark(words: &[String]) -> bool {
    let Some(first) = words.first() else { return false };
    let bare = first.trim_start_matches(['+', '(', '[']);
    // `(c) 1998` is a copyright.
    if twin_letter(bare).is_some_and(|letter| letter != b'c' || !first.starts_with('(')) {
        return true;
    }
    let mut open = 0;
    for word in words {
        let twin = word.len() == 2 && twin_letter(word).is_some_and(|letter| letter != b'a');
        if twin && open == 0 {
            return true;
        }
        let closed = word.matches([')', ']']).count();
        open = (open + word.matches(['(', '[']).count()).saturating_sub(closed);
    }
    // `b: 3.5`, but not a list of men, `b: Pf7-f5`.
    let rest = words[1..].join(" ");
    if matches!(first.as_bytes(), [b'a'..=b'z', b':']) && length_of(&rest).is_some() {
        return true;
    }
    let word = first.trim_end_matches([':', '.', ')']);
    let position = words.get(1).is_some_and(|next| next.starts_with("position"));
    is_one_of(TWINS, word) || word == "zero" && position
}

/// The letter of `b)…`.
fn twin_letter(word: &str) -> Option<u8> {
    match word.as_bytes() {
        [letter @ b'a'..=b'z', b')', ..] => Some(*letter),
        _ => None,
    }
}

/// An arrow with a square at one of its ends: `Qd8->e8`, `a1 <--> h1`, `wKe1==>e2`.
fn has_arrow(text: &str) -> bool {
    let signs = |symbol: char| "-=<>→⇒↔⇄⇆⟶⟷".contains(symbol);
    let mut rest = text;
    while let Some(start) = rest.find(signs) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|symbol: char| !signs(symbol)).unwrap_or(from.len());
        let (sign, after) = from.split_at(end);
        let arrow = sign.contains(|symbol: char| "<>→⇒↔⇄⇆⟶⟷".contains(symbol));
        let before = before.trim_end().rsplit(char::is_whitespace).next().unwrap_or("");
        let after_word = after.trim_start().split(char::is_whitespace).next().unwrap_or("");
        let ends = before.len() >= 2
            && before.is_char_boundary(before.len() - 2)
            && is_square(&before[before.len() - 2..]);
        if arrow && (ends || is_piece_on_square(after_word)) {
            return true;
        }
        rest = after;
    }
    false
}

/// Words for a change of the diagram.
const EDITS: &str = "add remove delete without exchange swap move shift replace mirror ohne entferne tausche ersetze sans \
    ajouter retirer échanger";
/// Words between a man and its other square.
const TOWARD: &str = "to nach auf vers en à on";

/// `remove Sg1`, `exchange b1 and c1`, `Qd8 to e8`: a word for a change of the diagram, and a man.
fn edits_diagram(words: &[String]) -> bool {
    let Some(first) = words.first() else { return false };
    let has_piece = words.iter().skip(1).any(|word| is_piece_on_square(word));
    let second = words.get(1).map_or("", String::as_str);
    let goes = is_piece_on_square(first)
        && is_one_of(TOWARD, second)
        && words.get(2).is_some_and(|word| is_piece_on_square(word));
    let turns = first == "rotate" && second.starts_with(|symbol: char| symbol.is_ascii_digit());
    goes || turns || first == "polishtype" || is_one_of(EDITS, first.as_str()) && has_piece
}

/// `+Bf1`, `-wPa2`: a sign in front of a man.
fn is_constraint(words: &[String]) -> bool {
    let Some(first) = words.first() else { return false };
    let signs = ['+', '-', '\u{2013}', '\u{2212}', '±'];
    let piece = first.trim_start_matches(signs);
    let next = words.get(1).map_or("", String::as_str);
    let signed = piece.len() < first.len();
    signed && (is_piece_on_square(piece) || piece.is_empty() && is_piece_on_square(next))
}

/// Words in front of conditions.
const KEYWORDS: &str = "condition conditions bedingung bedingungen";
/// Names of fairy conditions, some of them without `chess`.
const CONDITIONS: &str = "alice alphabetic andernach anti-andernach antiandernach anticirce anti-circe backhome bichrom \
    bichromatic checkless circe couscous cylinder duellist einstein grid isardam koeko köko losing \
    madrasi make&take masand monochrom monochromatic parrain pwc rokagogo take take&make";
/// Those of them that are no words of prose.
const CONDITIONS_ONLY: &str =
    "antiandernach anticirce anti-circe circe isardam koeko köko madrasi pwc";

/// `Condition …`, or the name of a fairy condition: `Circe`, `Losing chess`, but not `Losing a tempo`.
fn is_condition(words: &[String]) -> bool {
    let Some(first) = words.first() else { return false };
    let word = first.trim_end_matches([':', ',', ';', '.']);
    let name = word.strip_suffix("chess").unwrap_or(word);
    let second = words.get(1).map_or("", |word| word.trim_end_matches([',', ';', '.']));
    let alone = matches!(second, "" | "chess" | "&" | "rex" | "rexinclusive");
    let only = is_one_of(CONDITIONS_ONLY, name) && words.len() <= 3;
    is_one_of(KEYWORDS, word) || is_one_of(CONDITIONS, name) && (alone || only)
}

/// Conditions on the game: `no checks`, `White castles`; also several between commas.
fn is_of_game(text: &str) -> bool {
    let parts = super::clause::parts(text);
    !parts.is_empty() && parts.iter().all(|part| ConditionName::of_game(part.text).is_some())
}

/// Numbers as words.
const NUMBERS: &str = "two three four zwei drei vier deux trois quatre";
/// Words for solutions.
const SOLUTIONS: &str = "solution solutions sol sols lösung lösungen loesungen lsg";

/// `2 solutions`, `zwei Lösungen`.
fn counts_solutions(words: &[String]) -> bool {
    let [count, what, ..] = words else { return false };
    let is_count =
        count.bytes().all(|byte| byte.is_ascii_digit()) || is_one_of(NUMBERS, count.as_str());
    is_count && is_one_of(SOLUTIONS, what.trim_end_matches(['.', ',', ';']))
}

/// Words that name a stipulation.
const KINDS: &str =
    "pg spg bp kbp pj pjl dia beweispartie bewijspartij justificative stipulation forderung a=>b";
/// Words around them.
const AROUND: &str = "in en exact proof game shortest kürzeste partie ser series of a dans";

/// A word or a number of a stipulation in front: `PG 17½`, `ser-dia5`, `3.5 and 4.0`, `duplex`; or numbers alone: `7 9`.
fn is_stipulation(text: &str, words: &[String]) -> bool {
    let Some(first) = words.first() else { return false };
    if matches!(first.trim_end_matches([',', ';', '.']), "duplex" | "halfduplex" | "half-duplex") {
        return true;
    }
    let is_number = |word: &String| word.replace([',', ';'], ".").parse::<f64>().is_ok();
    if words.len() > 1 && words.iter().all(is_number) || states_length(words) {
        return true;
    }
    let start = text.find(|symbol: char| symbol.is_ascii_digit()).unwrap_or(text.len());
    let (head, number) = text.split_at(start);
    let digits = number.find(|symbol: char| !symbol.is_ascii_digit()).unwrap_or(number.len());
    let (moves, rest) = number.split_at(digits);
    // A larger number is a year or that of a problem, and `BP 12/1998` is an issue of a magazine.
    let is_short = moves.parse::<u16>().is_ok_and(|moves| moves <= PLIES_MAX / 2);
    if !is_short || rest.starts_with('/') {
        return false;
    }
    let head = head.to_lowercase();
    let head: Vec<&str> =
        head.split([' ', '\t', '-', '_', ':', '(']).filter(|word| !word.is_empty()).collect();
    let is_kind = head.iter().any(|word| is_one_of(KINDS, word))
        || head.contains(&"proof") && head.contains(&"game");
    let known = head.iter().all(|word| is_one_of(KINDS, word) || is_one_of(AROUND, word));
    is_kind && known || head.is_empty() && is_half_or_whole(rest)
}

/// A length within other words: `a) PG in 3.5`, `also in 3.5 moves`, but not `solved by Stelvio 4.0 in 3.5 s`.
fn states_length(words: &[String]) -> bool {
    let is_moves =
        |word: &String| ["move", "zug", "züg", "coup"].iter().any(|moves| word.starts_with(moves));
    (1..words.len()).any(|at| {
        let word = words[at].trim_end_matches(['.', ',', ';', ')']);
        let digits = word.find(|symbol: char| !symbol.is_ascii_digit()).unwrap_or(word.len());
        let (number, rest) = word.split_at(digits);
        let is_short = number.parse::<u16>().is_ok_and(|number| number <= PLIES_MAX / 2);
        let is_half = is_half_or_whole(rest);
        let before = words[..at].iter().rev();
        let before = before.map(|word| word.trim_matches(['(', ':', ',', '-']));
        let kind = before.take(3).find(|word| !is_one_of(AROUND, word));
        let follows = kind.is_some_and(|word| is_one_of(KINDS, word));
        let in_moves = match words.get(at + 1) {
            None => words[at - 1] == "in",
            Some(next) => is_moves(next),
        };
        is_short && ((is_half || rest.is_empty()) && follows || is_half && in_moves)
    })
}

/// Whether `.0`, `.5` or a fraction sign follows a number, and nothing that would make it a move or a date.
fn is_half_or_whole(rest: &str) -> bool {
    let decimals = rest.strip_prefix(['.', ',']).and_then(|rest| rest.strip_prefix(['0', '5']));
    let ends = |symbol: char| symbol.is_whitespace() || ",;&+/(".contains(symbol);
    decimals
        .map(|rest| rest.trim_start_matches('0'))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(ends))
        || rest.trim_start().starts_with(['½', '¼', '¾'])
}

/// `e4`.
fn is_square(text: &str) -> bool {
    matches!(text.as_bytes(), [b'a'..=b'h', b'1'..=b'8'])
}

/// A square, perhaps with a man and its color in front, in any language: `e4`, `Sb1`, `wPa2`, `w.Sb1`, `sBa7`.
fn is_piece_on_square(text: &str) -> bool {
    let text = text.trim_end_matches([',', ';', '.', ':', ')']);
    let Some(at) = text.len().checked_sub(2).filter(|&at| text.is_char_boundary(at)) else {
        return false;
    };
    let (piece, square) = text.split_at(at);
    let piece = piece.trim_start_matches(['w', 'b', 's', 'n', 'W', 'B', 'S', 'N', '.']);
    is_square(square)
        && (piece.is_empty() || piece.len() == 1 && "KQRBNSPDTLCFkqrbnspdtlcf".contains(piece))
}

#[cfg(test)]
mod tests;
