//! What the server keeps of a run: its record, its queue and its results, by name.

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The bucket of runs.
pub(crate) const RUNS: &str = "umbrail-runs";

/// The consumer of a queue, which all workers share.
pub(crate) const CONSUMER: &str = "workers";

/// The header with the name of the worker that wrote a result.
pub(crate) const WORKER: &str = "Umbrail-Worker";
/// The header of a result that tells why a unit was given up; the text is the unit's.
pub(crate) const FAILED: &str = "Umbrail-Failed";
/// What stands in the subject of a failure between unit and worker.
pub(crate) const FAILURE: &str = ".failure.";
/// The header of a unit that is done a second time: the worker that did it first.
pub(crate) const AUDIT: &str = "Umbrail-Audit";

/// A run that is open on the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenRun {
    /// Its name.
    pub name: String,
    /// What workers must know of it.
    pub text: String,
    /// Milliseconds without a sign of life after which a unit is given out again.
    pub lease_ms: u64,
    /// Units that may wait in the queue.
    pub room: i64,
}

impl OpenRun {
    pub(crate) fn lease(&self) -> Duration {
        Duration::from_millis(self.lease_ms)
    }

    pub(crate) fn queue(&self) -> String {
        format!("umbrail-queue-{}", self.name)
    }

    pub(crate) fn results(&self) -> String {
        format!("umbrail-results-{}", self.name)
    }

    pub(crate) fn queue_subject(&self) -> String {
        format!("umbrail.queue.{}", self.name)
    }

    /// The subject of a unit's result.
    pub(crate) fn result_subject(&self, unit: &str) -> String {
        format!("umbrail.result.{}.{unit}", self.name)
    }

    /// The subject of the second result of a unit that is audited.
    pub(crate) fn audit_subject(&self, unit: &str) -> String {
        format!("umbrail.result.{}.{unit}.audit", self.name)
    }

    /// The subject of one failure at a unit: of this worker, by number.
    pub(crate) fn failure_subject(&self, unit: &str, worker: &str, number: u64) -> String {
        format!("umbrail.result.{}.{unit}{FAILURE}{worker}-{number}", self.name)
    }

    /// The subject of what workers learned; its messages are not kept.
    pub(crate) fn learned_subject(&self) -> String {
        format!("umbrail.learned.{}", self.name)
    }

    pub(crate) fn queue_config(&self) -> Config {
        Config {
            name: self.queue(),
            subjects: vec![self.queue_subject()],
            retention: RetentionPolicy::WorkQueue,
            discard: DiscardPolicy::New,
            max_messages: self.room,
            ..Config::default()
        }
    }

    pub(crate) fn results_config(&self) -> Config {
        Config {
            name: self.results(),
            subjects: vec![format!("umbrail.result.{}.>", self.name)],
            discard: DiscardPolicy::New,
            discard_new_per_subject: true,
            max_messages_per_subject: 1,
            ..Config::default()
        }
    }

    /// Deliveries are not limited: a message beyond the limit would stay in the queue for ever.
    pub(crate) fn consumer_config(&self) -> pull::Config {
        pull::Config {
            durable_name: Some(CONSUMER.to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.lease(),
            max_deliver: -1,
            max_ack_pending: 1 << 16,
            ..pull::Config::default()
        }
    }
}
