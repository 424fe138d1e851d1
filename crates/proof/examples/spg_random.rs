//! Random games, to be found again from their last diagram alone.
//!
//! `cargo run --release -p umbrail-proof --example spg_random -- [GAMES] [SEED] [PLIES] [MOVES]
//! [MILLISECONDS]`
//!
//! GAMES random games of all styles with at most PLIES plies, starting at SEED. Each diagram is
//! solved with at most MOVES search moves per strategy and MILLISECONDS of time (defaults 1000, 0,
//! 40, 300000, 2000). Faults are: a game missing from a finished run, the verdict *none*, and an
//! illegal game. A fault is reduced to its shortest failing prefix, and the exit status is 1. Runs
//! that reach a limit count as undecided. Every processor works on a game of its own.

use std::fmt;
use std::num::NonZero;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use umbrail_chess::{Move, Position};
use umbrail_control::{Cancel, Clock, Control, Pool, Progress};
use umbrail_proof::internals::{GameStyle, random_game};
use umbrail_proof::run::{Fact, Params, Persistence, RunControl, RunReport, solve};
use umbrail_proof::{Diagram, Length, Problem, san_of};

/// Progress is reported every `REPORTED` games.
const REPORTED: u64 = 500;

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum CheckOutcome {
    /// The game itself is among the games found.
    Found,
    /// Other games were found; the run is incomplete.
    Others,
    /// No game was found; the run is incomplete.
    Undecided,
    /// The result is wrong.
    Wrong(String),
}

/// When a run is given up.
#[derive(Clone, Copy)]
struct CheckLimits {
    moves: u64,
    time: Duration,
}

fn attempt(game: &[Move], length: Length, limits: CheckLimits) -> CheckOutcome {
    let end = game.iter().fold(Position::startpos(), |position, &mv| position.after(mv));
    let problem = Problem { diagram: Diagram::of(&end), plies: game.len() as u16, length };
    let params = Params { games_max: 50, table_bytes: 8 << 20, ..Params::default() };
    let Ok(pool) = Pool::new(1) else { return CheckOutcome::Undecided };
    let (begun, progress, cancel) = (Instant::now(), Progress::default(), Cancel::default());
    let clock = Clock::started(begun);
    let tell = |_: Fact| {};
    let control = Control::new(cancel.clone(), &clock, &progress, &pool, &tell);
    let over = AtomicBool::new(false);
    let report = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                if progress.nodes.get() > limits.moves || begun.elapsed() > limits.time {
                    cancel.raise();
                    break;
                }
                std::thread::sleep(Duration::from_micros(200));
            }
        });
        let report =
            solve(&problem, &params, &RunControl::default(), Persistence::default(), &control);
        over.store(true, Ordering::Relaxed);
        report
    });
    judge(&report, game)
}

fn judge(report: &RunReport, game: &[Move]) -> CheckOutcome {
    if let Some(fault) = report.faults.first() {
        return CheckOutcome::Wrong(fault.clone());
    }
    if let Some(refusal) = report.refusals.first() {
        return CheckOutcome::Wrong(format!("refused: {refusal}"));
    }
    let mut games = report.games().map(|(_, game)| game.as_slice());
    match games.any(|one| one == game) {
        true => CheckOutcome::Found,
        false if report.is_complete() => CheckOutcome::Wrong(format!("complete, {} games", report.count())),
        false if report.count() > 0 => CheckOutcome::Others,
        false => CheckOutcome::Undecided,
    }
}

/// The shortest prefix of a game that is still lost.
fn shrink(game: &[Move], length: Length, limits: CheckLimits) -> &[Move] {
    let lost =
        |end: &usize| matches!(attempt(&game[..*end], length, limits), CheckOutcome::Wrong(_));
    (1..=game.len()).find(lost).map_or(game, |end| &game[..end])
}

/// Counts of outcomes.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    found: u64,
    others: u64,
    undecided: u64,
    wrong: u64,
}

impl Tally {
    fn add(&mut self, outcome: &CheckOutcome) {
        match outcome {
            CheckOutcome::Found => self.found += 1,
            CheckOutcome::Others => self.others += 1,
            CheckOutcome::Undecided => self.undecided += 1,
            CheckOutcome::Wrong(_) => self.wrong += 1,
        }
    }

    const fn games(self) -> u64 {
        self.found + self.others + self.undecided + self.wrong
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (games, Self { found, others, undecided, wrong }) = (self.games(), self);
        write!(
            f,
            "{games} games: {found} found, {others} with other games found first, {undecided} undecided, {wrong} wrong"
        )
    }
}

/// Tries the game of one seed and reports what is wrong.
fn try_seed(seed: u64, plies: usize, limits: CheckLimits) -> CheckOutcome {
    let style = match seed % 8 {
        0 => GameStyle::Uniform,
        1 => GameStyle::Captures,
        2 => GameStyle::Promotions,
        3 => GameStyle::Castling,
        other => GameStyle::Tight((other % 3) as u8),
    };
    let length = if seed % 16 < 8 { Length::Exact } else { Length::Parity };
    let game = random_game(style, 1 + (seed as usize * 7) % plies.max(1), seed);
    let outcome = attempt(&game, length, limits);
    if let CheckOutcome::Wrong(why) = &outcome {
        let short = shrink(&game, length, limits);
        println!(
            "WRONG {style:?} {seed} {length:?}: {why}\n  {}\n  {} plies suffice: {}",
            san_of(&game).join(" "),
            short.len(),
            san_of(short).join(" ")
        );
    }
    outcome
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |n: usize, usual: u64| {
        words.get(n).and_then(|word| word.parse::<u64>().ok()).unwrap_or(usual)
    };
    let (count, first, plies) = (number(0, 1000), number(1, 0), number(2, 40) as usize);
    let limits =
        CheckLimits { moves: number(3, 300_000), time: Duration::from_millis(number(4, 2000)) };
    let (next, tally) = (AtomicU64::new(first), Mutex::new(Tally::default()));
    // Plain threads, not pool threads: each run blocks on its own pool, and a blocked pool thread
    // would start another game.
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + count {
                break;
            }
            let outcome = try_seed(seed, plies, limits);
            let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
            tally.add(&outcome);
            if tally.games().is_multiple_of(REPORTED) {
                eprintln!("{tally}");
            }
        }
    };
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    std::thread::scope(|scope| (0..processors).for_each(|_| drop(scope.spawn(work))));
    let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!("{tally}");
    if tally.wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
