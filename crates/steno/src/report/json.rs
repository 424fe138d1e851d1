//! JSON lines: one object per news, `"t"` tells its kind, and the last one is the end record.

use super::{first_difference, last_position, sans};
use crate::{MarkReport, StenoEnd, StenoEvent, StenoOutcome, StenoRequest};
use std::fmt::Write as _;
use umbrail_chess::{Move, to_uci};

/// A text as a JSON string, with its quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for symbol in text.chars() {
        match symbol {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            symbol if u32::from(symbol) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", u32::from(symbol));
            }
            symbol => out.push(symbol),
        }
    }
    out.push('"');
    out
}

/// A list of texts.
pub(super) fn list<S: AsRef<str>>(items: impl IntoIterator<Item = S>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| quoted(item.as_ref())).collect();
    format!("[{}]", items.join(","))
}

/// What a [`StenoEvent`] says; games are numbered from `index`.
pub fn fact(request: &StenoRequest, fact: &StenoEvent, index: usize) -> String {
    match fact {
        StenoEvent::Mark(mark) => format!("{{\"t\":\"mark\",{}}}", mark_fields(mark)),
        StenoEvent::Split(turn) => format!("{{\"t\":\"split\",\"turn\":{turn}}}"),
        StenoEvent::Saved(checkpoint) => {
            format!("{{\"t\":\"saved\",\"turn\":{}}}", checkpoint.turns())
        }
        StenoEvent::Unfinished(work) => {
            format!("{{\"t\":\"unfinished\",\"turn\":{}}}", work.turns())
        }
        StenoEvent::Game(moves) => solution(request, moves, index),
    }
}

fn mark_fields(mark: &MarkReport) -> String {
    let positions = mark.positions.map_or("null".to_owned(), |count| count.to_string());
    format!(
        "\"turn\":{},\"positions\":{positions},\"games\":{},\"made\":{}",
        mark.turn, mark.games, mark.made
    )
}

/// A found game.
pub fn solution(request: &StenoRequest, moves: &[Move], index: usize) -> String {
    let mut position = request.start;
    let mut uci = Vec::new();
    for &mv in moves {
        uci.push(to_uci(&position, mv, false));
        position = position.after(mv);
    }
    let leaves = match &request.intended {
        Some(intended) => format!(",\"leaves\":{}", first_difference(intended, moves) + 1),
        None => String::new(),
    };
    format!(
        "{{\"t\":\"solution\",\"index\":{index},\"moves\":{},\"uci\":{},\"fen\":{}{leaves}}}",
        list(sans(&request.start, moves)),
        list(uci),
        quoted(&position.to_string()),
    )
}

/// The end record.
pub fn end(request: &StenoRequest, answer: &StenoOutcome, milliseconds: u128) -> String {
    let status = match answer.ended {
        StenoEnd::Complete => "complete",
        StenoEnd::Stopped => "stopped",
        StenoEnd::Enough | StenoEnd::Moves | StenoEnd::Positions(_) => "limit",
    };
    let finals = match &answer.finals {
        None => "null".to_owned(),
        Some(finals) => {
            let one = |one: &crate::Final| {
                let fen = last_position(&request.start, &one.example).to_string();
                format!("{{\"fen\":{},\"games\":{}}}", quoted(&fen), one.games)
            };
            // A long list is of no use to a script that asked for some games only.
            let listed: Vec<String> = finals.iter().take(FINALS_MAX).map(one).collect();
            format!("{{\"count\":{},\"list\":[{}]}}", finals.len(), listed.join(","))
        }
    };
    let marks: Vec<String> =
        answer.marks.iter().map(|mark| format!("{{{}}}", mark_fields(mark))).collect();
    let dead = answer.dead_turn().map_or("null".to_owned(), |turn| turn.to_string());
    format!(
        "{{\"t\":\"end\",\"status\":\"{status}\",\"count\":{},\"exact\":{},\"listed\":{},\
         \"steno\":{},\"vocabulary\":\"{}\",\"plies\":{},\"made\":{},\"ms\":{milliseconds},\
         \"dead_turn\":{dead},\"finals\":{finals},\"marks\":[{}]}}",
        answer.count,
        answer.ended == StenoEnd::Complete,
        answer.games.len(),
        quoted(&request.steno.to_string()),
        request.steno.vocabulary,
        request.steno.turns.len(),
        answer.made,
        marks.join(","),
    )
}

/// Final positions listed in an end record.
const FINALS_MAX: usize = 20;
