//! Meaning of the units and results of a run, for its collector.

use std::collections::BTreeSet;

/// Defect of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultDefect {
    /// The result cannot be used. It is discarded, and the unit is run again.
    Damaged(String),
    /// The result contradicts another one, so one of two workers is wrong. The run ends.
    Contradiction(String),
}

impl ResultDefect {
    /// Creates the defect of a result that cannot be used.
    pub fn damaged(why: impl ToString) -> Self {
        Self::Damaged(why.to_string())
    }
}

/// Failure of the collector's own work. The run ends.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OwnWorkError {
    /// A result contradicts what the collector found.
    #[error("{0}")]
    Contradiction(String),
    /// A unit of the collector failed.
    #[error("{unit} failed: {why}")]
    Failed {
        /// Text of the unit.
        unit: String,
        /// Reason.
        why: String,
    },
}

/// Finished work, as a unit that a second worker can repeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatableWork {
    /// Text of the unit.
    pub unit: String,
    /// Workers that did the work; another one must repeat it.
    pub workers: BTreeSet<String>,
    /// Size of the work in what the run counts, such as strategies.
    pub size: u64,
    /// Statement of the results, to compare with the second one.
    pub stated: String,
    /// False if the work took too long to be repeated.
    pub is_repeatable: bool,
}

/// Results of the collector's own work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnWork {
    /// Units that it has named, to be queued.
    pub units: Vec<String>,
    /// Work that is finished now: its result was there before its unit was named.
    pub finished: Vec<RepeatableWork>,
}

/// Meaning of the units and results of a run. The result of a unit is a text whose first line is
/// `unit` and the unit.
pub trait CollectedRun {
    /// Returns the units to queue at the start, in order.
    fn first_units(&self) -> Vec<String>;

    /// Returns the results of the collector's own work since the last call. Called only after all
    /// results of an earlier collector have been read.
    ///
    /// # Errors
    /// Returns the contradiction between a result and what the collector found, or the failed unit.
    fn own_work(&mut self) -> Result<OwnWork, OwnWorkError> {
        Ok(OwnWork::default())
    }

    /// Records the result of a unit, by this worker. A second result of a unit changes nothing.
    /// Returns the work that is finished with it.
    ///
    /// # Errors
    /// Returns the defect of the result. A damaged result changes nothing.
    fn accept(
        &mut self,
        unit: &str,
        worker: &str,
        result: &str,
    ) -> Result<Vec<RepeatableWork>, ResultDefect>;

    /// Records that a unit without a result was given up, with the reason.
    fn give_up(&mut self, unit: &str, why: &str);

    /// Returns the known units without a result that were not given up and that workers run.
    fn missing(&self) -> Vec<String>;

    /// Returns true if a unit is one of [`missing`](Self::missing).
    fn is_missing(&self, unit: &str) -> bool;

    /// Returns true if no unit is missing and none will be named.
    fn is_finished(&self) -> bool;

    /// Returns true if the results so far suffice to end the run.
    fn is_enough(&self) -> bool {
        false
    }

    /// Compares the second result of a unit with the statement of the first ones.
    ///
    /// # Errors
    /// Returns the damage of the second result, or the reason why both cannot be right.
    fn compare(&self, unit: &str, stated: &str, second: &str) -> Result<(), ResultDefect>;

    /// Returns the number of units with a result, and the number of known units without one.
    fn units(&self) -> (u64, u64);

    /// Returns the number of finished parts and of all parts, if known, for estimates.
    fn parts(&self) -> (u64, Option<u64>);
}
