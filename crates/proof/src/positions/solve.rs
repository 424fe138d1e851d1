//! Solution of a problem by the search of positions, with all workers.

use super::board::SearchPosition;
use super::bounds::BoundSet;
use super::problem::{PositionProblem, TargetBoard, start_of};
use super::replay::replay;
use super::rules::{BoardMove, Orthodox, RuleSet};
use super::search::{
    GAMES_MAX, PositionFrontier, SharedSearch, TableSizes, count_in_parallel, list_games,
};
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
    /// True if every length was counted completely.
    pub is_complete: bool,
    /// Positions visited.
    pub nodes: u64,
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

/// Counts the games of a problem until it is done, stopped, or the time is up.
pub fn count_games(
    problem: &PositionProblem,
    settings: &PositionSettings,
    control: &Control<'_, PositionEvent>,
) -> PositionReport {
    // Searches poll only the stop signal.
    keep_limit(control.clock, &control.cancel, || count_until_stopped(problem, settings, control))
}

fn count_until_stopped(
    problem: &PositionProblem,
    settings: &PositionSettings,
    control: &Control<'_, PositionEvent>,
) -> PositionReport {
    let mut start: SearchPosition<()> = start_of(&problem.start);
    Orthodox.begin(&mut start);
    let needs = (settings.table_bytes / NEEDS_PART).min(NEEDS_BYTES_MAX);
    let sizes = TableSizes { counts: settings.table_bytes.saturating_sub(needs), needs };
    let progress = control.progress;
    let (before, signals) = (progress.nodes.get(), (&control.cancel, &*progress.nodes));
    let target = TargetBoard::from(&problem.diagram);
    let shared =
        SharedSearch::new(Orthodox, target, &start, problem.turns, BoundSet::ALL, sizes, signals);
    let granted = shared.table_bytes();
    if granted + 4096 < sizes.counts {
        control.notify(PositionEvent::SmallerTable { wanted: sizes.counts, granted });
    }
    let mut report =
        PositionReport { is_complete: true, table_bytes: granted, ..PositionReport::default() };
    for plies in problem.lengths() {
        let mut start = start;
        if !shared.admits_start(&mut start, plies) {
            continue;
        }
        let Ok(frontier) = PositionFrontier::of(&shared, start, plies, control.pool.size()) else {
            report.is_complete = false;
            break;
        };
        progress.total.set(frontier.len() as u64);
        progress.done.set(0);
        let enough = settings.enough.saturating_sub(report.count());
        let found = count_in_parallel(&shared, &frontier, enough, control.pool, &progress.done);
        if found.games > 0 {
            let is_exact = found.is_complete && found.games < GAMES_MAX;
            report.counts.push(GameCount { plies, games: found.games, is_exact });
            let mut listener =
                |line: &[BoardMove]| report.list(problem, line, settings.listed_max, control);
            // A list that is cut short does not change the number.
            let _ = list_games(&shared, &start, plies, &mut listener);
        }
        if !found.is_complete {
            report.is_complete = false;
            break;
        }
    }
    report.nodes = progress.nodes.get() - before;
    report
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
