//! `umbrail worker`: takes units of all runs of a server, until it is stopped.

use super::cluster::budget;
use super::notify;
use super::problems::SolveSettings;
use super::worker_status;
use crate::cluster::list_run::{ListKind, ListRun, Machine, RefusedRun, take_units};
use crate::cluster::settings::address;
use crate::cluster::worker_name::worker_name;
use crate::egt::survey_units;
use crate::records::cluster::WorkerEnd;
use crate::steno::compose_units;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use umbrail_cluster::{OpenRun, Presence, Server, WorkerSource};
use umbrail_control::{Control, memory_is_short};
use umbrail_proof::run::{Params, RunControl, RunEvent};
use umbrail_proof::units::{RunSpec, work};
use umbrail_session::domain::{Domain, Task};
use umbrail_session::job_context::JobContext;
use umbrail_session::memory_size::MemorySize;
use umbrail_session::message::{Completion, Kind, Message};
use umbrail_session::module::{Context, Prepared};
use umbrail_session::status::Status;
use umbrail_session::task_error::TaskError;

/// Runs whose units are known from the beginning, by kind.
const LISTS: [ListKind; 2] = [survey_units::KIND, compose_units::KIND];

/// How often a worker without a run looks for one.
const LOOK: Duration = Duration::from_millis(300);

pub(super) fn working(
    task: &Task,
    settings: SolveSettings,
    context: &Context,
) -> Result<Prepared, TaskError> {
    let url = match task.key("cluster") {
        Some(url) => url,
        None => &context.options.proofs.cluster,
    };
    if url.is_empty() {
        return Err(TaskError::expected("the key cluster, such as nats://HOST:4222"));
    }
    let address = address(task, url)?;
    let idle = task.key("idle").map(|text| {
        text.parse()
            .map(Duration::from_secs)
            .map_err(|_| TaskError::expects("idle", "seconds").got(text))
    });
    let idle = idle.transpose()?;
    let asks = task.key("status").is_some();
    let closed = task.key("close").map(str::to_owned);
    let memory = task.key("memory").map(str::parse::<MemorySize>).transpose();
    let memory = memory.map_err(|error| format!("memory {error}"))?;
    let tables = &context.options.tables;
    let machine = Machine {
        threads: 1,
        memory_bytes: memory.map(|MemorySize(bytes)| bytes),
        folder: Some(&tables.folder).filter(|folder| !folder.is_empty()).map(PathBuf::from),
    };
    Ok(Prepared::work(move |job| match Server::connect(&address) {
        Ok(server) if asks => worker_status::show(&server, job),
        Ok(server) if closed.is_some() => {
            worker_status::close(&server, &closed.unwrap_or_default(), job)
        }
        Ok(server) => {
            WorkerLoop { server: &server, params: settings.params, machine, idle, job }.run()
        }
        Err(error) => {
            job.message(Message::error(Domain::Spg, error.to_string()));
            Completion { done: notify::message(Kind::Done, "end"), status: Status::Refused }
        }
    }))
}

/// How often a worker writes a line for programs that read JSON.
const PRINTING: Duration = Duration::from_secs(1);

struct WorkerLoop<'a> {
    server: &'a Server,
    /// What this machine has: memory and pieces of the table.
    params: Params,
    /// The same for runs of lists.
    machine: Machine,
    idle: Option<Duration>,
    job: &'a JobContext<'a>,
}

impl WorkerLoop<'_> {
    fn run(&self) -> Completion {
        let presence = Presence::begin(self.server, &worker_name(), self.job.pool.size());
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let prints = || {
                // Relaxed: the flag guards no other data.
                while !over.load(Ordering::Relaxed) {
                    std::thread::park_timeout(PRINTING);
                    self.job.message(worker_status::worker(&presence.report()));
                }
            };
            let printing = std::thread::Builder::new().spawn_scoped(scope, prints).ok();
            let done = self.take_units(&presence);
            over.store(true, Ordering::Relaxed);
            if let Some(printing) = printing {
                printing.thread().unpark();
            }
            done
        })
    }

    fn take_units(&self, presence: &Presence) -> Completion {
        let name = presence.name();
        let (mut refused, mut last) = (BTreeSet::new(), String::new());
        let (mut units, mut busy) = (0, Instant::now());
        self.job.message(notify::warning(format!("worker {name} waits for runs")));
        while !self.job.is_over() {
            let runs = self.server.open_runs().unwrap_or_default();
            // The one after the last, so that no run waits for another one's end.
            let known: Vec<_> = runs.iter().filter(|run| !refused.contains(&run.name)).collect();
            let next = known.iter().find(|run| run.name > last).or_else(|| known.first());
            let Some(run) = next else {
                if self.idle.is_some_and(|idle| busy.elapsed() > idle) {
                    break;
                }
                std::thread::park_timeout(LOOK);
                continue;
            };
            last.clone_from(&run.name);
            match self.one(run, presence) {
                Ok(done) => {
                    units += done;
                    if done > 0 {
                        busy = Instant::now();
                        let done = worker_status::counted(done, "unit");
                        self.job.message(notify::warning(format!("run {}: {done} done", run.name)));
                    } else {
                        std::thread::park_timeout(LOOK);
                    }
                }
                Err(why) => {
                    self.job.message(notify::warning(format!(
                        "run {} is left to other workers: {why}",
                        run.name
                    )));
                    refused.insert(run.name.clone());
                }
            }
            if self.idle.is_some_and(|idle| busy.elapsed() > idle) {
                break;
            }
        }
        let done = notify::holding(Kind::Done, &WorkerEnd { units }).with("units", units);
        // A service starts a worker again that has failed; a stop on request is no failure.
        let (text, status) = match memory_is_short() {
            true => (format!("{units} units done; stopped for lack of memory"), Status::Stopped),
            false => (format!("{units} units done"), Status::Complete),
        };
        Completion { done: done.printing(text), status }
    }

    /// Does units of a run, and returns their number.
    fn one(&self, run: &OpenRun, presence: &Presence) -> Result<u64, RefusedRun> {
        if let Some(list) = ListRun::read(&run.text) {
            return self.list(run, &list?, presence);
        }
        let mut spec = RunSpec::read(&run.text)?;
        spec.params.table_bytes = self.params.table_bytes;
        spec.params.table_splits = self.params.table_splits;
        let cancel = self.job.cancel.child();
        // A run that has just been closed is no fault.
        let Ok(source) = WorkerSource::open(self.server, run, presence, &cancel) else {
            return Ok(0);
        };
        let facts = |_: RunEvent| {};
        let JobContext { clock, progress, pool, .. } = *self.job;
        let control = Control::new(cancel, clock, progress, pool, &facts);
        work(&spec, &budget(), &source, &RunControl::default(), &control);
        Ok(source.done())
    }

    /// The same of a run whose units are known from the beginning.
    fn list(&self, run: &OpenRun, list: &ListRun, presence: &Presence) -> Result<u64, RefusedRun> {
        let kind = LISTS.iter().find(|kind| kind.word == list.list);
        let kind = kind.ok_or_else(|| RefusedRun::Kind(list.list.clone()))?;
        let threads = self.job.pool.size();
        let work = (kind.read)(&list.context, &Machine { threads, ..self.machine.clone() })?;
        // A run that has just been closed is no fault.
        Ok(take_units(self.server, run, presence, &*work, self.job).unwrap_or(0))
    }
}
