//! From events to lines for a person.

use super::super::{human, notation};
use crate::session::event::{FromTable, Played, Thought};
use crate::session::message::Kind;
use crate::session::sample::{Sample, per_second};
use crate::session::{Bound, Event, Score};

pub(super) fn event(event: &Event, quiet: bool, out: &mut String) {
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
        Event::Illegal { said, why } => push(out, &format!("illegal move {said}: {why}")),
        Event::OptionRefused { error, .. } => push(out, &error.to_string()),
        Event::Trouble(text) | Event::Note(text) => push(out, text),
        Event::Pulse(sample) if !quiet => push(out, &gauges(sample)),
        Event::Message(message)
            if quiet && matches!(message.kind, Kind::Start | Kind::Progress | Kind::Note) => {}
        Event::Message(message) if message.json_only => {}
        Event::Message(message) if !message.page.is_empty() => {
            for line in &message.page {
                push(out, line);
            }
        }
        Event::Message(message) => push(out, &human::news_body(message)),
        Event::FromTable(said) => from_table(said, quiet, out),
        Event::Thought(_)
        | Event::Pulse(_)
        | Event::RootMove(_)
        | Event::Status(_)
        | Event::Snapshot(_)
        | Event::Book(_) => {}
        Event::Page(_)
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

fn from_table(said: &FromTable, quiet: bool, out: &mut String) {
    match said {
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
    format!("... {:.0}s, {} nodes, {rate} per second", sample.time.as_secs_f64(), sample.nodes)
}
