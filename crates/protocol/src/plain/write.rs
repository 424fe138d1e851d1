//! From events to lines for a person.

use super::super::human::grouped;
use super::super::{ProgressLine, human, notation};
use super::Reader;
use umbrail_session::castling_note::castling_note;
use umbrail_session::event::{FromTable, Played, Thought};
use umbrail_session::message::Kind;
use umbrail_session::sample::{Sample, per_second};
use umbrail_session::{Bound, Event, Message, Score, Value};

/// Writes an event; progress that a person reads goes through `progress`, which lets few lines pass.
pub(super) fn event(event: &Event, reader: Reader, progress: &mut ProgressLine, out: &mut String) {
    let quiet = reader.is_quiet();
    match event {
        Event::Identity(offers) => human::show(&Event::Settings(offers.clone()), out),
        Event::Ready => push(out, "readyok"),
        Event::Pong(number) => push(out, &format!("pong {number}")),
        Event::Thought(thought) if !quiet => push(out, &line(thought)),
        Event::Best(best) => {
            let none = || "(none)".to_owned();
            let ponder = best.ponder.as_ref();
            let ponder =
                ponder.map_or(String::new(), |p| format!(" ponder {}", notation::coordinate(p)));
            let best = best.best.as_ref().map_or_else(none, notation::coordinate);
            push(out, &format!("bestmove {best}{ponder}"));
        }
        Event::Moved(played) => push(out, &format!("my move is {}", standard(played))),
        Event::Hint(played) => push(out, &format!("hint: {}", standard(played))),
        Event::Over(claim) => push(out, &format!("{} {{{}}}", claim.result, claim.reason)),
        Event::DrawOffered => push(out, "I offer a draw"),
        Event::Resigned => push(out, "I resign"),
        Event::Illegal { given, why } => push(out, &format!("illegal move {given}: {why}")),
        // Standard error has it.
        Event::OptionRefused { .. }
        | Event::Trouble(_)
        | Event::Note(_)
        | Event::CastlingDropped(_)
            if is_shell(reader) => {}
        Event::OptionRefused { error, .. } => push(out, &error.to_string()),
        Event::Trouble(text) | Event::Note(text) => push(out, text),
        Event::CastlingDropped(dropped) => push(out, &castling_note(*dropped)),
        Event::Pulse(sample) if !quiet => push(out, &gauges(sample)),
        Event::Message(message) if message.json_only => {}
        Event::Message(message) if quiet => answer(message, out),
        Event::Message(message) if !message.page.is_empty() => {
            for line in &message.page {
                push(out, line);
            }
        }
        Event::Message(message) if message.kind == Kind::Progress && reader.is_person() => {
            // The progress of a command line is written to standard error.
            if reader == Reader::Person
                && let Some(line) = progress.line(message)
            {
                push(out, &line);
            }
        }
        Event::Message(message) if reader.is_person() => sentence(message, reader, out),
        Event::Message(message) => push(out, &human::message_body(message)),
        Event::FromTable(given) => from_table(given, quiet, out),
        Event::Thought(_)
        | Event::Pulse(_)
        | Event::RootMove(_)
        | Event::Status(_)
        | Event::Snapshot(_)
        | Event::Book(_) => {}
        Event::Page(_)
        | Event::Facts(..)
        | Event::Settings(_)
        | Event::Branch { .. }
        | Event::Counted { .. }
        | Event::BenchLine { .. }
        | Event::BenchDone { .. } => human::show(event, out),
    }
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

fn is_shell(reader: Reader) -> bool {
    matches!(reader, Reader::Shell | Reader::Command)
}

/// A message without a page of its own, in words.
fn sentence(message: &Message, reader: Reader, out: &mut String) {
    let text = message.text.as_deref();
    match message.kind {
        Kind::Start => {}
        Kind::Error if is_shell(reader) => {}
        Kind::Error => push(out, text.unwrap_or("failed")),
        Kind::Done => push(out, &done(message)),
        // The notes of the command line stand on standard error.
        Kind::Note if is_shell(reader) => {}
        Kind::Progress => {}
        Kind::Note | Kind::Result => {
            let line = human::message_body(message);
            let line = line.split_once(' ').map_or("", |(_, rest)| rest);
            push(out, line.strip_prefix("text ").unwrap_or(line));
        }
    }
}

/// `finished after 0.22 s, 3,086,560 nodes`; everything else about the end stands before it.
fn done(message: &Message) -> String {
    let word =
        |key: &str| message.words.iter().find(|(name, _)| *name == key).map(|(_, value)| value);
    let number = |key: &str| match word(key) {
        Some(Value::Number(number)) => u64::try_from(*number).ok(),
        _ => None,
    };
    let ended = match word("status").map(ToString::to_string).as_deref() {
        None | Some("complete") => "finished".to_owned(),
        Some("limit") => "ended at a limit".to_owned(),
        Some(status) => status.to_owned(),
    };
    let mut line = match number("time") {
        Some(time) => format!("{ended} after {:.2} s", time as f64 / 1_000.0),
        None => ended,
    };
    if let Some(ms) = number("processor_ms") {
        line += &format!(", processor time {:.2} s", ms as f64 / 1_000.0);
    }
    if let Some(nodes) = number("nodes").filter(|nodes| *nodes > 0) {
        line += &format!(", {} nodes", grouped(nodes));
    }
    // The text says whether a game fits, and the lengths.
    let known =
        ["id", "status", "count", "time", "processor_ms", "nodes", "fits", "moves", "plies"];
    let others = message.words.iter().filter(|(key, _)| !known.contains(key));
    let others: Vec<String> = others.map(|(key, value)| format!("{key} {value}")).collect();
    let mut parts: Vec<String> = message.text.iter().cloned().collect();
    if !others.is_empty() {
        parts.push(others.join(", "));
    }
    parts.push(line);
    parts.join("; ")
}

/// What a command answers: sentences, and how long it took.
fn answer(message: &Message, out: &mut String) {
    match message.kind {
        Kind::Start | Kind::Note | Kind::Error => return,
        Kind::Progress if message.page.is_empty() => return,
        Kind::Result if message.page.is_empty() => push(out, &human::message_body(message)),
        Kind::Progress | Kind::Result | Kind::Done => {}
    }
    message.page.iter().for_each(|line| push(out, line));
    if message.kind == Kind::Done {
        if message.page.is_empty()
            && let Some(text) = &message.text
        {
            push(out, text);
        }
        if !message.page_is_file {
            push_end(message, out);
        }
    }
}

/// How a command ended, and when.
fn push_end(message: &Message, out: &mut String) {
    let word = |key: &str| message.words.iter().find(|(name, _)| *name == key);
    let Some((_, Value::Number(ms))) = word("time") else { return };
    let mut seconds = format!("{:.2} s", *ms as f64 / 1000.0);
    if let Some((_, Value::Number(ms))) = word("processor_ms") {
        seconds += &format!(", processor time {:.2} s", *ms as f64 / 1000.0);
    }
    let status = word("status").map(|(_, value)| value.to_string()).unwrap_or_default();
    match status.as_str() {
        "complete" => push(out, &format!("time {seconds}")),
        "stopped" => push(out, &format!("stopped after {seconds}")),
        "limit" => push(out, &format!("a limit was reached after {seconds}")),
        _ => {}
    }
}

fn from_table(given: &FromTable, quiet: bool, out: &mut String) {
    match given {
        FromTable::Line { pv, distance, .. } if !quiet => {
            push(out, &format!("{distance:>8}  {}", pv.join(" ")));
        }
        FromTable::Listing(lines) => lines.iter().for_each(|line| push(out, line)),
        FromTable::Row { text, .. } if !quiet => push(out, text),
        FromTable::Moved(text) => push(out, &format!("my move is {text}")),
        FromTable::Hint(text) => push(out, &format!("hint: {text}")),
        FromTable::Best(text) => push(out, &format!("bestmove {text}")),
        FromTable::Notice(text) => push(out, text),
        FromTable::Line { .. } | FromTable::Row { .. } | FromTable::Pieces { .. } => {}
    }
}

fn standard(played: &Played) -> String {
    notation::standard(&played.before, &[played.mv], true)
}

/// `12  +0.31   1.25s  1234567  1. e4 e5 2. Nf3`, with the score for the side to move.
fn line(thought: &Thought) -> String {
    let line = &thought.line;
    let score = match line.score {
        Score::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Score::Mate(moves) if moves > 0 => format!("#{moves}"),
        Score::Mate(moves) => format!("#-{}", moves.unsigned_abs()),
    };
    let bound = match line.bound {
        Bound::Exact => "",
        Bound::Lower => " or better",
        Bound::Upper => " or worse",
    };
    let chances = thought.wdl.map_or(String::new(), |[win, draw, loss]| {
        let percent = |thousandths: u32| f64::from(thousandths) / 10.0;
        let [win, draw, loss] = [win, draw, loss].map(percent);
        format!("  (win {win:.0} %, draw {draw:.0} %, loss {loss:.0} %)")
    });
    let rank = if thought.several { format!("[{}] ", line.multipv) } else { String::new() };
    format!(
        "{:3}  {score:>6}{bound}  {:7.2}s  {:>10}  {rank}{}{chances}",
        line.depth,
        line.time.as_secs_f64(),
        line.nodes,
        notation::standard(&thought.root, &line.pv, true),
    )
}

fn gauges(sample: &Sample) -> String {
    let rate = per_second(sample.nodes, sample.time);
    let [nodes, rate] = [sample.nodes, rate].map(grouped);
    format!("... {:.0} s, {nodes} nodes, {rate} per second", sample.time.as_secs_f64())
}
