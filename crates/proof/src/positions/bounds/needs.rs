//! Needs of an army: least numbers of moves of a side that its men of the target require.

use super::distances::{Cost, FAR};

/// Least costs, each a bound of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LeastCosts {
    /// Own moves.
    pub moves: u8,
    /// Captures by pawns.
    pub captures: u8,
    /// Moves of pawns that do not capture.
    pub quiet: u8,
}

/// Largest cost that is remembered, in seven bits. It stands for all larger ones, which exceed the
/// moves of a side in every problem.
const COST_MAX: u8 = 127;

impl LeastCosts {
    /// Costs of what is impossible.
    pub(crate) const IMPOSSIBLE: Self = Self { moves: FAR, captures: FAR, quiet: FAR };

    /// Returns the costs in the order of [`Cost::ALL`].
    pub(super) fn of(costs: [u8; Cost::ALL.len()]) -> Self {
        let [moves, captures, quiet] = costs;
        Self { moves, captures, quiet }
    }

    fn bits(self) -> u64 {
        let cut = |cost: u8| u64::from(cost.min(COST_MAX));
        cut(self.moves) | cut(self.captures) << 7 | cut(self.quiet) << 14
    }

    fn from_bits(bits: u64) -> Self {
        let cost = |shift: u32| match (bits >> shift) as u8 & COST_MAX {
            COST_MAX => FAR,
            cost => cost,
        };
        Self { moves: cost(0), captures: cost(7), quiet: cost(14) }
    }
}

/// Needs of an army: without castling, and with castling on the king's and on the queen's wing
/// among the moves to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ArmyNeeds(pub [LeastCosts; 3]);

/// Bit that distinguishes a value from an empty entry.
const IS_SET: u64 = 1 << 63;

impl ArmyNeeds {
    /// Returns the needs in one word, which is never 0.
    pub(super) fn bits(self) -> u64 {
        let [none, king, queen] = self.0;
        none.bits() | king.bits() << 21 | queen.bits() << 42 | IS_SET
    }

    /// Returns the needs of a word; `None` for an empty entry.
    pub(super) fn from_bits(bits: u64) -> Option<Self> {
        let part = |at: u32| LeastCosts::from_bits(bits >> (21 * at));
        (bits & IS_SET != 0).then(|| Self([part(0), part(1), part(2)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_fit_into_one_word() {
        let costs = |moves, captures, quiet| LeastCosts { moves, captures, quiet };
        let needs = ArmyNeeds([costs(0, 1, 126), LeastCosts::IMPOSSIBLE, costs(120, FAR, 3)]);
        assert_eq!(ArmyNeeds::from_bits(needs.bits()), Some(needs));
        assert_eq!(ArmyNeeds::from_bits(0), None);
    }
}
