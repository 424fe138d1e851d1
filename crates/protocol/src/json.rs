//! The plain conversation as one JSON object per line, for scripts. `"t"` is the kind of the
//! object; searches, counts and tasks end with `{"t":"end",...}`.

use super::records::{
    BuildRecord, EndRecord, LineRecord, OptionRecord, PieceValueRecord, Record, ScoreBound,
};
use super::{Dialect, ParseError, Plain, Reader, notation};
use serde::Serialize;
use umbrail_session::castling_note::castling_note;
use umbrail_session::event::{Facts, Offer, PieceValue, Played, Thought};
use umbrail_session::message::Kind;
use umbrail_session::sample::per_second;
use umbrail_session::snapshot::Snapshot;
use umbrail_session::status::Status;
use umbrail_session::{Bound, BuildFacts, Command, Event, Score, SolverModule};

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
        if let Some(text) = text(event) {
            out.push_str(&text);
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

/// Rounds a percentage to two decimals.
fn percent(share: f64) -> f64 {
    (share * 100.0).round() / 100.0
}

fn ms(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Returns the record of an event of the conversation.
fn record(event: &Event) -> Option<Record> {
    Some(match event {
        Event::Thought(thought) => Record::Line(line_record(thought)),
        Event::Best(best) => {
            let mv = |played: &Option<Played>| played.as_ref().map(notation::coordinate);
            Record::End(EndRecord::Best { best: mv(&best.best), ponder: mv(&best.ponder) })
        }
        Event::Trouble(text) => Record::Error { text: text.clone() },
        Event::Note(text) => Record::Note { text: text.clone() },
        Event::CastlingDropped(dropped) => Record::Note { text: castling_note(*dropped) },
        Event::OptionRefused { error, .. } => Record::Error { text: error.to_string() },
        Event::Page(lines) => Record::Page { lines: lines.clone() },
        Event::Facts(facts, page) => known(facts, page),
        Event::Settings(offers) => {
            let option = |offer: &Offer| OptionRecord {
                name: offer.spec.name.to_owned(),
                value: offer.value.clone(),
                help: offer.spec.help.to_owned(),
            };
            Record::Options { options: offers.iter().map(option).collect() }
        }
        Event::Branch { played, nodes } => {
            Record::Branch { mv: notation::coordinate(played), nodes: *nodes }
        }
        Event::Counted { depth, nodes, time, complete } => Record::End(EndRecord::Count {
            depth: *depth,
            nodes: *nodes,
            elapsed_ms: ms(*time),
            status: status(*complete),
        }),
        Event::BenchLine { number, fen, nodes, .. } => {
            Record::BenchPosition { number: *number, fen: fen.clone(), nodes: *nodes }
        }
        Event::BenchDone { nodes, keys, time, complete } => Record::End(EndRecord::Bench {
            nodes: *nodes,
            elapsed_ms: ms(*time),
            nps: per_second(*nodes, *time),
            tt_hit_percent: percent(keys.hit_percent()),
            fail_high_percent: percent(keys.fail_high_percent()),
            first_fail_high_percent: percent(keys.first_fail_high_percent()),
            researches_percent: percent(keys.research_percent()),
            status: status(*complete),
        }),
        _ => return None,
    })
}

fn status(is_complete: bool) -> String {
    let status = if is_complete { Status::Complete } else { Status::Stopped };
    status.word().to_owned()
}

/// Returns the record of facts; `page` is their text for a person.
fn known(facts: &Facts, page: &[String]) -> Record {
    match facts.clone() {
        Facts::Board { fen, key, checkers } => {
            Record::Position { fen, key: key.map(|key| format!("{key:016X}")), checkers }
        }
        Facts::Evaluation { cp, handwritten_cp, network, pieces, buckets } => {
            let pieces = pieces.into_iter();
            let pieces =
                pieces.map(|PieceValue { square, cp }| PieceValueRecord { square, cp }).collect();
            Record::Evaluation { cp, handwritten_cp, network, pieces, bucket_cp: buckets }
        }
        Facts::Build(facts) => Record::Build(BuildRecord::of(&facts)),
        Facts::License => {
            Record::License { license: env!("CARGO_PKG_LICENSE").to_owned(), text: page.join("\n") }
        }
    }
}

impl BuildRecord {
    /// Returns the record of a build.
    pub fn of(facts: &BuildFacts) -> Self {
        let known = |text: Option<&'static str>| text.map(str::to_owned);
        Self {
            version: facts.version.to_owned(),
            commit: known(facts.from.commit),
            rustc: known(facts.from.rustc),
            target: known(facts.from.target),
            profile: facts.profile.to_owned(),
            features: facts.features.iter().map(|&name| name.to_owned()).collect(),
            kernel: facts.from.kernel.map(str::to_owned),
            allocator: facts.allocator.to_owned(),
        }
    }
}

/// Returns the record of a variation.
pub fn line_record(thought: &Thought) -> LineRecord {
    let line = &thought.line;
    let (cp, mate) = match line.score {
        Score::Cp(cp) => (Some(cp), None),
        Score::Mate(moves) => (None, Some(moves)),
    };
    LineRecord {
        depth: line.depth,
        multipv: line.multipv,
        cp,
        mate,
        bound: match line.bound {
            Bound::Exact => ScoreBound::Exact,
            Bound::Lower => ScoreBound::Lower,
            Bound::Upper => ScoreBound::Upper,
        },
        wdl: thought.wdl,
        nodes: line.nodes,
        elapsed_ms: ms(line.time),
        uci: notation::coordinates(&thought.root, &line.pv, thought.chess960),
        moves: notation::standard_moves(&thought.root, &line.pv),
    }
}

/// A snapshot with its kind.
#[derive(Serialize)]
#[serde(tag = "t", rename = "snapshot")]
struct SnapshotRecord<'a> {
    #[serde(flatten)]
    shown: &'a Snapshot,
}

/// Returns the line of an event; none if the event has no record.
fn text(event: &Event) -> Option<String> {
    let written = match event {
        // The end of a task that has no record of it.
        Event::Message(message) if message.kind == Kind::Done && message.record.is_none() => {
            return None;
        }
        Event::Message(message) => serde_json::to_string(message),
        Event::Snapshot(shown) => serde_json::to_string(&SnapshotRecord { shown }),
        event => serde_json::to_string(&record(event)?),
    };
    written.ok()
}

#[cfg(test)]
mod tests {
    use super::Json;
    use crate::Dialect;
    use umbrail_session::domain::Domain;
    use umbrail_session::message::Kind;
    use umbrail_session::snapshot::{ClusterPage, PlayerPage, Snapshot, UnitLine, WorkerLine};
    use umbrail_session::{Event, Message, RecordFields};
    use umbrail_tasks::MODULES;

    #[test]
    fn objects_are_written_on_one_line() {
        #[derive(serde::Serialize)]
        struct Sample {
            large: u128,
            list: (u64, Option<u64>, bool),
            record: std::collections::BTreeMap<&'static str, &'static str>,
        }
        let record = [("a\"b", "c\\\n\u{1}é")].into();
        let large = 12_345_678_901_234_567_890_123;
        let sample = Sample { large, list: (1, None, true), record };
        let mut message = Message::new(Domain::Egt, Kind::Result).holding(&sample);
        message.record = None;
        let mut out = String::new();
        Json::new(MODULES).write(&Event::Message(message), &mut out);
        let expected = r#"{"large":12345678901234567890123,"list":[1,null,true],"record":{"a\"b":"c\\\n\u0001é"}}"#;
        assert_eq!(out.trim_end(), expected);
    }

    #[test]
    fn news_keeps_its_record_name_and_data_for_scripts() {
        #[derive(serde::Serialize)]
        struct Moves {
            index: u64,
            moves: [&'static str; 1],
        }
        let mut solution =
            Message::new(Domain::Spg, Kind::Result).with("index", 1).printing("1. e4");
        solution.record = Some("solution");
        solution.data = RecordFields::of(&Moves { index: 1, moves: ["e4"] });
        let mut out = String::new();
        Json::new(MODULES).write(&Event::Message(solution), &mut out);
        assert_eq!(out, "{\"t\":\"solution\",\"index\":1,\"moves\":[\"e4\"],\"text\":\"1. e4\"}\n");
    }

    #[test]
    fn a_snapshot_is_one_object() {
        let player = PlayerPage { name: "1".into(), moves: 7, ..PlayerPage::default() };
        let shown = Snapshot { moves: 9, players: vec![player], ..Snapshot::default() };
        let mut out = String::new();
        Json::new(MODULES).write(&Event::Snapshot(Box::new(shown)), &mut out);
        assert!(
            out.starts_with("{\"t\":\"snapshot\",\"retracted\":null,\"elapsed_ms\":0,"),
            "{out}"
        );
        let player =
            "\"players\":[{\"name\":\"1\",\"free\":null,\"path\":[],\"case\":0,\"moves\":7,";
        assert!(out.contains(player) && out.contains("\"cluster\":null,"), "{out}");
        assert_eq!(out.lines().count(), 1);
    }

    #[test]
    fn a_snapshot_of_several_machines_names_the_workers_and_their_units() {
        let unit = |unit: &str, seconds| UnitLine { unit: unit.to_owned(), seconds };
        let at = vec![unit("piece 0 1", 7), unit("case 1", 9)];
        let worker = WorkerLine { name: "one-1".to_owned(), threads: 2, done: 5, at };
        let page = ClusterPage { units: (12, 30), workers: vec![worker], ..ClusterPage::default() };
        let shown = Snapshot { cluster: Some(page), ..Snapshot::default() };
        let mut out = String::new();
        Json::new(MODULES).write(&Event::Snapshot(Box::new(shown)), &mut out);
        let worker = "{\"name\":\"one-1\",\"threads\":2,\"done\":5,\"at\":[\
                      {\"unit\":\"piece 0 1\",\"elapsed_ms\":7000},{\"unit\":\"case 1\",\"elapsed_ms\":9000}]}";
        assert!(out.contains(worker) && out.contains("\"units\":12,\"open\":30,"), "{out}");
    }
}
