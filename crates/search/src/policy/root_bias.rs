//! XP10 RootBias: hints of book and experience apply fully at the root and weakly below it.
//!
//! Hypothesis: a bias deep in the tree disturbs an order that the histories know better; at the
//! root it chooses among moves of equal score.
//!
//! In both arms a bias only orders moves. It is never added to a score and never stored.

use crate::score::Value;

/// Scope of hints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RootBias {
    /// Full weight in the ordering at the root and below.
    Base,
    /// Full weight in the ordering at the root, and preference between root moves within
    /// [`RootBias::indifference`]; below the root at most a fifth.
    RootOnly,
}

/// Points of move ordering per centipawn of bias: 50 centipawns are half a history.
const GRAIN: i32 = 160;

impl RootBias {
    /// Returns the contribution of a bias to the ordering score of a move below the root.
    pub(crate) fn interior(self, bias: i32) -> i32 {
        let most = match self {
            Self::Base => 50,
            Self::RootOnly => 10,
        };
        bias.clamp(-most, most) * GRAIN
    }

    /// Returns the largest score difference, centipawns, at which the bias decides between root
    /// moves.
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
