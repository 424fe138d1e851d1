//! What the session asks of the server. Effects are values, so the session is tested without a thread.

use super::event::Event;
use super::job::Job;
use super::stage::JobId;
use crate::control::{Cancel, Clock, Progress};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// One thing that the server shall do.
#[derive(Debug)]
pub enum Effect {
    /// Say this.
    Say(Event),
    /// Run this job on a thread of its own.
    Start(Box<Start>),
    /// Write the log to this file from now on, or nowhere.
    LogTo(Option<PathBuf>),
    /// Leave with this exit status.
    Quit(u8),
}

/// A job with everything it is handed; the session keeps the other ends of the handles.
#[derive(Debug)]
pub struct Start {
    /// Its number; reports carry it.
    pub id: JobId,
    /// What to do.
    pub job: Job,
    /// Raised when it must end.
    pub cancel: Cancel,
    /// Its clock.
    pub clock: Arc<Clock>,
    /// Its gauges.
    pub progress: Arc<Progress>,
    /// How often the user asked to skip a part.
    pub skips: Arc<AtomicU64>,
    /// How many workers it wants.
    pub threads: usize,
}
