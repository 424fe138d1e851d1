//! Running of jobs: each on its own thread, where a panic is caught.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;
use umbrail_control::{Pool, PoolError, available, memory_is_short, refill_reserve};
use umbrail_session::job_context::JobReport;
use umbrail_session::message::Kind;
use umbrail_session::{Domain, JobContext, JobId, Message, Report, Start};
use umbrail_tasks as tasks;

/// A report and the number of its job.
pub(super) struct Reported {
    pub(super) id: JobId,
    pub(super) report: Report,
}

/// Stack size of a job's thread, in bytes: solvers recurse.
const STACK_BYTES: usize = 16 << 20;

/// Reason why a job does not start.
#[derive(Debug, thiserror::Error)]
enum UnstartedJob {
    #[error(transparent)]
    Pool(#[from] PoolError),
    #[error("no thread for the job: {0}")]
    Thread(std::io::Error),
}

/// Running jobs, and their shared thread pool.
pub(super) struct Jobs {
    /// Thread pool, and the number of workers that was requested.
    pool: Option<(Arc<Pool>, usize)>,
    notify: UnboundedSender<Reported>,
    /// Number of jobs whose last report has not arrived.
    running: usize,
}

impl Jobs {
    pub(super) fn new(notify: UnboundedSender<Reported>) -> Self {
        Self { pool: None, notify, running: 0 }
    }

    /// Returns true while the last report of some job has not arrived.
    pub(super) fn is_running(&self) -> bool {
        self.running > 0
    }

    /// Records a report; an answer or a failure is the last one of a job.
    pub(super) fn note(&mut self, report: &Report) {
        if !matches!(report, Report::Progress(_)) {
            self.running = self.running.saturating_sub(1);
        }
    }

    /// Returns the pool with this number of workers; replaces a pool requested with another number.
    /// A job that needs no workers (0) takes any pool. The text gives the reason for a new pool
    /// with fewer workers.
    fn pool(&mut self, threads: usize) -> Result<(Arc<Pool>, Option<String>), PoolError> {
        match &self.pool {
            Some((pool, asked)) if threads == 0 || *asked == threads => {
                Ok((Arc::clone(pool), None))
            }
            _ => {
                // The stacks of the old threads are freed first.
                self.pool = None;
                let threads = threads.max(1);
                let pool = Arc::new(Pool::new(threads)?);
                self.pool = Some((Arc::clone(&pool), threads));
                let fewer = (pool.size() < threads).then(|| {
                    let left = available().map_or(String::new(), |left| format!(" ({left})"));
                    let started = pool.size();
                    format!("{threads} threads do not fit{left}; {started} are used")
                });
                Ok((pool, fewer))
            }
        }
    }

    /// Runs a job. It reports exactly one answer, even if it panics or cannot be started.
    pub(super) fn start(&mut self, start: Start) {
        let id = start.id;
        self.running += 1;
        if let Err(why) = self.try_start(start) {
            let _ = self.notify.send(Reported { id, report: Report::Unstarted(why.to_string()) });
        }
    }

    fn try_start(&mut self, start: Start) -> Result<(), UnstartedJob> {
        refill_reserve();
        let (pool, fewer) = self.pool(start.threads)?;
        let Start { id, job, cancel, clock, progress, skips, .. } = start;
        let name = format!("job {} {}", id.0, job.name());
        let domain = job.domain();
        tracing::debug!(?job, id = id.0, "starts");
        let notify = self.notify.clone();
        let work = move || {
            // A closed channel means that the process is ending: the report is not needed then.
            let send = |report| {
                let _ = notify.send(Reported { id, report });
            };
            let facts = |fact| send(Report::Progress(fact));
            let note = |text| facts(job_note(domain, text));
            fewer.into_iter().for_each(note);
            let context = JobContext {
                cancel,
                clock: &clock,
                progress: &progress,
                pool: &pool,
                skips: &skips,
                notify: &facts,
            };
            let report = match catch_unwind(AssertUnwindSafe(|| tasks::run(job, &context))) {
                Ok(answer) => Report::Answer(answer),
                Err(panic) => Report::Failed(what_it_printed(&*panic)),
            };
            if memory_is_short() {
                let left = available().map_or(String::new(), |left| format!(": {left}"));
                note(format!("stopped, since memory runs out{left}"));
            }
            send(report);
            refill_reserve();
        };
        let spawned = std::thread::Builder::new().name(name).stack_size(STACK_BYTES).spawn(work);
        spawned.map(|_| ()).map_err(UnstartedJob::Thread)
    }
}

/// Creates the note of a job; the note of a task is one of its messages.
fn job_note(domain: Option<Domain>, text: String) -> JobReport {
    match domain {
        Some(domain) => JobReport::Message(Message::new(domain, Kind::Note).printing(text)),
        None => JobReport::Note(text),
    }
}

fn what_it_printed(panic: &(dyn Any + Send)) -> String {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "no reason given".to_owned(),
    }
}
