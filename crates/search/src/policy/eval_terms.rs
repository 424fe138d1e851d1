//! XP9 EvalSafe: four damped evaluation terms.
//!
//! Hypothesis: a fixed tempo, smaller bonuses for passed pawns and a king attack that fades with
//! the pieces avoid more optimistic errors than they cost sharpness.

use crate::score_pair::Pair;

/// Weights of the damped terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EvalTerms {
    /// Tuned weights.
    #[default]
    Base,
    /// Tempo 16; passed pawns half if an enemy piece blocks them, then three quarters if no pawn
    /// supports them; king danger times phase / 24.
    Damped,
}

impl EvalTerms {
    /// Returns the bonus of the side to move.
    pub(crate) fn tempo(self, tuned: Pair) -> Pair {
        match self {
            Self::Base => tuned,
            Self::Damped => Pair::new(16, 16),
        }
    }

    /// Returns the bonus of the side to move in addition to the value of a network, which knows the
    /// side to move.
    pub(crate) fn network_tempo(self) -> i32 {
        match self {
            Self::Base => 0,
            Self::Damped => 16,
        }
    }

    /// Returns true if the bonus of passed pawns may differ from the tuned one.
    pub(crate) fn damps_passers(self) -> bool {
        self != Self::Base
    }

    /// Returns the bonus of a passed pawn, from its tuned bonus, blockade and support.
    pub(crate) fn passer(self, bonus: Pair, blocked: bool, supported: bool) -> Pair {
        if self == Self::Base {
            return bonus;
        }
        let damp = |score: i32| {
            let score = if blocked { score / 2 } else { score };
            if supported { score } else { score * 3 / 4 }
        };
        Pair::new(damp(bonus.middle()), damp(bonus.end()))
    }

    /// Returns the bonus of an attack on the king with this much material left (phase 0..=24).
    pub(crate) fn king_danger(self, danger: Pair, phase: i32) -> Pair {
        match self {
            Self::Base => danger,
            Self::Damped => Pair::new(danger.middle() * phase / 24, danger.end() * phase / 24),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::EvalTerms;
    use crate::score_pair::Pair;

    #[test]
    fn the_damped_arm_damps_and_the_baseline_does_not() {
        let bonus = Pair::new(40, 80);
        assert_eq!(EvalTerms::Base.passer(bonus, true, false), bonus);
        assert_eq!(EvalTerms::Damped.passer(bonus, true, true), Pair::new(20, 40));
        assert_eq!(EvalTerms::Damped.passer(bonus, true, false), Pair::new(15, 30));
        assert_eq!(EvalTerms::Damped.passer(bonus, false, true), bonus);
        assert_eq!(EvalTerms::Damped.king_danger(Pair::new(48, 24), 12), Pair::new(24, 12));
        assert_eq!(EvalTerms::Base.king_danger(Pair::new(48, 24), 12), Pair::new(48, 24));
        assert_eq!(EvalTerms::Damped.tempo(Pair::new(28, 20)), Pair::new(16, 16));
    }
}
