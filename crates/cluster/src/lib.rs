//! Units of work over NATS JetStream: a queue with leases, and a store that keeps one result of each unit.
//!
//! This crate moves texts. What a unit is and when a run is complete is known to the solvers; they hand out and
//! take back units through [`umbrail_control::UnitSource`], which [`WorkerSource`] implements.
//!
//! - The queue of a run is a work-queue stream. It refuses units when it is full, and gives a unit out again when
//!   its worker has sent no sign of life for the length of a lease.
//! - The results of a run are a stream with one message for each subject; the server refuses a second one. So a
//!   unit that was done twice has one result. A result is confirmed before its unit is acknowledged.
//! - Each worker says once a second what it is at; these messages are not kept either.
//! - What workers learned goes from one to the others as messages that are not kept; nothing depends on them.
//! - The runs of a server are the keys of a bucket; a run is over when its key is gone.
//!
//! Every call waits while the server is away and goes on when it is back.

mod address;
mod collector;
mod failures;
mod hunger;
mod learned;
mod lease;
mod pauses;
mod presence;
mod records;
mod server;
mod source;

pub use address::{Address, AddressError};
pub use collector::{Collector, ResultMessage, UnitOutcome};
pub use presence::{Presence, UnitReport, WorkerReport, WorkersHeard};
pub use records::OpenRun;
pub use server::{ClusterError, RunStatus, Server};
pub use source::WorkerSource;
