//! Second results, which confirm or contradict the first ones.

use super::{Collection, CollectionEvent};
use crate::audits::SecondResult;
use crate::collected_run::{CollectedRun, RepeatableWork, ResultDefect};
use crate::run_queue::RunQueue;
use umbrail_control::UnitId;

impl Collection {
    /// Counts finished work, and lets a second worker repeat it if it is one of the share.
    pub(super) fn begin_audit(
        &mut self,
        work: RepeatableWork,
        run: &dyn CollectedRun,
        queue: &mut dyn RunQueue,
        notify: &mut dyn FnMut(CollectionEvent),
    ) {
        let (id, unit) = (self.id(&work.unit), work.unit.clone());
        if let Some(second) = self.audits.begin(id, work) {
            self.take_second(id, &unit, second, run, queue, notify);
        }
    }

    /// Takes the second result of a unit.
    pub(super) fn take_second(
        &mut self,
        id: UnitId,
        unit: &str,
        second: SecondResult,
        run: &dyn CollectedRun,
        queue: &mut dyn RunQueue,
        notify: &mut dyn FnMut(CollectionEvent),
    ) {
        if !self.audits.is_open(id) {
            return self.audits.keep(id, second);
        }
        let SecondResult { worker, number, text } = second;
        let compared = match self.audits.work(id, &worker) {
            Some(work) => {
                let first = || work.workers.iter().map(String::as_str).collect::<Vec<_>>();
                run.compare(unit, &work.stated, &text)
                    .map_err(|defect| (defect, first().join(", ")))
            }
            None => {
                let why = "a second result must be another worker's".to_owned();
                Err((ResultDefect::Damaged(why), String::new()))
            }
        };
        match compared {
            Ok(()) => self.audits.confirm(id),
            Err((ResultDefect::Contradiction(why), first)) => self.faults.push(format!(
                "the workers {first} and {worker} disagree about the unit {unit}: {why}"
            )),
            Err((ResultDefect::Damaged(why), _)) => {
                queue.discard(number);
                notify(CollectionEvent::Damaged { worker, why });
                self.audits.repeat(id);
            }
        }
    }
}
