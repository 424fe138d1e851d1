//! Time limits of a move.
//!
//! The *hard* limit stops the search at any point. The *soft* limit is checked after each iteration
//! and scaled by the stability of the best move (its share of the nodes, and the number of
//! iterations that it has been the best).

mod game;

use super::clock::{GameClock, TimeBudget};
use super::constants::SearchConstants;
use super::limits::{Limits, SearchParams};
pub(super) use game::{Allowance, GameTime};
use std::time::Duration;

/// Largest number of moves, up to the next control, among which the time is shared.
const PERIOD_MOVES: u32 = 24;

/// Smallest assumed number of moves in the rest of a game without increment.
const MOVES_LEAST: i32 = 20;

/// Returns the assumed number of moves in the rest of a game after `played` plies; the smallest
/// number is `time_least` with an increment of a hundredth of the base time or more.
///
/// The first moves after a book get the most time: between strong players they decide most games.
/// At few nodes a move this gains nothing, since later errors decide as many games
/// (`docs/measurements/matches.csv`).
fn moves_left(clock: &GameClock, played: u32, constants: &SearchConstants) -> u32 {
    let share =
        (100.0 * clock.increment.as_secs_f64() / clock.base.as_secs_f64().max(0.001)).min(1.0);
    let more = f64::from(MOVES_LEAST - constants.time_least) * (1.0 - share);
    let least = constants.time_least + more as i32;
    let fewer = played.min(1_000) as i32 * constants.time_decline / 100;
    (constants.time_moves - fewer).max(least).max(1) as u32
}

/// Part of `Move Overhead` that covers a rare delay of the machine; reserved once. The rest counts
/// as the lag of a slow connection and is reserved for every move.
const DELAY_ONCE: Duration = Duration::from_millis(15);

/// Largest reserve beyond `Move Overhead`. A process that waits for a processor may come 30 ms late
/// when twice as many processes run as there are processors.
const DELAY_MAX: Duration = Duration::from_millis(40);

/// Least number of coming moves for which lag is reserved that no increment pays.
const LAG_MOVES: u32 = 39;

impl TimeBudget {
    /// Returns the budget after `played` plies of the game, if time limits this search.
    pub(super) fn new(limits: &Limits, params: &SearchParams, played: u32) -> Option<Self> {
        let least = Duration::from_millis(1);
        let overhead = Duration::from_millis(params.move_overhead_ms);
        if limits.infinite {
            return None;
        }
        let fixed = limits.movetime.map(|time| time.saturating_sub(overhead / 2).max(least));
        let Some(clock) = limits.clock else {
            return fixed.map(|time| Self { soft: time, hard: time, flexible: false });
        };
        // A nearly empty clock keeps seven eighths, so that increments fill the reserve again.
        let reserve = (overhead + (2 * overhead).min(DELAY_MAX)).min(clock.left / 8 * 7);
        let usable = clock.left - reserve;
        let moves = match clock.moves_to_go {
            Some(moves) => moves.clamp(1, PERIOD_MOVES),
            None => moves_left(&clock, played, &params.constants),
        };
        // Increments and lag of the coming moves count as if they were on the clock now. A game may
        // last longer: lag that increments do not pay is reserved for more moves.
        let others = moves - 1;
        let lag = overhead.saturating_sub(DELAY_ONCE);
        let later = clock.moves_to_go.map_or(LAG_MOVES.saturating_sub(others), |_| 0);
        let lost = lag * others + lag.saturating_sub(clock.increment) * later;
        let rest = (usable + clock.increment * others).saturating_sub(lost);
        let share = rest.max(usable / 4) / moves;
        let cap = if moves == 1 { usable * 9 / 10 } else { usable * 6 / 10 };
        let share = share * params.slow_mover / 100;
        let share = match params.blitz_slow_mover && moves > 1 {
            true => share.mul_f64(blitz_share(&clock)),
            false => share,
        };
        let soft = share.min(cap).max(least);
        let hard = (soft * params.constants.time_hard as u32 / 100).min(cap).max(least);
        let (soft, hard) = match fixed {
            Some(time) => (soft.min(time), hard.min(time)),
            None => (soft, hard),
        };
        Some(Self { soft, hard, flexible: true })
    }

    /// Returns the budget of a forced move: enough for a score and a reply to ponder on.
    pub(super) fn hurried(self) -> Self {
        if self.flexible {
            Self { soft: self.soft / 20, hard: self.hard / 4, ..self }
        } else {
            self
        }
    }

    /// Returns true if no new iteration should start.
    pub(super) fn is_spent(
        &self,
        spent: Duration,
        stability: &Stability,
        constants: &SearchConstants,
    ) -> bool {
        let scale = if self.flexible { stability.scale(constants) } else { 1.0 };
        spent.as_secs_f64() >= (self.soft.as_secs_f64() * scale).min(self.hard.as_secs_f64())
    }
}

/// Returns the factor of `Blitz Slow Mover`: the share of the usual time for a move in a short
/// game, 0.8 to 1.
///
/// The length of a game is its base time plus forty increments. The base time is what the clock
/// showed at the start and is constant: a long game in time trouble is not a blitz game.
fn blitz_share(clock: &GameClock) -> f64 {
    let length = (clock.base + clock.increment * 40).as_secs_f64();
    match length {
        ..=60.0 if clock.increment.is_zero() => 0.80,
        ..=300.0 => 0.90,
        ..480.0 => 0.90 + 0.10 * (length - 300.0) / 180.0,
        _ => 1.0,
    }
}

/// Stability of the best move: input of the soft limit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stability {
    /// Consecutive iterations with the same best move.
    pub steady: u32,
    /// Share of the best move in the nodes of this search, 0 to 1.
    pub share: f64,
    /// Fall of the score since the last iteration, centipawns; negative if it rose.
    pub fall: i32,
    /// Fall of the score since the last move of the game, centipawns.
    pub fall_game: i32,
}

impl Stability {
    /// Returns the factor of the soft limit, 0.3 for a clear best move to 2.5 for a collapsing
    /// score.
    fn scale(&self, constants: &SearchConstants) -> f64 {
        let steady = match self.steady {
            0 => constants.time_new,
            1 => constants.time_steady_1,
            2 => constants.time_steady_2,
            3 => constants.time_steady_3,
            _ => constants.time_steady_4,
        };
        let share = self.share.clamp(0.0, 1.0) * f64::from(constants.time_share_weight);
        let share = (f64::from(constants.time_share) - share) / 100.0;
        let pawns = |fall: i32| {
            let most = constants.time_fall_max;
            f64::from(fall.clamp(-most / 3, most)) / 100.0
        };
        let fall = pawns(self.fall) * f64::from(constants.time_fall)
            + pawns(self.fall_game) * f64::from(constants.time_fall_game);
        (f64::from(steady) / 100.0 * share * (1.0 + fall / 100.0)).clamp(0.3, 2.5)
    }
}

#[cfg(test)]
mod tests {
    use super::{Stability, TimeBudget, blitz_share};
    use crate::clock::GameClock;
    use crate::constants::SearchConstants;
    use crate::limits::{Limits, SearchParams};
    use std::time::Duration;

    const MS: Duration = Duration::from_millis(1);
    const DEFAULT: SearchConstants = SearchConstants::DEFAULT;

    fn budget(left: u32, increment: u32, moves_to_go: Option<u32>) -> TimeBudget {
        let left = MS * left;
        let clock = GameClock { left, base: left, increment: MS * increment, moves_to_go };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        TimeBudget::new(&limits, &SearchParams::default(), 0).unwrap()
    }

    /// Returns the soft limits of the moves of a game with the clock before each, ms; the machine
    /// loses a millisecond per move.
    fn game(base: u32, increment: u32, moves: u32) -> Vec<(u32, u32)> {
        let mut left = base;
        let each = |at: u32| {
            let clock = GameClock {
                left: MS * left,
                base: MS * base,
                increment: MS * increment,
                moves_to_go: None,
            };
            let limits = Limits { clock: Some(clock), ..Limits::default() };
            let budget = TimeBudget::new(&limits, &SearchParams::default(), 2 * at).unwrap();
            let (soft, shown) = (budget.soft.as_millis() as u32, left);
            left = left.checked_sub(soft + 1).expect("no move is lost on time") + increment;
            (soft, shown)
        };
        (0..moves).map(each).collect()
    }

    #[test]
    fn a_budget_never_reaches_the_flag() {
        for left in [0, 1, 5, 20, 50, 100, 1_000, 60_000, 7_200_000] {
            for increment in [0, 10, 100, 2_000, 60_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40)] {
                    let budget = budget(left, increment, moves);
                    assert!(budget.soft <= budget.hard, "{left} {increment} {moves:?}");
                    assert!(
                        budget.hard <= (MS * left * 9 / 10).max(MS),
                        "{left} {increment} {moves:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_shortest_games_use_their_time_and_keep_a_reserve_for_delays() {
        for (base, increment, most) in [(1_000, 10, 130), (8_000, 80, 500), (60_000, 600, 3_500)] {
            let moves = game(base, increment, 120);
            assert!(moves.iter().all(|&(soft, shown)| shown > soft + 50), "{base}+{increment}");
            let &(_, shown) = moves.last().unwrap();
            assert!(shown <= most, "{base}+{increment} ends with {shown} ms unused");
        }
    }

    #[test]
    fn the_first_moves_get_the_most_time_and_later_ones_more_than_the_increment() {
        for (base, increment) in [(1_000, 10), (8_000, 80), (180_000, 2_000), (900_000, 10_000)] {
            let soft: Vec<u32> = game(base, increment, 40).iter().map(|&(soft, _)| soft).collect();
            let (first, last) = (soft[0], soft[39]);
            assert!(soft.iter().all(|&soft| soft <= first), "{base}+{increment}: {soft:?}");
            assert!(last >= increment && first < 4 * last, "{base}+{increment}: {soft:?}");
            assert!(first > base / 30, "{base}+{increment}: {soft:?}");
        }
    }

    #[test]
    fn without_increment_a_long_game_is_still_played_with_care() {
        let moves = game(60_000, 0, 150);
        let (soft, shown) = moves[99];
        assert!(shown > 1_000 && soft > 20, "{soft} ms of {shown}");
        let (soft, shown) = moves[149];
        assert!(shown > 200 && soft > 2, "{soft} ms of {shown}");
    }

    #[test]
    fn a_slow_line_is_paid_for_at_every_move() {
        let mut left = 60_000;
        let params = SearchParams { move_overhead_ms: 200, ..SearchParams::default() };
        for at in 0..90 {
            let clock =
                GameClock { left: MS * left, base: MS * 60_000, increment: MS, moves_to_go: None };
            let limits = Limits { clock: Some(clock), ..Limits::default() };
            let soft = TimeBudget::new(&limits, &params, 2 * at).unwrap().soft.as_millis() as u32;
            left = left.checked_sub(soft + 150).expect("150 ms are lost at every move");
        }
    }

    /// Regression: two of about 130 games at 1+0.01 were lost by 7 and 10 ms on a busy machine.
    #[test]
    fn a_late_wake_up_loses_no_game_with_a_small_increment() {
        let mut left = 1_000;
        for at in 0..200 {
            let clock = GameClock {
                left: MS * left,
                base: MS * 1_000,
                increment: MS * 10,
                moves_to_go: None,
            };
            let limits = Limits { clock: Some(clock), ..Limits::default() };
            let budget = TimeBudget::new(&limits, &SearchParams::default(), 2 * at).unwrap();
            // Every ninth move takes all it may and comes late.
            let spent = if at % 9 == 8 { budget.hard + MS * 25 } else { budget.soft + MS * 4 };
            let spent = spent.as_millis() as u32;
            left = left.checked_sub(spent).expect("the reserve covers the delay") + 10;
        }
    }

    #[test]
    fn a_fixed_time_is_used_whole() {
        let limits = Limits { movetime: Some(MS * 100), ..Limits::default() };
        let budget = TimeBudget::new(&limits, &SearchParams::default(), 0).unwrap();
        assert_eq!((budget.soft, budget.hard), (MS * 90, MS * 90));
        assert!(!budget.is_spent(
            MS * 89,
            &Stability { steady: 9, share: 1.0, fall: -99, fall_game: 0 },
            &DEFAULT
        ));
    }

    #[test]
    fn without_clocks_there_is_no_budget() {
        assert_eq!(TimeBudget::new(&Limits::default(), &SearchParams::default(), 0), None);
        let clock = Some(GameClock { left: MS, base: MS, increment: MS, moves_to_go: None });
        let infinite = Limits { infinite: true, clock, ..Limits::default() };
        assert_eq!(TimeBudget::new(&infinite, &SearchParams::default(), 0), None);
    }

    #[test]
    fn short_games_are_played_a_little_faster_from_start_to_end() {
        let share = |base: u32, increment: u32, left: u32| {
            let (base, increment, left) = (MS * base, MS * increment, MS * left);
            blitz_share(&GameClock { left, base, increment, moves_to_go: None })
        };
        assert_eq!((share(60_000, 0, 60_000), share(60_000, 100, 60_000)), (0.80, 0.90));
        assert_eq!((share(180_000, 2_000, 180_000), share(300_000, 0, 300_000)), (0.90, 0.90));
        assert!((share(390_000, 0, 390_000) - 0.95).abs() < 1e-9);
        assert_eq!((share(480_000, 0, 480_000), share(900_000, 10_000, 900_000)), (1.0, 1.0));
        for left in [900_000, 300_000, 60_000, 5_000, 1] {
            assert_eq!(share(900_000, 0, left), 1.0, "a rapid game stays one with {left} ms left");
            assert_eq!(share(180_000, 0, left), 0.90);
        }
    }

    #[test]
    fn movers_scale_the_soft_limit_and_spare_what_is_fixed() {
        let clock =
            GameClock { left: MS * 60_000, base: MS * 60_000, increment: MS, moves_to_go: None };
        let soft = |params: &SearchParams, clock| {
            let limits = Limits { clock: Some(clock), ..Limits::default() };
            TimeBudget::new(&limits, params, 0).unwrap().soft.as_secs_f64()
        };
        let plain = SearchParams { blitz_slow_mover: false, ..SearchParams::default() };
        let usual = soft(&plain, clock);
        let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-6;
        assert!(near(soft(&SearchParams { slow_mover: 50, ..plain.clone() }, clock), usual * 0.5));
        assert!(near(soft(&SearchParams { slow_mover: 200, ..plain.clone() }, clock), usual * 2.0));
        assert!(near(soft(&SearchParams::default(), clock), usual * 0.9));
        let last = GameClock { moves_to_go: Some(1), ..clock };
        assert!(near(soft(&SearchParams::default(), last), soft(&plain, last)));
        let limits = Limits { movetime: Some(MS * 100), ..Limits::default() };
        assert_eq!(
            TimeBudget::new(&limits, &SearchParams::default(), 0),
            TimeBudget::new(&limits, &plain, 0)
        );
    }

    #[test]
    fn a_settled_move_takes_less_time_than_an_unsettled_one() {
        let budget = budget(60_000, 0, None);
        let settled = Stability { steady: 6, share: 0.9, fall: -5, fall_game: -5 };
        let unsettled = Stability { steady: 0, share: 0.2, fall: 50, fall_game: 50 };
        assert!(budget.is_spent(budget.soft, &settled, &DEFAULT));
        assert!(!budget.is_spent(budget.soft, &unsettled, &DEFAULT));
    }
}
