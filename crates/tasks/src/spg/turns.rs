//! Both solvers of a problem in turns, if no estimate can choose between them: the first that proves
//! its verdict ends the run.
//!
//! Strategies begin. Up to [`EVEN_AFTER`] they have all but a small part of the time, so that what
//! they decide by then takes hardly longer than without a rival. After that both have equal turns,
//! unless the forecast of the positions is hopeless.

use super::counted;
use super::notify;
use super::observer::Observer;
use super::outcome::{Outcome, PositionOutcome, SheetResult, Solved, Stopwatch, VerdictWords};
use super::posed::PosedProblem;
use super::positions::count;
use super::run_files::RunFiles;
use super::strategies::run;
use crate::records::spg_counted::SpgTurns;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use umbrail_control::{Cancel, Pool, Progress, lock};
use umbrail_proof::positions::CountKeeper;
use umbrail_proof::report::text;
use umbrail_session::job_context::{JobContext, JobReport};
use umbrail_session::message::Kind;
use umbrail_session::status::Status;

/// First turn of the strategies, which decides most problems.
const FIRST_TURN: Duration = Duration::from_secs(1);

/// Longest turn of either solver.
const TURN_MAX: Duration = Duration::from_secs(12);

/// A turn of the strategies is this many times as long as one of the positions, at first.
const ADVANTAGE: u32 = 13;

/// Time of the strategies after which the turns are equal.
const EVEN_AFTER: Duration = Duration::from_secs(60);

/// Time of the positions after which they are given up if their forecast is hopeless.
const TRIAL: Duration = Duration::from_secs(10);

/// Forecast that is hopeless: an unknown one, or this many times the time that both have taken.
const HOPELESS: u32 = 50;

/// Part of the memory of the table that the positions have besides.
const TABLE_PART: u64 = 4;

/// Period of looks at the end of the work.
const PULSE: Duration = Duration::from_millis(10);

/// Time that each solver has had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Used {
    strategies: Duration,
    positions: Duration,
}

/// What ends a run of two solvers: the signal of each, and the one that proved its verdict first.
struct Turns<'a> {
    job: &'a JobContext<'a>,
    strategies: Cancel,
    positions: Cancel,
    /// The verdict of the positions came first.
    positions_won: Mutex<Option<bool>>,
    over: AtomicBool,
    used: Mutex<Used>,
}

impl Turns<'_> {
    /// Claims the verdict for one solver, and stops the other one. Returns false if it is too late.
    fn win(&self, positions: bool) -> bool {
        let mut won = lock(&self.positions_won);
        let first = *won.get_or_insert(positions);
        if first == positions {
            let other = if positions { &self.strategies } else { &self.positions };
            other.raise();
        }
        first == positions
    }

    /// Waits for a turn to end. Returns false if the work is over.
    fn wait(&self, turn: Duration, used: fn(&mut Used) -> &mut Duration) -> bool {
        let begun = Instant::now();
        let lasts = loop {
            if self.over.load(Ordering::Relaxed) || lock(&self.positions_won).is_some() {
                break false;
            }
            if self.job.is_over() {
                self.strategies.raise();
                self.positions.raise();
                break false;
            }
            match turn.checked_sub(begun.elapsed()) {
                None => break true,
                Some(left) => std::thread::park_timeout(left.min(PULSE)),
            }
        };
        *used(&mut lock(&self.used)) += begun.elapsed();
        lasts
    }

    /// Gives each solver its turns until the work is over.
    fn keep(&self, progress: &Progress) {
        let mut turn = FIRST_TURN;
        while self.wait(turn, |used| &mut used.strategies) {
            let even = lock(&self.used).strategies >= EVEN_AFTER;
            self.strategies.hold();
            self.positions.release();
            let theirs = if even { turn } else { turn / ADVANTAGE };
            let lasts = self.wait(theirs, |used| &mut used.positions);
            self.positions.hold();
            self.strategies.release();
            if !lasts {
                break;
            }
            let used = *lock(&self.used);
            let left = progress.left_ms.get();
            let patience = (used.strategies + used.positions).saturating_mul(HOPELESS);
            if used.positions >= TRIAL && (left == 0 || Duration::from_millis(left) > patience) {
                self.positions.raise();
                // The strategies have all the time from now on.
                while self.wait(TURN_MAX, |used| &mut used.strategies) {}
                break;
            }
            turn = (turn * 2).min(TURN_MAX);
        }
        self.strategies.release();
        self.positions.release();
    }
}

/// Solves a problem with both solvers in turns.
pub(super) fn solve_in_turns<'p>(
    posed: &'p PosedProblem,
    (files, keeper): (&RunFiles, Option<&dyn CountKeeper>),
    observer: Option<Observer<'_>>,
    words: &VerdictWords,
    job: &JobContext<'_>,
) -> Solved<'p> {
    let stopwatch = Stopwatch::start();
    let turns = Turns {
        job,
        strategies: job.cancel.child(),
        positions: job.cancel.child(),
        positions_won: Mutex::new(None),
        over: AtomicBool::new(false),
        used: Mutex::default(),
    };
    turns.positions.hold();
    // Games that were reported, so that none is reported twice.
    let reported: Mutex<Vec<String>> = Mutex::default();
    let notify = |report: JobReport| {
        if let JobReport::Message(message) = &report
            && message.record == Some("solution")
        {
            lock(&reported).extend(message.text.clone());
        }
        (job.notify)(report);
    };
    let ours = JobContext {
        cancel: turns.strategies.clone(),
        clock: job.clock,
        progress: job.progress,
        pool: job.pool,
        skips: job.skips,
        notify: &notify,
    };
    let progress = Progress::default();
    // Its games are reported only if its verdict is the first.
    let silent = |report: JobReport| {
        if let JobReport::Message(message) = &report
            && message.kind == Kind::Error
        {
            (job.notify)(report);
        }
    };
    let (outcome, status, counted) = std::thread::scope(|scope| {
        let positions = || {
            // Waits for the first turn: small problems are done before it.
            if turns.positions.is_raised() {
                return None;
            }
            let pool = Pool::new(job.pool.size()).ok()?;
            let theirs = JobContext {
                cancel: turns.positions.clone(),
                clock: job.clock,
                progress: &progress,
                pool: &pool,
                skips: job.skips,
                notify: &silent,
            };
            let (outcome, status) =
                count(posed, posed.params.table_bytes / TABLE_PART, true, keeper, &theirs);
            let won = status == Status::Complete && turns.win(true);
            Some((outcome, status, won))
        };
        // Without threads for them, the positions have no turn, and the strategies have no rival.
        let positions = std::thread::Builder::new().spawn_scoped(scope, positions).ok();
        let keeper = positions.as_ref().and_then(|_| {
            std::thread::Builder::new().spawn_scoped(scope, || turns.keep(&progress)).ok()
        });
        let (outcome, status) = run(posed, files.keeping(), &|| files.faults(), observer, &ours);
        if status == Status::Complete {
            turns.win(false);
        }
        turns.over.store(true, Ordering::Relaxed);
        if *lock(&turns.positions_won) != Some(true) {
            turns.positions.raise();
        }
        if let Some(keeper) = keeper {
            keeper.thread().unpark();
            let _ = keeper.join();
        }
        let counted = positions.and_then(|positions| positions.join().ok().flatten());
        (outcome, status, counted)
    });
    let used = *lock(&turns.used);
    let already = std::mem::take(&mut *lock(&reported));
    match counted {
        // Unproved numbers of games count only if the strategies have found none.
        Some((counted, counted_status, won))
            if won
                || status != Status::Complete
                    && outcome.report.count() == 0
                    && counted.report.count() > 0 =>
        {
            let times = stopwatch.stop();
            by_positions(
                PositionOutcome { times, ..counted },
                counted_status,
                (already, used),
                words,
                job,
            )
        }
        _ => by_strategies(outcome, status, used, words),
    }
}

fn record(decided_by: &str, used: Used) -> SpgTurns {
    let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    SpgTurns {
        decided_by: decided_by.to_owned(),
        strategies_ms: ms(used.strategies),
        positions_ms: ms(used.positions),
    }
}

fn page_line(decided_by: &str, used: Used) -> String {
    let seconds = |time: Duration| format!("{:.2} s", time.as_secs_f64());
    format!(
        "solvers in turns: strategies {}, positions {}; the verdict is that of {decided_by}",
        seconds(used.strategies),
        seconds(used.positions)
    )
}

fn by_strategies<'p>(
    outcome: Outcome<'p>,
    status: Status,
    used: Used,
    words: &VerdictWords,
) -> Solved<'p> {
    let verdict = notify::record(&outcome);
    let mut message = notify::verdict(words.kind, words.record, &outcome, &verdict, &words.rest);
    if used.positions > Duration::ZERO {
        message.data.extend(&record("strategies", used));
        message.page.push(page_line("strategies", used));
    }
    Solved { result: SheetResult::Solved(Box::new(outcome)), message, status, faults: vec![] }
}

fn by_positions<'p>(
    outcome: PositionOutcome<'p>,
    status: Status,
    (already, used): (Vec<String>, Used),
    words: &VerdictWords,
    job: &JobContext<'_>,
) -> Solved<'p> {
    let start = &outcome.problem.start;
    let mut index = already.len() as u64;
    for game in &outcome.report.games {
        if !already.contains(&text::numbered_from(start, game, 'N')) {
            index += 1;
            job.message(counted::solution(index, start, game, outcome.posed.notation));
        }
    }
    let mut message = counted::verdict(words.kind, words.record, &outcome);
    message.data.extend(&record("positions", used));
    message.page.push(page_line("positions", used));
    Solved { result: SheetResult::Counted(Box::new(outcome)), message, status, faults: vec![] }
}
