//! Complaints about `go` and `position` lines that a person typed. A GUI may send words that this
//! program does not know, so UCI ignores them; a person who types one made a mistake, and without
//! its limit a search would never end.

use super::super::words::{count, number, word, words};
use super::super::{ParseError, quote};

/// Keywords of `go`; all other words are ignored.
pub(super) const GO_WORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

pub(super) fn bad(what: impl Into<String>) -> ParseError {
    ParseError::Bad(what.into())
}

/// Checks the words of a line.
///
/// # Errors
/// [`ParseError::Bad`] names the first word that is unknown or incomplete.
pub(super) fn check(line: &str) -> Result<(), ParseError> {
    let (first, rest) = word(line);
    match first {
        "go" => go(rest),
        "position" => position(rest),
        _ => Ok(()),
    }
}

fn go(rest: &str) -> Result<(), ParseError> {
    let mut words = words(rest).peekable();
    while let Some(key) = words.next() {
        match key {
            "ponder" | "infinite" => {}
            "searchmoves" => {
                let mut moves = 0;
                while let Some(mv) = words.next_if(|next| !GO_WORDS.contains(next)) {
                    if !resembles_move(mv) {
                        return Err(bad(format!(
                            "go searchmoves: \"{}\" is not a move",
                            quote(mv)
                        )));
                    }
                    moves += 1;
                }
                if moves == 0 {
                    return Err(bad("go searchmoves expects moves"));
                }
            }
            _ if GO_WORDS.contains(&key) => {
                // A clock may show less than nothing after a delay.
                let is_number = |text: &&str| match key {
                    "wtime" | "btime" => number(text).is_some(),
                    _ => count(text).is_some(),
                };
                match words.next() {
                    Some(text) if is_number(&text) => {}
                    Some(other) => {
                        let other = quote(other);
                        return Err(bad(format!("go {key} expects a number, got \"{other}\"")));
                    }
                    None => return Err(bad(format!("go {key} expects a number"))),
                }
            }
            other => {
                let (other, known) = (quote(other), GO_WORDS.join(", "));
                return Err(bad(format!("go: unknown word \"{other}\", expected {known}")));
            }
        }
    }
    Ok(())
}

/// Checks the word after `startpos` and the end of the line; the parser of the diagram checks the
/// rest.
fn position(rest: &str) -> Result<(), ParseError> {
    let (kind, rest) = word(rest);
    let mut words = words(rest);
    match kind {
        "startpos" => match words.next() {
            None => return Ok(()),
            Some("moves") => {}
            Some(other) => {
                let other = quote(other);
                return Err(bad(format!("position startpos expects moves, got \"{other}\"")));
            }
        },
        _ if words.any(|next| next == "moves") => {}
        _ => return Ok(()),
    }
    match words.next() {
        Some(_) => Ok(()),
        None => Err(bad("position: the word moves expects a move after it")),
    }
}

/// Returns true for a word that could be a move, in coordinates or SAN.
fn resembles_move(text: &str) -> bool {
    let letters = "abcdefghqrnxKQRBNO012345678=+#-";
    text.len() >= 2 && text.chars().all(|letter| letters.contains(letter))
}
