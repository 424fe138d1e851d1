//! XP6 OrderHist: classic ordering with one bounded, additive history.
//!
//! Hypothesis: a plain table without gravity, halved at every move of the game, orders as well as
//! the tuned ones. Both arms have the same stages; they differ in the scores of quiet moves and in
//! the updates after a cutoff.

use crate::constants::SearchConstants;

/// Scores of quiet moves and their updates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum MoveOrdering {
    /// Butterfly and three continuation tables, with gravity.
    #[default]
    Base,
    /// One butterfly table with plain sums, clamped, and the continuation table of the last move.
    Bounded,
}

/// Largest absolute entry of the additive table.
pub(crate) const BOUND: i32 = 32_767;

impl MoveOrdering {
    /// Returns the bonus of a quiet move that cuts.
    pub(crate) fn bonus(self, depth: i32, constants: &SearchConstants) -> i32 {
        let (square, linear) = (constants.bonus_square, constants.bonus_linear);
        match self {
            Self::Base => (square * depth * depth + linear * depth).min(constants.bonus_max),
            Self::Bounded => (32 * depth * depth).min(2_000),
        }
    }

    /// Returns the malus of each quiet move searched before it.
    pub(crate) fn malus(self, depth: i32, constants: &SearchConstants) -> i32 {
        match self {
            Self::Base => self.bonus(depth, constants),
            Self::Bounded => (16 * depth).min(2_000),
        }
    }

    /// Returns true if a quiet move that cuts becomes a killer. The experiment excludes the table
    /// move.
    pub(crate) fn keeps_killer(self, is_hash_move: bool) -> bool {
        self == Self::Base || !is_hash_move
    }

    /// Returns true if the quiet move that cuts gets its bonus after `searched` quiet moves,
    /// including itself. In the baseline the first one gets none at low depth, where a cutoff means
    /// little.
    pub(crate) fn rewards(self, depth: i32, searched: usize) -> bool {
        self == Self::Bounded || depth > 2 || searched > 1
    }

    /// Adds a bonus to an entry of the additive table: clamped, not wrapped.
    pub(crate) fn added(entry: i16, bonus: i32) -> i16 {
        (i32::from(entry) + bonus).clamp(-BOUND, BOUND) as i16
    }
}

#[cfg(test)]
mod tests {
    use super::{BOUND, MoveOrdering};
    use crate::constants::SearchConstants;

    #[test]
    fn sums_are_clamped_and_bonuses_bounded() {
        let full = (0..100).fold(0, |entry, _| MoveOrdering::added(entry, 2_000));
        assert_eq!(i32::from(full), BOUND);
        let empty = (0..100).fold(0, |entry, _| MoveOrdering::added(entry, -2_000));
        assert_eq!(i32::from(empty), -BOUND);
        for depth in 1..100 {
            let arm = MoveOrdering::Bounded;
            assert!(
                arm.bonus(depth, &SearchConstants::DEFAULT) <= 2_000
                    && arm.malus(depth, &SearchConstants::DEFAULT)
                        <= arm.bonus(depth, &SearchConstants::DEFAULT)
            );
        }
        assert_eq!(
            (
                MoveOrdering::Bounded.bonus(3, &SearchConstants::DEFAULT),
                MoveOrdering::Bounded.malus(3, &SearchConstants::DEFAULT)
            ),
            (288, 48)
        );
        let (base, bounded) = (MoveOrdering::Base, MoveOrdering::Bounded);
        assert!(base.keeps_killer(true) && !bounded.keeps_killer(true));
        assert!(base.keeps_killer(false) && bounded.keeps_killer(false));
        assert!(!base.rewards(2, 1) && bounded.rewards(2, 1) && base.rewards(3, 1));
        assert_ne!(
            MoveOrdering::Base.bonus(5, &SearchConstants::DEFAULT),
            MoveOrdering::Bounded.bonus(5, &SearchConstants::DEFAULT)
        );
    }
}
