//! Running jobs: each on a thread of its own, behind a wall that a panic does not pass.

use crate::control::{Pool, PoolError};
use crate::session::{JobId, Report, Stage, Start};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;

/// A report with the job it comes from.
pub(super) struct Reported {
    pub(super) id: JobId,
    pub(super) report: Report,
}

/// Stack of a job's thread: solvers recurse.
const STACK_BYTES: usize = 16 << 20;

/// The jobs that run, and the pool they share.
pub(super) struct Jobs {
    pool: Option<Arc<Pool>>,
    tell: UnboundedSender<Reported>,
    /// Jobs whose last word has not come back yet.
    running: usize,
}

impl Jobs {
    pub(super) fn new(tell: UnboundedSender<Reported>) -> Self {
        Self { pool: None, tell, running: 0 }
    }

    /// True while the last word of some job has not come back.
    pub(super) fn is_running(&self) -> bool {
        self.running > 0
    }

    /// A report came back; an answer or a failure is a job's last word.
    pub(super) fn note(&mut self, report: &Report) {
        if !matches!(report, Report::Fact(_)) {
            self.running = self.running.saturating_sub(1);
        }
    }

    /// The pool of this many workers; a pool of another size is replaced. A job that needs no workers (0) takes
    /// any pool.
    fn pool(&mut self, threads: usize) -> Result<Arc<Pool>, PoolError> {
        match &self.pool {
            Some(pool) if threads == 0 || pool.size() == threads => Ok(Arc::clone(pool)),
            _ => {
                let pool = Arc::new(Pool::new(threads.max(1))?);
                self.pool = Some(Arc::clone(&pool));
                Ok(pool)
            }
        }
    }

    /// Runs a job. It reports exactly one answer, also when it panics or cannot be started.
    pub(super) fn start(&mut self, start: Start) {
        let id = start.id;
        self.running += 1;
        if let Err(why) = self.try_start(start) {
            let _ = self.tell.send(Reported { id, report: Report::Failed(why) });
        }
    }

    fn try_start(&mut self, start: Start) -> Result<(), String> {
        let pool = self.pool(start.threads).map_err(|error| error.to_string())?;
        let Start { id, job, cancel, clock, progress, skips, .. } = start;
        let name = format!("job {} {}", id.0, job.name());
        tracing::debug!(?job, id = id.0, "starts");
        let tell = self.tell.clone();
        let work = move || {
            // A closed channel means that the process is leaving: the report is not needed then.
            let send = |report| {
                let _ = tell.send(Reported { id, report });
            };
            let facts = |fact| send(Report::Fact(fact));
            let stage = Stage {
                cancel,
                clock: &clock,
                progress: &progress,
                pool: &pool,
                skips: &skips,
                tell: &facts,
            };
            let report = match catch_unwind(AssertUnwindSafe(|| job.run(&stage))) {
                Ok(answer) => Report::Answer(answer),
                Err(panic) => Report::Failed(what_it_said(&*panic)),
            };
            send(report);
        };
        let spawned = std::thread::Builder::new().name(name).stack_size(STACK_BYTES).spawn(work);
        spawned.map(|_| ()).map_err(|error| format!("no thread for the job: {error}"))
    }
}

fn what_it_said(panic: &(dyn Any + Send)) -> String {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "no reason given".to_owned(),
    }
}
