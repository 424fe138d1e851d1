//! Solution of a problem by the search of positions, with all workers.

use super::board::SearchPosition;
use super::bounds::BoundSet;
use super::count_archive::{CountArchive, EarlierWork, KnownCounts};
use super::fairy::FairyMove;
use super::fairy_game::{FairyGame, replay_fairy, replay_orthodox, without_state};
use super::fairy_problem::{FairyError, FairyProblem, PreparedProblem};
use super::problem::{PositionProblem, TargetBoard, start_of};
use super::replay::replay;
use super::rules::{BoardMove, Orthodox, PositionOf, RuleSet};
use super::search::{
    Forecast, GAMES_MAX, PositionFrontier, SharedSearch, TableSizes, count_in_parallel, keep_while,
    list_games,
};
use super::turns::Turns;
use std::time::{Duration, Instant};
use umbrail_chess::Move;
use umbrail_control::{Control, keep_limit};

/// Settings of a run. None of them changes the number of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionSettings {
    /// Memory of the tables, in bytes.
    pub table_bytes: u64,
    /// Maximum number of games that are listed.
    pub listed_max: usize,
    /// Number of games at which the run ends early.
    pub enough: u128,
}

impl Default for PositionSettings {
    fn default() -> Self {
        Self { table_bytes: 256 << 20, listed_max: 10, enough: u128::MAX }
    }
}

/// Event of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionEvent {
    /// A game was found, and replayed by the rules alone.
    Game(Vec<Move>),
    /// A game with conditions was found, and played again from the start.
    FairyGame(FairyGame),
    /// Memory is too short for the requested table.
    SmallerTable {
        /// Bytes requested.
        wanted: u64,
        /// Bytes used.
        granted: u64,
    },
}

/// Number of games of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameCount {
    /// Length in plies.
    pub plies: u16,
    /// Number of games; a lower bound unless `is_exact`.
    pub games: u128,
    /// True if the number is exact.
    pub is_exact: bool,
}

/// Report of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionReport {
    /// Numbers of games by length, shortest first, without lengths that have no game.
    pub counts: Vec<GameCount>,
    /// Games that were listed, shortest first.
    pub games: Vec<Vec<Move>>,
    /// Games with conditions that were listed, shortest first.
    pub fairy_games: Vec<FairyGame>,
    /// True if every length was counted completely.
    pub is_complete: bool,
    /// Positions visited by this run.
    pub nodes: u64,
    /// Work of earlier runs, whose numbers were taken from an archive.
    pub earlier: EarlierWork,
    /// Numbers of games that were taken from an archive and not counted again.
    pub unverified: u64,
    /// Size of the table, in bytes.
    pub table_bytes: u64,
    /// Faults of the program: games that do not replay.
    pub faults: Vec<String>,
}

impl PositionReport {
    /// Returns the number of games of all lengths.
    pub fn count(&self) -> u128 {
        self.counts.iter().fold(0, |sum: u128, one| sum.saturating_add(one.games))
    }
}

/// Part of the memory that the needs of armies take: one in this number.
const NEEDS_PART: u64 = 4;

/// Largest memory for the needs of armies, in bytes: two million armies.
const NEEDS_BYTES_MAX: u64 = 64 << 20;

/// Keeps the numbers of games of a run, so that another one can go on.
pub trait CountKeeper: Sync {
    /// Returns the numbers of earlier runs of the same question.
    fn earlier(&self) -> Option<&CountArchive>;

    /// Saves the numbers that are known: now and then, and at the end of the run, whatever ends it.
    fn save(&self, known: &KnownCounts<'_>);
}

/// Counts the games of a problem until it is done, stopped, or the time is up.
pub fn count_games(
    problem: &PositionProblem,
    settings: &PositionSettings,
    keeper: Option<&dyn CountKeeper>,
    control: &Control<'_, PositionEvent>,
) -> PositionReport {
    // Searches poll only the stop signal.
    keep_limit(control.clock, &control.cancel, || {
        count_until_stopped(problem, settings, keeper, control)
    })
}

fn count_until_stopped(
    problem: &PositionProblem,
    settings: &PositionSettings,
    keeper: Option<&dyn CountKeeper>,
    control: &Control<'_, PositionEvent>,
) -> PositionReport {
    let start: SearchPosition<()> = start_of(&problem.start);
    let task = CountingTask {
        start,
        target: TargetBoard::from(&problem.diagram),
        turns: problem.turns,
        lengths: problem.lengths().collect(),
    };
    task.run(Orthodox, settings, keeper, control, |report, line: &[BoardMove], _| {
        report.list(problem, line, settings.listed_max, control)
    })
}

/// Counts the games of a problem with conditions until it is done, stopped, or the time is up.
///
/// # Errors
/// The reason why the problem is not supported.
pub fn count_fairy_games(
    problem: &FairyProblem,
    settings: &PositionSettings,
    keeper: Option<&dyn CountKeeper>,
    control: &Control<'_, PositionEvent>,
) -> Result<PositionReport, FairyError> {
    let PreparedProblem { rules, start, target, is_orthodox } = problem.prepare()?;
    let lengths: Vec<u16> = problem.lengths().collect();
    let list = |report: &mut PositionReport, game: Option<FairyGame>| {
        match game {
            Some(game) => {
                control.notify(PositionEvent::FairyGame(game.clone()));
                report.fairy_games.push(game);
            }
            None => report.faults.push("a game does not replay".to_owned()),
        }
        report.fairy_games.len() < settings.listed_max
    };
    Ok(keep_limit(control.clock, &control.cancel, || {
        if is_orthodox {
            // The fast path, and the rules with conditions for the second opinion on each game.
            let orthodox = without_state(&start);
            let task = CountingTask {
                start: orthodox,
                target: target.clone(),
                turns: problem.turns,
                lengths,
            };
            return task.run(
                Orthodox,
                settings,
                keeper,
                control,
                |report, line: &[BoardMove], units| {
                    let chosen: Vec<_> = line.iter().map(|mv| mv.to_move()).collect();
                    let size = (problem.turns, units);
                    list(report, replay_orthodox(&rules, &start, &target, size, &chosen))
                },
            );
        }
        let second = &rules;
        let task = CountingTask { start, target: target.clone(), turns: problem.turns, lengths };
        task.run(second, settings, keeper, control, |report, line: &[FairyMove], units| {
            list(report, replay_fairy(second, &start, &target, (problem.turns, units), line))
        })
    }))
}

/// What is to be counted.
struct CountingTask<Extra> {
    start: SearchPosition<Extra>,
    target: TargetBoard,
    turns: Turns,
    lengths: Vec<u16>,
}

impl<Extra: Copy + Eq + Default + std::fmt::Debug + Send + Sync> CountingTask<Extra> {
    /// Counts all lengths, and passes games to the listener, with their lengths, until it returns false.
    fn run<R: RuleSet<Extra = Extra>>(
        self,
        rules: R,
        settings: &PositionSettings,
        keeper: Option<&dyn CountKeeper>,
        control: &Control<'_, PositionEvent>,
        mut listener: impl FnMut(&mut PositionReport, &[R::Move], u16) -> bool,
    ) -> PositionReport {
        let needs = (settings.table_bytes / NEEDS_PART).min(NEEDS_BYTES_MAX);
        let sizes = TableSizes { counts: settings.table_bytes.saturating_sub(needs), needs };
        let (nodes, signals) =
            (&*control.progress.nodes, (&control.cancel, &*control.progress.nodes));
        let (before, begun) = (nodes.get(), Instant::now());
        let Self { start, target, turns, lengths } = self;
        let shared = SharedSearch::new(rules, target, &start, turns, BoundSet::ALL, sizes, signals);
        let granted = shared.table_bytes();
        if granted + 4096 < sizes.counts {
            control.notify(PositionEvent::SmallerTable { wanted: sizes.counts, granted });
        }
        let mut report =
            PositionReport { is_complete: true, table_bytes: granted, ..PositionReport::default() };
        if let Some(archive) = keeper.and_then(|keeper| keeper.earlier()) {
            archive.fill(shared.table());
            (report.earlier, report.unverified) = (archive.work, archive.len() as u64);
        }
        let earlier = report.earlier;
        let mut count = || {
            let report = &mut report;
            count_lengths(&shared, start, &lengths, settings, control, report, &mut listener);
        };
        match keeper {
            None => count(),
            Some(keeper) => {
                let save = || {
                    let nodes = earlier.nodes + (nodes.get() - before);
                    let elapsed = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
                    let elapsed_ms = earlier.elapsed_ms.saturating_add(elapsed);
                    let work = EarlierWork { nodes, elapsed_ms };
                    keeper.save(&KnownCounts { table: shared.table(), work });
                };
                keep_while(&save, nodes, count);
            }
        }
        report.nodes = nodes.get() - before;
        report
    }
}

/// Counts the games of each length until one is incomplete.
fn count_lengths<R: RuleSet>(
    shared: &SharedSearch<'_, R>,
    start: PositionOf<R>,
    lengths: &[u16],
    settings: &PositionSettings,
    control: &Control<'_, PositionEvent>,
    report: &mut PositionReport,
    listener: &mut impl FnMut(&mut PositionReport, &[R::Move], u16) -> bool,
) {
    let earlier = Duration::from_millis(report.earlier.elapsed_ms);
    for &plies in lengths {
        let mut start = start;
        if !shared.admits_start(&mut start, plies) {
            continue;
        }
        let frontier = PositionFrontier::of(shared, start, plies, control.pool.size());
        let Ok(frontier) = frontier else {
            report.is_complete = false;
            break;
        };
        let is_last = lengths.last() == Some(&plies);
        let forecast = Forecast::new(control.progress, is_last, earlier);
        let enough = settings.enough.saturating_sub(report.count());
        let found = count_in_parallel(shared, &frontier, enough, control.pool, &forecast);
        if found.games > 0 {
            let is_exact = found.is_complete && found.games < GAMES_MAX;
            report.counts.push(GameCount { plies, games: found.games, is_exact });
            let listed = report.games.len().max(report.fairy_games.len());
            if listed < settings.listed_max {
                let mut listener = |line: &[R::Move]| listener(report, line, plies);
                // A list that is cut short does not change the number.
                let _ = list_games(shared, &start, plies, &mut listener);
            }
        }
        if !found.is_complete {
            report.is_complete = false;
            break;
        }
    }
}

impl PositionReport {
    /// Adds a game that was found. Returns false if no more games are listed.
    fn list(
        &mut self,
        problem: &PositionProblem,
        line: &[BoardMove],
        listed_max: usize,
        control: &Control<'_, PositionEvent>,
    ) -> bool {
        if self.games.len() >= listed_max {
            return false;
        }
        let game: Vec<Move> = line.iter().map(|mv| mv.to_move()).collect();
        match replay(problem, &game) {
            Ok(()) => {
                control.notify(PositionEvent::Game(game.clone()));
                self.games.push(game);
            }
            Err(fault) => self.faults.push(format!("a game does not replay: {fault}")),
        }
        self.games.len() < listed_max
    }
}
