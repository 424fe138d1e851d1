//! Ends of runs: faults of files, and reasons why a run ends early or has less memory.

use super::files::Exports;
use umbrail_session::domain::Domain;
use umbrail_session::job_context::JobContext;
use umbrail_session::memory_size::left_before;
use umbrail_session::message::Message;
use umbrail_session::status::Status;

/// Reports faults. Returns the status of a task that could not write a file, now or before its work.
pub(super) fn reported(
    faults: Vec<String>,
    exports: &Exports,
    job: &JobContext<'_>,
) -> Option<Status> {
    let failed = !faults.is_empty() || exports.has_lost();
    faults.into_iter().for_each(|fault| job.message(Message::error(Domain::Spg, fault)));
    failed.then_some(Status::Refused)
}

/// Why the work is over before its end.
pub(super) fn ended_early(job: &JobContext<'_>) -> Status {
    if job.clock.is_over() { Status::Limit } else { Status::Stopped }
}

/// Reports that the table for refuted positions is smaller than requested.
pub(super) fn smaller_table(wanted: u64, granted: u64) -> String {
    let left = left_before(granted);
    let (wanted, granted) = (wanted >> 20, granted >> 20);
    format!("warning: a table of {wanted} MiB does not fit{left}; using {granted} MiB")
}
