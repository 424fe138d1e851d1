//! Games in PGN.

use super::{last_position, sans};
use crate::StenoRequest;
use std::fmt::Write as _;
use umbrail_chess::geometry::{Color, Setup};
use umbrail_chess::{Move, Outcome, Position};

/// Returns one solution as a PGN game with the tags `Steno` and `Vocabulary`. With `comments`, each
/// move is followed by the mark that it satisfies.
pub fn game(request: &StenoRequest, moves: &[Move], round: usize, comments: bool) -> String {
    let start = request.start;
    let result = result(&last_position(&start, moves));
    let mut out = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(out, "[{name} \"{value}\"]");
    };
    tag("Event", "Steno-Chess");
    tag("Site", "?");
    tag("Date", "????.??.??");
    tag("Round", &round.to_string());
    tag("White", "?");
    tag("Black", "?");
    tag("Result", result);
    tag("Steno", &request.steno.to_string());
    tag("Vocabulary", request.steno.vocabulary.name());
    if start.to_string() != Setup::START_FEN {
        tag("SetUp", "1");
        tag("FEN", &start.to_string());
        // Without it readers would drop the rights.
        if start.castling_mode().is_chess960() {
            tag("Variant", "Chess960");
        }
    }
    out.push('\n');
    let mut line = 0;
    let mut word = |out: &mut String, text: &str| {
        // PGN lines have at most 80 characters.
        if line > 0 && line + 1 + text.len() > 80 {
            out.push('\n');
            line = 0;
        } else if line > 0 {
            out.push(' ');
            line += 1;
        }
        out.push_str(text);
        line += text.len();
    };
    let mut position = start;
    for (at, (san, &mv)) in sans(&start, moves).iter().zip(moves).enumerate() {
        let number = position.fullmoves();
        if position.turn().is_white() {
            word(&mut out, &format!("{number}."));
        } else if at == 0 || comments {
            word(&mut out, &format!("{number}..."));
        }
        word(&mut out, san);
        if comments && let Some(turn) = request.steno.turns.get(at) {
            // A closing brace would end the comment; no mark contains one.
            word(&mut out, &format!("{{{}}}", request.steno.turn_text(turn)));
        }
        position = position.after(mv);
    }
    word(&mut out, result);
    out.push('\n');
    out
}

/// Returns `1-0`, `0-1`, `1/2-1/2`, or `*` if the game is not over.
pub(crate) fn result(position: &Position) -> &'static str {
    match position.outcome(&[]) {
        Some(Outcome::Mate(Color::White)) => "1-0",
        Some(Outcome::Mate(Color::Black)) => "0-1",
        Some(Outcome::Draw(_)) => "1/2-1/2",
        None => "*",
    }
}
