//! Writing of events as UCI lines, through vampirc's messages. The output is repaired where vampirc
//! differs from the protocol: an empty text default, `currmovenum`, mates beyond 127, depths beyond
//! 255, no move.

use super::super::{human, notation};
use std::time::Duration;
use umbrail_session::castling_note::castling_note;
use umbrail_session::event::{FromTable, Offer, RootMove, Thought};
use umbrail_session::options::Kind;
use umbrail_session::sample::{Sample, per_second};
use umbrail_session::{Bound, BuildFacts, Event, Score};
use vampirc_uci::{
    UciInfoAttribute as Info, UciMessage, UciMove, UciOptionConfig, UciPiece, UciSquare,
};
/// Author in the reply to `uci`.
const AUTHOR: &str = "the Umbrail authors";

pub(super) fn event(event: &Event, out: &mut String) {
    match event {
        Event::Identity(offers) => identity(offers, out),
        Event::Ready => message(&UciMessage::ReadyOk, out),
        Event::Thought(thought) => message(&UciMessage::Info(line(thought)), out),
        Event::RootMove(root_move) => message(&UciMessage::Info(current(root_move)), out),
        Event::Pulse(sample) => message(&UciMessage::Info(gauges(sample)), out),
        Event::Best(best) => match best.best.as_ref().map(mv) {
            Some(best_move) => {
                let ponder = best.ponder.as_ref().map(mv);
                message(&UciMessage::BestMove { best_move, ponder }, out);
            }
            None => out.push_str("bestmove (none)\n"),
        },
        Event::OptionRefused { error, .. } => note(&error.to_string(), out),
        Event::Trouble(text) | Event::Note(text) => note(text, out),
        Event::CastlingDropped(dropped) => note(&castling_note(*dropped), out),
        Event::Message(message) if message.json_only => {}
        Event::Message(message) => note(&human::message_line(message), out),
        Event::FromTable(printed) => from_table(printed, out),
        // Only a person requests these events; they are written for a person.
        Event::Page(_)
        | Event::Facts(..)
        | Event::Settings(_)
        | Event::Branch { .. }
        | Event::Counted { .. }
        | Event::BenchLine { .. }
        | Event::BenchDone { .. } => human::show(event, out),
        // UCI has no form for events of XBoard games.
        Event::Pong(_)
        | Event::Moved(_)
        | Event::Over(_)
        | Event::DrawOffered
        | Event::Resigned
        | Event::Illegal { .. }
        | Event::Status(_)
        | Event::Hint(_)
        | Event::Snapshot(_)
        | Event::Book(_) => {}
    }
}

/// Writes events of positions that are not orthodox chess.
fn from_table(printed: &FromTable, out: &mut String) {
    match printed {
        FromTable::Line { depth, score, nodes, rank, pv, .. } => {
            let score = match score {
                Score::Cp(cp) => format!("cp {cp}"),
                Score::Mate(moves) => format!("mate {moves}"),
            };
            let pv = pv.join(" ");
            out.push_str(&format!(
                "info depth {depth} multipv {rank} score {score} nodes {nodes} pv {pv}\n"
            ));
        }
        FromTable::Best(text) => out.push_str(&format!("bestmove {text}\n")),
        FromTable::Notice(text) => note(text, out),
        // UCI has no form for events of XBoard games.
        FromTable::Listing(lines) => lines.iter().for_each(|line| note(line, out)),
        FromTable::Row { .. }
        | FromTable::Pieces { .. }
        | FromTable::Moved(_)
        | FromTable::Hint(_) => {}
    }
}

/// Writes a line for the GUI's log window.
pub(super) fn note(text: &str, out: &mut String) {
    for line in text.lines() {
        message(&UciMessage::info_string(line.to_owned()), out);
    }
}

fn message(message: &UciMessage, out: &mut String) {
    out.push_str(&message.to_string());
    out.push('\n');
}

fn identity(offers: &[Offer], out: &mut String) {
    message(&UciMessage::id_name(&BuildFacts::of_program().name()), out);
    message(&UciMessage::id_author(AUTHOR), out);
    // The protocol has neither resignation nor draw offers.
    for offer in offers.iter().filter(|offer| offer.spec.name != "Resign") {
        message(&UciMessage::Option(config(offer)), out);
    }
    message(&UciMessage::UciOk, out);
}

fn config(offer: &Offer) -> UciOptionConfig {
    let name = offer.spec.name.to_owned();
    let text = || match offer.value.as_str() {
        "" => "<empty>".to_owned(),
        text => text.to_owned(),
    };
    match offer.spec.kind {
        Kind::Check { .. } | Kind::Experiment(_) => {
            UciOptionConfig::Check { name, default: Some(offer.value == "true") }
        }
        Kind::Spin { min, max, .. } => UciOptionConfig::Spin {
            name,
            default: offer.value.parse().ok(),
            min: Some(min),
            max: Some(max),
        },
        Kind::Constant(one) => UciOptionConfig::Spin {
            name,
            default: offer.value.parse().ok(),
            min: Some(one.min.into()),
            max: Some(one.max.into()),
        },
        Kind::Combo { names, .. } => UciOptionConfig::Combo {
            name,
            default: Some(offer.value.clone()),
            var: names.iter().map(|&name| name.to_owned()).collect(),
        },
        Kind::Text { .. }
        | Kind::File { .. }
        | Kind::Folder { .. }
        | Kind::Constants
        | Kind::Shown(_) => UciOptionConfig::String { name, default: Some(text()) },
        Kind::Button(_) => UciOptionConfig::Button { name },
    }
}

fn any(name: &str, value: impl ToString) -> Info {
    Info::Any(name.to_owned(), value.to_string())
}

fn ms(time: Duration) -> Info {
    any("time", time.as_millis())
}

fn line(thought: &Thought) -> Vec<Info> {
    let line = &thought.line;
    let mut infos = vec![any("depth", line.depth)];
    if line.seldepth > 0 {
        infos.push(any("seldepth", line.seldepth));
    }
    if line.depth > 0 {
        infos.push(any("multipv", line.multipv));
    }
    let bound = match line.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    infos.push(match line.score {
        Score::Cp(cp) => any("score", format_args!("cp {cp}{bound}")),
        Score::Mate(moves) => any("score", format_args!("mate {moves}{bound}")),
    });
    if let Some([win, draw, loss]) = thought.wdl {
        infos.push(any("wdl", format_args!("{win} {draw} {loss}")));
    }
    infos.push(Info::Nodes(line.nodes));
    infos.push(Info::Nps(per_second(line.nodes, line.time)));
    infos.push(any("hashfull", line.hashfull.min(1000)));
    infos.push(Info::TbHits(line.tbhits));
    infos.push(ms(line.time));
    let pv = notation::coordinates(&thought.root, &line.pv, thought.chess960);
    if !pv.is_empty() {
        infos.push(any("pv", pv.join(" ")));
    }
    infos
}

fn current(root_move: &RootMove) -> Vec<Info> {
    vec![
        any("depth", root_move.depth),
        any("currmove", notation::coordinate(&root_move.played)),
        any("currmovenumber", root_move.number),
    ]
}

fn gauges(sample: &Sample) -> Vec<Info> {
    vec![
        Info::Nodes(sample.nodes),
        Info::Nps(sample.rate()),
        any("hashfull", sample.fullness.min(1000)),
        Info::TbHits(sample.table_hits),
        ms(sample.time),
    ]
}

/// Converts a move to vampirc's type.
fn mv(played: &umbrail_session::event::Played) -> UciMove {
    let text = notation::coordinate(played);
    let square = |at: usize| {
        let mut letters = text[at..].chars();
        let file = letters.next().unwrap_or('a');
        let rank = letters.next().and_then(|digit| digit.to_digit(10)).unwrap_or(1);
        UciSquare::from(file, rank as u8)
    };
    let promotion = match text.as_bytes().get(4) {
        Some(b'q') => Some(UciPiece::Queen),
        Some(b'r') => Some(UciPiece::Rook),
        Some(b'b') => Some(UciPiece::Bishop),
        Some(b'n') => Some(UciPiece::Knight),
        _ => None,
    };
    UciMove { from: square(0), to: square(2), promotion }
}
