//! What a pattern may spend on a task of a search in layers.

use crate::search::learn::tally::PatternTally;

/// Moves: a base, one for each `SHARE` moves of the task, and `EARNED` for each position that the pattern refutes.
const FIRST: u64 = 1_000;
const SHARE: u64 = 32;
const EARNED: u64 = 64;

/// Moves of one test at most. A task is short, and the next layer waits for the longest one.
const TEST_MAX: u64 = 10_000;

/// What is known of a pattern when a task begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    /// Moves of the search.
    pub(super) played: u64,
    /// The pattern's tally.
    pub(super) before: PatternTally,
}

impl Allowance {
    /// Moves that the next test may take; 0 when the pattern has spent what it may.
    pub(super) const fn of_test(self, now: PatternTally, played: u64) -> u64 {
        let spent = now.since(self.before);
        let granted = FIRST + played.saturating_sub(self.played) / SHARE + EARNED * spent.refuted;
        if spent.moves > granted { 0 } else { TEST_MAX }
    }
}

#[cfg(test)]
mod tests {
    use super::{Allowance, PatternTally, TEST_MAX};

    #[test]
    fn a_pattern_that_refutes_nothing_has_a_small_share_of_the_moves() {
        let before = PatternTally { tested: 1 << 30, refuted: 1 << 29, moves: 5_000 };
        let allowance = Allowance { played: 1 << 40, before };
        let after = |refuted, moves| PatternTally { tested: 0, refuted, moves }.added(before);
        let granted = |refuted, moves, played: u64| {
            allowance.of_test(after(refuted, moves), (1 << 40) + played) > 0
        };
        assert!(granted(0, 1_000, 0) && !granted(0, 1_001, 0));
        assert!(granted(0, 2_000, 32_000) && !granted(0, 2_001, 32_000));
        assert!(granted(100, 7_400, 0) && !granted(100, 7_401, 0));
        assert_eq!(allowance.of_test(before, 1 << 40), TEST_MAX);
    }
}
