//! Units of work over NATS JetStream: a queue with leases, and a store that keeps one result per
//! unit.
//!
//! This crate transports texts. The solvers define units and the completeness of a run; they hand
//! out and take back units through [`umbrail_control::UnitSource`], which [`WorkerSource`]
//! implements.
//!
//! - The queue of a run is a work-queue stream. It refuses units when it is full, and hands a unit
//!   out again if its worker has sent no heartbeat for the length of a lease.
//! - The results of a run are a stream with one message for each subject; the server refuses a
//!   second one. A unit that was run twice therefore has one result. A result is confirmed before
//!   its unit is acknowledged.
//! - Each worker reports its current units once a second, in messages that are not stored.
//! - [`Collection`] collects any run: it queues units, takes results, and has second workers repeat
//!   a share of the work.
//!   A [`CollectedRun`] gives units and results their meaning, a [`RunQueue`] is the server.
//! - Facts that workers learn are exchanged in messages that are not stored; nothing depends on
//!   them.
//! - The runs of a server are the keys of a bucket; a run is over when its key is deleted.
//!
//! Every call waits while the server is unavailable and continues when the server is back.

mod address;
mod audits;
mod collected_run;
mod collection;
mod collector;
mod failures;
mod idle_workers;
mod learned;
mod lease;
mod pauses;
mod presence;
mod printable;
mod records;
mod run_queue;
mod server;
mod source;

pub use address::{Address, AddressError};
pub use audits::AuditTotals;
pub use collected_run::{CollectedRun, OwnWork, OwnWorkError, RepeatableWork, ResultDefect};
pub use collection::{AUDIT_WAIT, Collection, CollectionEnd, CollectionEvent, CollectionStatus};
pub use collector::Collector;
pub use presence::{Presence, UnitReport, WorkerReport, WorkersSeen};
pub use records::OpenRun;
pub use run_queue::{Publication, ResultMessage, RunQueue, UnitOutcome};
pub use server::{ClusterError, RunStatus, Server};
pub use source::WorkerSource;
