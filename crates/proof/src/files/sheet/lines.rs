//! Lines of a problem: which of them are text, and what is said about those that are not understood.
//!
//! Below a diagram, a line is text only if it says so: by a sign (`#`, `%`, `;`, `//`), by a keyword for credits
//! (`Author:`, `Source:`), or because it is a game, a number of pieces or a mark such as `C+`. Anything else is part of
//! the problem, and an error if it is not understood: a misspelt condition must not turn a problem into another one.

use super::apply::named;
use super::clause::{Clause, LinePart, clause, parts};
use super::length::length_of;
use super::twins::{UnreadTwin, split};
use crate::positions::{ConditionName, hint_of, mistyped_variant, nearest_conditions, nearest_of};

/// Keywords of lines that are text, in three languages.
const CREDITS: &str = "author authors source origin award remark comment comments solution dedication date autor \
    autoren quelle auszeichnung bemerkung kommentar loesung lösung widmung auteur prix remarque commentaire dédicace datum";

/// Clauses other than lengths and conditions, to be suggested for mistyped ones.
const CLAUSES: [&str; 11] = [
    "series",
    "exact",
    "duplex",
    "half-duplex",
    "zeroposition",
    "set play",
    "color the pieces",
    "continued",
    "solutions",
    "add a black queen",
    "add a white queen",
];

/// Words in front of a length, to be suggested for mistyped ones.
const KINDS: [&str; 14] = [
    "PG in",
    "SPG in",
    "BP in",
    "proof game in",
    "Beweispartie in",
    "series PG in",
    "dia",
    "exact-dia",
    "ser-dia",
    "pser-dia",
    "ser-hdia",
    "a=>b",
    "ser-a=>b",
    "pser-a=>b",
];

/// First words of changes of twins, to be suggested for mistyped ones.
const VERBS: [&str; 9] =
    ["move", "exchange", "remove", "without", "add", "rotate", "mirror", "shift", "polishtype"];

/// Longest clause that may be a mistyped one, in bytes; longer lines are sentences.
const NAME_MAX: usize = 48;

/// Signs in front of a comment.
const SIGNS: [&str; 4] = ["#", "%", ";", "//"];

/// Whether the line says itself that it is a comment.
pub(super) fn is_marked_comment(text: &str) -> bool {
    SIGNS.iter().any(|mark| text.starts_with(mark))
}

/// Whether a keyword for credits stands in front of the line.
pub(super) fn is_credit(text: &str) -> bool {
    let word = text.split_once(':').map(|(word, _)| word.trim().to_lowercase());
    word.is_some_and(|word| CREDITS.split(' ').any(|known| known == word))
}

/// Whether a line below a diagram is text that changes nothing: a comment, credits, a game, a number of pieces, or the
/// mark of a tested problem.
pub(super) fn is_text(text: &str) -> bool {
    is_marked_comment(text) || is_credit(text) || is_game(text) || counts_pieces(text)
}

/// `1.e4 e5 2.Sf3`: a number of a move in front, and nothing but moves behind it.
fn is_game(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let Some(first) = words.next().and_then(without_number) else { return false };
    let rest: Vec<&str> = words.collect();
    let begins = if first.is_empty() { !rest.is_empty() } else { is_move(first) };
    begins
        && rest.iter().all(|word| match without_number(word) {
            Some(rest) => rest.is_empty() || is_move(rest),
            None => is_move(word),
        })
}

/// What follows the number of a move and its points: `e4` of `1.e4`.
fn without_number(word: &str) -> Option<&str> {
    let digits = word.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
    let rest = digits.trim_start_matches(['.', '…']);
    (digits.len() < word.len() && rest.len() < digits.len()).then_some(rest)
}

/// A move in any notation, or the result of a game.
fn is_move(word: &str) -> bool {
    let known =
        |symbol: char| symbol.is_ascii_alphanumeric() || "-+#x*:=!?~()[].,>/×–".contains(symbol);
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    let bare = word.trim_end_matches(['+', '#', '!', '?', ',', ';', '.']);
    let others = "0-0 0-0-0 O-O O-O-O ep e.p 1-0 0-1 1/2-1/2 --";
    word.chars().all(known)
        && (word.as_bytes().windows(2).any(is_square)
            || bare.is_empty()
            || others.split(' ').any(|known| known == bare))
}

/// `14+13`, perhaps with a mark behind it, or `C+` with the name of a program.
fn counts_pieces(text: &str) -> bool {
    let text = text.trim_start_matches('(');
    let marked = |text: &str| ["C+", "C-", "C?"].iter().any(|mark| text.starts_with(mark));
    let number =
        |text: &str| (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let counts = first.trim_end_matches([')', ',']).split_once('+');
    let counts = counts.is_some_and(|(white, black)| number(white) && number(black));
    marked(text) || counts && (rest.is_empty() || marked(rest.trim_start()))
}

/// Whether all parts of a line are clauses or names of conditions, or nearly so: such a line is no title.
pub(super) fn is_nearly_clauses(text: &str) -> bool {
    let parts = parts(text);
    let is_near = |part: &LinePart<'_>| {
        let text = part.text;
        let is_clause =
            || matches!(clause(text), Ok(Some(found)) if !matches!(found, Clause::Goal(_)));
        // Short words are near to too many others, and a length alone may be a year or a number.
        (4..=NAME_MAX).contains(&text.len())
            && length_of(text).is_none()
            && (is_clause()
                || named(text, false).is_some()
                || !nearest_of(text, CLAUSES).is_empty()
                || !nearest_conditions(text).is_empty())
    };
    !parts.is_empty() && parts.iter().all(is_near)
}

/// Returns the letter and the changes of a twin whose letter has another sign behind it, or none: `b. e4-e5`, `c e4-e5`.
fn without_bracket(line: &str) -> Option<(char, &str)> {
    let (label, rest) = line.split_once(char::is_whitespace)?;
    match label.as_bytes() {
        [letter @ b'a'..=b'z', b'.' | b':' | b'-' | b'/'] | [letter @ b'b'..=b'z'] => {
            Some((char::from(*letter), rest.trim()))
        }
        _ => None,
    }
}

/// Returns true if an unknown line is an error of one twin only. A mistyped clause is not: clauses apply to all twins.
pub(super) fn is_of_twin(line: &str, has_twins: bool) -> bool {
    without_bracket(line).is_some() || has_twins && !is_nearly_clauses(line)
}

/// Returns the fault of a line among the twins, unless it `changes` the diagram as a twin does.
pub(super) fn unread_twin(line: &str, changes: bool) -> Option<UnreadTwin> {
    let what = || not_understood(line, line, None);
    match without_bracket(line) {
        Some((letter, _)) if split(line, 'b').is_none() => {
            Some(UnreadTwin::Lettered(letter, what()))
        }
        _ => (!changes).then(|| UnreadTwin::Other(what())),
    }
}

/// What is said about a part of a line that is not understood.
pub(super) fn not_understood(line: &str, part: &str, seems: Option<String>) -> String {
    if let Some((letter, rest)) = without_bracket(line) {
        return format!("expected a twin with a bracket behind its letter: \"{letter}) {rest}\"");
    }
    if let Some(fault) = ConditionName::wrong_squares(part) {
        return fault.to_string();
    }
    if let Some(whole) = quarter(part) {
        return format!(
            "\"{part}\" is no length, expected whole or half moves such as {whole}.0 or {whole}.5"
        );
    }
    if let Some(fault) = mistyped_variant(part) {
        return fault.to_string();
    }
    if let Some(kinds) = nearest_kinds(part) {
        return format!("\"{part}\" is not understood, did you mean {kinds}?");
    }
    let mut names = nearest_of(part, CLAUSES);
    names.extend(nearest_conditions(part));
    names.truncate(3);
    if let Some(seems) = seems.filter(|_| names.is_empty() && part == line) {
        return format!("\"{part}\" looks like {seems}; a comment begins with #");
    }
    let what = match (names.is_empty(), part == line) {
        (false, _) => format!("did you mean {}? If it is text, it", names.join(" or ")),
        (true, false) => {
            "expected a condition, or a stipulation such as PG in 5.0, series or duplex; text".to_owned()
        }
        (true, true) => {
            "expected a length, a condition, a twin such as \"b) Qd8->e8\", or a keyword such as Start:; text".to_owned()
        }
    };
    let signs = "begins with # or stands behind Author:, Source: or Comment:";
    format!("\"{part}\" is not understood, {what} {signs}")
}

/// Returns the stipulations that a length behind mistyped words may stand for: `ser-dia3` for `serdia3`.
fn nearest_kinds(text: &str) -> Option<String> {
    let ends = |symbol: char| symbol.is_ascii_digit() || " .,½".contains(symbol);
    let words = text.trim_end_matches(ends);
    let number = &text[words.len()..];
    length_of(number.trim_start())?;
    let bare = |text: &str| text.replace(['-', ' '], "").to_lowercase();
    let mut kinds = nearest_of(words, KINDS);
    // Only hyphens or blanks are missing.
    if kinds.first().is_some_and(|kind| bare(kind) == bare(words)) {
        kinds.truncate(1);
    }
    let whole = |kind: &str| match kind.contains(' ') && !number.starts_with(' ') {
        true => format!("{kind} {number}"),
        false => format!("{kind}{number}"),
    };
    let whole: Vec<String> = kinds.into_iter().map(whole).collect();
    (!whole.is_empty()).then(|| whole.join(" or "))
}

/// Returns a suggestion for an unknown stipulation, clause or condition, as the end of an error message.
pub(super) fn clause_hint(text: &str) -> String {
    if let Some(fault) = mistyped_variant(text) {
        return format!("; {fault}");
    }
    let last = text.split_whitespace().next_back().unwrap_or(text);
    let clause = nearest_of(text, CLAUSES).into_iter().next();
    let clause = clause.or_else(|| nearest_of(last, ["solutions"]).into_iter().next());
    match nearest_kinds(text).or_else(|| clause.map(str::to_owned)) {
        Some(meant) => format!(", did you mean {meant}?"),
        None => hint_of(text),
    }
}

/// Returns a suggestion for an unknown change of a twin, whose first word may be mistyped.
pub(super) fn change_hint(text: &str) -> String {
    let hint = clause_hint(text);
    let first = text.split_whitespace().next().unwrap_or_default();
    match nearest_of(first, VERBS).first() {
        Some(verb) if hint.is_empty() && *verb != first => format!(", did you mean {verb}?"),
        _ => hint,
    }
}

/// The whole part of a number of moves with decimals other than .0 and .5.
fn quarter(text: &str) -> Option<&str> {
    let word = text.split_whitespace().next_back()?;
    let word =
        word.trim_start_matches(|symbol: char| symbol.is_ascii_alphabetic() || symbol == '-');
    let (whole, decimals) = word.split_once(['.', ','])?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(whole) && is_number(decimals) && length_of(word).is_none()).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_says_that_it_is_text() {
        for text in [
            "# Circee",
            "% x",
            "Author: A. Author",
            "Quelle: feenschach 1985",
            "1.e4 e5 2.Sf3 Sc6",
            "1. Nf3 f5 2.f4",
            "1.Pd2-d4 Sg8-f6 2.Bc1-f4 Sf6-d5 3.Bf4xc7",
            "4.0-0 0-0 5.Bc4",
            "14+13",
            "(16+15) C+",
            "C+ Stelvio 4.0 in 3.5 s",
        ] {
            assert!(is_text(text), "{text}");
        }
        for text in [
            "Circee",
            "by A. Author",
            "3.5",
            "3.5 e4",
            "1. Prize",
            "1998",
            "12/1998",
            "last move e4",
            "never moves e1",
            "7",
            "14+130",
            "b) e4",
            "1.5 e8",
        ] {
            assert!(!is_text(text), "{text}");
        }
    }

    #[test]
    fn titles_are_no_conditions() {
        for text in
            ["Circee", "no chekcs", "duplx", "Madrassi", "no checks, duplex", "Mirror Circe"]
        {
            assert!(is_nearly_clauses(text), "{text}");
        }
        for text in
            ["Unto Heinonen", "Title first", "1998", "Nr 7", "Probleemblad 1998", "M. Caillaud"]
        {
            assert!(!is_nearly_clauses(text), "{text}");
        }
    }
}
