//! Conversations with the state machine, without threads; times are passed in.

mod games;
mod queue;
mod searches;
mod tasks;

use super::job::{Answer, Report};
use super::job_context::{JobId, JobReport};
use super::{Command, Effect, Event, Move, Options, Play, Session, SolverModule, Start};
use std::time::{Duration, Instant};
use umbrail_chess::geometry::Setup;
use umbrail_chess::{parse_uci, to_uci};
use umbrail_search as search;

/// A session whose events are recorded in short words.
struct Talk {
    session: Session,
    /// Events since the last query.
    received: Vec<String>,
    /// Started jobs, newest last.
    jobs: Vec<Start>,
}

impl Talk {
    fn new() -> Self {
        Self::with(Options::default(), &[])
    }

    fn with(options: Options, modules: &'static [SolverModule]) -> Self {
        let session = Session::new(options, modules, Instant::now());
        Self { session, received: vec![], jobs: vec![] }
    }

    fn command(&mut self, command: Command) -> &mut Self {
        let effects = self.session.command(command, Instant::now());
        self.take(effects)
    }

    fn play(&mut self, play: Play) -> &mut Self {
        self.command(Command::Play(play))
    }

    fn report(&mut self, id: JobId, report: Report) -> &mut Self {
        let effects = self.session.report(id, report, Instant::now());
        self.take(effects)
    }

    /// Lets the newest job report a fact.
    fn fact(&mut self, fact: JobReport) -> &mut Self {
        let id = self.job().id;
        self.report(id, Report::Progress(fact))
    }

    /// Lets the newest job answer with this move.
    fn answers(&mut self, best: &str) -> &mut Self {
        let id = self.job().id;
        let best = self.mv(best);
        self.report(id, Report::Answer(answer(Some(best))))
    }

    fn job(&self) -> &Start {
        self.jobs.last().expect("a job was started")
    }

    /// Returns the request of the newest job, a search.
    fn request(&self) -> &search::SearchRequest {
        match &self.job().job {
            super::Job::Search { request, .. } => request,
            other => panic!("expected a search, got {other:?}"),
        }
    }

    /// Parses a move in the position of the newest search.
    fn mv(&self, text: &str) -> Move {
        parse_uci(&self.request().position, text).unwrap()
    }

    fn take(&mut self, effects: Vec<Effect>) -> &mut Self {
        for effect in effects {
            match effect {
                Effect::Write(event) => self.received.push(short(&event)),
                Effect::Start(start) => {
                    self.received.push(format!("start {}", start.job.name()));
                    self.jobs.push(*start);
                }
                Effect::LogTo(file) => self.received.push(format!("log {file:?}")),
                Effect::Quit(status) => self.received.push(format!("quit {status}")),
            }
        }
        self
    }

    /// Checks the events since the last check.
    fn expects(&mut self, expected: &[&str]) -> &mut Self {
        assert_eq!(std::mem::take(&mut self.received), expected);
        self
    }
}

fn short(event: &Event) -> String {
    let coordinates =
        |played: &super::event::Played| to_uci(&played.before, played.mv, played.chess960);
    match event {
        Event::FromTable(given) => format!("{given:?}"),
        Event::Identity(offers) => format!("identity of {} options", offers.len()),
        Event::Ready => "ready".to_owned(),
        Event::Pong(number) => format!("pong {number}"),
        Event::Thought(thought) => format!("depth {} {:?}", thought.line.depth, thought.line.score),
        Event::RootMove(root_move) => format!("at work {}", coordinates(&root_move.played)),
        Event::Pulse(_) => "pulse".to_owned(),
        Event::Best(best) => {
            let text = |played: &Option<_>| played.as_ref().map_or("none".to_owned(), coordinates);
            format!("best {} ponder {}", text(&best.best), text(&best.ponder))
        }
        Event::DrawOffered => "draw offered".to_owned(),
        Event::Resigned => "resigned".to_owned(),
        Event::Moved(played) => format!("move {}", coordinates(played)),
        Event::Over(claim) => format!("{} {}", claim.result, claim.reason),
        Event::Illegal { given, why } => format!("illegal {given}: {why}"),
        Event::OptionRefused { error, .. } => format!("refused: {error}"),
        Event::Trouble(text) => format!("trouble: {text}"),
        Event::Note(text) => format!("note: {text}"),
        Event::CastlingDropped(dropped) => format!("note: {dropped}"),
        Event::Status(status) => format!("status {} of {}", status.left, status.total),
        Event::Hint(played) => format!("hint {}", coordinates(played)),
        Event::Book(lines) => format!("book of {} lines", lines.len()),
        Event::Snapshot(snapshot) => format!("picture of {}", snapshot.length),
        Event::Page(lines) | Event::Facts(_, lines) => format!("page of {} lines", lines.len()),
        Event::Settings(offers) => format!("{} settings", offers.len()),
        Event::Branch { played, nodes } => format!("branch {} {nodes}", coordinates(played)),
        Event::Counted { nodes, complete, .. } => format!("counted {nodes} complete {complete}"),
        Event::BenchLine { number, .. } => format!("bench line {number}"),
        Event::BenchDone { nodes, complete, .. } => format!("bench {nodes} complete {complete}"),
        Event::Message(message) => {
            let words: Vec<_> =
                message.words.iter().map(|(key, value)| format!(" {key} {value}")).collect();
            let text = message.text.as_ref().map_or(String::new(), |text| format!(" text {text}"));
            format!("{} {}{}{text}", message.domain.word(), message.kind.word(), words.concat())
        }
    }
}

fn answer(best: Option<Move>) -> Answer {
    Answer::Search(search::SearchAnswer {
        best,
        ponder: None,
        line: None,
        ended: search::Ended::Stopped,
    })
}

fn line(pv: Vec<Move>) -> search::PvLine {
    search::PvLine {
        depth: 3,
        seldepth: 5,
        multipv: 1,
        score: search::Score::Cp(0),
        bound: search::Bound::Exact,
        nodes: 100,
        time: Duration::from_millis(1),
        hashfull: 0,
        tbhits: 0,
        pv,
    }
}

fn fen(fen: &str) -> Setup {
    fen.parse().unwrap()
}
