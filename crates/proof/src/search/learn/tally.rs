//! What a pattern has cost, and what it was good for.

/// Moves of a relaxation that take as long as this many tests whose result is known.
const TESTS_FOR_A_MOVE: u64 = 16;

/// Effort added to that of a pattern, in moves, so that a few tests do not decide its rank.
const UNKNOWN: u64 = 1_000;

/// A pattern that refutes fewer positions than one for this number of moves is not worth its time: what follows a position costs about as much.
const MOVES_FOR_ONE: u64 = 128;

/// Parts of one refuted position for a move, in which a rate is told.
const UNIT: u64 = 1 << 20;

/// Positions where a pattern was tested, those that it refuted, and moves of its relaxation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PatternTally {
    /// Positions tested.
    pub(crate) tested: u64,
    /// Of these, refuted.
    pub(crate) refuted: u64,
    /// Moves of the tests.
    pub(crate) moves: u64,
}

impl PatternTally {
    /// The sum of two.
    pub(crate) const fn added(self, other: Self) -> Self {
        Self {
            tested: self.tested.saturating_add(other.tested),
            refuted: self.refuted.saturating_add(other.refuted),
            moves: self.moves.saturating_add(other.moves),
        }
    }

    /// What was added since `before`.
    pub(crate) const fn since(self, before: Self) -> Self {
        Self {
            tested: self.tested.saturating_sub(before.tested),
            refuted: self.refuted.saturating_sub(before.refuted),
            moves: self.moves.saturating_sub(before.moves),
        }
    }

    /// Half of it: what is older counts less.
    pub(crate) const fn halved(self) -> Self {
        Self { tested: self.tested / 2, refuted: self.refuted / 2, moves: self.moves / 2 }
    }

    /// Refuted positions for the effort; none when that is too little.
    pub(crate) const fn rate(self) -> Option<u64> {
        let effort = (self.tested / TESTS_FOR_A_MOVE).saturating_add(self.moves);
        let rate = self.refuted.saturating_mul(UNIT) / effort.saturating_add(UNKNOWN);
        if rate < UNIT / MOVES_FOR_ONE { None } else { Some(rate) }
    }
}

#[cfg(test)]
mod tests {
    use super::PatternTally;

    #[test]
    fn a_pattern_that_refutes_more_for_its_moves_has_the_higher_rate() {
        let rate = |tested, refuted, moves| PatternTally { tested, refuted, moves }.rate();
        assert!(rate(10_000, 5_000, 1_000) > rate(10_000, 5_000, 20_000));
        assert!(rate(10_000, 5_000, 20_000) > rate(10_000, 500, 20_000));
        assert!(rate(5_000_000, 100_000, 6_000_000).is_some());
        assert_eq!(rate(5_000_000, 100_000, 77_000_000), None, "770 moves for each");
        assert_eq!(rate(2, 2, 0), None, "two tests say little");
        assert_eq!(rate(u64::MAX, u64::MAX, u64::MAX), None);
    }

    #[test]
    fn tallies_are_added_and_subtracted() {
        let (one, two) = (
            PatternTally { tested: 9, refuted: 4, moves: 30 },
            PatternTally { tested: 3, refuted: 1, moves: 7 },
        );
        let sum = one.added(two);
        assert_eq!((sum.since(one), sum.since(two)), (two, one));
        assert_eq!(one.halved(), PatternTally { tested: 4, refuted: 2, moves: 15 });
        assert_eq!(two.since(one), PatternTally::default());
    }
}
