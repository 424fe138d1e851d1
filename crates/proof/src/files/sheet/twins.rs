//! Twins as problemists write them: `a) diagram b) Qd8->e8 +c) -Pa2, PG in 3.5`.
//!
//! - A twin begins with its letter: `b)`, `(b)`, or `b:` in front of a line. `+b)`, or the word `continued`, changes the
//!   twin before it instead of the diagram, and `c)=b)` the one that it names.
//! - Changes stand between commas, semicolons or `&`: a move (`Qd8->e8`, `Qd8 to e8`), an exchange (`b1<->c1`,
//!   `exchange b1 and c1`), removed and added pieces (`-Pa2`, `remove Pa2`, `+wPa2`, `add black Qe4`), another kind of
//!   piece (`Qd8=R`, `a7=wS`), a turned, mirrored or shifted board (`rotate 90`, `mirror a1<->h1`, `shift a1 b2`), exchanged
//!   colors (`polishtype`), and clauses: another length, number of solutions or condition, `no condition`.
//! - `start:` in front of a change applies it and those after it to the start.
//! - A piece is named by its square, perhaps with its letter and its color, which must be those of the piece there.

use super::clause::{LinePart, parts};

/// A twin with the text of its changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TwinText<'a> {
    pub letter: char,
    pub base: TwinBase,
    pub changes: LinePart<'a>,
}

/// What a twin changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TwinBase {
    /// The diagram.
    Diagram,
    /// The twin before.
    Previous,
    /// The twin of a letter.
    Letter(char),
}

/// A twin with another letter than expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the twin {expected}), got {got})")]
pub(super) struct LetterFault {
    expected: char,
    got: char,
}

/// Error in a line below a problem that could not be read as a twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum UnreadTwin {
    /// The letter of a twin without its bracket: the letter and the error message.
    Lettered(char, String),
    /// Not a change of a twin: the error message.
    Other(String),
}

/// Letters of the twins of a problem. A letter out of order is an error of its twin; the twins after it continue either
/// order.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LetterOrder {
    /// The last letter in order.
    last: Option<char>,
    /// The letter of the last twin, if it is out of order.
    stray: Option<char>,
}

impl LetterOrder {
    /// Returns the letter of the next twin.
    pub(super) fn expected(self) -> char {
        self.last.map_or('b', following)
    }

    /// Adds the letter of a twin.
    ///
    /// # Errors
    /// The letter that was expected.
    pub(super) fn accept(&mut self, letter: char) -> Result<(), LetterFault> {
        let expected = self.expected();
        let is_first = self.last.is_none() && self.stray.is_none();
        let continues = self.stray.map(following) == Some(letter);
        if letter == expected || is_first && letter == 'a' || continues {
            *self = Self { last: Some(letter), stray: None };
            return Ok(());
        }
        self.stray = Some(letter);
        Err(LetterFault { expected, got: letter })
    }
}

/// Returns the letter after this one.
pub(super) fn following(letter: char) -> char {
    char::from_u32(u32::from(letter) + 1).unwrap_or(letter)
}

/// Splits a line into twins; `next` is the letter that the first of them may have without stating it. Returns `None` if
/// no twin begins with the line.
pub(super) fn split(line: &str, next: char) -> Option<Vec<TwinText<'_>>> {
    let mut twins: Vec<(char, TwinBase, usize)> = vec![];
    let mut ends = vec![];
    let mut words = line
        .split_whitespace()
        .map(|word| (word.as_ptr() as usize - line.as_ptr() as usize, word))
        .peekable();
    let mut first = true;
    let mut open = true;
    while let Some((at, word)) = words.next() {
        let lower = word.to_lowercase();
        if first && matches!(lower.trim_end_matches(':'), "twin" | "zwilling" | "jumeau") {
            let named = words.peek().and_then(|(_, word)| label(word, false));
            if named.is_none() {
                ends.push(at);
                twins.push((next, TwinBase::Diagram, at + word.len()));
                (first, open) = (false, false);
            }
            continue;
        }
        // The diagram itself, as in `diagram & b) Sg1 removed`.
        let is_filler = matches!(lower.as_str(), "diagram" | "diagramm" | "&" | "and" | "und");
        match label(word, first) {
            Some((letter, base, length)) => {
                let follows = twins.last().map_or(open, |(last, ..)| letter > *last);
                if follows {
                    ends.push(at);
                    twins.push((letter, base, at + length));
                    open = false;
                }
            }
            None if open && !is_filler => return None,
            None => {}
        }
        first = false;
    }
    ends.push(line.len());
    let texts = twins.iter().zip(&ends[1..]).map(|(&(letter, base, from), &end)| {
        let raw = &line[from..end];
        let at = from + raw.len() - raw.trim_start().len();
        let changes =
            LinePart { text: raw.trim().trim_end_matches([',', ';', '&']).trim_end(), at };
        TwinText { letter, base, changes }
    });
    let texts: Vec<_> = texts.map(with_base).collect();
    (!texts.is_empty()).then_some(texts)
}

/// The letter of `b)`, `+b)`, `(b)` or, in front of a line, `b:`, and the length of the label in bytes.
fn label(word: &str, first: bool) -> Option<(char, TwinBase, usize)> {
    let (base, bare) = match word.strip_prefix('+') {
        Some(bare) => (TwinBase::Previous, bare),
        None => (TwinBase::Diagram, word),
    };
    let bare = bare.trim_start_matches(['(', '[']);
    let mut symbols = bare.chars();
    let letter = symbols.next()?.to_ascii_lowercase();
    let closes = symbols.next()?;
    let is_label = closes == ')' || closes == ']' || first && closes == ':';
    let length = word.len() - bare.len() + 2;
    (letter.is_ascii_lowercase() && is_label).then_some((letter, base, length))
}

/// Returns the letter with its bracket in front of a line.
pub(super) fn letter_of(line: &str) -> Option<char> {
    label(line.split_whitespace().next()?, false).map(|(letter, ..)| letter)
}

/// Returns the title of a twin after that of a twin, or of the diagram, of the same problem.
pub(super) fn titled(letter: char, other: Option<&str>) -> String {
    let other = other.unwrap_or_default();
    let own = match letter_of(other) {
        Some(_) => other.split_once(' ').map_or("", |(_, own)| own),
        None => other,
    };
    format!("{letter}) {own}").trim_end().to_owned()
}

/// Takes `=b)` from the front of the changes, and the word `continued` from among them.
fn with_base(twin: TwinText<'_>) -> TwinText<'_> {
    let LinePart { text, at } = twin.changes;
    let words = ["continued", "ferner", "weiter", "enplus"];
    let is_continued = |part: &LinePart<'_>| words.contains(&part.text.to_lowercase().as_str());
    if parts(text).iter().any(is_continued) {
        return TwinText { base: TwinBase::Previous, ..twin };
    }
    let Some(after) = text.strip_prefix('=') else { return twin };
    let after = after.trim_start();
    let Some((letter, TwinBase::Diagram, length)) = label(after, false) else { return twin };
    let rest = after[length..].trim_start_matches([' ', '+', ',', ':']);
    let changes = LinePart { text: rest, at: at + text.len() - rest.len() };
    TwinText { base: TwinBase::Letter(letter), changes, ..twin }
}

#[cfg(test)]
#[path = "twins/tests.rs"]
mod tests;
