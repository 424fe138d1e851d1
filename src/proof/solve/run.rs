//! One run: what all workers share, and what each of them does.

use super::Fact;
use super::crew::{Crew, Open};
use super::ledger::{ClaimRecord, Journal, Ledger};
use super::params::{Params, Steer, StopAt};
use super::queue::{NAP, Next, Queue};
use super::verdict::{Counts, Number, Report, Success, Verdict};
use super::watch::Stretch;
use crate::control::{Cancel, Control};
use crate::geometry::Color;
use crate::proof::analysis::Suppose;
use crate::proof::archive::Archive;
use crate::proof::condition::Analysed;
use crate::proof::play::{self, Lore, Played, Player, Table};
use crate::proof::problem::Problem;
use crate::proof::project::project;
use crate::proof::retract::Earlier;
use crate::proof::route::End;
use crate::proof::seek::{
    self, Branches, Claims, Counter, DoneClaims, Found, ShardClaims, Sought, Trail,
};
use crate::proof::strategies::{Keeper, Kept};
use crate::proof::strategy::Strategy;
use crate::proof::verify::verify;
use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Strategies that may wait for each worker before a seeker plays one itself. Enough to keep idle
/// workers fed, few enough that games show early.
const WAITING_PER_WORKER: usize = 16;

/// A seeker that does not play looks this often whether there is room for its strategy.
const FULL_NAP: Duration = Duration::from_millis(2);

/// The race of all seekers of a part: without claims that were finished before, those of other shards,
/// and the first ones if they shall be passed over.
struct Race {
    all: DoneClaims<ShardClaims<Counter>>,
    from: u64,
}

impl Claims for Race {
    fn take(&self, number: u64) -> bool {
        number >= self.from && self.all.take(number)
    }
}

/// The race as one seeker runs it. Whoever meets another number has finished its last one.
struct Runner<'a> {
    part: &'a Part<'a>,
    current: Cell<Option<u64>>,
}

impl Runner<'_> {
    fn finish(&self) {
        if let Some(claim) = self.current.take() {
            self.part.keep(self.part.ledger.sought(claim));
        }
    }
}

impl Claims for Runner<'_> {
    fn take(&self, number: u64) -> bool {
        self.finish();
        let taken = self.part.race.take(number);
        if taken {
            self.current.set(Some(number));
        }
        taken
    }

    fn branches(&self) -> Option<&Branches> {
        self.part.branches.as_ref()
    }
}

/// What a run remembers from an earlier one, and who keeps what it finishes.
#[derive(Clone, Copy, Default)]
pub struct Keeping<'a> {
    /// Finished claims of an earlier run of the same problem.
    pub done: Option<&'a Archive>,
    /// Told of every claim that is finished.
    pub journal: Option<&'a dyn Journal>,
    /// Strategies to be played instead of seeking any.
    pub strategies: Option<&'a Kept>,
    /// Told of every strategy that thinking does not refuse.
    pub keeper: Option<&'a dyn Keeper>,
}

/// The solving of one problem, in one part or in one for each last move.
pub(super) struct Run<'a> {
    problem: &'a Problem,
    params: &'a Params,
    steer: &'a Steer,
    control: &'a Control<'a, Fact>,
    keeping: Keeping<'a>,
    /// Raised to end the run early because enough is known.
    enough: Cancel,
    /// What failed, for all workers and parts: the number of a strategy is mixed into its keys.
    table: Arc<Table>,
    /// Strategies played so far.
    plays: AtomicU64,
    harvest: Mutex<Harvest>,
}

/// What the workers bring home.
#[derive(Default)]
struct Harvest {
    report: Report,
    /// Parts whose strategies were all sought.
    parts_done: usize,
    /// Strategies that were played, counted or dropped.
    handled: u64,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        problem: &'a Problem,
        params: &'a Params,
        steer: &'a Steer,
        keeping: Keeping<'a>,
        control: &'a Control<'a, Fact>,
    ) -> Self {
        let enough = control.cancel.child();
        let mut harvest = Harvest::default();
        for record in keeping.done.iter().flat_map(|archive| archive.claims.values()) {
            harvest.report.take_claim(record);
            // Whoever listens hears of these games as of any other.
            for success in &record.successes {
                control.tell(Fact::Success(Box::new(success.clone())));
            }
        }
        let mib = usize::try_from(params.table_bytes >> 20).unwrap_or(usize::MAX).max(1);
        let table = Arc::new(Table::split(mib, params.table_splits));
        Self {
            problem,
            params,
            steer,
            control,
            keeping,
            enough,
            table,
            plays: AtomicU64::new(0),
            harvest: Mutex::new(harvest),
        }
    }

    fn harvest<R>(&self, bring: impl FnOnce(&mut Harvest) -> R) -> R {
        bring(&mut self.harvest.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Shows the part that is at work now.
    pub(super) fn show(&self, stretch: Stretch) {
        self.steer.watch.begin(stretch, self.table.entries() as u64);
    }

    pub(super) fn is_over(&self) -> bool {
        self.control.check().is_err() || self.enough.is_raised()
    }

    /// A part needs no work: counting its men shows that it has no game.
    pub(super) fn part_is_done(&self) {
        self.harvest(|harvest| harvest.parts_done += 1);
    }

    fn fault(&self, text: String) {
        self.harvest(|harvest| harvest.report.faults.push(text));
    }

    /// The report, once all parts are done or the run is over.
    pub(super) fn report(self, parts: usize) -> Report {
        let Harvest { mut report, parts_done, handled } =
            self.harvest.into_inner().unwrap_or_else(PoisonError::into_inner);
        report.successes.sort_by_key(|one| one.number);
        let counts = &report.counts;
        // Claims that were finished earlier are in the counts, but were not handled now.
        let known: u64 = self
            .keeping
            .done
            .iter()
            .flat_map(|done| done.claims.values())
            .map(|record| record.counts.found)
            .sum();
        report.sought = parts_done == parts
            && handled + known == counts.found
            && self.params.from_claim == 0
            && self.params.shard.1 <= 1
            && self.keeping.strategies.is_none_or(|read| read.complete)
            && report.faults.is_empty();
        report.searched = report.sought
            && counts.filtered == 0
            && counts.dropped == 0
            && counts.played == counts.found
            && !self.params.histogram;
        report
    }
}

/// One part of a run: the problem itself, or what is left before one last move.
pub(super) struct Part<'a> {
    run: &'a Run<'a>,
    earlier: &'a Earlier,
    /// Number of the part from 1, or 0 when the problem was not parted.
    number: u16,
    race: Race,
    /// What seekers know together of the tree; nothing when there is but one.
    branches: Option<Branches>,
    ledger: Ledger,
    queue: Queue<Found>,
    crew: Crew,
    /// What strategies taught.
    lore: Arc<Lore>,
    found: AtomicU64,
    sought: Mutex<Vec<Sought>>,
    /// Which of the strategies that were read have been taken.
    recited: Counter,
}

impl<'a> Part<'a> {
    pub(super) fn new(run: &'a Run<'a>, earlier: &'a Earlier, at: usize) -> Self {
        let number = if earlier.tail.is_empty() { 0 } else { at as u16 + 1 };
        let done = run.keeping.done.iter().flat_map(|archive| {
            archive.claims.range((number, 0)..(number + 1, 0)).map(|((_, claim), _)| *claim)
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
            race: Race { all: DoneClaims::new(done, within), from: run.params.from_claim },
            branches: (seekers > 1).then(Branches::default),
            ledger: Ledger::default(),
            queue: Queue::new(seekers),
            crew: Crew::new(players),
            lore: Arc::default(),
            recited: Counter::default(),
            found: AtomicU64::new(0),
            sought: Mutex::default(),
        }
    }

    /// Tells whoever keeps finished claims.
    fn keep(&self, finished: Option<ClaimRecord>) {
        if let (Some(journal), Some(mut record)) = (self.run.keeping.journal, finished) {
            record.retraction = self.number;
            journal.claim(&record);
        }
    }

    /// Tells whoever keeps strategies.
    fn keep_strategy(&self, number: Number, free: [i32; 2], strategy: &Strategy) {
        if let Some(keeper) = self.run.keeping.keeper {
            keeper.keep(number, free, strategy);
        }
    }

    /// Seeks and plays with all workers.
    pub(super) fn work(&self) {
        self.run.control.pool.broadcast(|worker| self.worker(worker));
        let mut sought = self.sought.lock().unwrap_or_else(PoisonError::into_inner);
        let sought = std::mem::take(&mut *sought);
        let all_sought = sought.iter().all(|one| one.complete);
        // The end-of-run invariant: all seekers walked the same tree above the sync depth.
        let agree = sought
            .windows(2)
            .all(|two| (two[0].claims, two[0].digest) == (two[1].claims, two[1].digest));
        if all_sought && !agree {
            let claims: Vec<u64> = sought.iter().map(|one| one.claims).collect();
            self.run.fault(format!("seekers disagree about the tree: claims {claims:?}"));
        } else if let (Some(journal), Some(one)) =
            (self.run.keeping.journal, sought.iter().find(|one| one.complete))
        {
            journal.part(self.number, one.claims, one.digest);
        }
        self.run.harvest(|harvest| {
            let counts = &mut harvest.report.counts;
            counts.found += self.found.load(Ordering::Relaxed);
            counts.leaves += sought.iter().map(|one| one.found).sum::<u64>();
            for one in &sought {
                harvest.report.cut.iter_mut().zip(one.cut).for_each(|(sum, cut)| *sum += cut);
            }
            let counts = &mut harvest.report.counts;
            counts.nodes += sought.iter().map(|one| one.nodes).sum::<u64>();
            counts.claims += sought.iter().map(|one| one.claims).max().unwrap_or(0);
            for (rule, refused) in sought.iter().flat_map(|one| &one.refuted) {
                *harvest.report.refused.entry(Some(*rule)).or_default() += refused;
            }
            harvest.parts_done += usize::from(all_sought);
        });
    }

    /// What one worker does: it seeks, and plays what waits.
    fn worker(&self, worker: usize) {
        let run = self.run;
        let params = run.params;
        let workers = run.control.pool.size();
        let (seeks, plays) = (params.seeks(worker), params.plays(worker, workers));
        let men = run.problem.diagram.men().iter().sum();
        let mut suppose = Suppose::default();
        suppose.stay = self.earlier.unmoved;
        let options = params.playing(men, suppose);
        let seat = run.steer.watch.seat(worker);
        let hand = |slave| {
            let mut hand = Player::new(&self.earlier.problem, Arc::clone(&run.table), options);
            hand.share(Arc::clone(&self.lore));
            hand.count(Arc::clone(&run.control.progress.nodes));
            if let Some(seat) = seat.as_ref().filter(|_| plays) {
                hand.show(seat.view(slave));
            }
            hand
        };
        let mut hands: Vec<Player> = (0..params.slaves.max(1)).map(hand).collect();
        if seeks {
            self.seek(worker, &mut hands, plays);
        }
        while plays && !run.is_over() {
            match self.queue.next(worker) {
                Next::Item(found) => self.play(worker, &mut hands, &found),
                Next::Later => {
                    self.help(worker, &mut hands);
                }
                Next::Never => {
                    self.rest(worker, &mut hands);
                    break;
                }
            }
        }
    }

    /// Nothing is left to be taken: helps whoever calls, until nobody can.
    fn rest(&self, worker: usize, hands: &mut [Player]) {
        self.crew.rest();
        while !self.run.is_over() && !self.crew.is_at_rest() {
            if !self.help(worker, hands) {
                std::thread::sleep(NAP);
            }
        }
    }

    /// Plays along with somebody whose strategy takes long, if anybody's does.
    fn help(&self, worker: usize, hands: &mut [Player]) -> bool {
        let run = self.run;
        let (Some(open), Some(player)) = (self.crew.call(), hands.first_mut()) else {
            return false;
        };
        let _shown = run.steer.watch.helping(worker, open.number, open.call.strategy());
        let moves = open.call.join(player);
        run.harvest(|harvest| harvest.report.counts.moves += moves);
        true
    }

    /// What a seeker does. When enough strategies wait it plays one itself, or waits if it is no player.
    fn seek(&self, worker: usize, hands: &mut [Player], plays: bool) {
        let run = self.run;
        let params = run.params;
        let seat = run.steer.watch.seat(worker);
        let trail = Trail::default();
        let trail = seat.as_ref().map_or(&trail, |seat| &seat.trail);
        let seeking_shown = run.steer.watch.seeking(worker);
        let seeking = seek::Options { rules: params.rules, sync_depth: params.sync_depth };
        let waiting_max = match plays {
            true => WAITING_PER_WORKER * (run.control.pool.size() - 1),
            false => WAITING_PER_WORKER * run.control.pool.size(),
        };
        let problem = &self.earlier.problem;
        let runner = Runner { part: self, current: Cell::new(None) };
        let emit = &mut |found: Found| {
            if self.moves_too_early(&found.strategy) {
                return ControlFlow::Continue(());
            }
            self.ledger.found(found.claim);
            self.found.fetch_add(1, Ordering::Relaxed);
            let mut waiting = self.queue.push(worker, found);
            run.control.progress.queued.set(waiting as u64);
            while waiting > waiting_max && !run.is_over() {
                if !plays {
                    std::thread::sleep(FULL_NAP);
                } else if let Some(found) = self.queue.pop(worker) {
                    self.play(worker, hands, &found);
                }
                waiting = self.queue.len();
            }
            if run.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let sought = match run.keeping.strategies {
            Some(read) => self.recite(read, emit),
            None => seek::seek_watched(problem, &seeking, &runner, &run.enough, trail, emit),
        };
        drop(seeking_shown);
        if sought.complete {
            runner.finish();
        }
        self.sought.lock().unwrap_or_else(PoisonError::into_inner).push(sought);
        self.queue.seeker_done();
    }

    /// Reads strategies out instead of seeking them; each is for the worker that comes to it first.
    fn recite(&self, read: &Kept, emit: &mut dyn FnMut(Found) -> ControlFlow<()>) -> Sought {
        let mut sought = Sought::default();
        for one in read.strategies.iter().filter(|one| one.number.retraction == self.number) {
            let claim = sought.claims;
            sought.claims += 1;
            if !self.recited.take(claim) {
                continue;
            }
            sought.kept += 1;
            let Number { claim, index, .. } = one.number;
            let free = one.free.map(|free| u16::try_from(free).unwrap_or(0));
            let found = Found { strategy: one.strategy.clone(), free, claim, index };
            if emit(found).is_break() {
                return sought;
            }
        }
        sought.complete = true;
        sought
    }

    /// Whether a man that must not have moved has milestones or does not rest at home.
    fn moves_too_early(&self, strategy: &Strategy) -> bool {
        self.earlier.unmoved.men().any(|man| {
            let route = strategy.route(man);
            !route.nodes.is_empty() || route.end != End::Rest(man.origin())
        })
    }

    fn play(&self, worker: usize, hands: &mut [Player], found: &Found) {
        let Some(player) = hands.first_mut() else { return };
        let run = self.run;
        let params = run.params;
        let number = Number { retraction: self.number, claim: found.claim, index: found.index };
        let _shown = run.steer.watch.playing(worker, number, &found.strategy);
        if params.histogram || params.condition.is_some() {
            let thought = player.think(&found.strategy);
            let passes = params.condition.as_ref().is_none_or(|condition| {
                thought.as_ref().is_ok_and(|thought| {
                    condition.holds(&Analysed {
                        strategy: &found.strategy,
                        needed: &thought.needed,
                        free: thought.free.map(i32::from),
                    })
                })
            });
            if params.histogram || !passes {
                let free = thought
                    .as_ref()
                    .map_or(found.free.map(i32::from), |thought| thought.free.map(i32::from));
                // What analysis refuses needs no playing, whatever the condition says.
                let enter = |counts: &mut Counts| match (thought.is_ok(), passes) {
                    (false, _) => counts.played += 1,
                    (true, false) => counts.filtered += 1,
                    (true, true) => {}
                };
                if thought.is_ok() {
                    run.steer.watch.finished(free, 0);
                    self.keep_strategy(number, free, &found.strategy);
                }
                run.harvest(|harvest| {
                    harvest.handled += 1;
                    harvest.report.enter(self.number, free, thought.is_ok());
                    if let Err(refused) = &thought {
                        harvest.report.refuse(refused.rule, &found.strategy);
                    }
                    enter(&mut harvest.report.counts);
                });
                let dropped = params.histogram && thought.is_ok();
                self.keep(self.ledger.played(found.claim, dropped, |record| {
                    record.counts.kept += u64::from(thought.is_ok());
                    enter(&mut record.counts);
                }));
                return;
            }
        }
        let cancel = run.steer.playing(worker, &run.enough);
        // Any number will do as long as no other strategy has it.
        let key = run.plays.fetch_add(1, Ordering::Relaxed);
        let played = play::play_together(hands, &found.strategy, key, &cancel, &|call| {
            self.crew.announce(Open { number, call: Arc::clone(call) });
        });
        run.steer.finished(worker);
        run.control.progress.fullness.set(run.table.fullness());
        let success = self.judge(number, found, &played);
        let ended = played.complete || played.enough;
        if played.refused.is_none() {
            let free = played.free.map(i32::from);
            run.steer.watch.finished(free, played.moves);
            self.keep_strategy(number, free, &found.strategy);
        }
        if let Some(success) = &success {
            run.control.tell(Fact::Success(Box::new(success.clone())));
        }
        let over = run.harvest(|harvest| {
            let report = &mut harvest.report;
            harvest.handled += 1;
            report.counts.moves += played.moves;
            match &played.refused {
                Some(refused) => {
                    report.refuse(refused.rule, &found.strategy);
                    report.enter(self.number, found.free.map(i32::from), false);
                }
                None => report.enter(self.number, played.free.map(i32::from), true),
            }
            match ended {
                true => report.counts.played += 1,
                false => report.counts.dropped += 1,
            }
            if let Some(success) = &success {
                report.add(success.clone());
            }
            match params.stop_at {
                StopAt::Complete => false,
                StopAt::Counted => {
                    report.verdict() == Verdict::Cooked && report.count() >= params.games_max
                }
                StopAt::Cooked => {
                    report.verdict() == Verdict::Cooked || report.count() > params.intended
                }
                StopAt::First => report.count() > 0,
            }
        });
        self.keep(self.ledger.played(found.claim, !ended, |record| {
            record.counts.kept += u64::from(played.refused.is_none());
            record.counts.played += u64::from(ended);
            record.counts.moves += played.moves;
            record.successes.extend(success);
        }));
        if over {
            run.enough.raise();
        }
    }

    /// The moves that no man needs, by color.
    fn free(&self, needed: &[u8; 32]) -> [i32; 2] {
        Color::ALL.map(|color| {
            let men = needed.iter().skip(16 * color.index()).take(16);
            let needed: i32 = men.map(|&moves| i32::from(moves)).sum();
            i32::from(self.earlier.problem.budget(color)) - needed
        })
    }

    /// The success that a play is, after each game was replayed by the rules alone.
    ///
    /// Games of a shorter problem get their tail, and belong to the strategy of the whole game: so the
    /// taking back of moves changes no verdict and no count.
    fn judge(&self, number: Number, found: &Found, played: &Played) -> Option<Success> {
        let run = self.run;
        let mut games = Vec::with_capacity(played.games.len());
        let mut strategy = None;
        for game in &played.games {
            match project(game) {
                Err(why) => run.fault(format!("strategy {number}: {why}")),
                Ok(own) if own != found.strategy => {
                    run.fault(format!("strategy {number}: a game belongs to {own}"));
                }
                Ok(_) => {}
            }
            let whole: Vec<_> = game.iter().chain(&self.earlier.tail).copied().collect();
            if let Err(why) = verify(run.problem, &whole) {
                run.fault(format!("strategy {number}: {why}"));
                continue;
            }
            if games.contains(&whole) {
                run.fault(format!("strategy {number}: a game twice"));
                continue;
            }
            strategy = project(&whole).ok();
            games.push(whole);
        }
        Some(Success {
            number,
            strategy: strategy?,
            needed: played.needed,
            ways: played.ways.clone(),
            free: self.free(&played.needed),
            games,
            complete: played.complete,
        })
    }
}
