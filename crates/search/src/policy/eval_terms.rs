//! XP9 EvalSafe: four evaluation terms damped.
//!
//! Hypothesis: a fixed tempo, calmer passed pawns and a king attack that fades with the pieces make
//! fewer optimistic misjudgements than they lose sharpness.

use super::super::evaluate::weights::Pair;

/// Which weights a few terms have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EvalTerms {
    /// As tuned.
    #[default]
    Base,
    /// Tempo 16; passed pawns half when a piece blocks them, then three quarters when no pawn
    /// supports them; king danger times phase / 24.
    Damped,
}

impl EvalTerms {
    /// What being to move is worth.
    pub(crate) fn tempo(self, tuned: Pair) -> Pair {
        match self {
            Self::Base => tuned,
            Self::Damped => Pair::new(16, 16),
        }
    }

    /// What being to move is worth beside the value of a network, which knows who is to move.
    pub(crate) fn network_tempo(self) -> i32 {
        match self {
            Self::Base => 0,
            Self::Damped => 16,
        }
    }

    /// Whether passed pawns are not always worth what was tuned.
    pub(crate) fn damps_passers(self) -> bool {
        self != Self::Base
    }

    /// What a passed pawn is worth, given all that its rank and its next square say.
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

    /// What an attack on the king is worth with this much material left (phase 0..=24).
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
    use crate::evaluate::weights::Pair;

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
