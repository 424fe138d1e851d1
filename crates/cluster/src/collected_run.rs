//! Meaning of the units and results of a run, for its collector.

/// Defect of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultDefect {
    /// The result cannot be used. It is discarded, and the unit is run again.
    Damaged(String),
    /// The result contradicts another one, so one of two workers is wrong. The run ends.
    Contradiction(String),
}

/// Meaning of the units and results of a run. The result of a unit is a text whose first line is
/// `unit` and the unit.
pub trait CollectedRun {
    /// Returns the units to queue at the start, in order.
    fn first_units(&self) -> Vec<String>;

    /// Records the result of a unit. A second result of a unit changes nothing.
    ///
    /// # Errors
    /// Returns the defect of the result. A damaged result changes nothing.
    fn accept(&mut self, unit: &str, result: &str) -> Result<(), ResultDefect>;

    /// Records that a unit without a result was given up, with the reason.
    fn give_up(&mut self, unit: &str, why: &str);

    /// Returns the known units without a result that were not given up.
    fn missing(&self) -> Vec<String>;

    /// Returns true if a unit is one of [`missing`](Self::missing).
    fn is_missing(&self, unit: &str) -> bool;

    /// Returns true if no unit is missing.
    fn is_finished(&self) -> bool;

    /// Returns true if the results so far suffice to end the run.
    fn is_enough(&self) -> bool {
        false
    }

    /// Returns true if a second worker can confirm this result.
    fn can_be_audited(&self, _result: &str) -> bool {
        true
    }

    /// Compares two results of one unit.
    ///
    /// # Errors
    /// Returns the damage of the second one, or the reason why both cannot be right.
    fn compare(&self, unit: &str, first: &str, second: &str) -> Result<(), ResultDefect>;

    /// Returns the number of units with a result, and the number of known units without one.
    fn units(&self) -> (u64, u64);

    /// Returns the number of finished parts and of all parts, if known, for estimates.
    fn parts(&self) -> (u64, Option<u64>);
}
