//! Leases the units of one run to the threads of this process.

use crate::failures::OwnFailures;
use crate::idle_workers::IdleWorkers;
use crate::learned::LearnedFacts;
use crate::lease::Lease;
use crate::pauses::{GLANCE, IDLE_LOOK, LOOK, is_due, other_worker};
use crate::presence::{Presence, WorkerReport, WorkersSeen};
use crate::records::{AUDIT, FAILED, MESSAGE_ID, OpenRun, WORKER};
use crate::server::{ClusterError, PAUSE, Server};
use async_nats::HeaderMap;
use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use umbrail_control::{Cancel, LeasedUnit, NextUnit, UnitEnd, UnitId, UnitSource, lock};

/// Longest wait of one request for a unit.
const WAIT: Duration = Duration::from_millis(500);

/// Number of deliveries after which a unit is given up, because its workers keep disappearing: a unit that
/// is handed back or left to others is queued anew, so only leases that ran out count.
const ATTEMPTS_MAX: u64 = 8;

/// Pause of a worker after a failure.
const AFTER_FAILURE: Duration = Duration::from_secs(1);

/// Time that a stopped worker has to send its last messages.
const FAREWELL: Duration = Duration::from_secs(3);

/// Number of deliveries after which an audit is given up. The worker that ran the unit first is
/// offered its audit, too, and declines each time, perhaps for as long as the others are busy.
const AUDIT_ATTEMPTS_MAX: u64 = 2000;

/// Leases the units of one run to the threads of this process.
pub struct WorkerSource<'a> {
    server: &'a Server,
    run: OpenRun,
    presence: &'a Presence,
    cancel: Cancel,
    consumer: Consumer<pull::Config>,
    leases: Mutex<HashMap<u64, Lease>>,
    tickets: AtomicU64,
    /// True if the run is over.
    closed: AtomicBool,
    idle_workers: IdleWorkers,
    looked: Mutex<Instant>,
    /// Time at which a unit was last taken.
    taken: Mutex<Instant>,
    /// True if this worker should leave: other runs wait while this one has no units.
    leaves: AtomicBool,
    done: AtomicU64,
    learned: LearnedFacts,
    failures: OwnFailures,
    received: WorkersSeen,
}

impl<'a> WorkerSource<'a> {
    /// Joins an open run as this worker.
    ///
    /// # Errors
    /// [`ClusterError`] if the run is over.
    pub fn open(
        server: &'a Server,
        run: &OpenRun,
        presence: &'a Presence,
        cancel: &Cancel,
    ) -> Result<Self, ClusterError> {
        let consumer = server.runtime.block_on(async {
            let stream = server.context.get_stream(run.queue()).await?;
            let consumer = stream
                .get_or_create_consumer(crate::records::CONSUMER, run.consumer_config())
                .await;
            Ok(consumer?)
        });
        let consumer = consumer.map_err(|source| ClusterError::Run {
            run: run.name.clone(),
            action: "joined",
            source,
        })?;
        presence.joins(&run.name);
        Ok(Self {
            server,
            run: run.clone(),
            presence,
            cancel: cancel.clone(),
            consumer,
            leases: Mutex::default(),
            tickets: AtomicU64::new(1),
            closed: AtomicBool::new(false),
            idle_workers: IdleWorkers::default(),
            looked: Mutex::new(Instant::now()),
            taken: Mutex::new(Instant::now()),
            leaves: AtomicBool::new(false),
            done: AtomicU64::new(0),
            learned: LearnedFacts::listen(server, run),
            failures: OwnFailures::default(),
            received: WorkersSeen::listen(server),
        })
    }

    /// Returns the number of units done by workers of this process.
    pub fn done(&self) -> u64 {
        // Relaxed, here and below: the flags and counts guard no other data.
        self.done.load(Ordering::Relaxed)
    }

    /// Returns true if the run is known to be over.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Returns true if other workers have also joined this run.
    fn has_others(&self) -> bool {
        self.received.workers().iter().any(|one| self.is_other(one))
    }

    fn is_other(&self, one: &WorkerReport) -> bool {
        one.run == self.run.name && one.name != self.presence.name()
    }

    /// Checks at intervals whether the run is open.
    fn look(&self) {
        let period = if lock(&self.leases).is_empty() { IDLE_LOOK } else { LOOK };
        if !is_due(&self.looked, period) {
            return;
        }
        if self.server.is_open(&self.run.name) == Some(false) {
            self.closed.store(true, Ordering::Relaxed);
        }
        let idle = lock(&self.taken).elapsed() > LOOK && lock(&self.leases).is_empty();
        if idle && self.server.open_runs().is_some_and(|runs| runs.len() > 1) {
            self.leaves.store(true, Ordering::Relaxed);
        }
    }

    /// Returns the next message of the queue. A server does not report the deletion of a queue
    /// during a request, and the client waits five seconds longer, so the state of the run is
    /// checked meanwhile.
    fn message(&self) -> Option<Message> {
        let mut fetching = std::pin::pin!(self.fetch());
        loop {
            let wait = async { tokio::time::timeout(GLANCE, fetching.as_mut()).await };
            if let Ok(message) = self.server.runtime.block_on(wait) {
                return message;
            }
            self.look();
            // A stopped worker continues to wait: a message may be on its way, which the worker
            // hands back.
            if self.is_closed() {
                return None;
            }
        }
    }

    async fn fetch(&self) -> Option<Message> {
        let mut batch =
            self.consumer.fetch().max_messages(1).expires(WAIT).messages().await.ok()?;
        batch.next().await?.ok()
    }

    fn send(
        &self,
        subject: &str,
        headers: &HeaderMap,
        text: &str,
        until: &dyn Fn() -> bool,
    ) -> Sent {
        let sent = self.server.insist(until, || async {
            let (subject, headers) = (subject.to_owned(), headers.clone());
            let sending =
                self.server.context.publish_with_headers(subject, headers, text.to_owned().into());
            let confirmed = async { sending.await?.await }.await;
            match confirmed {
                Ok(_) => Ok(Sent::Kept),
                Err(error) => {
                    let why = format!("{error:?}").to_lowercase();
                    // The stream keeps one message per subject; this unit has its result.
                    if why.contains("maximum messages") {
                        return Ok(Sent::Refused);
                    }
                    if why.contains("maximum payload")
                        || why.contains("maxpayload")
                        || why.contains("max payload")
                    {
                        return Ok(Sent::TooLong);
                    }
                    // The streams of a run that is over are deleted.
                    if self.is_closed() { Ok(Sent::Refused) } else { Err(why) }
                }
            }
        });
        sent.unwrap_or(Sent::Refused)
    }

    /// Records the reason why a unit, or the audit of one, is given up.
    fn give_up(&self, unit: &str, audit: bool, why: &str) {
        let mut headers = self.headers();
        headers.insert(FAILED, why.replace(['\r', '\n'], " ").as_str());
        let subject = self.subject(unit, audit);
        self.send(&subject, &headers, unit, &|| self.is_over_now());
    }

    /// Returns the subject of the result of a unit.
    fn subject(&self, unit: &str, audit: bool) -> String {
        let id = self.id(unit);
        if audit { self.run.audit_subject(&id) } else { self.run.result_subject(&id) }
    }

    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(WORKER, self.presence.name());
        headers
    }

    fn id(&self, unit: &str) -> String {
        UnitId::of(&self.run.name, unit).to_string()
    }

    /// Checks the server, then returns true if the run is over or the worker is stopped: a closed
    /// run takes no messages.
    fn is_over_now(&self) -> bool {
        self.look();
        self.is_over()
    }

    fn is_over(&self) -> bool {
        self.cancel.is_raised() || self.is_closed()
    }

    /// Puts a unit that this worker will not do behind the others, as a new message whose
    /// deliveries are counted from the start.
    fn queue_anew(&self, unit: &str, message: &Message, until: &dyn Fn() -> bool) {
        let mut headers = self.headers();
        first_workers(message).for_each(|first| headers.append(AUDIT, first));
        let queued = self.send(&self.run.queue_subject(), &headers, unit, until) == Sent::Kept;
        self.acknowledge(message, if queued { AckKind::Ack } else { AckKind::Nak(None) });
    }

    fn acknowledge(&self, message: &Message, kind: AckKind) {
        // After a lost acknowledgment another worker runs the unit again, and its result is
        // refused.
        let _ = self.server.runtime.block_on(message.ack_with(kind));
    }
}

/// Returns the workers that did the work of an audited unit; none for other units.
fn first_workers(message: &Message) -> impl Iterator<Item = &str> {
    let workers = message.headers.iter().flat_map(|headers| headers.get_all(AUDIT));
    workers.map(|worker| worker.as_str())
}

/// Outcome of publishing a message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sent {
    /// The message was stored.
    Kept,
    /// The message was refused: the queue is full, or there is already a message of this subject.
    Refused,
    /// The message exceeds the server's limit.
    TooLong,
}

impl Drop for WorkerSource<'_> {
    fn drop(&mut self) {
        self.presence.joins("");
    }
}

impl UnitSource for WorkerSource<'_> {
    fn next(&self, _: usize) -> NextUnit {
        self.look();
        if self.is_over() || self.leaves.load(Ordering::Relaxed) {
            return NextUnit::Never;
        }
        let Some(message) = self.message() else {
            // The queue was empty or the server unavailable; in the latter case the call returns at
            // once.
            std::thread::sleep(PAUSE / 10);
            return NextUnit::Later;
        };
        let text = String::from_utf8_lossy(&message.payload).into_owned();
        let attempt = message.info().map_or(1, |info| info.delivered.max(1) as u64);
        let audit = first_workers(&message).next().is_some();
        if first_workers(&message).any(|first| first == self.presence.name()) {
            self.acknowledge(&message, AckKind::Nak(Some(other_worker())));
            return NextUnit::Later;
        }
        if self.failures.leaves_to_others(&text) && self.has_others() {
            std::thread::sleep(PAUSE);
            self.queue_anew(&text, &message, &|| self.is_over_now());
            return NextUnit::Later;
        }
        if attempt >= if audit { AUDIT_ATTEMPTS_MAX } else { ATTEMPTS_MAX } {
            self.give_up(
                &text,
                audit,
                &format!("it was handed out {attempt} times, and no worker returned a result"),
            );
            self.acknowledge(&message, AckKind::Ack);
            return NextUnit::Later;
        }
        let lease = self.tickets.fetch_add(1, Ordering::Relaxed);
        *lock(&self.taken) = Instant::now();
        self.presence.takes(lease, &text);
        lock(&self.leases).insert(lease, Lease::new(self.server, &self.run, message, audit));
        NextUnit::Unit(LeasedUnit { text, lease, attempt, is_whole: audit })
    }

    fn offer(&self, text: &str) -> bool {
        let mut headers = self.headers();
        // A unit that is offered again is already in the queue.
        headers.insert(MESSAGE_ID, self.id(text).as_str());
        self.send(&self.run.queue_subject(), &headers, text, &|| self.is_over_now()) == Sent::Kept
    }

    fn has_idle_workers(&self) -> bool {
        self.look();
        self.idle_workers.waiting(self.server, &self.consumer) > 0
    }

    fn share(&self, fact: &str) {
        let send = self.server.client.publish(self.run.learned_subject(), fact.to_owned().into());
        // A lost fact is only learned later.
        let _ = self.server.runtime.block_on(send);
    }

    fn learned(&self) -> Vec<String> {
        self.learned.take()
    }

    fn finish(&self, unit: LeasedUnit, end: UnitEnd) {
        let lease = lock(&self.leases).remove(&unit.lease);
        self.presence.leaves(unit.lease, matches!(end, UnitEnd::Done(_)));
        let audit = lease.as_ref().is_some_and(|lease| lease.audit);
        let id = self.id(&unit.text);
        // A stopped worker has a little time to send its results.
        let stopped = Mutex::new(None::<Instant>);
        let until = || {
            self.look();
            self.is_closed()
                || self.cancel.is_raised()
                    && lock(&stopped).get_or_insert_with(Instant::now).elapsed() > FAREWELL
        };
        let is_done = match end {
            UnitEnd::Done(text) => {
                let subject = self.subject(&unit.text, audit);
                if self.send(&subject, &self.headers(), &text, &until) == Sent::TooLong {
                    let why = format!(
                        "its result of {} bytes exceeds the server's limit (max_payload)",
                        text.len()
                    );
                    self.give_up(&unit.text, audit, &why);
                }
                self.done.fetch_add(1, Ordering::Relaxed);
                true
            }
            UnitEnd::Failed(why) => {
                // The collector gives up a unit that fails several times.
                let (worker, number) = (self.presence.name(), self.failures.note(&unit.text));
                let mut headers = self.headers();
                let why = format!("{why} (worker {worker})");
                headers.insert(FAILED, why.replace(['\r', '\n'], " ").as_str());
                let subject = self.run.failure_subject(&id, worker, number);
                self.send(&subject, &headers, &unit.text, &until);
                if !self.cancel.is_raised() {
                    std::thread::sleep(AFTER_FAILURE);
                }
                false
            }
            UnitEnd::HandedBack => false,
        };
        match lease {
            Some(lease) if is_done => self.acknowledge(lease.end(), AckKind::Ack),
            Some(lease) => {
                let message = lease.end();
                self.queue_anew(&unit.text, message, &until);
            }
            // A unit that was kept because the queue was full is queued if possible. Otherwise the
            // collector misses it.
            None if !is_done => {
                let queue = self.run.queue_subject();
                self.send(&queue, &self.headers(), &unit.text, &until);
            }
            None => {}
        }
        if self.cancel.is_raised() {
            let _ = self.server.runtime.block_on(self.server.client.flush());
        }
    }
}
