//! Choice of the answer among the results of several workers.
//!
//! The workers search the same position to different depths and see different parts of the tree. Each
//! votes for its move; deeper results and better scores have more weight, so a worker that found a
//! refutation or a better move at the end overrules the first one. The scheme is that of Stockfish.

use super::root::WorkerResult;
use super::score::{DECISIVE, Value};
use umbrail_chess::Move;

/// Weight of a worker with the lowest score, for each ply of its depth.
const BASE: i64 = 14;

/// Returns the index of the result that becomes the answer.
///
/// A decisive score needs no majority, since the others have only not seen it yet: first the shortest
/// win, then the shortest loss, since its worker has refuted the longer defenses of the others.
pub(super) fn elect(results: &[WorkerResult]) -> usize {
    let candidates: Vec<Candidate> = results.iter().map(Candidate::of).collect();
    let lowest = candidates.iter().filter_map(|it| it.mv.map(|_| it.value)).min().unwrap_or(0);
    let weight = |it: &Candidate| (i64::from(it.value - lowest) + BASE) * i64::from(it.depth);
    let votes =
        |mv: Option<Move>| -> i64 { candidates.iter().filter(|it| it.mv == mv).map(weight).sum() };
    let mut best = 0;
    for at in 1..candidates.len() {
        let (it, leader) = (&candidates[at], &candidates[best]);
        if it.mv.is_none() {
            continue;
        }
        let is_better = if leader.mv.is_none() {
            true
        } else if it.value.max(leader.value) >= DECISIVE {
            it.value > leader.value
        } else if it.value.min(leader.value) <= -DECISIVE {
            it.value < leader.value
        } else {
            let key = |it: &Candidate| (votes(it.mv), weight(it));
            key(it) > key(leader)
        };
        if is_better {
            best = at;
        }
    }
    best
}

/// Move of a worker, with the score and depth that give its vote weight.
struct Candidate {
    mv: Option<Move>,
    value: Value,
    depth: u32,
}

impl Candidate {
    fn of(result: &WorkerResult) -> Self {
        let line = result.line.as_ref();
        let mv = line.and_then(|line| line.pv.first().copied());
        Self { mv, value: result.value, depth: line.map_or(0, |line| line.depth) }
    }
}

#[cfg(test)]
mod tests {
    use super::elect;
    use crate::root::WorkerResult;
    use crate::score::{Bound, Score};
    use crate::statistics::SearchStatistics;
    use crate::{Ended, PvLine};
    use std::time::Duration;
    use umbrail_chess::{Position, parse_uci};

    fn result(mv: Option<&str>, value: i32, depth: u32) -> WorkerResult {
        let line = mv.map(|mv| PvLine {
            depth,
            seldepth: depth,
            multipv: 1,
            score: Score::Cp(value),
            bound: Bound::Exact,
            nodes: 1,
            time: Duration::ZERO,
            hashfull: 0,
            tbhits: 0,
            pv: vec![parse_uci(&Position::startpos(), mv).unwrap()],
        });
        WorkerResult {
            line,
            value,
            lines: vec![],
            ended: Ended::Stopped,
            late_changes: 0,
            statistics: SearchStatistics::default(),
        }
    }

    #[test]
    fn the_first_worker_decides_unless_it_is_outvoted() {
        let first = || result(Some("e2e4"), 30, 20);
        assert_eq!(elect(&[first()]), 0);
        assert_eq!(elect(&[first(), first(), first()]), 0);
        assert_eq!(elect(&[first(), result(Some("d2d4"), 30, 20)]), 0);
        // Two against one.
        assert_eq!(
            elect(&[first(), result(Some("d2d4"), 28, 20), result(Some("d2d4"), 30, 20)]),
            2
        );
        // Deeper and better.
        assert_eq!(elect(&[first(), result(Some("d2d4"), 45, 21)]), 1);
        assert_eq!(elect(&[first(), result(Some("d2d4"), 5, 21)]), 0);
        // The deepest of those that agree.
        assert_eq!(elect(&[first(), result(Some("e2e4"), 30, 22)]), 1);
    }

    #[test]
    fn a_decisive_score_needs_no_majority() {
        let quiet = || result(Some("e2e4"), 30, 20);
        let mate = |value| result(Some("d2d4"), value, 12);
        assert_eq!(elect(&[quiet(), quiet(), mate(31_990)]), 2);
        assert_eq!(elect(&[mate(31_980), mate(31_990), quiet()]), 1);
        assert_eq!(elect(&[mate(-31_990), quiet(), quiet()]), 0);
        assert_eq!(elect(&[mate(-31_980), mate(-31_990), quiet()]), 1);
        assert_eq!(elect(&[mate(-31_990), mate(31_990)]), 1);
    }

    #[test]
    fn a_worker_without_a_line_has_no_vote() {
        assert_eq!(elect(&[result(None, 0, 0), result(Some("e2e4"), -500, 3)]), 1);
        assert_eq!(elect(&[result(Some("e2e4"), -500, 3), result(None, 0, 0)]), 0);
        assert_eq!(elect(&[result(None, 0, 0)]), 0);
    }
}
