//! Text for people, common to all dialects: pages, perft, bench, and the body of messages.

use super::notation;
use umbrail_session::event::Offer;
use umbrail_session::options::Kind;
use umbrail_session::sample::per_second;
use umbrail_session::{Event, Message};

/// Writes one of the events that only a person requests; writes nothing for any other.
pub(super) fn show(event: &Event, out: &mut String) {
    match event {
        Event::Page(lines) | Event::Facts(_, lines) => {
            for line in lines {
                push(out, line);
            }
        }
        Event::Settings(offers) => {
            for offer in offers {
                push(out, &setting(offer));
            }
        }
        Event::Branch { played, nodes } => {
            push(out, &format!("{}: {nodes}", notation::coordinate(played)));
        }
        Event::Counted { nodes, time, complete, .. } => {
            let rate = per_second(*nodes, *time);
            let part = if *complete { "" } else { " (stopped)" };
            push(out, &format!("\nNodes searched: {nodes}{part}\n{rate} nodes per second"));
        }
        Event::BenchLine { number, count, fen, nodes } => {
            push(out, &format!("position {number}/{count}: {nodes} nodes ({fen})"));
        }
        Event::BenchDone { nodes, keys, time, complete } => {
            push(
                out,
                &format!(
                    "table hits {:.2} %, fail high {:.2} %, of these by the first move {:.2} %, \
                     repeated searches of the root {:.2} %",
                    keys.hit_percent(),
                    keys.fail_high_percent(),
                    keys.first_fail_high_percent(),
                    keys.research_percent()
                ),
            );
            let rate = per_second(*nodes, *time);
            let part = if *complete { "" } else { " (stopped)" };
            push(out, &format!("{nodes} nodes {rate} nps{part}"));
        }
        _ => {}
    }
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// Formats a number with commas between thousands: `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats an option with its value, range and help on one line.
fn setting(offer: &Offer) -> String {
    let (name, help) = (offer.spec.name, offer.spec.help);
    let value = match offer.value.as_str() {
        "" => "<empty>",
        value => value,
    };
    match offer.spec.kind {
        Kind::Spin { min, max, .. } => format!("{name} = {value}  ({min}..{max}; {help})"),
        Kind::Combo { names, .. } => format!("{name} = {value}  ({}; {help})", names.join(", ")),
        Kind::Button(_) => format!("{name}  (button; {help})"),
        _ => format!("{name} = {value}  ({help})"),
    }
}

/// Formats a message on one line: `DOMAIN KIND key value ... text ...`.
pub(super) fn message_line(message: &Message) -> String {
    format!("{} {}", message.domain.word(), message_body(message))
}

/// Formats a message on one line without its domain.
pub(super) fn message_body(message: &Message) -> String {
    let mut line = message.kind.word().to_owned();
    for (key, value) in &message.words {
        line.push_str(&format!(" {key} {value}"));
    }
    if let Some(text) = &message.text {
        line.push_str(" text ");
        line.extend(text.chars().map(|c| if c.is_control() { ' ' } else { c }));
    }
    line
}
