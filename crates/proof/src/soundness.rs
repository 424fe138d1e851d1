//! Soundness checks: a game that exists must survive every deduction.
//!
//! A rule that refutes too much goes unnoticed in games with many free moves, because no bound is
//! tight there. So these checks are meant for the games of
//! [`GameStyle::Purposeful`](crate::check::random::GameStyle) and
//! [`GameStyle::Tight`](crate::check::random::GameStyle), with single rules and with all of them.
//! They are for tests and long runs, not for the solver.

use crate::run::record::RunEvent;
use crate::run::{Params, Persistence, RunControl, solve};
use crate::search::{RefutationTable, SearchOptions, StrategySearcher};
use crate::{Diagram, Length, Problem, Rule, Rules, Strategy, analyse::Effort, enumerate, project};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use umbrail_chess::{Move, Position};
use umbrail_control::{Cancel, Clock, Control, Pool, Progress};

/// Moves of one trial in [`CheckStage::Cases`]: few enough that nearly every strategy is analysed
/// deeply and split.
const CASE_TRIAL: u64 = 4;

/// Cases into which a strategy is split before its search in [`CheckStage::Cases`].
const CASES_MAX: usize = 8;

/// The stage at which a game is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckStage {
    /// Its strategy is among those that enumeration finds.
    Enumerate,
    /// Analysis, quick and deep, states nothing false about it, and no node of the search on its
    /// path is refuted.
    Follow,
    /// The search of its strategy finds a game, and this one if all games are found.
    Play,
    /// The same when the strategy is split into cases as early as possible.
    Cases,
    /// The whole solver, given only its diagram, finds it if it finds all games.
    Solve,
}

impl CheckStage {
    /// Every stage.
    pub const ALL: [Self; 5] =
        [Self::Enumerate, Self::Follow, Self::Play, Self::Cases, Self::Solve];
}

/// The outcome of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckOutcome {
    /// The game was found.
    WorkerCache,
    /// A limit was reached before it was found.
    Undecided,
    /// It was lost: a bug, with the reason as far as it is known.
    Lost(String),
}

/// Limits of a check.
#[derive(Clone, Copy, Debug)]
pub struct CheckLimits {
    /// Search moves of one strategy.
    pub moves: u64,
    /// Time of a whole solution.
    pub time: Duration,
}

impl Default for CheckLimits {
    fn default() -> Self {
        Self { moves: 50_000, time: Duration::from_secs(2) }
    }
}

/// The sets of rules to try: all, none, all but one, one alone.
pub fn rule_sets() -> Vec<Rules> {
    let without = Rule::ALL.iter().map(|&rule| Rules::default().set(rule, false));
    let alone = Rule::ALL.iter().map(|&rule| Rules::NONE.set(rule, true));
    [Rules::default(), Rules::NONE].into_iter().chain(without).chain(alone).collect()
}

/// Looks for a legal game at one stage, with these rules. `length` is that of the problem posed.
pub fn check(
    game: &[Move],
    length: Length,
    stage: CheckStage,
    rules: Rules,
    limits: CheckLimits,
) -> CheckOutcome {
    let end = game.iter().fold(Position::startpos(), |position, &mv| position.after(mv));
    let problem = Problem { diagram: Diagram::of(&end), plies: game.len() as u16, length };
    let strategy = match project(game) {
        Ok(strategy) => strategy,
        Err(error) => return CheckOutcome::Lost(error.to_string()),
    };
    match stage {
        CheckStage::Enumerate => enumerate(&problem, &strategy, rules),
        CheckStage::Follow => follow(&problem, &strategy, game, rules),
        CheckStage::Play | CheckStage::Cases => {
            let usual = SearchOptions::default();
            let cases = stage == CheckStage::Cases;
            let options = SearchOptions {
                rules,
                games_max: 200,
                moves_max: limits.moves,
                trial_max: if cases { CASE_TRIAL } else { usual.trial_max },
                cases_max: if cases { CASES_MAX } else { usual.cases_max },
                ..usual
            };
            play(&problem, &strategy, game, options)
        }
        CheckStage::Solve => whole(&problem, game, rules, limits),
    }
}

fn enumerate(problem: &Problem, strategy: &Strategy, rules: Rules) -> CheckOutcome {
    let options =
        enumerate::EnumerationOptions { rules, ..enumerate::EnumerationOptions::default() };
    match enumerate::follow(problem, &options, strategy) {
        Ok(_) => CheckOutcome::WorkerCache,
        Err(lost) => CheckOutcome::Lost(format!("{:?} at\n{}", lost.dead, lost.node)),
    }
}

fn follow(problem: &Problem, strategy: &Strategy, game: &[Move], rules: Rules) -> CheckOutcome {
    let options = SearchOptions { rules, ..SearchOptions::default() };
    let mut player = StrategySearcher::new(problem, Arc::new(RefutationTable::new(0)), options);
    for effort in [Effort::Quick, Effort::Deep] {
        if let Err(lost) = player.follow(strategy, game, effort) {
            return CheckOutcome::Lost(format!("{effort:?}: {lost}"));
        }
    }
    CheckOutcome::WorkerCache
}

fn play(
    problem: &Problem,
    strategy: &Strategy,
    game: &[Move],
    options: SearchOptions,
) -> CheckOutcome {
    let mut player = StrategySearcher::new(problem, Arc::new(RefutationTable::new(1)), options);
    let played = player.play(strategy, 1, &Cancel::default());
    let there = played.games.iter().any(|one| one == game);
    match (there, played.complete, played.refused) {
        (true, ..) => CheckOutcome::WorkerCache,
        (_, _, Some(refused)) => CheckOutcome::Lost(format!("refused: {refused:?}")),
        (_, true, _) => CheckOutcome::Lost(format!("{} other games, complete", played.games.len())),
        _ if played.enough => CheckOutcome::WorkerCache,
        _ => CheckOutcome::Undecided,
    }
}

fn whole(problem: &Problem, game: &[Move], rules: Rules, limits: CheckLimits) -> CheckOutcome {
    let params = Params { rules, games_max: 200, table_bytes: 4 << 20, ..Params::default() };
    let Ok(pool) = Pool::new(1) else { return CheckOutcome::Undecided };
    let (started, progress, cancel) = (Instant::now(), Progress::default(), Cancel::default());
    let clock = Clock::started(started);
    let notify = |_: RunEvent| {};
    let control = Control::new(cancel.clone(), &clock, &progress, &pool, &notify);
    let over = AtomicBool::new(false);
    let report = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                if started.elapsed() > limits.time {
                    cancel.raise();
                    break;
                }
                std::thread::sleep(Duration::from_micros(200));
            }
        });
        let report =
            solve(problem, &params, &RunControl::default(), Persistence::default(), &control);
        over.store(true, Ordering::Relaxed);
        report
    });
    if let Some(fault) = report.faults.first() {
        return CheckOutcome::Lost(fault.clone());
    }
    if let Some(refusal) = report.refusals.first() {
        return CheckOutcome::Lost(format!("refused: {refusal}"));
    }
    let there = report.games().any(|(_, found)| found == game);
    match (there, report.is_complete()) {
        (true, _) => CheckOutcome::WorkerCache,
        // A strategy with very many games is cut short; then its other games are enough.
        (false, true) if report.count() < params.games_max => {
            CheckOutcome::Lost(format!("complete, {} games", report.count()))
        }
        (false, true) => CheckOutcome::WorkerCache,
        (false, false) => CheckOutcome::Undecided,
    }
}

impl fmt::Display for CheckStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Enumerate => "enumerate",
            Self::Follow => "follow",
            Self::Play => "play",
            Self::Cases => "cases",
            Self::Solve => "solve",
        })
    }
}
