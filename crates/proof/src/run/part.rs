//! One part of a run: enumeration, search and work sharing of its workers.

use crate::analyse::Assumptions;
use crate::enumerate::{
    self, Claims, Counter, DoneClaims, EnumerationResult, FoundStrategy, ProgressTrace,
    ShardClaims, SharedBranches,
};
use crate::problem::retraction::{EarlierProblem, of_part};
use crate::run::claims::OpenClaims;
use crate::run::queue::{NextItem, Queue};
use crate::run::record::{ClaimRecord, EnumeratedTree, StrategyList, StrategyNumber};
use crate::run::team::{OpenSearch, Team};
use crate::run::totals::Run;
use crate::search::{NogoodStore, StrategySearcher};
use crate::strategy::Strategy;
use crate::strategy::route::End;
use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use umbrail_control::lock;

/// Queued strategies per worker at which a seeker searches one itself: enough to keep idle workers
/// busy, few enough that games are found early.
const WAITING_PER_WORKER: usize = 16;

/// Interval at which a seeker that does not search polls for space in the queue.
const FULL_NAP: Duration = Duration::from_millis(2);

/// Claims of all seekers of a part, without finished claims, those of other shards, and those
/// before the first requested one.
struct UnfinishedClaims {
    all: DoneClaims<ShardClaims<Counter>>,
    from: u64,
}

impl Claims for UnfinishedClaims {
    fn take(&self, number: u64) -> bool {
        number >= self.from && self.all.take(number)
    }
}

/// Claim handler of one seeker. When it meets another number, the last claim is enumerated.
struct SeekerClaims<'a> {
    part: &'a RetractionRun<'a>,
    current: Cell<Option<u64>>,
}

impl SeekerClaims<'_> {
    fn finish(&self) {
        if let Some(claim) = self.current.take() {
            self.part.keep(self.part.claims.enumerated(claim));
        }
    }
}

impl Claims for SeekerClaims<'_> {
    fn take(&self, number: u64) -> bool {
        self.finish();
        let taken = self.part.race.take(number);
        if taken {
            self.current.set(Some(number));
        }
        taken
    }

    fn branches(&self) -> Option<&SharedBranches> {
        self.part.branches.as_ref()
    }
}

/// One part of a run: the problem itself, or the problem before one last move.
pub(crate) struct RetractionRun<'a> {
    pub(crate) run: &'a Run<'a>,
    pub(crate) earlier: &'a EarlierProblem,
    /// Number of the part, from 1; 0 if nothing was retracted.
    pub(crate) number: u16,
    race: UnfinishedClaims,
    /// State that the seekers share about the tree; `None` if there is only one seeker.
    branches: Option<SharedBranches>,
    pub(crate) claims: OpenClaims,
    queue: Queue<FoundStrategy>,
    pub(crate) team: Arc<Team>,
    /// Nogoods learned from strategies.
    store: Arc<NogoodStore>,
    found: AtomicU64,
    enumerated: Mutex<Vec<EnumerationResult>>,
    /// Counter of the listed strategies taken.
    replayed: Counter,
}

impl<'a> RetractionRun<'a> {
    pub(crate) fn new(run: &'a Run<'a>, earlier: &'a EarlierProblem, at: usize) -> Self {
        let number = if earlier.tail.is_empty() { 0 } else { at as u16 + 1 };
        let done = run.persistence.done.iter().flat_map(|claims| {
            claims.range((number, 0)..(number + 1, 0)).map(|((_, claim), _)| *claim)
        });
        let (shard, count) = run.params.shard;
        let workers = run.control.pool.size();
        let seekers = (0..workers).filter(|&worker| run.params.seeks(worker)).count();
        let players = (0..workers).filter(|&it| run.params.plays(it, workers)).count();
        let within = ShardClaims { shard, count, within: Counter::default() };
        Self {
            run,
            earlier,
            number,
            race: UnfinishedClaims {
                all: DoneClaims::new(done, within),
                from: run.params.from_claim,
            },
            branches: (seekers > 1).then(SharedBranches::default),
            claims: OpenClaims::default(),
            queue: Queue::new(seekers),
            team: Arc::new(Team::new(players)),
            store: Arc::default(),
            replayed: Counter::default(),
            found: AtomicU64::new(0),
            enumerated: Mutex::default(),
        }
    }

    /// Creates the part for one worker of units, which shares learned facts and long searches.
    pub(crate) fn of_worker(
        run: &'a Run<'a>,
        earlier: &'a EarlierProblem,
        at: usize,
        team: &Arc<Team>,
        store: &Arc<NogoodStore>,
    ) -> Self {
        let (team, store) = (Arc::clone(team), Arc::clone(store));
        Self { team, store, ..Self::new(run, earlier, at) }
    }

    /// Passes a finished claim to the archive.
    pub(crate) fn keep(&self, finished: Option<ClaimRecord>) {
        if let (Some(archive), Some(mut record)) = (self.run.persistence.journal, finished) {
            record.retraction = self.number;
            archive.claim(&record);
        }
    }

    /// Passes a strategy to the sink.
    pub(crate) fn keep_strategy(
        &self,
        number: StrategyNumber,
        free: [i32; 2],
        strategy: &Strategy,
    ) {
        if let Some(sink) = self.run.persistence.sink {
            sink.keep(number, free, strategy);
        }
    }

    /// Enumerates and searches with all workers.
    pub(crate) fn work(&self) {
        self.run.control.pool.broadcast(|worker| self.worker(worker));
        let mut enumerated = lock(&self.enumerated);
        let enumerated = std::mem::take(&mut *enumerated);
        let all_enumerated = enumerated.iter().all(|one| one.complete);
        // End-of-run invariant: all seekers walked the same tree above the sync depth.
        let agree = enumerated
            .windows(2)
            .all(|two| (two[0].claims, two[0].digest) == (two[1].claims, two[1].digest));
        if all_enumerated && !agree {
            let claims: Vec<u64> = enumerated.iter().map(|one| one.claims).collect();
            self.run.fault(format!("seekers disagree about the tree: claims {claims:?}"));
        } else if let Some(one) = enumerated.iter().find(|one| one.complete) {
            let tree = EnumeratedTree { claims: one.claims, digest: one.digest };
            self.compare(tree);
            if let Some(archive) = self.run.persistence.journal {
                archive.part(self.number, tree.claims, tree.digest);
            }
        }
        self.run.totals(|totals| {
            let counts = &mut totals.report.counts;
            counts.enumerated += self.found.load(Ordering::Relaxed);
            counts.leaves += enumerated.iter().map(|one| one.found).sum::<u64>();
            for one in &enumerated {
                totals.report.cut.iter_mut().zip(one.cut).for_each(|(sum, cut)| *sum += cut);
            }
            let counts = &mut totals.report.counts;
            counts.nodes += enumerated.iter().map(|one| one.nodes).sum::<u64>();
            counts.claims += enumerated.iter().map(|one| one.claims).max().unwrap_or(0);
            for (rule, refused) in enumerated.iter().flat_map(|one| &one.refuted) {
                *totals.report.refused.entry(Some(*rule)).or_default() += refused;
            }
            totals.parts_done += usize::from(all_enumerated);
        });
    }

    /// Compares the tree with that of an archive, and with its claims.
    fn compare(&self, tree: EnumeratedTree) {
        let (run, part) = (self.run, self.number);
        // Listed strategies replace the tree.
        if run.persistence.strategies.is_some() {
            return;
        }
        if run.persistence.trees.and_then(|trees| trees.get(&part)).is_some_and(|one| *one != tree)
        {
            run.contradict(format!("the archive has another tree{}", of_part(part)));
        }
        let beyond = run.persistence.done.into_iter();
        let beyond = beyond.flat_map(|done| done.range((part, tree.claims)..(part + 1, 0)));
        for ((_, claim), _) in beyond.take(1) {
            let claims = tree.claims;
            run.contradict(format!(
                "the archive has claim {claim}{}, but there are {claims} claims",
                of_part(part)
            ));
        }
    }

    /// Runs one worker: it enumerates, and searches queued strategies.
    fn worker(&self, worker: usize) {
        let run = self.run;
        let params = run.params;
        let workers = run.control.pool.size();
        let (seeks, plays) = (params.seeks(worker), params.plays(worker, workers));
        if let Some(view) = run.run_control.watch.worker(worker) {
            view.set_roles(seeks, plays);
        }
        let mut members = self.members(worker, plays);
        if seeks {
            self.enumerate_strategies(worker, &mut members, plays);
        }
        while plays && !run.is_over() {
            match self.queue.next(worker) {
                NextItem::Item(found) => drop(self.play(worker, &mut members, &found, None)),
                NextItem::Later => self.help(worker, &mut members, self.team.call()),
                NextItem::Never => {
                    self.rest(worker, &mut members);
                    break;
                }
            }
        }
    }

    /// Creates the players of one worker, one per thread; they are displayed if the worker plays.
    pub(crate) fn members(&self, worker: usize, plays: bool) -> Vec<StrategySearcher> {
        let run = self.run;
        let pieces = run.problem.diagram.piece_counts().iter().sum();
        let mut assumptions = Assumptions::default();
        assumptions.stay = self.earlier.unmoved;
        let options = run.params.playing(pieces, assumptions);
        let view = run.run_control.watch.worker(worker).filter(|_| plays);
        let member = |number| {
            let mut member =
                StrategySearcher::new(&self.earlier.problem, Arc::clone(&run.table), options);
            member.share(Arc::clone(&self.store));
            member.count(Arc::clone(&run.control.progress.nodes));
            if let Some(view) = &view {
                member.show(view.view(number));
            }
            member
        };
        (0..run.params.threads_per_strategy.max(1)).map(member).collect()
    }

    /// Joins open searches until no more can be announced; called when the queue stays empty.
    fn rest(&self, worker: usize, members: &mut [StrategySearcher]) {
        self.team.rest();
        while !self.run.is_over() && !self.team.is_at_rest() {
            self.help(worker, members, self.team.next());
        }
    }

    /// Joins the search of a strategy that takes long, if there is one.
    pub(crate) fn help(
        &self,
        worker: usize,
        members: &mut [StrategySearcher],
        open: Option<OpenSearch>,
    ) {
        let run = self.run;
        let (Some(open), Some(player)) = (open, members.first_mut()) else {
            return;
        };
        let _shown = run.run_control.watch.helping(worker, open.number, open.call.strategy());
        let moves = open.call.join(player);
        run.totals(|totals| totals.report.counts.moves += moves);
    }

    /// Enumerates as one seeker. When the queue is full, the worker searches a strategy, or waits
    /// if it is not a player.
    fn enumerate_strategies(&self, worker: usize, members: &mut [StrategySearcher], plays: bool) {
        let run = self.run;
        let params = run.params;
        let view = run.run_control.watch.worker(worker);
        let trail = ProgressTrace::default();
        let trail = view.as_ref().map_or(&trail, |view| &view.trail);
        let seeking_shown = run.run_control.watch.seeking(worker);
        let seeking =
            enumerate::EnumerationOptions { rules: params.rules, sync_depth: params.sync_depth };
        let waiting_max = match plays {
            true => WAITING_PER_WORKER * (run.control.pool.size() - 1),
            false => WAITING_PER_WORKER * run.control.pool.size(),
        };
        let problem = &self.earlier.problem;
        let runner = SeekerClaims { part: self, current: Cell::new(None) };
        let emit = &mut |found: FoundStrategy| {
            if self.moves_too_early(&found.strategy) {
                return ControlFlow::Continue(());
            }
            self.claims.found(found.claim);
            self.found.fetch_add(1, Ordering::Relaxed);
            let mut waiting = self.queue.push(worker, found);
            run.control.progress.queued.set(waiting as u64);
            while waiting > waiting_max && !run.is_over() {
                if !plays {
                    std::thread::sleep(FULL_NAP);
                } else if let Some(found) = self.queue.pop(worker) {
                    self.play(worker, members, &found, None);
                }
                waiting = self.queue.len();
            }
            if run.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let enumerated = match run.persistence.strategies {
            Some(read) => self.replay_list(read, emit),
            None => {
                enumerate::enumerate_watched(problem, &seeking, &runner, &run.enough, trail, emit)
            }
        };
        drop(seeking_shown);
        if enumerated.complete {
            runner.finish();
        }
        lock(&self.enumerated).push(enumerated);
        self.queue.seeker_done();
    }

    /// Emits listed strategies instead of enumerating; each goes to the worker that reaches it
    /// first.
    fn replay_list(
        &self,
        read: &StrategyList,
        emit: &mut dyn FnMut(FoundStrategy) -> ControlFlow<()>,
    ) -> EnumerationResult {
        let mut enumerated = EnumerationResult::default();
        for one in read.strategies.iter().filter(|one| one.number.retraction == self.number) {
            let claim = enumerated.claims;
            enumerated.claims += 1;
            if !self.replayed.take(claim) {
                continue;
            }
            enumerated.kept += 1;
            let StrategyNumber { claim, index, .. } = one.number;
            let free = one.free.map(|free| u16::try_from(free).unwrap_or(0));
            let strategy = one.strategy.clone();
            let found = FoundStrategy { strategy, free, claim, index, place: None };
            if emit(found).is_break() {
                return enumerated;
            }
        }
        enumerated.complete = true;
        enumerated
    }

    /// Returns true if a piece that must not have moved has milestones or does not rest at home.
    pub(crate) fn moves_too_early(&self, strategy: &Strategy) -> bool {
        moves_too_early(self.earlier, strategy)
    }
}

/// Returns true if a piece that must not have moved before the retracted move has milestones or
/// does not rest at home.
pub(crate) fn moves_too_early(earlier: &EarlierProblem, strategy: &Strategy) -> bool {
    earlier.unmoved.pieces().any(|piece| {
        let route = strategy.route(piece);
        !route.milestones.is_empty() || route.end != End::Rest(piece.origin())
    })
}
