//! Sheets of proof games as a job: all problems and twins of a text, one after the other.

use crate::job::{Job, Means, Workplace, granted, refused};
use pyo3::prelude::*;
use std::time::{Duration, Instant};
use umbrail_chess::{Move, Position};
use umbrail_control::{Clock, Control};
use umbrail_proof::files::sheet::{self, SheetEntry, SheetError};
use umbrail_proof::positions::{
    FairyGame, FairyProblem, PositionProblem, PositionReport, PositionSettings, Turns,
    count_fairy_games, count_games, fairy_verdict_of, verdict_of,
};
use umbrail_proof::report::{Verdict, text};
use umbrail_proof::run::{Params, Persistence, RunControl, solve};
use umbrail_proof::{Diagram, Length, Problem, SolverEstimate, SolverPlan, san_from};

/// The fields of `umbrail.FairyGame`.
#[derive(IntoPyObject)]
struct SheetGameOut {
    moves: Vec<String>,
    text: String,
    boards: Vec<String>,
}

impl SheetGameOut {
    fn of_chess(start: &Position, game: &[Move]) -> Self {
        let mut position = *start;
        let mut boards = vec![Diagram::of(&position).to_string()];
        for &mv in game {
            position = position.after(mv);
            boards.push(Diagram::of(&position).to_string());
        }
        Self { moves: san_from(start, game), text: text::numbered_from(start, game, 'N'), boards }
    }

    fn of_fairy(problem: &FairyProblem, game: &FairyGame) -> Self {
        let boards = problem.placements(game);
        Self { moves: game.moves.clone(), text: game.text.clone(), boards }
    }
}

/// The fields of `umbrail.SheetResult`.
#[derive(IntoPyObject)]
struct SheetOut {
    title: Option<String>,
    line: usize,
    error: Option<String>,
    fen: String,
    start: Option<String>,
    plies: u16,
    verdict: String,
    statement: String,
    correct: Option<bool>,
    complete: bool,
    /// Number of games in decimal: it may have 128 bits.
    count: String,
    games: Vec<SheetGameOut>,
}

impl SheetOut {
    fn unread(SheetError { line, column, what, title }: SheetError) -> Self {
        let error = Some(format!("{line}:{column}: {what}"));
        let (verdict, statement) = ("error".to_owned(), what);
        Self {
            title,
            line,
            error,
            fen: String::new(),
            start: None,
            plies: 0,
            verdict,
            statement,
            correct: None,
            complete: false,
            count: "0".to_owned(),
            games: vec![],
        }
    }

    fn of(entry: &SheetEntry, verdict: Verdict, count: u128, games: Vec<SheetGameOut>) -> Self {
        let problem = &entry.problem;
        Self {
            title: entry.title.clone(),
            line: entry.line,
            error: None,
            fen: problem.target_setup().placement(),
            start: problem.start.men.as_ref().map(|_| problem.start_setup().to_string()),
            plies: problem.plies,
            verdict: verdict.word.to_string(),
            statement: verdict.text,
            correct: verdict.correct,
            complete: verdict.complete,
            count: count.to_string(),
            games,
        }
    }
}

/// Settings with which the problems of a sheet are solved.
struct SheetSettings {
    games_max: usize,
    table_bytes: u64,
    each: Option<Duration>,
}

/// A problem with the settings of its lines.
struct SheetWork {
    entry: SheetEntry,
    params: Params,
}

impl SheetSettings {
    /// Reads the lines with keywords of a problem.
    fn read(&self, mut entry: SheetEntry) -> Result<SheetWork, SheetError> {
        let mut params = Params {
            table_bytes: self.table_bytes,
            games_max: self.games_max.max(2),
            ..Params::default()
        };
        for setting in &entry.settings {
            let fail = |what: String| {
                let (line, column) = setting.at;
                Err(SheetError { line, column, what, title: entry.title.clone() })
            };
            let value = setting.value.trim();
            match (setting.name, value.parse::<usize>()) {
                ("length", _) if value.eq_ignore_ascii_case("exact") => {
                    entry.problem.length = Length::Exact;
                }
                ("length", _) if value.eq_ignore_ascii_case("parity") => {}
                ("length", _) => return fail(format!("expected exact or parity, got {value}")),
                ("intended", Ok(count)) => params.intended = count,
                ("intended", Err(_)) => return fail(format!("expected a number, got {value}")),
                (name, _) => {
                    return fail(format!("{name} is a setting of the program, not of this module"));
                }
            }
        }
        params.intended = entry.intended.unwrap_or(params.intended);
        params.condition = entry.conditions.take().map(|(_, condition)| condition);
        if params.condition.is_some() && entry.problem.orthodox().is_none() {
            let (line, title) = (entry.line, entry.title.clone());
            let what = "StrategyConditions: belongs to games of chess".to_owned();
            return Err(SheetError { line, column: 1, what, title });
        }
        Ok(SheetWork { entry, params: params.counting_intended() })
    }

    /// Works on a problem within its time.
    fn solve(&self, work: &SheetWork, place: &Workplace<'_>) -> PyResult<SheetOut> {
        let clock = Clock::started(Instant::now());
        let left = place.clock().left();
        if let Some(limit) = self.each.into_iter().chain(left).min() {
            clock.limit(limit);
        }
        let SheetWork { entry, params } = work;
        // A solver may raise the signal when its time is over, which is not the end of the sheet.
        let cancel = place.cancel().child();
        let problem = &entry.problem;
        let counting = PositionSettings {
            table_bytes: self.table_bytes,
            listed_max: self.games_max,
            ..PositionSettings::default()
        };
        let (progress, pool) = (place.progress(), place.pool());
        let Some((chess, start)) = problem.orthodox() else {
            let control = Control::new(cancel, &clock, progress, pool, &|_| {});
            let found = count_fairy_games(problem, &counting, None, &control).map_err(refused)?;
            check(&found)?;
            let verdict = fairy_verdict_of(problem, params.intended, &found);
            let games = found.fairy_games.iter();
            let games = games.map(|game| SheetGameOut::of_fairy(problem, game)).collect();
            return Ok(SheetOut::of(entry, verdict, found.count(), games));
        };
        let is_array = start.is_same(&Position::startpos());
        let by_positions = || SolverEstimate::of(&chess).plan() == SolverPlan::Positions;
        if !is_array || params.condition.is_none() && by_positions() {
            let control = Control::new(cancel, &clock, progress, pool, &|_| {});
            let Problem { diagram, plies, length } = chess;
            let problem =
                PositionProblem { start, diagram, plies, length, turns: Turns::Alternating };
            let found = count_games(&problem, &counting, None, &control);
            check(&found)?;
            let verdict = verdict_of(&problem, params.intended, &found);
            let games = found.games.iter();
            let games = games.map(|game| SheetGameOut::of_chess(&start, game)).collect();
            return Ok(SheetOut::of(entry, verdict, found.count(), games));
        }
        let control = Control::new(cancel, &clock, progress, pool, &|_| {});
        let found = solve(&chess, params, &RunControl::default(), Persistence::default(), &control);
        let verdict = Verdict::of(&chess, params, &found);
        let games = found.games().map(|(_, game)| SheetGameOut::of_chess(&start, game));
        let games = games.take(self.games_max).collect();
        Ok(SheetOut::of(entry, verdict, found.count() as u128, games))
    }
}

/// Refuses a result with faults of the program.
fn check(found: &PositionReport) -> PyResult<()> {
    match found.faults.first() {
        Some(fault) => Err(pyo3::exceptions::PyRuntimeError::new_err(fault.clone())),
        None => Ok(()),
    }
}

/// Starts the work on a sheet; the answer is a list of dictionaries of the fields of `umbrail.SheetResult`.
#[pyfunction]
pub(crate) fn start_sheet(
    text: &str,
    games_max: usize,
    threads: usize,
    memory_mib: Option<u64>,
    seconds: Option<f64>,
    seconds_each: Option<f64>,
) -> PyResult<Job> {
    let wrong = || {
        let got = seconds_each.unwrap_or_default();
        refused(format!("seconds_each must be 0 or more, got {got}"))
    };
    let each = seconds_each.map(Duration::try_from_secs_f64).transpose().map_err(|_| wrong())?;
    let entries = sheet::read(text);
    if entries.is_empty() {
        return Err(refused("the sheet has no problem, expected a FEN and its length"));
    }
    let settings = SheetSettings { games_max, table_bytes: granted(memory_mib, 256), each };
    let read = |entry: Result<SheetEntry, SheetError>| entry.and_then(|one| settings.read(one));
    let works: Vec<Result<SheetWork, SheetError>> = entries.into_iter().map(read).collect();
    Job::start(&Means::new(threads, seconds)?, move |place| {
        let mut all = vec![];
        for work in works {
            let out = match work {
                Ok(work) => settings.solve(&work, place)?,
                Err(error) => SheetOut::unread(error),
            };
            let title = out.title.clone().unwrap_or_else(|| format!("Nr {}", all.len() + 1));
            place.notify(format!("{title}: {}", out.statement));
            all.push(out);
        }
        Ok(all)
    })
}
