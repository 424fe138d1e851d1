//! Environment of a running job: its handles, and the callback that takes its facts.

use super::build_progress::BuildProgress;
use super::message::Message;
use super::snapshot::Snapshot;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use umbrail_chess::Move;
use umbrail_control::{Cancel, Clock, Control, Pool, Progress, ReadError, read_file, read_text};
use umbrail_search as search;

/// Number of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct JobId(pub u64);

/// A fact that a job reports while it works.
#[derive(Clone, Debug)]
pub enum JobReport {
    /// From a search.
    Search(search::SearchInfo),
    /// Count of one root move of a perft.
    Branch(Move, u64),
    /// Result of one position of the benchmark: number, count, FEN, nodes.
    BenchLine(usize, usize, String, u64),
    /// Note on how the job runs, such as with fewer threads than requested.
    Note(String),
    /// The files of a task are read, and its work starts.
    Started,
    /// From a task.
    Message(Message),
    /// From the build of a table for a game.
    Table(BuildProgress),
    /// State of a task for the screen.
    Snapshot(Box<Snapshot>),
}

/// Environment of a running job: its handles, and the receiver of its facts.
pub struct JobContext<'a> {
    /// Raised when the job must end.
    pub cancel: Cancel,
    /// Clock of the job.
    pub clock: &'a Clock,
    /// Progress counters of the job.
    pub progress: &'a Progress,
    /// Workers of the job.
    pub pool: &'a Pool,
    /// Number of times the user asked to skip a part.
    pub skips: &'a AtomicU64,
    /// Takes every fact.
    pub notify: &'a (dyn Fn(JobReport) + Sync),
}

impl JobContext<'_> {
    /// Sends a message of the task.
    pub fn message(&self, message: Message) {
        (self.notify)(JobReport::Message(message));
    }

    /// Returns true if the job must end.
    pub fn is_over(&self) -> bool {
        self.cancel.is_raised() || self.clock.is_over()
    }

    /// Reads a text file that the user named. Stopping the job ends the wait for a file that does
    /// not respond.
    ///
    /// # Errors
    /// The file that cannot be read, with the reason.
    pub fn read_text(&self, path: &str) -> Result<String, ReadError> {
        read_text(Path::new(path), &|| self.is_over())
    }

    /// Reads a file that the user named, as bytes.
    ///
    /// # Errors
    /// As those of [`JobContext::read_text`].
    pub fn read_file(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        read_file(path, &|| self.is_over())
    }

    /// Returns the number of times the user has asked to skip a part so far.
    pub fn skips(&self) -> u64 {
        // Relaxed ordering suffices: the count guards no other data.
        self.skips.load(Ordering::Relaxed)
    }

    /// Creates the control for a solver; `facts` takes the solver's kind of facts.
    pub fn control<'b, T>(&'b self, facts: &'b (dyn Fn(T) + Sync)) -> Control<'b, T> {
        Control::new(self.cancel.clone(), self.clock, self.progress, self.pool, facts)
    }
}
