//! Jobs: everything this program can be busy with, and how each is run.
//!
//! A job runs on a thread of its own, told and telling through its [`Stage`]. It answers exactly
//! once: [`Job::run`] returns the answer, and a job that panics is answered for by the house.

use super::egt::PieceFile;
use super::errand::{Domain, Ending, Kind, News, Steps};
use super::opening::Opened;
use super::spg::picture::Picture;
use crate::chess::{Move, Position};
use crate::control::{Cancel, Clock, Control, Pool, Progress, ReadError, read_file, read_text};
use crate::search;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The number of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct JobId(pub u64);

/// The only list of everything this program can be busy with.
pub enum Job {
    /// Find the best move.
    Search {
        /// What survives between searches.
        engine: Arc<search::Engine>,
        /// What to search.
        request: Box<search::SearchRequest>,
        /// With which options.
        params: search::SearchParams,
    },
    /// Count move sequences.
    Perft {
        /// Where they start.
        position: Position,
        /// How long they are.
        depth: u32,
    },
    /// Search fixed positions to a fixed depth.
    Bench {
        /// Depth of each search.
        depth: u32,
        /// With which options.
        params: search::SearchParams,
    },
    /// What a room was sent to do.
    Errand {
        /// The room.
        domain: Domain,
        /// The verb, for the log.
        verb: &'static str,
        /// What it does.
        steps: Steps,
    },
    /// Open the files that options name.
    Open {
        /// What is open already.
        sources: search::Sources,
        /// What a search shall look things up in.
        params: Box<search::SearchParams>,
        /// The file with definitions of pieces; empty for none.
        pieces: String,
    },
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Search { request, .. } => write!(f, "search {:?}", request.limits),
            Self::Perft { depth, .. } => write!(f, "perft {depth}"),
            Self::Bench { depth, .. } => write!(f, "bench {depth}"),
            Self::Errand { domain, verb, .. } => write!(f, "{} {verb}", domain.word()),
            Self::Open { .. } => write!(f, "open files"),
        }
    }
}

/// Something a job tells while it works.
#[derive(Clone, Debug)]
pub enum Fact {
    /// From a search.
    Search(search::SearchInfo),
    /// One root move of a perft is counted.
    Branch(Move, u64),
    /// One position of the benchmark is searched: number, count, FEN, nodes.
    BenchLine(usize, usize, &'static str, u64),
    /// The files of a task are read, and its work begins.
    Begun,
    /// From an errand.
    News(News),
    /// What a screen shall show of an errand.
    Picture(Box<Picture>),
}

/// What a job returns, once.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The best move.
    Search(search::SearchAnswer),
    /// How many sequences were counted, and whether all.
    Perft {
        /// Sequences.
        nodes: u64,
        /// False when stopped.
        complete: bool,
    },
    /// How many positions were searched, and whether all searches were complete.
    Bench {
        /// Positions.
        nodes: u64,
        /// How often the table and the first move helped.
        keys: search::SearchStatistics,
        /// False when stopped.
        complete: bool,
    },
    /// How the errand ended.
    Errand(Ending),
    /// A file of the task cannot be used, and why; the task has not begun.
    Refused(String),
    /// The files that options name.
    Opened(Opened),
}

/// What comes back from a job's thread.
#[derive(Debug)]
pub enum Report {
    /// Something it found on the way.
    Fact(Fact),
    /// Its answer; nothing follows.
    Answer(Answer),
    /// It panicked, or could not be started: what is known of it; nothing follows.
    Failed(String),
}

/// How complete an answer is; the number is the exit status of a subcommand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Everything asked for was answered.
    Complete,
    /// It was refused: the input cannot be used.
    Refused,
    /// Somebody said stop.
    Stopped,
    /// A limit was reached.
    Limit,
    /// Complete, but not what was required.
    NotAsRequired,
    /// A fault of the program.
    Internal,
}

impl Status {
    /// The word said behind `status`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Complete | Self::NotAsRequired => "complete",
            Self::Stopped => "stopped",
            Self::Limit => "limit",
            Self::Refused | Self::Internal => "error",
        }
    }

    /// The exit status of a subcommand that ends like this.
    pub fn exit(self) -> u8 {
        match self {
            Self::Complete => 0,
            Self::Refused => 2,
            Self::Stopped | Self::Limit => 3,
            Self::NotAsRequired => 4,
            Self::Internal => 70,
        }
    }
}

/// A look at the gauges of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// Time since its line was heard.
    pub time: Duration,
    /// Work done, in the solver's own unit.
    pub nodes: u64,
    /// Parts done and expected; 0 and 0 when nobody knows.
    pub done: u64,
    /// See `done`.
    pub total: u64,
    /// Things waiting in a queue.
    pub queued: u64,
    /// Fullness of the memory in thousandths.
    pub fullness: u64,
    /// Probes answered by an endgame table.
    pub table_hits: u64,
}

impl Sample {
    /// Reads the gauges now.
    pub fn take(progress: &Progress, clock: &Clock) -> Self {
        Self {
            time: clock.elapsed(),
            nodes: progress.nodes.get(),
            done: progress.done.get(),
            total: progress.total.get(),
            queued: progress.queued.get(),
            fullness: progress.fullness.get(),
            table_hits: progress.table_hits.get(),
        }
    }

    /// Work done per second.
    pub fn rate(&self) -> u64 {
        per_second(self.nodes, self.time)
    }
}

/// How many per second this is.
pub fn per_second(count: u64, time: Duration) -> u64 {
    let per = u128::from(count) * 1_000_000 / time.as_micros().max(1);
    u64::try_from(per).unwrap_or(u64::MAX)
}

/// Where a job stands while it runs: what it is handed, and whom it tells.
pub struct Stage<'a> {
    /// Raised when the job must end.
    pub cancel: Cancel,
    /// Its clock.
    pub clock: &'a Clock,
    /// Its gauges.
    pub progress: &'a Progress,
    /// The workers.
    pub pool: &'a Pool,
    /// How often the user asked to skip a part.
    pub skips: &'a AtomicU64,
    /// Takes every fact.
    pub tell: &'a (dyn Fn(Fact) + Sync),
}

impl Stage<'_> {
    /// Tells news of an errand.
    pub fn news(&self, news: News) {
        (self.tell)(Fact::News(news));
    }

    /// Whether the job must end.
    pub fn is_over(&self) -> bool {
        self.cancel.is_raised() || self.clock.is_over()
    }

    /// Reads a file that the user named as text. Stopping the job ends the wait for a file that does not answer.
    ///
    /// # Errors
    /// Which file cannot be read, and why.
    pub fn read_text(&self, path: &str) -> Result<String, String> {
        read_text(Path::new(path), &|| self.is_over()).map_err(|error| error.to_string())
    }

    /// The same as bytes.
    ///
    /// # Errors
    /// As those of [`Stage::read_text`].
    pub fn read_file(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        read_file(path, &|| self.is_over())
    }

    /// How often the user has asked to skip a part so far.
    pub fn skips(&self) -> u64 {
        // Relaxed: the count guards no other data.
        self.skips.load(Ordering::Relaxed)
    }

    /// The control a solver wants, with `facts` taking its own kind of news.
    pub fn control<'b, T>(&'b self, facts: &'b (dyn Fn(T) + Sync)) -> Control<'b, T> {
        Control::new(self.cancel.clone(), self.clock, self.progress, self.pool, facts)
    }
}

impl Job {
    /// A word for the thread's name and the log.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Search { .. } => "search",
            Self::Perft { .. } => "perft",
            Self::Bench { .. } => "bench",
            Self::Errand { domain, .. } => domain.word(),
            Self::Open { .. } => "files",
        }
    }

    /// Does the job on this thread.
    pub fn run(self, stage: &Stage<'_>) -> Answer {
        match self {
            Self::Search { engine, request, params } => {
                let tell = |fact| (stage.tell)(Fact::Search(fact));
                let control = stage.control(&tell);
                Answer::Search(search::solve(&engine, &request, &params, &control))
            }
            Self::Perft { position, depth } => perft(&position, depth, stage),
            Self::Bench { depth, params } => bench(depth, &params, stage),
            Self::Errand { steps: Steps::Work(work), .. } => Answer::Errand(work(stage)),
            Self::Errand { steps: Steps::Load(load), domain, .. } => match load(stage) {
                Ok(work) => {
                    (stage.tell)(Fact::Begun);
                    Answer::Errand(work(stage))
                }
                Err(_) if stage.is_over() => {
                    let status =
                        if stage.clock.is_over() { Status::Limit } else { Status::Stopped };
                    Answer::Errand(Ending { done: News::new(domain, Kind::Done), status })
                }
                Err(why) => Answer::Refused(why),
            },
            Self::Open { mut sources, params, pieces } => {
                let faults = sources.configure(&params, &|path| stage.read_file(path));
                let faults = faults.iter().map(ToString::to_string).collect();
                let pieces = PieceFile::read(&pieces, &|path| stage.read_text(path));
                Answer::Opened(Opened { sources, pieces, faults })
            }
        }
    }
}

/// Counts the sequences, one after the other below each root move, and stops between subtrees.
fn perft(root: &Position, depth: u32, stage: &Stage<'_>) -> Answer {
    let tell = |()| {};
    let control = stage.control(&tell);
    let mut nodes = 0;
    for mv in root.legal_moves() {
        let Some(count) = branch(&root.after(mv), depth.saturating_sub(1), &control) else {
            return Answer::Perft { nodes, complete: false };
        };
        nodes += count;
        (stage.tell)(Fact::Branch(mv, count));
    }
    Answer::Perft { nodes: if depth == 0 { 1 } else { nodes }, complete: true }
}

/// Subtrees of this depth are counted without asking whether to stop: about 0.1 s at most.
const UNSTOPPABLE: u32 = 4;

fn branch(position: &Position, depth: u32, control: &Control<'_, ()>) -> Option<u64> {
    if depth <= UNSTOPPABLE {
        control.check().ok()?;
        let count = crate::chess::perft::perft(position, depth);
        control.progress.nodes.add(count);
        return Some(count);
    }
    position
        .legal_moves()
        .into_iter()
        .map(|mv| branch(&position.after(mv), depth - 1, control))
        .sum()
}

/// Searches the fixed positions one after the other, as [`search::bench::signature`] does; with one
/// worker the sum is the signature.
fn bench(depth: u32, params: &search::SearchParams, stage: &Stage<'_>) -> Answer {
    let positions = search::bench::POSITIONS;
    let engine = search::Engine::new(params.hash_mib);
    let nodes = || stage.progress.nodes.get();
    for (index, fen) in positions.iter().enumerate() {
        let Some(position) = search::bench::position(fen) else { continue };
        let before = nodes();
        let control = stage.control(&|_| {});
        search::solve(&engine, &search::bench::request(position, depth), params, &control);
        if stage.cancel.is_raised() {
            return Answer::Bench { nodes: nodes(), keys: engine.statistics(), complete: false };
        }
        (stage.tell)(Fact::BenchLine(index + 1, positions.len(), fen, nodes() - before));
    }
    Answer::Bench { nodes: nodes(), keys: engine.statistics(), complete: true }
}
