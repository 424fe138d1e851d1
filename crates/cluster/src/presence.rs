//! Which workers there are and what they are at: a message of each worker once a second, which is not kept.

use crate::server::Server;
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use umbrail_control::lock;

const SUBJECT: &str = "umbrail.workers";

/// How often a worker says that it is there.
const PERIOD: Duration = Duration::from_secs(1);

/// A worker that was silent for this long is not counted any more.
const SILENT: Duration = Duration::from_secs(4);

/// What a worker says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerReport {
    /// Its name.
    pub name: String,
    /// Threads that take units.
    pub threads: u64,
    /// The run at hand; empty when there is none.
    pub run: String,
    /// Units done since it was started.
    pub units: u64,
    /// Units at work.
    pub at: Vec<UnitReport>,
}

/// What a worker says of a unit that it is at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitReport {
    /// Its text.
    pub unit: String,
    /// For how many seconds it has been at it.
    pub seconds: u64,
}

/// A unit at work.
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

/// This process as a worker. Others hear of it until it is dropped.
#[derive(Debug)]
pub struct Presence {
    name: String,
    threads: u64,
    state: Arc<Mutex<PresenceState>>,
    beating: JoinHandle<()>,
}

impl Presence {
    /// A worker with this name and number of threads.
    pub fn begin(server: &Server, name: &str, threads: usize) -> Self {
        let state = Arc::new(Mutex::new(PresenceState::default()));
        let threads = threads as u64;
        let (client, of, shared) = (server.client.clone(), name.to_owned(), Arc::clone(&state));
        let beating = server.runtime.spawn(async move {
            loop {
                if let Ok(text) = serde_json::to_vec(&report(&of, threads, &shared)) {
                    // What is lost is said again soon.
                    let _ = client.publish(SUBJECT, text.into()).await;
                }
                tokio::time::sleep(PERIOD).await;
            }
        });
        Self { name: name.to_owned(), threads, state, beating }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it says of itself.
    pub fn report(&self) -> WorkerReport {
        report(&self.name, self.threads, &self.state)
    }

    /// Notes the run at hand.
    pub(crate) fn joins(&self, run: &str) {
        run.clone_into(&mut lock(&self.state).run);
    }

    /// Notes that a unit was begun.
    pub(crate) fn takes(&self, lease: u64, unit: &str) {
        let at = UnitAtWork { lease, unit: unit.to_owned(), since: Instant::now() };
        lock(&self.state).at.push(at);
    }

    /// Notes the end of a unit, and whether it was done.
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

/// The workers that are heard of.
#[derive(Debug)]
pub struct WorkersHeard {
    heard: Arc<Mutex<BTreeMap<String, (Instant, WorkerReport)>>>,
    listening: JoinHandle<()>,
}

impl WorkersHeard {
    /// Listens until it is dropped.
    pub fn listen(server: &Server) -> Self {
        let heard = Arc::new(Mutex::new(BTreeMap::new()));
        let (client, into) = (server.client.clone(), Arc::clone(&heard));
        let listening = server.runtime.spawn(async move {
            let Ok(mut messages) = client.subscribe(SUBJECT).await else { return };
            while let Some(message) = messages.next().await {
                // What makes no sense is of another version.
                let Ok(report) = serde_json::from_slice::<WorkerReport>(&message.payload) else {
                    continue;
                };
                lock(&into).insert(report.name.clone(), (Instant::now(), report));
            }
        });
        Self { heard, listening }
    }

    /// Those heard of during the last seconds, by name.
    pub fn workers(&self) -> Vec<WorkerReport> {
        let mut heard = lock(&self.heard);
        heard.retain(|_, (when, _)| when.elapsed() < SILENT);
        heard.values().map(|(_, report)| report.clone()).collect()
    }
}

impl Drop for WorkersHeard {
    fn drop(&mut self) {
        self.listening.abort();
    }
}
