//! Units of work that may be done anywhere: in this process, in a shard of a batch system, or on other machines.
//!
//! A unit is a line of text that says everything about it, so it is the same unit wherever it is read, and doing it twice
//! gives the same result. A source hands units out and takes results back. It may give a unit out again when its worker
//! disappears; so a result must not depend on how often its unit was begun. This module does no input or output.

use xxhash_rust::xxh3::xxh3_128;

/// The name of a unit within a run: a digest of both, so equal units have equal names on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId(u128);

impl UnitId {
    /// Its bits, by which units can be divided evenly.
    pub const fn number(self) -> u128 {
        self.0
    }

    /// The name of the unit with this text in this run.
    pub fn of(run: &str, text: &str) -> Self {
        Self(xxh3_128(format!("{run}\n{text}").as_bytes()))
    }
}

impl std::fmt::Display for UnitId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// A unit in the hands of a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeasedUnit {
    /// What is to be done.
    pub text: String,
    /// By which the source knows it again; 0 for a unit that its worker keeps without a lease.
    pub lease: u64,
    /// How often the source has given it out, this time included.
    pub attempt: u64,
}

impl LeasedUnit {
    /// A unit that a worker does itself, since there was no room for it.
    pub fn kept(text: String) -> Self {
        Self { text, lease: 0, attempt: 1 }
    }
}

/// What a worker gets from a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextUnit {
    /// A unit.
    Unit(LeasedUnit),
    /// Nothing at the moment.
    Later,
    /// Nothing any more.
    Never,
}

/// How the work on a unit ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnitEnd {
    /// Its result.
    Done(String),
    /// The worker failed, with this reason. Another attempt may succeed.
    Failed(String),
    /// The worker was stopped before the end; it is to be given out again.
    HandedBack,
}

/// Hands out units and takes their results. All calls may come from several threads.
pub trait UnitSource: Sync {
    /// The next unit for a worker; waits a moment for one.
    fn next(&self, worker: usize) -> NextUnit;

    /// Queues another unit. False when there is no room: then the worker does it itself.
    fn offer(&self, text: &str) -> bool;

    /// Whether other workers wait for units, so that a long one should be divided.
    fn is_hungry(&self) -> bool;

    /// Passes on what a worker has learned. It may be lost, and nothing may depend on it.
    fn share(&self, _fact: &str) {}

    /// What other workers have learned since the last call.
    fn learned(&self) -> Vec<String> {
        vec![]
    }

    /// Takes a unit back. Units that its result names were offered before.
    fn finish(&self, unit: LeasedUnit, end: UnitEnd);
}
