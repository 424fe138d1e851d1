//! Jobs: everything this program can be busy with, and how each is run.
//!
//! A job runs on a thread of its own, and communicates through its [`Stage`]. It answers exactly
//! once: [`Job::run`] returns the answer, and the server answers for a job that panics.

use super::bench::{BenchResult, bench};
use super::command::{BenchLimit, BenchPositions};
use super::domain::Domain;
use super::message::{Completion, Kind, Message};
use super::module::Steps;
use super::opened_files::OpenedFiles;
use super::piece_file::PieceFile;
use super::sequences::count_sequences;
use super::stage::{Fact, Stage};
use super::status::Status;
use super::task_error::TaskError;
use crate::chess::{CastlingMode, Position};
use crate::control::{keep_limit, processor_time};
use crate::search;
use std::fmt;
use std::sync::Arc;

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
    /// Search positions one after the other, for a node count and a speed.
    Bench {
        /// Limit of each search.
        limit: BenchLimit,
        /// What is searched.
        positions: BenchPositions,
        /// The present position, if it can be played on.
        current: Option<Position>,
        /// The castling rules by which the positions of a file are read.
        castling: CastlingMode,
        /// With which options.
        params: search::SearchParams,
    },
    /// What a module was sent to do.
    Task {
        /// The module.
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
        /// The files that a search looks things up in.
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
            Self::Bench { limit, .. } => write!(f, "bench {limit:?}"),
            Self::Task { domain, verb, .. } => write!(f, "{} {verb}", domain.word()),
            Self::Open { .. } => write!(f, "open files"),
        }
    }
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
    /// How the task ended.
    Task(Completion),
    /// A file of the task cannot be used, and why; the task has not begun.
    Refused(TaskError),
    /// The files that options name.
    Opened(OpenedFiles),
}

/// What comes back from a job's thread.
#[derive(Debug)]
pub enum Report {
    /// Something it found on the way.
    Fact(Fact),
    /// Its answer; nothing follows.
    Answer(Answer),
    /// It panicked: what is known of it; nothing follows.
    Failed(String),
    /// The system did not start it, and why; nothing follows.
    Unstarted(String),
}

impl Job {
    /// A word for the thread's name and the log.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Search { .. } => "search",
            Self::Perft { .. } => "perft",
            Self::Bench { .. } => "bench",
            Self::Task { domain, .. } => domain.word(),
            Self::Open { .. } => "files",
        }
    }

    /// Whose task it is, if it is one.
    pub fn domain(&self) -> Option<Domain> {
        match self {
            Self::Task { domain, .. } => Some(*domain),
            _ => None,
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
            Self::Bench { limit, positions, current, castling, params } => {
                match bench(limit, &positions, (current, castling), &params, stage) {
                    Ok(BenchResult { nodes, keys, complete }) => {
                        Answer::Bench { nodes, keys, complete }
                    }
                    Err(why) => Answer::Refused(why.into()),
                }
            }
            // Nothing that a task does may overlook its limit.
            Self::Task { steps, domain, .. } => {
                keep_limit(stage.clock, &stage.cancel, || task(steps, domain, stage))
            }
            Self::Open { mut sources, params, pieces } => {
                let faults = sources.configure(&params, &|path| stage.read_file(path));
                let faults = faults.iter().map(ToString::to_string).collect();
                let pieces = PieceFile::read(&pieces, &|path| stage.read_text(path));
                Answer::Opened(OpenedFiles { sources, pieces, faults })
            }
        }
    }
}

/// Reads the files of a task, if it needs any, and does its work.
fn task(steps: Steps, domain: Domain, stage: &Stage<'_>) -> Answer {
    let before = processor_time();
    let measured = |mut completion: Completion| {
        let used = processor_time().zip(before).map(|(now, then)| now.saturating_sub(then));
        // Proof games tell it of each problem.
        if let Some(used) = used.filter(|_| domain != Domain::Spg) {
            let ms = u64::try_from(used.as_millis()).unwrap_or(u64::MAX);
            completion.done = completion.done.with("processor_ms", ms);
        }
        Answer::Task(completion)
    };
    let load = match steps {
        Steps::Work(work) => return measured(work(stage)),
        Steps::Load(load) => load,
    };
    match load(stage) {
        Ok(work) => {
            (stage.tell)(Fact::Begun);
            measured(work(stage))
        }
        Err(_) if stage.is_over() => {
            let status = if stage.clock.is_over() { Status::Limit } else { Status::Stopped };
            Answer::Task(Completion { done: Message::new(domain, Kind::Done), status })
        }
        Err(why) => Answer::Refused(why),
    }
}

/// Counts the sequences, one after the other below each root move, and stops between subtrees.
fn perft(root: &Position, depth: u32, stage: &Stage<'_>) -> Answer {
    let tell = |()| {};
    let control = stage.control(&tell);
    let mut nodes = 0;
    for mv in root.legal_moves() {
        let Some(count) = count_sequences(&root.after(mv), depth.saturating_sub(1), &control)
        else {
            return Answer::Perft { nodes, complete: false };
        };
        nodes += count;
        (stage.tell)(Fact::Branch(mv, count));
    }
    Answer::Perft { nodes: if depth == 0 { 1 } else { nodes }, complete: true }
}
