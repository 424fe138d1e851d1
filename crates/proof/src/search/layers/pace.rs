//! How long positions of a case take, and how long a task of it may.
//!
//! Positions of one part of a layer can take a hundred times as long as those of another one, and a layer ends with its longest
//! task. So a task gives back what it has not done within a share of what is left of the layer, as in guided self-scheduling
//! (Polychronopoulos and Kuck 1987): long tasks at the begin of a layer, short ones at its end.

use crate::search::layers::division::TaskPart;
use crate::search::layers::step::StepResult;

/// Least and longest time of a task before it gives back the rest, in microseconds of processor time. A shorter one would be mostly
/// message; a longer one is lost with its worker. Tests have few positions.
const LIMITS: (u64, u64) = if cfg!(test) { (5, 500) } else { (40_000, 5_000_000) };

/// The same while nothing is known.
const FIRST: u64 = if cfg!(test) { 20 } else { 100_000 };

/// The time of a task of the worker whose case it is: the others wait for it when they need more tasks.
pub(super) const OWN_LIMIT: u64 = if cfg!(test) { 20 } else { 50_000 };

/// Tasks for each worker that what is left of a layer would make.
const SHARES: u64 = 4;

/// Tasks at most into which the rest of one is divided: each has all of its bytes.
const RESTS_MAX: u64 = 16;

/// Times of positions, as the answers tell. What is longer ago counts less.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RowTimes {
    micros: u64,
    rows: u64,
}

impl RowTimes {
    /// Notes an answer.
    pub(super) fn note(&mut self, result: &StepResult) {
        self.micros += result.micros;
        self.rows += u64::from(result.done);
    }

    /// The next layer begins.
    pub(super) fn age(&mut self) {
        (self.micros, self.rows) = (self.micros / 2, self.rows / 2);
    }

    /// The limit of a task in microseconds. `rows` positions of the layer, the task's own among them, are left for this number of workers.
    pub(super) fn limit(self, rows: u64, workers: usize) -> u64 {
        let shares = SHARES * (workers as u64).max(1);
        let time = u128::from(self.micros) * u128::from(rows);
        match time.checked_div(u128::from(self.rows) * u128::from(shares)) {
            Some(share) => u64::try_from(share).unwrap_or(u64::MAX).clamp(LIMITS.0, LIMITS.1),
            None => FIRST,
        }
    }
}

/// The range of a task that is left, as tasks that take about as long as its limit allows when they go on as it went.
pub(super) fn rests(part: TaskPart, result: &StepResult, limit: u64) -> Vec<TaskPart> {
    let Some([begin, end]) = result.left else { return vec![] };
    let rows = u64::from(end.saturating_sub(begin));
    let time = result.micros.saturating_mul(rows) / u64::from(result.done).max(1);
    let count = (time / limit.max(1) + 1).min(RESTS_MAX).min(rows.max(1));
    let at = |number: u64| begin + (rows * number / count) as u32;
    let range = |number| [at(number), at(number + 1)];
    let size = (rows / count) as usize;
    (0..count).map(|number| TaskPart { range: range(number), size, ..part }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::layers::step::WHOLE;

    #[test]
    fn the_limit_is_a_share_of_what_is_left() {
        let mut pace = RowTimes::default();
        assert_eq!(pace.limit(1_000, 4), FIRST);
        // Ten positions in twenty microseconds.
        pace.note(&StepResult { done: 10, micros: 20, ..StepResult::default() });
        assert_eq!(pace.limit(1_000, 1), LIMITS.1, "a thousand, but not more than the longest");
        assert_eq!(pace.limit(400, 4), 2 * 400 / (4 * SHARES));
        assert_eq!(pace.limit(4, 4), LIMITS.0);
        pace.age();
        pace.note(&StepResult { done: 5, micros: 30, ..StepResult::default() });
        assert_eq!(pace.limit(400, 4), 4 * 400 / (4 * SHARES));
        assert_eq!(pace.limit(u64::MAX, 1), LIMITS.1);
    }

    #[test]
    fn what_is_left_is_divided_without_gaps() {
        let part = TaskPart { part: 3, slice: [1, 2], range: WHOLE, size: 99 };
        let result =
            |left, done, micros| StepResult { left, done, micros, ..StepResult::default() };
        assert_eq!(rests(part, &result(None, 9, 9), 10), []);
        let ranges = |left, done, micros| {
            let tasks = rests(part, &result(Some(left), done, micros), 10);
            tasks.into_iter().map(|task| task.range).collect::<Vec<_>>()
        };
        // Ten positions in twenty microseconds, so fifteen in thirty.
        assert_eq!(ranges([10, 25], 10, 20), [[10, 13], [13, 17], [17, 21], [21, 25]]);
        assert_eq!(ranges([10, 12], 1, 1_000), [[10, 11], [11, 12]]);
        assert_eq!(ranges([1, 2], 0, 0), [[1, 2]]);
        let many = ranges([0, 1_000_000], 1, 1_000);
        assert!(many.len() == 16 && many.windows(2).all(|two| two[0][1] == two[1][0]));
        assert_eq!((many[0][0], many[15][1]), (0, 1_000_000));
    }
}
