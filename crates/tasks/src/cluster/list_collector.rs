//! Results of a run with a fixed list of units.

use super::ROOM;
use super::collect::collect as collect_run;
use super::list_run::{ListRun, ListWork, UNIT, take_units_beside};
use super::settings::ClusterSettings;
use super::status;
use std::collections::HashMap;
use umbrail_cluster::{
    ClusterError, CollectedRun, CollectionEvent, RepeatableWork, ResultDefect, Server,
};
use umbrail_session::domain::Domain;
use umbrail_session::job_context::JobContext;
use umbrail_session::message::{Kind, Message};

/// Functions of a module on results.
pub(crate) struct ListResults<'a, T> {
    /// Reads and checks the result of a unit.
    pub(crate) read: &'a dyn Fn(&str, &str) -> Result<T, ResultDefect>,
    /// Returns the reason why two results of one unit cannot both be right.
    pub(crate) differ: &'a dyn Fn(&T, &T) -> Option<String>,
    /// Shows a result. Results come in the order of their units; at the end of a stopped run, units
    /// without a result are omitted.
    pub(crate) show: &'a mut dyn FnMut(usize, &T),
}

/// End of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListEnd {
    /// Number of units with a result.
    pub(crate) done: usize,
    /// Reasons for missing units, other than a stop.
    pub(crate) troubles: Vec<String>,
}

/// Distributes units to all workers of a cluster, and shows their results.
///
/// # Errors
/// The reason why the server cannot be used.
pub(crate) fn collect<T>(
    (domain, run, units): (Domain, &ListRun, &[String]),
    work: &dyn ListWork,
    settings: &ClusterSettings,
    results: ListResults<'_, T>,
    job: &JobContext<'_>,
) -> Result<ListEnd, ClusterError> {
    let server = Server::connect(&settings.address)?;
    let open = run.open(units, settings.lease.as_millis() as u64, ROOM);
    let mut collected = ListProgress {
        units,
        numbers: units.iter().enumerate().map(|(at, unit)| (unit.as_str(), at)).collect(),
        known: units.iter().map(|_| UnitState::Open).collect(),
        done: 0,
        shown: 0,
        results,
    };
    let note = |text: String| job.message(Message::new(domain, Kind::Note).printing(text));
    let mut notify = |event| match event {
        CollectionEvent::Status(standing) => {
            let page = status::page(&open.name, standing);
            job.message(status::record(domain, &page));
        }
        other => status::note(&other).into_iter().for_each(note),
    };
    let cancel = job.cancel.child();
    let works = {
        let JobContext { clock, progress, pool, skips, notify, .. } = *job;
        let (server, open, cancel) = (&server, &open, cancel.clone());
        move || {
            let cancel = cancel.clone();
            let beside = JobContext { cancel, clock, progress, pool, skips, notify };
            // The collector itself notices when the run cannot be joined.
            let _ = take_units_beside(server, open, work, &beside);
        }
    };
    let is_over = || job.is_over();
    let end = collect_run(
        (&server, &open),
        settings,
        &mut collected,
        (works, &cancel),
        &is_over,
        &mut notify,
    )?;
    if !end.is_over {
        note(status::stays_open(&open.name, &settings.address));
    }
    if end.faults.is_empty() && settings.audit > 0 {
        job.message(status::audited(domain, "", end.audits));
    }
    Ok(collected.end(end.faults))
}

/// State of a unit.
enum UnitState<T> {
    Open,
    Done(T),
    GivenUp(String),
}

/// Units of a run with a fixed list, and their results in order.
struct ListProgress<'a, 'r, T> {
    units: &'a [String],
    numbers: HashMap<&'a str, usize>,
    known: Vec<UnitState<T>>,
    /// Number of units with a result.
    done: usize,
    /// First unit that is not shown yet.
    shown: usize,
    results: ListResults<'r, T>,
}

impl<T> ListProgress<'_, '_, T> {
    /// Sets the state of a unit and shows the next results in order. The first result stands.
    fn set(&mut self, at: usize, state: UnitState<T>) {
        match (&self.known[at], &state) {
            (UnitState::Done(_), _) => return,
            (_, UnitState::Done(_)) => self.done += 1,
            _ => {}
        }
        self.known[at] = state;
        while let Some(state) = self.known.get(self.shown) {
            match state {
                UnitState::Open => break,
                UnitState::Done(result) => (self.results.show)(self.shown, result),
                UnitState::GivenUp(_) => {}
            }
            self.shown += 1;
        }
    }

    fn end(self, mut troubles: Vec<String>) -> ListEnd {
        for at in self.shown..self.known.len() {
            if let UnitState::Done(result) = &self.known[at] {
                (self.results.show)(at, result);
            }
        }
        for (unit, state) in self.units.iter().zip(&self.known) {
            if let UnitState::GivenUp(why) = state {
                troubles.push(format!("{unit} was given up: {why}"));
            }
        }
        ListEnd { done: self.done, troubles }
    }
}

impl<T> CollectedRun for ListProgress<'_, '_, T> {
    fn first_units(&self) -> Vec<String> {
        self.units.to_vec()
    }

    fn accept(
        &mut self,
        unit: &str,
        worker: &str,
        result: &str,
    ) -> Result<Vec<RepeatableWork>, ResultDefect> {
        let unknown = || ResultDefect::damaged("the run has no such unit");
        let &at = self.numbers.get(unit).ok_or_else(unknown)?;
        let read = (self.results.read)(unit, body(result)?)?;
        self.set(at, UnitState::Done(read));
        Ok(vec![RepeatableWork {
            unit: unit.to_owned(),
            workers: [worker.to_owned()].into(),
            size: 1,
            stated: result.to_owned(),
            is_repeatable: true,
        }])
    }

    fn give_up(&mut self, unit: &str, why: &str) {
        if let Some(&at) = self.numbers.get(unit) {
            self.set(at, UnitState::GivenUp(why.to_owned()));
        }
    }

    fn missing(&self) -> Vec<String> {
        self.units.iter().filter(|unit| self.is_missing(unit)).cloned().collect()
    }

    fn is_missing(&self, unit: &str) -> bool {
        self.numbers.get(unit).is_some_and(|&at| matches!(self.known[at], UnitState::Open))
    }

    fn is_finished(&self) -> bool {
        !self.known.iter().any(|state| matches!(state, UnitState::Open))
    }

    fn compare(&self, unit: &str, stated: &str, second: &str) -> Result<(), ResultDefect> {
        let read = |result| (self.results.read)(unit, body(result)?);
        match (self.results.differ)(&read(stated)?, &read(second)?) {
            Some(why) => Err(ResultDefect::Contradiction(why)),
            None => Ok(()),
        }
    }

    fn units(&self) -> (u64, u64) {
        (self.done as u64, (self.units.len() - self.done) as u64)
    }

    fn parts(&self) -> (u64, Option<u64>) {
        (self.done as u64, Some(self.units.len() as u64))
    }
}

/// Returns the contents of a result, after the line with its unit.
fn body(result: &str) -> Result<&str, ResultDefect> {
    let parts = result.strip_prefix(UNIT).and_then(|rest| rest.split_once('\n'));
    parts.map(|(_, body)| body).ok_or_else(|| ResultDefect::damaged("it is empty"))
}
