//! From one layer to the next, with the workers that take tasks.

use crate::search::depth_first::SearchHalt;
use crate::search::layers::division::{TaskPart, WORKERS_MAX, pieces_in, rows_left, tasks_of};
use crate::search::layers::layered::Layered;
use crate::search::layers::message::{LayerTask, read_answer};
use crate::search::layers::pace::{OWN_LIMIT, rests};
use crate::search::layers::reached::{LayerPiece, Reached};
use crate::search::layers::step::{StepResult, StepShape};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use umbrail_control::TaskStage;

/// Tasks offered at a time, for each helper, and more. The others are kept, so that their own worker has something to do.
const WINDOW: (usize, usize) = (2, 4);

/// How long an answer is waited for when nothing else is left to do: as long as there was none, at least, and as many times the
/// longest wait so far in the case.
const PATIENCE: (Duration, Duration, u32) = (Duration::from_millis(600), Duration::from_secs(2), 4);

impl Layered<'_, '_> {
    /// Other workers that take tasks, as far as is known.
    pub(super) fn helpers(&self) -> usize {
        let board = self.board.map(|board| board.helpers()).unwrap_or_default();
        self.helpers.max(board)
    }

    /// From one layer to the next.
    pub(super) fn reach(
        &mut self,
        parts: &[Vec<LayerPiece>],
        shape: StepShape,
        rows: u64,
    ) -> Result<Reached, SearchHalt> {
        let mut reached = Reached::default();
        self.patterns.age();
        self.pace.age();
        let board = self.board.filter(|_| rows >= self.sizes.alone && parts.len() > 1);
        let workers = board.map_or(1, |_| self.helpers() + 1);
        let mut left = tasks_of(parts, workers, self.sizes.small);
        let workers = workers.min(WORKERS_MAX);
        let (half_moves, of) = (shape.ply, self.search.plies());
        let Some(board) = board else {
            for part in left {
                if reached.refuted {
                    break;
                }
                self.own(parts, part, shape, 0, &mut reached)?;
            }
            return Ok(reached);
        };
        let window = WINDOW.0 * self.helpers() + WINDOW.1;
        let mut offered: BTreeMap<u64, TaskPart> = BTreeMap::new();
        let mut news = Instant::now();
        let (mut answered, mut done) = (BTreeSet::new(), 0);
        loop {
            let patterns = self.patterns.best();
            while offered.len() < window
                && let Some(part) = left.pop_front()
            {
                let limit = self.pace.limit(rows_left(&left, part), workers);
                let pieces = pieces_in(parts, part).into_iter().map(<[u8]>::to_vec).collect();
                let case = self.case.clone();
                let (slice, range) = (part.slice, part.range);
                let shape = StepShape { slice, range, limit, ..shape };
                let task = LayerTask { case, shape, patterns: patterns.clone(), pieces };
                let number = *self.numbers;
                *self.numbers += 1;
                if !board.offer(number, &task.bytes()) {
                    left.push_front(part);
                    break;
                }
                offered.insert(number, part);
                news = Instant::now();
            }
            let tasks = done + (left.len() + offered.len()) as u64;
            board.note(TaskStage { half_moves, of, tasks, done });
            let own = left.pop_back();
            if reached.refuted || own.is_none() && offered.is_empty() {
                break;
            }
            let patience = match self.longest {
                Duration::ZERO => PATIENCE.0,
                longest => PATIENCE.1.max(longest * PATIENCE.2),
            };
            if let Some(part) = own {
                done += 1;
                left.extend(self.own(parts, part, shape, OWN_LIMIT, &mut reached)?);
            } else if news.elapsed() > patience {
                // Helpers that do not come back: their tasks are done here, one after the other, as long as that is so.
                if let Some((_, part)) = offered.pop_first() {
                    done += 1;
                    self.own(parts, part, shape, 0, &mut reached)?;
                }
            }
            let wait = if left.is_empty() && !offered.is_empty() {
                Duration::from_millis(50)
            } else {
                Duration::ZERO
            };
            for answer in board.answers(wait) {
                let Some(part) = offered.remove(&answer.number) else { continue };
                self.longest = self.longest.max(news.elapsed());
                (news, done) = (Instant::now(), done + 1);
                let result = answer.bytes.and_then(|bytes| read_answer(&bytes, shape));
                match result.filter(|result| part.has(result.left)) {
                    Some(result) => {
                        answered.insert(answer.worker);
                        self.moves += result.moves;
                        let limit = self.pace.limit(rows_left(&left, part), workers);
                        let rests = self.add(part, result, limit, &mut reached);
                        rests.into_iter().rev().for_each(|part| left.push_front(part));
                    }
                    None => {
                        self.own(parts, part, shape, 0, &mut reached)?;
                    }
                }
            }
            self.check()?;
        }
        self.helpers = answered.len();
        Ok(reached)
    }

    /// Does a task itself, for some time; gives what is left of it.
    fn own(
        &mut self,
        parts: &[Vec<LayerPiece>],
        part: TaskPart,
        shape: StepShape,
        limit: u64,
        reached: &mut Reached,
    ) -> Result<Option<TaskPart>, SearchHalt> {
        self.check()?;
        let pieces = pieces_in(parts, part);
        // Pieces of a wrong answer end the search: its case is not decided.
        self.search.ask_these(&self.patterns.best());
        let shape = StepShape { slice: part.slice, range: part.range, limit, ..shape };
        let result = self.search.step(&self.format, &pieces, shape)?.ok_or(SearchHalt::Stopped)?;
        Ok(self.add(part, result, u64::MAX, reached).pop())
    }

    /// Adds what a task found; gives what it left, as tasks that take at most `limit`.
    fn add(
        &mut self,
        part: TaskPart,
        result: StepResult,
        limit: u64,
        reached: &mut Reached,
    ) -> Vec<TaskPart> {
        self.patterns.note(&result.patterns);
        self.pace.note(&result);
        let rests = rests(part, &result, limit);
        reached.add(part.part, result);
        rests
    }

    fn check(&self) -> Result<(), SearchHalt> {
        let moves = self.search.moves + self.moves;
        let goes_on = !self.cancel.is_raised() && moves < self.moves_max;
        if goes_on { Ok(()) } else { Err(SearchHalt::Stopped) }
    }
}
