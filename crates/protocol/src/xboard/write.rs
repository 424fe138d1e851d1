//! Writing of events as XBoard lines.

use super::super::{ParseError, human, notation};
use super::text::{MATE, harmless, own_message, push};
use super::{ThinkingOutput, features};
use std::time::Duration;
use umbrail_session::event::{AnalysisStatus, Thought};
use umbrail_session::sample::per_second;
use umbrail_session::{Bound, Event, Message, Score, message};

pub(super) fn event(event: &Event, thinking: ThinkingOutput, out: &mut String) {
    let post = thinking != ThinkingOutput::Unwanted;
    match event {
        Event::Identity(offers) => features::write(offers, out),
        Event::Pong(number) => push(out, &format!("pong {number}")),
        Event::Thought(thought) if post => line(thought, out),
        Event::Moved(played) => push(out, &format!("move {}", coordinate(played))),
        Event::Over(claim) => push(out, &format!("{} {{{}}}", claim.result, claim.reason)),
        Event::DrawOffered => push(out, "offer draw"),
        Event::Resigned => push(out, "resign"),
        Event::Illegal { given, why } => {
            push(out, &format!("Illegal move ({}): {}", harmless(why), harmless(given)));
        }
        Event::OptionRefused { name, value, error } => {
            let kind = match error {
                umbrail_session::OptionError::Unknown { .. } => "unknown option",
                _ => "bad value",
            };
            let value = value.as_ref().map_or(String::new(), |value| format!("={value}"));
            push(out, &format!("Error ({kind}): option {}", harmless(&format!("{name}{value}"))));
            remark(&error.to_string(), out);
        }
        Event::Trouble(text) => push(out, &format!("tellusererror {}", own_message(text))),
        Event::Note(text) => remark(text, out),
        // GUIs send no such rights in standard chess: a person typed them, or a file contains them.
        Event::CastlingDropped(dropped) => {
            push(out, &format!("telluser {dropped} (for Chess960 choose the variant fischerandom)"))
        }
        Event::Status(status) => stat01(status, out),
        Event::Hint(played) => push(out, &format!("Hint: {}", coordinate(played))),
        Event::Book(lines) => book(lines, out),
        Event::Message(message) if message.json_only => {}
        Event::Message(message) => printed_message(message, thinking == ThinkingOutput::Shown, out),
        Event::FromTable(printed) => super::table::write(printed, post, out),
        Event::Page(_)
        | Event::Facts(..)
        | Event::Settings(_)
        | Event::Branch { .. }
        | Event::Counted { .. }
        | Event::BenchLine { .. }
        | Event::BenchDone { .. } => {
            let mut page = String::new();
            human::show(event, &mut page);
            remark(&page, out);
        }
        // XBoard has no form for UCI events, and thinking output is not requested.
        Event::Ready
        | Event::Snapshot(_)
        | Event::Thought(_)
        | Event::RootMove(_)
        | Event::Pulse(_)
        | Event::Best(_) => {}
    }
}

pub(super) fn complaint(line: &str, why: &ParseError, out: &mut String) {
    match why {
        ParseError::Unknown => push(out, &format!("Error (unknown command): {}", harmless(line))),
        ParseError::Bad(why) => {
            push(out, &format!("Error (bad arguments): {}", harmless(line)));
            remark(why, out);
        }
        ParseError::Task(message) => printed_message(message, false, out),
    }
}

/// Writes lines that xboard ignores, because `debug=1` was offered.
fn remark(text: &str, out: &mut String) {
    for line in text.lines() {
        push(out, format!("# {line}").trim_end());
    }
}

/// Writes a move; Chess960 castling is `O-O`, because the king's own step would be ambiguous.
fn coordinate(played: &umbrail_session::event::Played) -> String {
    let (from, to) = (played.mv.from(), played.mv.to());
    if played.chess960 && played.before.is_castle(played.mv) {
        return if to.file() > from.file() { "O-O" } else { "O-O-O" }.to_owned();
    }
    notation::coordinate(played)
}

fn centiseconds(time: Duration) -> u128 {
    time.as_millis() / 10
}

/// Writes `ply score time nodes seldepth speed tbhits <TAB> pv`.
fn line(thought: &Thought, out: &mut String) {
    let line = &thought.line;
    if line.depth == 0 {
        return;
    }
    let score = match line.score {
        Score::Cp(cp) => i64::from(cp),
        Score::Mate(moves) if moves > 0 => MATE + i64::from(moves),
        Score::Mate(moves) => -MATE + i64::from(moves),
    };
    let bound = match line.bound {
        Bound::Exact => "",
        Bound::Lower => " !",
        Bound::Upper => " ?",
    };
    push(
        out,
        &format!(
            "{} {score} {} {} {} {} {}\t{}{bound}",
            line.depth,
            centiseconds(line.time),
            line.nodes,
            line.seldepth,
            per_second(line.nodes, line.time),
            line.tbhits,
            notation::standard(&thought.root, &line.pv, false),
        ),
    );
}

/// Writes `stat01: time nodes ply mvleft mvtot mvname`.
fn stat01(status: &AnalysisStatus, out: &mut String) {
    let played = status.played.as_ref().map_or(String::new(), |played| {
        format!(" {}", notation::standard(&played.before, &[played.mv], false))
    });
    let (time, nodes, depth) = (centiseconds(status.time), status.nodes, status.depth);
    push(out, &format!("stat01: {time} {nodes} {depth} {} {}{played}", status.left, status.total));
}

/// Writes book lines: each begins with a blank, and an empty line ends them.
fn book(lines: &[String], out: &mut String) {
    for line in lines {
        push(out, &format!(" {line}"));
    }
    if lines.is_empty() {
        push(out, " no book");
    }
    out.push('\n');
}

/// Writes progress and results as thinking output while the GUI shows it, and all other messages
/// after `#`.
fn printed_message(message: &Message, shown: bool, out: &mut String) {
    let text = human::message_line(message);
    match message.kind {
        message::Kind::Progress | message::Kind::Note | message::Kind::Result if shown => {
            // Two plies and one node, because lower numbers would make xboard clear its window.
            let number = |key: &str| {
                let value =
                    message.words.iter().find(|(name, _)| *name == key).map(|(_, value)| value);
                match value {
                    Some(umbrail_session::Value::Number(number)) => (*number).max(0),
                    _ => 0,
                }
            };
            let (cs, nodes) = (number("time") / 10, number("nodes").max(1));
            push(out, &format!("2 0 {cs} {nodes}\t{}", text.replace('(', "[").replace(')', "]")));
        }
        message::Kind::Error => {
            push(out, &format!("telluser {}", own_message(&text)));
        }
        _ => remark(&text, out),
    }
}
