//! Workers: they take units from a source until there are none any more.

use crate::enumerate::RootEnds;
use crate::problem::retraction::EarlierProblem;
use crate::run::part::RunPart;
use crate::run::team::Team;
use crate::run::totals::{Persistence, Run};
use crate::run::{CurrentPart, Fact, Params, RunControl, StopAt};
use crate::search::layers::SharedCases;
use crate::search::{NogoodStore, Player};
use crate::units::post::WorkerPost;

use crate::units::spec::RunSpec;
use crate::units::unit::Unit;
use crate::units::unit_work::{NoResult, UnitWork};
use std::collections::{HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use umbrail_control::{Control, LeasedUnit, NextUnit, UnitEnd, UnitSource, keep_limit, lock};

/// How long a unit may take before it divides itself.
#[derive(Clone, Copy, Debug)]
pub struct UnitBudget {
    /// At most this long, but for a single strategy.
    pub most: Duration,
    /// This long, when others wait for units.
    pub while_others_wait: Duration,
    /// A strategy that takes longer is searched in layers, when so many others wait, nothing else of it can be given away, and there
    /// are boards for tasks. In layers more moves are made where little was learned before, so two or three workers are faster
    /// without. When more wait it is done sooner, after a twentieth of the time at the earliest.
    pub layers: (Duration, usize),
    /// Whether workers pass on what they learned.
    pub shares: bool,
    /// For tests of the machinery: the unit whose first claim this is panics.
    pub panic_at: Option<u64>,
}

impl Default for UnitBudget {
    /// A unit is lost with its worker, so it should not take minutes; and a message takes milliseconds, so it should
    /// not take a few of them.
    fn default() -> Self {
        let (most, while_others_wait) = (Duration::from_secs(20), Duration::from_millis(100));
        let layers = (Duration::from_secs(10), 4);
        Self { most, while_others_wait, layers, shares: true, panic_at: None }
    }
}

/// How many times sooner a strategy is searched in layers at most.
const SOONER: usize = 20;

impl UnitBudget {
    /// When so many wait, the time after which a strategy is searched in layers; none when too few wait.
    fn layers_after(&self, waiting: usize) -> Option<Duration> {
        let (after, others) = self.layers;
        let times = waiting / others.max(1);
        (times > 0).then(|| after / times.min(SOONER) as u32)
    }
}

/// What all workers of a run share for one of its parts.
pub(super) struct SharedPart {
    earlier: EarlierProblem,
    pub(super) number: u16,
    ends: RootEnds,
    /// Nogoods learned from strategies.
    store: Arc<NogoodStore>,
}

/// Does units with all workers until the source has none, or until it is stopped.
///
/// A worker without a unit helps another one of this process whose strategy takes long.
pub fn work(
    spec: &RunSpec,
    budget: &UnitBudget,
    source: &dyn UnitSource,
    run_control: &RunControl,
    control: &Control<'_, Fact>,
) {
    // The collector decides when enough is known.
    let params = Params { stop_at: StopAt::Complete, ..spec.params.clone() };
    let run = Run::new(&spec.problem, &params, run_control, Persistence::default(), control);
    let share = |(number, earlier)| {
        let (ends, store) = (RootEnds::default(), Arc::default());
        SharedPart { earlier, number, ends, store }
    };
    let parts: Vec<SharedPart> = spec.parts().into_iter().map(share).collect();
    let team = Arc::new(Team::new(control.pool.size()));
    let posts = (0..control.pool.size()).map(|_| WorkerPost::default()).collect();
    let offered = OfferedUnits { source, units: Mutex::default() };
    let (run, parts, cases) = (&run, &parts, SharedCases::default());
    let workers = UnitWorkers { spec, budget, source, run, parts, team, posts, cases, offered };
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let share = || workers.share(&over);
        // Without a thread of its own nothing is given away, and strategies that take long stay whole.
        let sharing = std::thread::Builder::new().spawn_scoped(scope, share).ok();
        // Searches poll the stop signal only.
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

/// How often it is looked whether others wait while a strategy takes long.
const LOOK: Duration = Duration::from_millis(50);

/// Workers that wait are called when a strategy has been searched for this part of the time after which it is searched in layers.
const CALLED_BEFORE: u32 = 4;

/// How often workers exchange what they learned.
const EXCHANGE: Duration = Duration::from_secs(1);

/// Units that workers of this process have queued, and that no result names yet.
struct OfferedUnits<'a> {
    source: &'a dyn UnitSource,
    units: Mutex<HashSet<String>>,
}

impl OfferedUnits<'_> {
    /// Queues a unit; false when there is no room.
    fn offer(&self, text: &str) -> bool {
        let room = self.source.offer(text);
        if room {
            lock(&self.units).insert(text.to_owned());
        }
        room
    }

    /// Whether a unit was queued. A result names it once.
    fn has(&self, text: &str) -> bool {
        lock(&self.units).remove(text)
    }
}

pub(super) struct UnitWorkers<'a> {
    spec: &'a RunSpec,
    budget: &'a UnitBudget,
    pub(super) source: &'a dyn UnitSource,
    pub(super) run: &'a Run<'a>,
    pub(super) parts: &'a [SharedPart],
    team: Arc<Team>,
    /// What each worker is at.
    pub(super) posts: Vec<WorkerPost>,
    /// What they share of cases of other workers.
    pub(super) cases: SharedCases,
    offered: OfferedUnits<'a>,
}

/// What one worker keeps from unit to unit.
pub(super) struct Kept<'a> {
    /// The part of the last unit, with its players.
    part: Option<(RunPart<'a>, Vec<Player>)>,
    /// Units for which there was no room elsewhere.
    units: VecDeque<String>,
}

impl<'a> UnitWorkers<'a> {
    /// Gives away parts of the work while workers wait, and passes on what was learned, until the end.
    fn share(&self, over: &AtomicBool) {
        let (mut known, mut exchanged) = (HashSet::new(), Instant::now());
        while !over.load(Ordering::Relaxed) {
            std::thread::park_timeout(LOOK.min(self.budget.while_others_wait));
            if self.budget.shares && exchanged.elapsed() >= EXCHANGE {
                exchanged = Instant::now();
                self.exchange(&mut known);
            }
            let patience = self.budget.while_others_wait;
            let takes_long = self.posts.iter().any(|post| post.takes_longer_than(patience));
            if !takes_long || self.run.is_over() || !self.source.is_hungry() {
                continue;
            }
            // Without room it stays with its worker, which looks after its result.
            let offer = |unit: &str| {
                let _ = self.offered.offer(unit);
            };
            let posts = self.posts.iter().enumerate();
            let waiting = if self.source.has_boards() { self.source.waiting() } else { 0 };
            let layers = self.budget.layers_after(waiting);
            let nears = |post: &WorkerPost| {
                layers.is_some_and(|after| post.takes_longer_than(after / CALLED_BEFORE))
            };
            let layers =
                layers.filter(|_| self.posts.iter().any(nears) && self.source.keeps_tasks());
            if layers.is_some() {
                self.source.call();
            }
            posts.for_each(|(worker, post)| {
                post.give_away(worker, patience, &self.team, layers, &offer);
            });
        }
    }

    /// Passes on what was learned here, and takes what others learned. Facts are texts with the number of their part;
    /// `known` has those that were sent or received.
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
        let mut kept = Kept { part: None, units: VecDeque::new() };
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
                    self.do_tasks(worker, &mut kept);
                }
                NextUnit::Never => break,
            }
        }
        // What was kept is named in results; others find it sooner when it is queued.
        for text in kept.units {
            self.source.finish(LeasedUnit::kept(text), UnitEnd::HandedBack);
        }
    }

    /// One unit: its result is recorded before its worker begins another one.
    fn one(&self, worker: usize, unit: LeasedUnit, kept: &mut Kept<'a>) {
        let done = catch_unwind(AssertUnwindSafe(|| self.result(worker, &unit, kept)));
        let end = match done {
            Ok(end) => end,
            Err(panic) => {
                // Players may be in any state.
                kept.part = None;
                self.posts.get(worker).map(WorkerPost::end);
                let said = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
                let said = said.or_else(|| panic.downcast_ref::<String>().cloned());
                UnitEnd::Failed(format!("panicked: {}", said.unwrap_or_default()))
            }
        };
        self.source.finish(unit, end);
    }

    fn result(&self, worker: usize, leased: &LeasedUnit, kept: &mut Kept<'a>) -> UnitEnd {
        let unit: Unit = match leased.text.parse() {
            Ok(unit) => unit,
            Err(why) => return UnitEnd::Failed(why),
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
        let Some((part, members)) = self.take_part(worker, shared, kept) else {
            return UnitEnd::HandedBack;
        };
        let offer = |text: &str| self.offered.offer(text);
        let Some(post) = self.posts.get(worker) else { return UnitEnd::HandedBack };
        let is_over_budget = |spent: Duration| {
            let UnitBudget { most, while_others_wait, .. } = *self.budget;
            spent >= most || spent >= while_others_wait && self.source.is_hungry()
        };
        let (spec, ends) = (self.spec, &shared.ends);
        let (is_over_budget, offer) = (&is_over_budget, &offer);
        let boards = &|| self.source.board(leased);
        let aim = self.budget.while_others_wait;
        let work = UnitWork { spec, part, ends, worker, is_over_budget, aim, offer, boards, post };
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
        // Children are queued before the result names them. A seek has offered its own, but for the one with which
        // this worker goes on.
        for child in &result.children {
            let known = self.offered.has(child);
            let seeks = matches!(unit, Unit::Seek { .. });
            if !known && (seeks || !self.source.offer(child)) {
                kept.units.push_back(child.clone());
            }
        }
        UnitEnd::Done(result.text(&leased.text))
    }

    /// The part of the run at hand, with the players of this worker.
    pub(super) fn take_part<'k>(
        &self,
        worker: usize,
        shared: &'a SharedPart,
        kept: &'k mut Kept<'a>,
    ) -> Option<&'k mut (RunPart<'a>, Vec<Player>)> {
        if kept.part.as_ref().is_none_or(|(part, _)| part.number != shared.number) {
            kept.part = Some(self.part(worker, shared));
        }
        kept.part.as_mut()
    }

    fn part(&self, worker: usize, shared: &'a SharedPart) -> (RunPart<'a>, Vec<Player>) {
        let at = usize::from(shared.number.saturating_sub(1));
        let part = RunPart::of_worker(self.run, &shared.earlier, at, &self.team, &shared.store);
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

#[cfg(test)]
mod tests {
    use super::{Duration, UnitBudget};

    #[test]
    fn the_more_wait_the_sooner_a_strategy_is_searched_in_layers() {
        let layers = (Duration::from_secs(10), 4);
        let budget = UnitBudget { layers, ..UnitBudget::default() };
        let after = |waiting| budget.layers_after(waiting).map(|after| after.as_millis());
        assert_eq!([after(0), after(3)], [None, None]);
        assert_eq!([after(4), after(7), after(8)], [Some(10_000), Some(10_000), Some(5_000)]);
        assert_eq!([after(80), after(1_000)], [Some(500), Some(500)]);
        let whenever = UnitBudget { layers: (Duration::ZERO, 0), ..budget };
        assert_eq!(whenever.layers_after(0), None, "there must be one that helps");
        assert_eq!(whenever.layers_after(1), Some(Duration::ZERO));
    }
}
