//! Jobs: all work that the program runs on threads of their own.
//!
//! A job communicates through its [`JobContext`](super::JobContext). It answers exactly once:
//! `umbrail_tasks::run` returns the answer, and the server answers for a job that panics.

use super::command::{BenchLimit, BenchPositions};
use super::domain::Domain;
use super::job_context::JobReport;
use super::message::Completion;
use super::module::Steps;
use super::opened_files::OpenedFiles;
use super::task_error::TaskError;
use std::fmt;
use std::sync::Arc;
use umbrail_chess::{CastlingMode, Position};
use umbrail_search as search;

/// All kinds of jobs.
pub enum Job {
    /// Find the best move.
    Search {
        /// State that survives between searches.
        engine: Arc<search::Engine>,
        /// Position and limits.
        request: Box<search::SearchRequest>,
        /// Options of the search.
        params: search::SearchParams,
    },
    /// Count move sequences.
    Perft {
        /// Start of the sequences.
        position: Position,
        /// Length of the sequences in plies.
        depth: u32,
    },
    /// Search positions one after another, and report nodes and speed.
    Bench {
        /// Limit of each search.
        limit: BenchLimit,
        /// Positions to search.
        positions: BenchPositions,
        /// Current position, if it can be played.
        current: Option<Position>,
        /// Castling rules for the positions of a file.
        castling: CastlingMode,
        /// Options of the search.
        params: search::SearchParams,
    },
    /// Run a task of a module.
    Task {
        /// Domain of the module.
        domain: Domain,
        /// Verb, for the log.
        verb: &'static str,
        /// Steps of the task.
        steps: Steps,
    },
    /// Open the files that options name.
    Open {
        /// Files that are already open.
        sources: search::Sources,
        /// Files that a search uses.
        params: Box<search::SearchParams>,
        /// File with piece definitions; empty for none.
        pieces: String,
    },
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Job {
    /// Writes the work in words, such as `search to depth 5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Search { request, .. } => write!(f, "search {}", limits(&request.limits)),
            Self::Perft { depth, .. } => write!(f, "perft {depth}"),
            Self::Bench { limit, .. } => match limit {
                BenchLimit::Depth(depth) => write!(f, "bench to depth {depth}"),
                BenchLimit::Nodes(nodes) => write!(f, "bench with {nodes} nodes"),
                BenchLimit::MoveTime(time) => write!(f, "bench with {} ms", time.as_millis()),
                BenchLimit::Perft(depth) => write!(f, "bench by perft {depth}"),
            },
            Self::Task { domain, verb, .. } => write!(f, "{} {verb}", domain.word()),
            Self::Open { .. } => write!(f, "open files"),
        }
    }
}

/// Describes the limits of a search.
fn limits(limits: &search::Limits) -> String {
    let mut words = vec![];
    words.extend(limits.depth.map(|depth| format!("to depth {depth}")));
    words.extend(limits.nodes.map(|nodes| format!("up to {nodes} nodes")));
    words.extend(limits.mate.map(|moves| format!("for a mate in {moves}")));
    words.extend(limits.movetime.map(|time| format!("for {} ms", time.as_millis())));
    if let Some(clock) = &limits.clock {
        let (left, gain) = (clock.left.as_millis(), clock.increment.as_millis());
        words.push(format!("on a clock of {left} ms and {gain} ms a move"));
        words.extend(clock.moves_to_go.map(|moves| format!("for {moves} moves")));
    }
    if words.is_empty() { "without a limit".to_owned() } else { words.join(", ") }
}

/// Result of a job, sent once.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The best move.
    Search(search::SearchAnswer),
    /// Result of perft.
    Perft {
        /// Sequences.
        nodes: u64,
        /// False when stopped.
        complete: bool,
    },
    /// Result of the benchmark.
    Bench {
        /// Nodes searched.
        nodes: u64,
        /// Search statistics of the transposition table and of move ordering.
        keys: search::SearchStatistics,
        /// False when stopped.
        complete: bool,
    },
    /// End of a task.
    Task(Completion),
    /// A file of the task cannot be used, with the reason; the task has not started.
    Refused(TaskError),
    /// The files that options name.
    Opened(OpenedFiles),
}

/// Report from a job's thread.
#[derive(Debug)]
pub enum Report {
    /// Intermediate fact.
    Progress(JobReport),
    /// Answer, the last report.
    Answer(Answer),
    /// The job panicked; carries what is known of the panic, as the last report.
    Failed(String),
    /// The system did not start the job's thread; carries the reason, as the last report.
    Unstarted(String),
}

impl Job {
    /// Returns a word for the name of the thread and for the log.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Search { .. } => "search",
            Self::Perft { .. } => "perft",
            Self::Bench { .. } => "bench",
            Self::Task { domain, .. } => domain.word(),
            Self::Open { .. } => "files",
        }
    }

    /// Returns the domain of a task.
    pub fn domain(&self) -> Option<Domain> {
        match self {
            Self::Task { domain, .. } => Some(*domain),
            _ => None,
        }
    }
}
