//! A worker without a unit does tasks of other workers' units: steps of a search in layers.

use crate::run::record::StrategyNumber;
use crate::search::layers::{LayerTask, NumberInRun, StepResult, TaskDesk, answer_bytes};
use crate::units::worker::{Kept, UnitWorkers};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use umbrail_control::{OfferedTask, UnitSource};

/// How long a worker that has done a task waits for the next one before it looks for units again: about as long as a layer takes whose
/// few positions its own worker searches.
const LINGER: Duration = Duration::from_millis(500);

/// The tasks of a source, as one worker does them.
struct Desk<'d> {
    source: &'d dyn UnitSource,
    /// The task at hand.
    at: Option<OfferedTask>,
    is_over: &'d dyn Fn() -> bool,
}

impl Desk<'_> {
    /// The next task that makes sense.
    fn next(&mut self) -> Option<LayerTask> {
        let since = Instant::now();
        while !(self.is_over)() {
            match self.source.task() {
                Some(offered) => match LayerTask::read(&offered.bytes) {
                    Some(task) => {
                        self.at = Some(offered);
                        return Some(task);
                    }
                    None => self.source.answer(&offered, None),
                },
                None if since.elapsed() > LINGER => break,
                None => {}
            }
        }
        None
    }
}

impl TaskDesk for Desk<'_> {
    fn answer(&mut self, result: Option<StepResult>) -> Option<LayerTask> {
        if let Some(at) = self.at.take() {
            let bytes = result.map(|result| answer_bytes(&result));
            self.source.answer(&at, bytes);
        }
        self.next()
    }
}

impl<'a> UnitWorkers<'a> {
    /// Does tasks while there are any.
    pub(super) fn do_tasks(&self, worker: usize, kept: &mut Kept<'a>) {
        if !self.source.has_boards() {
            return;
        }
        let is_over = || self.run.is_over();
        let mut desk = Desk { source: self.source, at: None, is_over: &is_over };
        // The first one is not waited for: there may be units.
        let mut next = self.source.task().and_then(|offered| {
            let task = LayerTask::read(&offered.bytes);
            desk.at = Some(offered);
            match task {
                Some(task) => Some(task),
                None => desk.answer(None),
            }
        });
        while let Some(task) = next.take() {
            let shared = self.parts.iter().find(|part| part.number == task.case.number.part);
            let taken = shared.and_then(|shared| self.take_part(worker, shared, kept));
            let Some((part, members)) = taken else {
                next = desk.answer(None);
                continue;
            };
            let Some(player) = members.first_mut() else { break };
            let NumberInRun { part: retraction, claim, index } = task.case.number;
            let number = StrategyNumber { retraction, claim, index };
            let _shown = part.run.run_control.watch.helping(worker, number, &task.case.strategy);
            let mut case =
                self.cases.of(&task.case, || part.run.plays.fetch_add(1, Ordering::Relaxed));
            // Only several threads share results; one thread uses a map of its own, which needs no locks.
            case.cache = case.cache.filter(|_| self.posts.len() > 1);
            next = player.do_tasks(task, &case, &part.run.enough, &mut desk);
        }
    }
}
