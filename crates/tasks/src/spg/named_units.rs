//! A proof game as a run of a cluster: the collector names the units, and workers run them.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;
use umbrail_cluster::{CollectedRun, OwnWork, OwnWorkError, RepeatableWork, ResultDefect};
use umbrail_control::{Cancel, lock};
use umbrail_proof::run::{RunArchive, RunEvent};
use umbrail_proof::units::{
    Accepted, Naming, Repeat, ResultDifference, RunSpec, UnitRegistry, names_units,
};

/// Number of steps of the naming that wait for the collector.
const ROOM: usize = 4096;

/// Pause of the naming while the collector has enough units.
const FULL: Duration = Duration::from_millis(20);

/// Name under which the collector names units.
const COLLECTOR: &str = "collector";

/// Steps of the walk that names the units, on their way to the collector.
#[derive(Debug, Default)]
pub(super) struct NamedUnits(Mutex<VecDeque<Naming>>);

impl NamedUnits {
    /// Adds a step; waits until there is room, or until the run is stopped.
    pub(super) fn send(&self, step: Naming, cancel: &Cancel) {
        while !cancel.is_raised() {
            let mut steps = lock(&self.0);
            if steps.len() < ROOM {
                steps.push_back(step);
                return;
            }
            drop(steps);
            std::thread::sleep(FULL);
        }
    }

    /// Records that the walk cannot begin.
    pub(super) fn fail(&self, why: &str) {
        let (unit, why) = (String::new(), why.to_owned());
        lock(&self.0).push_back(Naming::Failed { unit, why });
    }

    fn take(&self) -> VecDeque<Naming> {
        std::mem::take(&mut lock(&self.0))
    }
}

/// Run of a proof-game problem: an adapter of the `UnitRegistry`.
pub(super) struct ProofGameRun<'a> {
    pub(super) spec: &'a RunSpec,
    pub(super) registry: UnitRegistry,
    pub(super) named: &'a NamedUnits,
    pub(super) archive: &'a dyn RunArchive,
    pub(super) notify: &'a dyn Fn(RunEvent),
    pub(super) is_enough: bool,
}

impl ProofGameRun<'_> {
    /// Reports the games of finished claims. Returns the work that can be repeated.
    fn report(&mut self, accepted: Accepted) -> Vec<RepeatableWork> {
        let mut found = false;
        for success in accepted.claims.iter().flat_map(|claim| &claim.successes) {
            (self.notify)(RunEvent::Success(Box::new(success.clone())));
            found = true;
        }
        self.is_enough |= found && self.registry.is_enough(self.spec);
        let work = |Repeat { unit, workers, strategies: size, stated, is_repeatable }| {
            RepeatableWork { unit, workers, size, stated, is_repeatable }
        };
        accepted.repeats.into_iter().map(work).collect()
    }
}

impl CollectedRun for ProofGameRun<'_> {
    fn first_units(&self) -> Vec<String> {
        vec![]
    }

    fn own_work(&mut self) -> Result<OwnWork, OwnWorkError> {
        let mut own = OwnWork::default();
        for step in self.named.take() {
            match step {
                Naming::Unit(unit) if self.registry.has_result(&unit) => {}
                Naming::Unit(unit) => own.units.push(unit),
                Naming::Result(text) => {
                    let accepted = self.registry.accept(&text, COLLECTOR, self.archive);
                    let accepted =
                        accepted.map_err(|why| OwnWorkError::Contradiction(why.to_string()))?;
                    own.finished.extend(self.report(accepted));
                }
                Naming::Failed { unit, why } => return Err(OwnWorkError::Failed { unit, why }),
            }
        }
        Ok(own)
    }

    fn accept(
        &mut self,
        unit: &str,
        worker: &str,
        result: &str,
    ) -> Result<Vec<RepeatableWork>, ResultDefect> {
        if names_units(unit) {
            return Err(ResultDefect::damaged("workers do not name the units of a run"));
        }
        self.registry.check(result).map_err(ResultDefect::damaged)?;
        let accepted = self.registry.accept(result, worker, self.archive);
        let accepted = accepted.map_err(|why| ResultDefect::Contradiction(why.to_string()))?;
        Ok(self.report(accepted))
    }

    fn give_up(&mut self, unit: &str, why: &str) {
        if !names_units(unit) {
            self.registry.give_up(unit, why);
        }
    }

    fn missing(&self) -> Vec<String> {
        self.registry.missing().filter(|unit| !names_units(unit)).map(str::to_owned).collect()
    }

    fn is_missing(&self, unit: &str) -> bool {
        !names_units(unit) && self.registry.is_missing(unit)
    }

    fn is_finished(&self) -> bool {
        self.registry.is_closed()
    }

    fn is_enough(&self) -> bool {
        self.is_enough
    }

    fn compare(&self, unit: &str, stated: &str, second: &str) -> Result<(), ResultDefect> {
        let compared = self.registry.compare(unit, stated, second);
        compared.map_err(|why| match why {
            ResultDifference::Unreadable(why) => ResultDefect::Damaged(why.to_string()),
            why => ResultDefect::Contradiction(why.to_string()),
        })
    }

    fn units(&self) -> (u64, u64) {
        let (closed, open) = self.registry.units();
        (closed as u64, open as u64)
    }

    fn parts(&self) -> (u64, Option<u64>) {
        self.registry.claims()
    }
}
