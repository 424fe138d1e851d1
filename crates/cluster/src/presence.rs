//! Presence of the workers: each reports its current units once a second, in messages that are not
//! stored.

use crate::printable::printable;
use crate::server::Server;
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use umbrail_control::lock;

const SUBJECT: &str = "umbrail.workers";

/// Interval of a worker's reports.
const PERIOD: Duration = Duration::from_secs(1);

/// Time without a report after which a worker is no longer listed.
const SILENT: Duration = Duration::from_secs(4);

/// Largest report that is read, in bytes.
const REPORT_BYTES_MAX: usize = 1 << 16;

/// Largest number of workers that are known.
const WORKERS_MAX: usize = 4096;

/// Largest number of running units of a worker that are listed. With [`REPORT_BYTES_MAX`], 4096
/// reports take 256 MiB at most.
const LISTED_UNITS_MAX: usize = 512;

/// Report of a worker.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerReport {
    /// Name of the worker.
    pub name: String,
    /// Number of threads that run units.
    pub threads: u64,
    /// Current run; empty if there is none.
    pub run: String,
    /// Number of units done since the worker was started.
    pub units: u64,
    /// Running units.
    pub at: Vec<UnitReport>,
}

/// Report of a running unit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitReport {
    /// Text of the unit.
    pub unit: String,
    /// Running time, seconds.
    pub seconds: u64,
}

impl WorkerReport {
    fn printable(mut self) -> Self {
        self.at.truncate(LISTED_UNITS_MAX);
        self.at.shrink_to_fit();
        self.name = printable(&self.name);
        self.run = printable(&self.run);
        for one in &mut self.at {
            one.unit = printable(&one.unit);
        }
        self
    }
}

/// Running unit.
#[derive(Debug)]
struct UnitAtWork {
    lease: u64,
    unit: String,
    since: Instant,
}

impl UnitAtWork {
    fn report(&self) -> UnitReport {
        UnitReport { unit: self.unit.clone(), seconds: self.since.elapsed().as_secs() }
    }
}

#[derive(Debug, Default)]
struct PresenceState {
    run: String,
    units: u64,
    at: Vec<UnitAtWork>,
}

/// Presence of this process as a worker, reported until it is dropped.
#[derive(Debug)]
pub struct Presence {
    name: String,
    threads: u64,
    state: Arc<Mutex<PresenceState>>,
    beating: JoinHandle<()>,
}

impl Presence {
    /// Starts the reports of a worker with this name and number of threads.
    pub fn begin(server: &Server, name: &str, threads: usize) -> Self {
        let state = Arc::new(Mutex::new(PresenceState::default()));
        let threads = threads as u64;
        let (client, of, shared) = (server.client.clone(), name.to_owned(), Arc::clone(&state));
        let beating = server.runtime.spawn(async move {
            loop {
                if let Ok(text) = serde_json::to_vec(&report(&of, threads, &shared)) {
                    // A lost report is followed by the next one.
                    let _ = client.publish(SUBJECT, text.into()).await;
                }
                tokio::time::sleep(PERIOD).await;
            }
        });
        Self { name: name.to_owned(), threads, state, beating }
    }

    /// Returns the name of the worker.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the current report.
    pub fn report(&self) -> WorkerReport {
        report(&self.name, self.threads, &self.state)
    }

    /// Records the current run.
    pub(crate) fn joins(&self, run: &str) {
        run.clone_into(&mut lock(&self.state).run);
    }

    /// Records the start of a unit.
    pub(crate) fn takes(&self, lease: u64, unit: &str) {
        let at = UnitAtWork { lease, unit: unit.to_owned(), since: Instant::now() };
        lock(&self.state).at.push(at);
    }

    /// Records the end of a unit; `done` is true for a result.
    pub(crate) fn leaves(&self, lease: u64, done: bool) {
        let mut state = lock(&self.state);
        state.at.retain(|one| one.lease != lease);
        state.units += u64::from(done);
    }
}

fn report(name: &str, threads: u64, state: &Mutex<PresenceState>) -> WorkerReport {
    let state = lock(state);
    let at = state.at.iter().map(UnitAtWork::report);
    let (name, run, at) = (name.to_owned(), state.run.clone(), at.collect());
    WorkerReport { name, threads, run, units: state.units, at }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.beating.abort();
    }
}

/// Receiver of the workers' reports.
#[derive(Debug)]
pub struct WorkersSeen {
    received: Arc<Mutex<BTreeMap<String, (Instant, WorkerReport)>>>,
    listening: JoinHandle<()>,
}

impl WorkersSeen {
    /// Receives reports until it is dropped.
    pub fn listen(server: &Server) -> Self {
        let received = Arc::new(Mutex::new(BTreeMap::new()));
        let (client, into) = (server.client.clone(), Arc::clone(&received));
        let listening = server.runtime.spawn(async move {
            let Ok(mut messages) = client.subscribe(SUBJECT).await else { return };
            while let Some(message) = messages.next().await {
                // Malformed reports come from other versions.
                let report = (message.payload.len() <= REPORT_BYTES_MAX)
                    .then(|| serde_json::from_slice::<WorkerReport>(&message.payload).ok());
                let Some(report) = report.flatten().map(WorkerReport::printable) else { continue };
                let mut into = lock(&into);
                if into.len() >= WORKERS_MAX {
                    into.retain(|_, (when, _): &mut (Instant, WorkerReport)| {
                        when.elapsed() < SILENT
                    });
                }
                if into.len() < WORKERS_MAX || into.contains_key(&report.name) {
                    into.insert(report.name.clone(), (Instant::now(), report));
                }
            }
        });
        Self { received, listening }
    }

    /// Returns the workers that reported during the last four seconds, by name.
    pub fn workers(&self) -> Vec<WorkerReport> {
        let mut received = lock(&self.received);
        received.retain(|_, (when, _)| when.elapsed() < SILENT);
        received.values().map(|(_, report)| report.clone()).collect()
    }
}

impl Drop for WorkersSeen {
    fn drop(&mut self) {
        self.listening.abort();
    }
}
