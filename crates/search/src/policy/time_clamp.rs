//! XP1 TimeClamp: never think less than 30 ms, keep 80 ms in reserve, and allow for more overhead
//! when the increment is small or the last search was unstable.
//!
//! Hypothesis: at sudden death and with tiny increments a firm floor and a firm reserve save more
//! games on time than they lose on the board. Soft and hard limit stay two numbers.

use crate::clock::{GameClock, TimeBudget};
use std::time::Duration;

/// Limit of the budget by the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimeClamp {
    /// Unchanged budget.
    Base,
    /// Budget with floor and reserve.
    Clamped,
}

/// True if the previous search changed its best move late or had no time at all.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unstable(pub bool);

const FLOOR: Duration = Duration::from_millis(30);
const RESERVE: Duration = Duration::from_millis(80);
const SMALL_INCREMENT: Duration = Duration::from_millis(200);
const EXTRA: Duration = Duration::from_millis(10);

impl TimeClamp {
    /// Returns the budget for a move on a game clock. A forced move needs no floor.
    pub(crate) fn apply(
        self,
        budget: TimeBudget,
        clock: &GameClock,
        overhead: Duration,
        unstable: Unstable,
        forced: bool,
    ) -> TimeBudget {
        if self == Self::Base {
            return budget;
        }
        let least = Duration::from_millis(1);
        let small = u32::from(clock.increment < SMALL_INCREMENT);
        let overhead = overhead + EXTRA * (small + u32::from(unstable.0));
        let cap = if clock.left <= RESERVE + overhead {
            clock.left / 4
        } else {
            clock.left - RESERVE.max(overhead)
        };
        let cap = cap.max(least);
        let floor = if forced { least } else { FLOOR };
        let hard = budget.hard.max(floor).min(cap);
        let soft = budget.soft.saturating_sub(overhead).max(floor.min(hard)).min(hard);
        TimeBudget { soft, hard, flexible: budget.flexible }
    }
}

#[cfg(test)]
mod tests {
    use super::{TimeClamp, Unstable};
    use crate::clock::{GameClock, TimeBudget};
    use crate::limits::{Limits, SearchParams};
    use std::time::Duration;

    const MS: Duration = Duration::from_millis(1);

    fn both(left: u32, increment: u32) -> (TimeBudget, TimeBudget) {
        let (left, increment) = (MS * left, MS * increment);
        let clock = GameClock { left, base: left, increment, moves_to_go: None };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        let base = TimeBudget::new(&limits, &SearchParams::default(), 0).unwrap();
        let on = TimeClamp::Clamped.apply(base, &clock, MS * 20, Unstable(false), false);
        (base, on)
    }

    #[test]
    fn the_clamp_keeps_its_floor_and_its_reserve() {
        for left in [150, 200, 500, 3_000, 60_000, 900_000] {
            for increment in [0, 50, 1_000] {
                let (_, on) = both(left, increment);
                assert!(on.soft <= on.hard);
                assert!(on.hard >= MS * 30, "{left}+{increment}: {on:?}");
                assert!(on.hard + MS * 80 <= MS * left, "{left}+{increment}: {on:?}");
            }
        }
        for left in [0, 1, 3, 50, 99] {
            let (_, on) = both(left, 0);
            assert!(on.hard <= (MS * left / 4).max(MS), "{left}: {on:?}");
        }
    }

    #[test]
    fn the_arms_differ_where_time_is_short_and_only_there_on_the_floor() {
        let (base, on) = both(500, 0);
        assert!(on.soft > base.soft, "the floor lifts a soft limit of {:?}", base.soft);
        let (base, on) = both(60_000, 0);
        assert!(on.soft < base.soft, "the overhead is taken off a long one");
    }

    #[test]
    fn an_unstable_search_makes_the_next_one_shorter() {
        let left = MS * 60_000;
        let clock = GameClock { left, base: left, increment: Duration::ZERO, moves_to_go: None };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        let base = TimeBudget::new(&limits, &SearchParams::default(), 0).unwrap();
        let soft = |unstable| {
            TimeClamp::Clamped.apply(base, &clock, MS * 20, Unstable(unstable), false).soft
        };
        assert_eq!(soft(false) - soft(true), MS * 10);
    }
}
