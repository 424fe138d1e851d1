//! XP2 AspWide: fixed, predictable widening of aspiration windows.
//!
//! Hypothesis: fewer searches per iteration when scores jump. The baseline starts narrow, widens by
//! half each time, and moves beta to the middle on a fail low.

use crate::score::{INFINITE, Value};

/// Growth of the window around the last score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Widening {
    /// Narrow at first, growing by half.
    Base,
    /// ±16, then 64 and 128 beyond the score that fell out; open after the third failure on a side.
    Wide,
}

/// Window and the number of its failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub alpha: Value,
    pub beta: Value,
    delta: Value,
    lows: u32,
    highs: u32,
    /// Plies taken off the depth after fail highs.
    pub lower: i32,
}

/// Smallest depth with a window, plies.
const DEPTH: i32 = 5;
/// Score from which the window is open from the start, centipawns.
const SCORE: Value = 2_000;

impl Widening {
    /// Returns the first window of an iteration around the last score; `narrow` is half of the
    /// baseline's width.
    pub(crate) fn first(self, guess: Value, depth: i32, narrow: Value) -> Window {
        let delta = match self {
            Self::Base => narrow + guess.abs() / 100,
            Self::Wide => 16,
        };
        let (alpha, beta) = match depth >= DEPTH && guess.abs() < SCORE {
            true => (guess - delta, guess + delta),
            false => (-INFINITE, INFINITE),
        };
        Window { alpha, beta, delta, lows: 0, highs: 0, lower: 0 }
    }

    /// Returns the next window after this score, or none if the score lies inside.
    pub(crate) fn next(self, window: Window, score: Value) -> Option<Window> {
        let low = score <= window.alpha && window.alpha > -INFINITE;
        let high = score >= window.beta && window.beta < INFINITE;
        match self {
            _ if !low && !high => None,
            Self::Base => Some(grown_by_half(window, score, low)),
            Self::Wide => Some(stepped(window, score, low)),
        }
    }
}

fn grown_by_half(mut window: Window, score: Value, low: bool) -> Window {
    if low {
        window.beta = (window.alpha + window.beta) / 2;
        window.alpha = (score - window.delta).max(-INFINITE);
        window.lower = 0;
    } else {
        window.beta = (score + window.delta).min(INFINITE);
        window.lower = (window.lower + 1).min(3);
    }
    window.delta += window.delta / 2;
    if window.delta > 500 {
        (window.alpha, window.beta) = (-INFINITE, INFINITE);
    }
    window
}

fn stepped(mut window: Window, score: Value, low: bool) -> Window {
    let count = if low { &mut window.lows } else { &mut window.highs };
    *count += 1;
    let piece_to = if *count >= 3 { 2 * INFINITE } else { 32 << (*count).min(3) };
    if low {
        window.alpha = (score - piece_to).max(-INFINITE);
    } else {
        window.beta = (score + piece_to).min(INFINITE);
    }
    window
}

#[cfg(test)]
mod tests {
    use super::{Widening, Window};
    use crate::score::{INFINITE, MATE, Value};

    /// Number of searches that an arm needs until a truth lies inside, with scores cut to the
    /// window's edge as in a fail-hard search.
    fn searches(arm: Widening, guess: Value, truths: &[Value]) -> usize {
        let mut window = arm.first(guess, 9, 14);
        for count in 1..100 {
            let truth = truths[count % truths.len()];
            match arm.next(window, truth.clamp(window.alpha, window.beta)) {
                Some(next) => window = next,
                None => return count,
            }
        }
        100
    }

    #[test]
    fn the_wide_arm_needs_at_most_seven_searches() {
        for guess in (-1_990..2_000).step_by(199) {
            for truth in [-MATE + 3, -1_500, -40, 0, 17, 900, MATE - 5] {
                for other in [-MATE + 3, -300, truth, 300, MATE - 5] {
                    let count = searches(Widening::Wide, guess, &[truth, other]);
                    assert!(count <= 7, "{count} from {guess} to {truth} or {other}");
                }
            }
        }
    }

    #[test]
    fn the_first_failures_widen_as_written() {
        let first = Widening::Wide.first(100, 8, 14);
        assert_eq!((first.alpha, first.beta), (84, 116));
        let low = Widening::Wide.next(first, 84).unwrap();
        assert_eq!((low.alpha, low.beta), (84 - 64, 116));
        let lower = Widening::Wide.next(low, 20).unwrap();
        assert_eq!(lower.alpha, 20 - 128);
        assert_eq!(Widening::Wide.next(lower, -200).unwrap().alpha, -INFINITE);
        assert_eq!(Widening::Wide.next(first, 100), None);
    }

    #[test]
    fn windows_stay_between_the_infinities() {
        for arm in [Widening::Base, Widening::Wide] {
            let Window { alpha, beta, .. } = arm.first(MATE - 3, 12, 14);
            assert_eq!((alpha, beta), (-INFINITE, INFINITE));
            assert_eq!(arm.first(0, 4, 14).alpha, -INFINITE);
        }
        assert_ne!(Widening::Base.first(0, 9, 14), Widening::Wide.first(0, 9, 14));
    }
}
