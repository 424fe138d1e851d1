//! What the look-ahead tells about a steno.

/// Something the look-ahead has derived, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The turn it restricts, from 0.
    pub turn: usize,
    /// The later turn that demands it.
    pub because: usize,
    /// What is demanded.
    pub what: String,
}
