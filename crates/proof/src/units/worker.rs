//! Workers, which process units from a source until it has no more.

use crate::enumerate::RootEnds;
use crate::problem::retraction::EarlierProblem;
use crate::run::part::RetractionRun;
use crate::run::team::Team;
use crate::run::totals::{Persistence, Run};
use crate::run::{CurrentPart, Params, RunControl, RunEvent, StopAt};
use crate::search::{NogoodStore, StrategySearcher};
use crate::units::worker_state::WorkerState;

use crate::units::spec::RunSpec;
use crate::units::unit::Unit;
use crate::units::unit_work::{NoResult, UnitWork};
use std::collections::{HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use umbrail_control::{Control, LeasedUnit, NextUnit, UnitEnd, UnitSource, keep_limit, lock};

/// Time that a unit may take before it divides itself.
#[derive(Clone, Copy, Debug)]
pub struct UnitBudget {
    /// Maximum duration of a unit, except for a single strategy.
    pub most: Duration,
    /// Maximum duration while other workers wait for units.
    pub while_others_wait: Duration,
    /// Test hook: the unit whose first claim has this number panics.
    pub panic_at: Option<u64>,
}

impl Default for UnitBudget {
    /// A unit is lost with its worker, so it should not take minutes. A message takes milliseconds,
    /// so a unit should take much longer than that.
    fn default() -> Self {
        let (most, while_others_wait) = (Duration::from_secs(20), Duration::from_millis(100));
        Self { most, while_others_wait, panic_at: None }
    }
}

/// State of one part that all workers of a run share.
struct SharedPart {
    earlier: EarlierProblem,
    number: u16,
    ends: RootEnds,
    /// Nogoods learned from strategies.
    store: Arc<NogoodStore>,
}

/// Processes units with all workers until the source has no more, or until it is stopped.
///
/// A worker without a unit helps another worker of this process whose strategy takes long.
pub fn work(
    spec: &RunSpec,
    budget: &UnitBudget,
    source: &dyn UnitSource,
    run_control: &RunControl,
    control: &Control<'_, RunEvent>,
) {
    // The collector decides when the results suffice.
    let params = Params { stop_at: StopAt::Complete, ..spec.params.clone() };
    let run = Run::new(&spec.problem, &params, run_control, Persistence::default(), control);
    let share = |(number, earlier)| {
        let (ends, store) = (RootEnds::default(), Arc::default());
        SharedPart { earlier, number, ends, store }
    };
    let parts: Vec<SharedPart> = spec.parts().into_iter().map(share).collect();
    let team = Arc::new(Team::new(control.pool.size()));
    let posts = (0..control.pool.size()).map(|_| WorkerState::default()).collect();
    let offered = OfferedUnits { source, units: Mutex::default() };
    let workers =
        UnitWorkers { spec, budget, source, run: &run, parts: &parts, team, posts, offered };
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let share = || workers.share(&over);
        // Without a thread for sharing, nothing is given away, and long strategies are not divided.
        let sharing = std::thread::Builder::new().spawn_scoped(scope, share).ok();
        // Searches poll only the stop signal.
        keep_limit(control.clock, &control.cancel, || {
            control.pool.broadcast(|worker| workers.worker(worker));
        });
        // Relaxed: the flag guards no other data.
        over.store(true, Ordering::Relaxed);
        if let Some(sharing) = sharing {
            sharing.thread().unpark();
        }
    });
}

/// Polling interval for waiting workers while a strategy takes long.
const LOOK: Duration = Duration::from_millis(50);

/// Interval at which workers exchange learned facts.
const EXCHANGE: Duration = Duration::from_secs(1);

/// Units that workers of this process have queued and that no result has named yet.
struct OfferedUnits<'a> {
    source: &'a dyn UnitSource,
    units: Mutex<HashSet<String>>,
}

impl OfferedUnits<'_> {
    /// Queues a unit; returns false if the queue is full.
    fn offer(&self, text: &str) -> bool {
        let room = self.source.offer(text);
        if room {
            lock(&self.units).insert(text.to_owned());
        }
        room
    }

    /// Returns true if a unit was queued, and forgets it, since a result names it once.
    fn has(&self, text: &str) -> bool {
        lock(&self.units).remove(text)
    }
}

struct UnitWorkers<'a> {
    spec: &'a RunSpec,
    budget: &'a UnitBudget,
    source: &'a dyn UnitSource,
    run: &'a Run<'a>,
    parts: &'a [SharedPart],
    team: Arc<Team>,
    /// Current work of each worker.
    posts: Vec<WorkerState>,
    offered: OfferedUnits<'a>,
}

/// State that one worker keeps between units.
struct WorkerCache<'a> {
    /// Part of the last unit, with its players.
    part: Option<(RetractionRun<'a>, Vec<StrategySearcher>)>,
    /// Units that the queue refused.
    units: VecDeque<String>,
}

impl<'a> UnitWorkers<'a> {
    /// Gives away work while workers wait, and exchanges learned facts, until the end.
    fn share(&self, over: &AtomicBool) {
        let (mut known, mut exchanged) = (HashSet::new(), Instant::now());
        while !over.load(Ordering::Relaxed) {
            std::thread::park_timeout(LOOK.min(self.budget.while_others_wait));
            if exchanged.elapsed() >= EXCHANGE {
                exchanged = Instant::now();
                self.exchange(&mut known);
            }
            let patience = self.budget.while_others_wait;
            let takes_long = self.posts.iter().any(|post| post.takes_longer_than(patience));
            if !takes_long || self.run.is_over() || !self.source.has_idle_workers() {
                continue;
            }
            // If the queue is full, the unit stays with its worker, which processes it after the
            // current one.
            let offer = |unit: &str| {
                let _ = self.offered.offer(unit);
            };
            let posts = self.posts.iter().enumerate();
            posts.for_each(|(worker, post)| post.give_away(worker, patience, &self.team, &offer));
        }
    }

    /// Sends facts learned here and adds those of other workers. Facts are texts with the number of
    /// their part; `known` has those already sent or received.
    fn exchange(&self, known: &mut HashSet<String>) {
        for text in self.source.learned() {
            let fact = text.split_once(' ').and_then(|(part, fact)| {
                let part: u16 = part.parse().ok()?;
                let part = self.parts.iter().find(|one| one.number == part)?;
                Some((part, fact.parse().ok()?))
            });
            if let Some((part, fact)) = fact {
                part.store.learn(fact);
                known.insert(text);
            }
        }
        for part in self.parts {
            for fact in part.store.facts() {
                let text = format!("{} {fact}", part.number);
                if known.insert(text.clone()) {
                    self.source.share(&text);
                }
            }
        }
    }

    fn worker(&self, worker: usize) {
        let mut kept = WorkerCache { part: None, units: VecDeque::new() };
        while !self.run.is_over() {
            let unit = match kept.units.pop_front() {
                Some(text) => NextUnit::Unit(LeasedUnit::kept(text)),
                None => self.source.next(worker),
            };
            match unit {
                NextUnit::Unit(unit) => self.one(worker, unit, &mut kept),
                NextUnit::Later => {
                    if let Some((part, members)) = &mut kept.part {
                        part.help(worker, members, self.team.call());
                    }
                }
                NextUnit::Never => break,
            }
        }
        // Results name the kept units; others receive them sooner from the queue.
        for text in kept.units {
            self.source.finish(LeasedUnit::kept(text), UnitEnd::HandedBack);
        }
    }

    /// Processes one unit. The result is recorded before its worker begins another unit.
    fn one(&self, worker: usize, unit: LeasedUnit, kept: &mut WorkerCache<'a>) {
        let done = catch_unwind(AssertUnwindSafe(|| self.result(worker, &unit, kept)));
        let end = match done {
            Ok(end) => end,
            Err(panic) => {
                // The state of the players is undefined after a panic.
                kept.part = None;
                self.posts.get(worker).map(WorkerState::end);
                let given = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
                let given = given.or_else(|| panic.downcast_ref::<String>().cloned());
                UnitEnd::Failed(format!("panicked: {}", given.unwrap_or_default()))
            }
        };
        self.source.finish(unit, end);
    }

    fn result(&self, worker: usize, leased: &LeasedUnit, kept: &mut WorkerCache<'a>) -> UnitEnd {
        let is_divisible = !leased.is_whole;
        let unit: Unit = match leased.text.parse() {
            Ok(unit) => unit,
            Err(why) => return UnitEnd::Failed(why.to_string()),
        };
        let Some(at) = self.parts.iter().position(|part| part.number == unit.part()) else {
            return UnitEnd::Failed(format!("the problem has no part {}", unit.part()));
        };
        let shared = &self.parts[at];
        if let Unit::Claims { from, .. } = unit
            && Some(from) == self.budget.panic_at
        {
            panic!("as a test demands at claim {from}");
        }
        if kept.part.as_ref().is_none_or(|(part, _)| part.number != shared.number) {
            kept.part = Some(self.part(worker, shared));
        }
        let Some((part, members)) = &mut kept.part else { return UnitEnd::HandedBack };
        let offer = |text: &str| self.offered.offer(text);
        let Some(post) = self.posts.get(worker) else { return UnitEnd::HandedBack };
        let is_over_budget = |spent: Duration| {
            let UnitBudget { most, while_others_wait, .. } = *self.budget;
            is_divisible
                && (spent >= most || spent >= while_others_wait && self.source.has_idle_workers())
        };
        let (spec, ends) = (self.spec, &shared.ends);
        let (is_over_budget, offer) = (&is_over_budget, &offer);
        let aim = self.budget.while_others_wait;
        let work =
            UnitWork { spec, part, ends, worker, is_over_budget, is_divisible, aim, offer, post };
        let result = match work.result(&unit, members) {
            Ok(result) => result,
            Err(NoResult::Stopped) => {
                part.claims = Default::default();
                return UnitEnd::HandedBack;
            }
            Err(NoResult::Misplaced) => {
                return UnitEnd::Failed("the tree has no such place".to_owned());
            }
        };
        // Children are queued before the result names them. A `seek` unit has already offered its
        // children, except the one that continues it, which this worker keeps.
        for child in &result.children {
            let known = self.offered.has(child);
            let seeks = matches!(unit, Unit::Seek { .. });
            if !known && (seeks || !self.source.offer(child)) {
                kept.units.push_back(child.clone());
            }
        }
        UnitEnd::Done(result.text(&leased.text))
    }

    fn part(
        &self,
        worker: usize,
        shared: &'a SharedPart,
    ) -> (RetractionRun<'a>, Vec<StrategySearcher>) {
        let at = usize::from(shared.number.saturating_sub(1));
        let part =
            RetractionRun::of_worker(self.run, &shared.earlier, at, &self.team, &shared.store);
        let (problem, tail) = (shared.earlier.problem, shared.earlier.tail.clone());
        let number = at + 1;
        self.run.show(CurrentPart { problem, tail, number, of: self.parts.len() });
        if let Some(view) = self.run.run_control.watch.worker(worker) {
            view.set_roles(true, true);
        }
        let members = part.members(worker, true);
        (part, members)
    }
}
