//! Requests of the session to the server. Effects are values, so the session is tested without
//! threads.

use super::event::Event;
use super::job::Job;
use super::job_context::JobId;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use umbrail_control::{Cancel, Clock, Progress};

/// One request to the server.
#[derive(Debug)]
pub enum Effect {
    /// Print this event.
    Write(Event),
    /// Run this job on its own thread.
    Start(Box<Start>),
    /// Write the log to this file from now on; `None` ends the log.
    LogTo(Option<PathBuf>),
    /// Quit with this exit status.
    Quit(u8),
}

/// A job with its handles; the session keeps the other ends.
#[derive(Debug)]
pub struct Start {
    /// Number of the job, which its reports carry.
    pub id: JobId,
    /// Work of the job.
    pub job: Job,
    /// Raised when the job must end.
    pub cancel: Cancel,
    /// Clock of the job.
    pub clock: Arc<Clock>,
    /// Progress counters of the job.
    pub progress: Arc<Progress>,
    /// Number of times the user asked to skip a part.
    pub skips: Arc<AtomicU64>,
    /// Number of workers that the job requests.
    pub threads: usize,
}
