//! XP3 LMRCons: reduce late moves less.
//!
//! Hypothesis: smaller reductions near the leaves, on principal variations and where the side to
//! move improves cost depth but save tactics. Reductions never exceed the baseline.

use crate::constants::SearchConstants;
use crate::reductions::{self, LateMove};
use std::sync::LazyLock;

/// Reduction of late moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    /// Product of logarithms with history, cut-node and improvement terms.
    Base,
    /// Smaller product of logarithms, and no reduction of guarded moves.
    Conservative,
}

/// Reductions in plies: floor(0.75 + ln d · ln m / 2.3).
static TABLE: LazyLock<[[i32; 64]; 64]> = LazyLock::new(|| {
    let mut table = [[0; 64]; 64];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (tried, plies) in row.iter_mut().enumerate().skip(1) {
            *plies = (0.75 + (depth as f64).ln() * (tried as f64).ln() / 2.3).floor() as i32;
        }
    }
    table
});

impl Reduction {
    /// Returns the reduction in plies, not yet limited by the remaining depth.
    pub(crate) fn plies(self, late: &LateMove, constants: &SearchConstants) -> i32 {
        let base = reductions::reduction(late, constants);
        match self {
            Self::Base => base,
            Self::Conservative if is_guarded(late) => 0,
            Self::Conservative => conservative(late).clamp(0, base.max(0)),
        }
    }
}

/// Returns true for moves that are never reduced: the hash move, captures and promotions, checks,
/// evasions, and the first quiet move after the hash move at an expected cut node.
fn is_guarded(late: &LateMove) -> bool {
    late.hash_move || !late.quiet || late.checks || late.evasion || (late.cut && late.first_quiet)
}

fn conservative(late: &LateMove) -> i32 {
    if late.tried <= 3 || late.depth <= 2 {
        return 0;
    }
    TABLE[late.depth.clamp(0, 63) as usize][late.tried.min(63)]
        - i32::from(late.pv)
        - i32::from(late.improving)
        - i32::from(late.depth <= 6)
}

#[cfg(test)]
mod tests {
    use super::Reduction;
    use crate::constants::SearchConstants;
    use crate::reductions::LateMove;

    /// All combinations of depth, number and flags, with some histories.
    fn all() -> impl Iterator<Item = LateMove> {
        (1..40).flat_map(|depth| (1..60).map(move |tried| (depth, tried))).flat_map(
            |(depth, tried)| {
                (0..256u32).step_by(3).map(move |flags| LateMove {
                    depth,
                    tried,
                    quiet: flags & 1 != 0,
                    history: [-30_000, -3_000, 0, 9_000, 40_000][(flags as usize + tried) % 5],
                    pv: flags & 2 != 0,
                    cut: flags & 4 != 0,
                    improving: flags & 8 != 0,
                    hash_move: flags & 16 != 0,
                    checks: flags & 32 != 0,
                    evasion: flags & 64 != 0,
                    first_quiet: flags & 128 != 0,
                    ..LateMove::default()
                })
            },
        )
    }

    #[test]
    fn conservative_never_reduces_more_than_the_baseline() {
        for late in all() {
            let (off, on) = (
                Reduction::Base.plies(&late, &SearchConstants::DEFAULT),
                Reduction::Conservative.plies(&late, &SearchConstants::DEFAULT),
            );
            assert!(on <= off && on >= 0, "{on} > {off} for {late:?}");
        }
    }

    #[test]
    fn guarded_moves_are_not_reduced_and_others_less() {
        let mut less = 0;
        for late in all() {
            let on = Reduction::Conservative.plies(&late, &SearchConstants::DEFAULT);
            if late.hash_move || late.checks || late.evasion || !late.quiet {
                assert_eq!(on, 0, "{late:?}");
            }
            less += usize::from(on < Reduction::Base.plies(&late, &SearchConstants::DEFAULT));
        }
        assert!(less > 1_000, "the arm differs from the baseline only {less} times");
    }
}
