//! Records of a run on the server: names and settings of its streams.

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Bucket of the runs.
pub(crate) const RUNS: &str = "umbrail-runs";

/// Consumer of a queue, shared by all workers.
pub(crate) const CONSUMER: &str = "workers";

/// Header with the name of the worker that wrote a result.
pub(crate) const WORKER: &str = "Umbrail-Worker";
/// Header of a result with the reason why a unit was given up; the text is the unit's.
pub(crate) const FAILED: &str = "Umbrail-Failed";
/// Part of the subject of a failure between unit and worker.
pub(crate) const FAILURE: &str = ".failure.";
/// Header of an audited unit, once for each worker that did the work first.
pub(crate) const AUDIT: &str = "Umbrail-Audit";

/// Header with the message identifier, by which the server drops duplicates.
pub(crate) const MESSAGE_ID: &str = "Nats-Msg-Id";

/// Time within which a unit that is queued twice stays in the queue once. A new collector names all
/// units again. The server keeps an identifier in memory for so long.
const QUEUED_ONCE: Duration = Duration::from_secs(3600);

/// Open run on the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenRun {
    /// Name of the run.
    pub name: String,
    /// Description of the run for the workers.
    pub text: String,
    /// Time without a heartbeat after which a unit is handed out again, milliseconds.
    pub lease_ms: u64,
    /// Capacity of the queue, units.
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

    /// Returns the subject of a unit's result.
    pub(crate) fn result_subject(&self, unit: &str) -> String {
        format!("umbrail.result.{}.{unit}", self.name)
    }

    /// Returns the subject of the second result of an audited unit.
    pub(crate) fn audit_subject(&self, unit: &str) -> String {
        format!("umbrail.result.{}.{unit}.audit", self.name)
    }

    /// Returns the subject of one failure of a unit, by worker and number.
    pub(crate) fn failure_subject(&self, unit: &str, worker: &str, number: u64) -> String {
        format!("umbrail.result.{}.{unit}{FAILURE}{worker}-{number}", self.name)
    }

    /// Returns the subject of shared facts; its messages are not stored.
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
            duplicate_window: QUEUED_ONCE,
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

    /// Returns the settings of the consumer. Deliveries are not limited: a message beyond the limit
    /// would stay in the queue forever.
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
