//! What a running job is given: its handles, and the closure that takes its facts.

use super::build_progress::BuildProgress;
use super::message::Message;
use super::snapshot::Snapshot;
use crate::chess::Move;
use crate::control::{Cancel, Clock, Control, Pool, Progress, ReadError, read_file, read_text};
use crate::search;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct JobId(pub u64);

/// A fact that a job reports while it works.
#[derive(Clone, Debug)]
pub enum Fact {
    /// From a search.
    Search(search::SearchInfo),
    /// One root move of a perft is counted.
    Branch(Move, u64),
    /// One position of the benchmark is searched: number, count, FEN, nodes.
    BenchLine(usize, usize, String, u64),
    /// How the job goes about it: with fewer threads than it wants, say.
    Note(String),
    /// The files of a task are read, and its work begins.
    Begun,
    /// From a task.
    Message(Message),
    /// From the building of a table that a game is played from.
    Table(BuildProgress),
    /// What a screen shows of a task.
    Snapshot(Box<Snapshot>),
}

/// What a running job is given: its handles, and the receiver of its facts.
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
    /// Sends a message of the task.
    pub fn message(&self, message: Message) {
        (self.tell)(Fact::Message(message));
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

    /// The control a solver wants, with `facts` taking its own kind of facts.
    pub fn control<'b, T>(&'b self, facts: &'b (dyn Fn(T) + Sync)) -> Control<'b, T> {
        Control::new(self.cancel.clone(), self.clock, self.progress, self.pool, facts)
    }
}
