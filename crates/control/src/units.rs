//! Units of work that run anywhere: in this process, in a shard of a batch system, or on other
//! machines.
//!
//! A unit is a self-contained line of text, so it means the same work for every reader, and running
//! it twice gives the same result. A source hands out units and receives results. It may hand out a
//! unit again after its worker disappeared, so a result must not depend on the number of attempts.
//! This module does no input or output.

use xxhash_rust::xxh3::xxh3_128;

/// Identifier of a unit within a run: a digest of both, so equal units have equal identifiers on
/// every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId(u128);

impl UnitId {
    /// Returns the bits of the identifier, for dividing units evenly.
    pub const fn number(self) -> u128 {
        self.0
    }

    /// Computes the identifier of the unit with this text in this run.
    pub fn of(run: &str, text: &str) -> Self {
        Self(xxh3_128(format!("{run}\n{text}").as_bytes()))
    }
}

impl std::fmt::Display for UnitId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Unit that is assigned to a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeasedUnit {
    /// Text of the unit.
    pub text: String,
    /// Identifier of the lease for the source; 0 for a unit that its worker keeps without a lease.
    pub lease: u64,
    /// Number of times that the source has handed out the unit, including this one.
    pub attempt: u64,
    /// True if one worker must run the whole unit, without dividing it among others.
    pub is_whole: bool,
}

impl LeasedUnit {
    /// Creates a unit that its worker runs itself, since the queue was full.
    pub fn kept(text: String) -> Self {
        Self { text, lease: 0, attempt: 1, is_whole: false }
    }
}

/// Reply of a source to a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextUnit {
    /// Assigned unit.
    Unit(LeasedUnit),
    /// No unit at the moment.
    Later,
    /// No further units.
    Never,
}

/// Outcome of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnitEnd {
    /// Result of the unit.
    Done(String),
    /// Failure of the worker, with the reason. Another attempt may succeed.
    Failed(String),
    /// The worker was stopped before the end; the unit is to be handed out again.
    HandedBack,
}

/// Source of units and receiver of results. All methods may be called from several threads.
pub trait UnitSource: Sync {
    /// Returns the next unit for a worker, after a short wait if necessary.
    fn next(&self, worker: usize) -> NextUnit;

    /// Queues another unit. Returns false if the queue is full; the worker then runs the unit
    /// itself.
    fn offer(&self, text: &str) -> bool;

    /// Returns true if other workers wait for units, so that a long one should be divided.
    fn has_idle_workers(&self) -> bool;

    /// Shares a fact that a worker has learned. The fact may be lost, and nothing may depend on it.
    fn share(&self, _fact: &str) {}

    /// Returns the facts that other workers have shared since the last call.
    fn learned(&self) -> Vec<String> {
        vec![]
    }

    /// Completes a unit. Units that the result names were offered before.
    fn finish(&self, unit: LeasedUnit, end: UnitEnd);
}
