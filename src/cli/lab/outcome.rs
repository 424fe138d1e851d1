//! The result of a match, so far or at its end.

use super::sprt::{Decision, PairCounts};

/// Counts of a match and what follows from them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MatchResult {
    /// Pairs by the points of DEV.
    pub(super) pairs: PairCounts,
    /// Wins, losses, draws of DEV.
    pub(super) tally: [u32; 3],
    /// Games lost on time by DEV and by BASE.
    pub(super) time_losses: [u32; 2],
    /// Log-likelihood ratio of the control's hypotheses.
    pub(super) llr: f64,
    /// Decision of the sequential test.
    pub(super) decision: Decision,
}
