//! The walk above the sync depth, which names the units of a run.
//!
//! The collector of a run does this walk itself and takes no result of it from others: whoever
//! names the units decides what the run omits.

use crate::run::{RunControl, RunEvent};
use crate::units::spec::RunSpec;
use crate::units::worker::{UnitBudget, work};
use std::collections::VecDeque;
use std::sync::Mutex;
use umbrail_control::{Control, LeasedUnit, NextUnit, UnitEnd, UnitSource, lock};

/// Prefix of the units that name others.
const SEEK: &str = "seek ";

/// Step of the walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Naming {
    /// A unit for the workers.
    Unit(String),
    /// The result of a section of the walk, for the registry.
    Result(String),
    /// A section of the walk failed, for this reason.
    Failed {
        /// Unit of the section.
        unit: String,
        /// Reason of the failure.
        why: String,
    },
}

/// Returns true for the units of this walk.
pub fn names_units(unit: &str) -> bool {
    unit.starts_with(SEEK)
}

/// Walks the tree above the sync depth and names all units, with the threads of `control`. `send`
/// may wait until there is room for more.
pub fn name_units(
    spec: &RunSpec,
    send: &(dyn Fn(Naming) + Sync),
    run_control: &RunControl,
    control: &Control<'_, RunEvent>,
) {
    let source = Walk { waiting: Mutex::new((spec.roots().into(), 0)), send };
    work(spec, &UnitBudget::default(), &source, run_control, control);
}

struct Walk<'a> {
    /// Sections that wait, and the number of sections at work.
    waiting: Mutex<(VecDeque<String>, usize)>,
    send: &'a (dyn Fn(Naming) + Sync),
}

impl UnitSource for Walk<'_> {
    fn next(&self, _: usize) -> NextUnit {
        let mut state = lock(&self.waiting);
        let Some(text) = state.0.pop_front() else {
            return if state.1 == 0 { NextUnit::Never } else { NextUnit::Later };
        };
        state.1 += 1;
        NextUnit::Unit(LeasedUnit { text, lease: 1, attempt: 1, is_whole: false })
    }

    fn offer(&self, text: &str) -> bool {
        match names_units(text) {
            true => lock(&self.waiting).0.push_back(text.to_owned()),
            false => (self.send)(Naming::Unit(text.to_owned())),
        }
        true
    }

    fn has_idle_workers(&self) -> bool {
        false
    }

    fn finish(&self, unit: LeasedUnit, end: UnitEnd) {
        if unit.lease > 0 {
            lock(&self.waiting).1 -= 1;
        }
        match end {
            UnitEnd::Done(text) => (self.send)(Naming::Result(text)),
            UnitEnd::Failed(why) => (self.send)(Naming::Failed { unit: unit.text, why }),
            UnitEnd::HandedBack => {}
        }
    }
}
