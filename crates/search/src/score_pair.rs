//! Pair of a middlegame and an endgame score.

/// Two 16-bit scores in one word, so that one addition adds both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pair(i32);

impl Pair {
    /// Creates a pair from a middlegame and an endgame score.
    pub(crate) const fn new(middle: i32, end: i32) -> Self {
        Self((middle << 16).wrapping_add(end))
    }

    /// Returns the middlegame score.
    pub const fn middle(self) -> i32 {
        (self.0.wrapping_add(0x8000)) >> 16
    }

    /// Returns the endgame score.
    pub const fn end(self) -> i32 {
        self.0 as i16 as i32
    }

    /// Adds both scores.
    #[inline]
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    /// Multiplies both scores by a count.
    #[inline]
    pub(crate) const fn times(self, count: i32) -> Self {
        Self(self.0.wrapping_mul(count))
    }
}
