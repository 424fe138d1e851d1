//! The plain conversation as one JSON object per line, for scripts. `"t"` is the kind of the
//! object; the last object is `{"t":"end",...}`.

mod snapshot;

use super::{Dialect, ParseError, Plain, Reader, notation};
use umbrail_report::json::quoted;
use umbrail_session::castling_note::castling_note;
use umbrail_session::event::Thought;
use umbrail_session::message::Kind;
use umbrail_session::sample::per_second;
use umbrail_session::{Bound, Command, Event, Message, Score, SolverModule, Value};

/// Writes JSON and reads what the plain dialect reads.
pub struct Json {
    plain: Plain,
    /// Only results and errors are written.
    bare: bool,
}

impl Json {
    /// Creates the JSON dialect, with these modules for tasks.
    pub fn new(modules: &'static [SolverModule]) -> Self {
        Self { plain: Plain::new(modules, Reader::Script), bare: false }
    }

    /// Creates the JSON dialect without the start and the progress of tasks.
    pub fn bare(modules: &'static [SolverModule]) -> Self {
        Self { bare: true, ..Self::new(modules) }
    }
}

impl Dialect for Json {
    fn parse(&mut self, line: &str) -> Result<Vec<Command>, ParseError> {
        self.plain.parse(line)
    }

    fn write(&mut self, event: &Event, out: &mut String) {
        if let (true, Event::Message(message)) = (self.bare, event)
            && matches!(message.kind, Kind::Start | Kind::Progress | Kind::Note)
        {
            return;
        }
        if let Some(fields) = fields(event) {
            object(&fields, out);
            out.push('\n');
        }
    }

    fn is_amid_command(&self) -> bool {
        self.plain.is_amid_command()
    }

    fn complain(&mut self, line: &str, why: &ParseError, out: &mut String) {
        let text = match why {
            ParseError::Unknown => format!("unknown command: {}", super::quote(line)),
            ParseError::Bad(why) => why.clone(),
            ParseError::Task(message) => return self.write(&Event::Message(message.clone()), out),
        };
        self.write(&Event::Trouble(text), out);
    }
}

type Fields = Vec<(String, Value)>;

fn record(kind: &str, fields: Vec<(&str, Value)>) -> Option<Fields> {
    let kind = ("t".to_owned(), Value::from(kind));
    let rest = fields.into_iter().map(|(key, value)| (key.to_owned(), value));
    Some(std::iter::once(kind).chain(rest).collect())
}

/// Returns a percentage as a JSON number with two decimals.
fn percent(share: f64) -> Value {
    Value::Digits(format!("{share:.2}"))
}

fn ms(time: std::time::Duration) -> Value {
    Value::from(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

fn fields(event: &Event) -> Option<Fields> {
    match event {
        Event::Thought(thought) => line(thought),
        Event::Best(best) => {
            let mv = |played: &Option<umbrail_session::event::Played>| {
                played.as_ref().map_or(Value::Null, |p| Value::Text(notation::coordinate(p)))
            };
            record("end", vec![("best", mv(&best.best)), ("ponder", mv(&best.ponder))])
        }
        Event::Trouble(text) => record("error", vec![("text", text.as_str().into())]),
        Event::Note(text) => record("note", vec![("text", text.as_str().into())]),
        Event::CastlingDropped(dropped) => {
            record("note", vec![("text", Value::Text(castling_note(*dropped)))])
        }
        Event::OptionRefused { error, .. } => {
            record("error", vec![("text", Value::Text(error.to_string()))])
        }
        Event::Page(lines) => {
            let lines = lines.iter().map(|line| Value::from(line.as_str())).collect();
            record("page", vec![("lines", Value::List(lines))])
        }
        Event::Settings(offers) => {
            let options = offers.iter().map(|offer| {
                let name = ("name".to_owned(), Value::from(offer.spec.name));
                let value = ("value".to_owned(), Value::from(offer.value.as_str()));
                let help = ("help".to_owned(), Value::from(offer.spec.help));
                Value::Record(vec![name, value, help])
            });
            record("options", vec![("options", Value::List(options.collect()))])
        }
        Event::Branch { played, nodes } => {
            let mv = Value::Text(notation::coordinate(played));
            record("branch", vec![("move", mv), ("nodes", (*nodes).into())])
        }
        Event::Counted { depth, nodes, time, complete } => record(
            "end",
            vec![
                ("depth", u64::from(*depth).into()),
                ("nodes", (*nodes).into()),
                ("ms", ms(*time)),
                ("complete", Value::Truth(*complete)),
            ],
        ),
        Event::BenchLine { number, fen, nodes, .. } => record(
            "position",
            vec![
                ("number", (*number as u64).into()),
                ("fen", fen.as_str().into()),
                ("nodes", (*nodes).into()),
            ],
        ),
        Event::BenchDone { nodes, keys, time, complete } => record(
            "end",
            vec![
                ("nodes", (*nodes).into()),
                ("ms", ms(*time)),
                ("nps", per_second(*nodes, *time).into()),
                ("tt_hit", percent(keys.hit_percent())),
                ("fail_high", percent(keys.fail_high_percent())),
                ("first_fail_high", percent(keys.first_fail_high_percent())),
                ("researches", percent(keys.research_percent())),
                ("complete", Value::Truth(*complete)),
            ],
        ),
        Event::Message(message) => self::message(message),
        Event::Snapshot(shown) => snapshot::snapshot(shown),
        _ => None,
    }
}

fn line(thought: &Thought) -> Option<Fields> {
    let line = &thought.line;
    let score = match line.score {
        Score::Cp(cp) => ("cp", cp),
        Score::Mate(moves) => ("mate", moves),
    };
    let bound = match line.bound {
        Bound::Exact => "exact",
        Bound::Lower => "lower",
        Bound::Upper => "upper",
    };
    let pv = notation::coordinates(&thought.root, &line.pv, thought.chess960);
    record(
        "line",
        vec![
            ("depth", u64::from(line.depth).into()),
            ("multipv", (line.multipv as u64).into()),
            (score.0, Value::Number(score.1.into())),
            ("bound", bound.into()),
            ("nodes", line.nodes.into()),
            ("ms", ms(line.time)),
            ("uci", Value::List(pv.into_iter().map(Value::Text).collect())),
            ("moves", notation::standard(&thought.root, &line.pv, false).as_str().into()),
        ],
    )
}

fn message(message: &Message) -> Option<Fields> {
    if message.kind == Kind::Done && message.record.is_none() {
        return None;
    }
    let named = |(key, value): &(&'static str, Value)| ((*key).to_owned(), value.clone());
    let kind = message.record.map(|kind| ("t".to_owned(), Value::from(kind)));
    let words = message.words.iter().map(named);
    let mut fields: Fields =
        kind.into_iter().chain(words).chain(message.data.iter().map(named)).collect();
    // The words of a message are written too, and the page of a message that has only a page.
    let only_page = message.words.is_empty() && message.data.is_empty() && !message.page.is_empty();
    let page = || only_page.then(|| message.page.join("\n"));
    let text = message.text.clone().or_else(page);
    if let Some(text) = text.filter(|_| fields.iter().all(|(key, _)| key != "text")) {
        fields.push(("text".to_owned(), Value::Text(text)));
    }
    Some(fields)
}

/// Writes an object on one line.
fn object(fields: &[(String, Value)], out: &mut String) {
    out.push('{');
    for (index, (key, field)) in fields.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        out.push_str(&quoted(key));
        out.push(':');
        value(field, out);
    }
    out.push('}');
}

fn value(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Truth(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Number(number) => out.push_str(&number.to_string()),
        Value::Digits(digits) => out.push_str(digits),
        Value::Text(text) => out.push_str(&quoted(text)),
        Value::Record(fields) => object(fields, out),
        Value::List(values) => {
            out.push('[');
            for (index, element) in values.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                self::value(element, out);
            }
            out.push(']');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Json, object};
    use crate::Dialect;
    use umbrail_session::domain::Domain;
    use umbrail_session::message::Kind;
    use umbrail_session::{Event, Message, Value};
    use umbrail_tasks::MODULES;

    #[test]
    fn objects_are_written_on_one_line() {
        let list = Value::List(vec![Value::Number(1), Value::Null, Value::Truth(true)]);
        let inner = Value::Record(vec![("a\"b".into(), Value::from("c\\\n\u{1}é"))]);
        let mut out = String::new();
        object(&[("list".into(), list), ("record".into(), inner)], &mut out);
        assert_eq!(out, r#"{"list":[1,null,true],"record":{"a\"b":"c\\\n\u0001é"}}"#);
    }

    #[test]
    fn news_keeps_its_record_name_and_data_for_scripts() {
        let mut solution =
            Message::new(Domain::Spg, Kind::Result).with("index", 1).printing("1. e4");
        solution.record = Some("solution");
        solution.data.push(("moves", Value::List(vec![Value::from("e4")])));
        let mut out = String::new();
        Json::new(MODULES).write(&Event::Message(solution), &mut out);
        assert_eq!(out, "{\"t\":\"solution\",\"index\":1,\"moves\":[\"e4\"],\"text\":\"1. e4\"}\n");
    }
}
