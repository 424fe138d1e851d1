//! Texts on XBoard's lines, without the phrases that xboard misreads.

use super::super::quote;

/// Phrases that xboard takes for a failed start of the engine.
const FATAL: [&str; 6] = [
    "unknown host",
    "No remote directory",
    "not found",
    "No such file",
    "can't alloc",
    "Permission denied",
];

/// Score of a mate in 0; a mate in N moves is this plus N.
pub(super) const MATE: i64 = 100_000;

/// Appends a line.
pub(super) fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// Quotes external text without the phrases that xboard misreads.
pub(super) fn harmless(text: &str) -> String {
    disarmed(quote(text))
}

/// Longest own message, in characters: xboard reads lines of up to 512 bytes.
const MESSAGE_MAX: usize = 400;

/// Writes an own message on one line, without the phrases that xboard misreads.
pub(super) fn own_message(text: &str) -> String {
    let clean = |letter: char| if letter.is_control() { ' ' } else { letter };
    disarmed(text.chars().take(MESSAGE_MAX).map(clean).collect())
}

/// Changes the case of the first letter of each phrase that xboard takes for a failed start; xboard
/// distinguishes upper and lower case.
fn disarmed(mut text: String) -> String {
    for phrase in FATAL {
        let (first, rest) = phrase.split_at(1);
        let other = match first.chars().all(char::is_uppercase) {
            true => first.to_lowercase(),
            false => first.to_uppercase(),
        };
        text = text.replace(phrase, &format!("{other}{rest}"));
    }
    text
}
