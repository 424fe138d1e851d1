//! XP10 RootBias: hints of the book and of the own experience count at the root, and hardly below it.
//!
//! Hypothesis: a bias deep in the tree reorders moves that the histories know better; at the root it
//! chooses among moves that the search cannot tell apart.
//!
//! In both arms a bias only orders moves. It is never added to a score and never stored.

use crate::score::Value;

/// Where a hint may count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RootBias {
    /// As ordering at the root and below, whole.
    Base,
    /// At the root as ordering and between moves within [`RootBias::indifference`]; below it as a
    /// fifth at most.
    RootOnly,
}

/// Points of move ordering for a centipawn of bias: 50 of them are half a history.
const GRAIN: i32 = 160;

impl RootBias {
    /// What a bias adds to the order of a move below the root.
    pub(crate) fn interior(self, bias: i32) -> i32 {
        let most = match self {
            Self::Base => 50,
            Self::RootOnly => 10,
        };
        bias.clamp(-most, most) * GRAIN
    }

    /// Root moves whose scores differ by no more than this are told apart by their bias.
    pub(crate) fn indifference(self) -> Value {
        match self {
            Self::Base => 0,
            Self::RootOnly => 5,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{GRAIN, RootBias};

    #[test]
    fn below_the_root_a_bias_is_clamped() {
        for bias in -50..=50 {
            assert_eq!(RootBias::Base.interior(bias), bias * GRAIN);
            let clamped = RootBias::RootOnly.interior(bias);
            assert!(clamped.abs() <= 10 * GRAIN && clamped.signum() == bias.signum());
        }
        assert_eq!((RootBias::Base.indifference(), RootBias::RootOnly.indifference()), (0, 5));
    }
}
