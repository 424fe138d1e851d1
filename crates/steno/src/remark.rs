//! Deductions of the lookahead about a steno.

/// A deduction of the lookahead, for display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Turn that it restricts, from 0.
    pub turn: usize,
    /// Later turn that demands it.
    pub because: usize,
    /// The demand.
    pub what: String,
}
