//! The problems of a task and how to solve them, read from its keys and files.

use super::choice::choose;
use super::game_text::read_game;
use super::posed::PosedProblem;
use super::shard;
use super::sheet_problem::{FairyPosed, SheetProblem};
use super::start::{self, SolverMismatch};
use super::time_limit;
use crate::cluster::settings::ClusterSettings;
use std::time::Duration;
use umbrail_chess::geometry::{Color, Setup};
use umbrail_proof::files::sheet::{self, length_of};
use umbrail_proof::positions::{ConditionName, FairyProblem, Turns};
use umbrail_proof::report::Notation;
use umbrail_proof::run::{ParameterKind, Params, SolverChoice, StopAt};
use umbrail_proof::{Condition, Diagram, Length, PLIES_MAX};
use umbrail_session::domain::Task;
use umbrail_session::memory_size::MemorySize;
use umbrail_session::module::Context;
use umbrail_session::options::{PROOF_SPECS, ProofOptions};
use umbrail_session::task_error::TaskError;

/// Returns the diagram of a task: the key, or the current position.
pub(super) fn diagram(task: &Task, context: &Context) -> Result<Diagram, TaskError> {
    let setup = match task.key("fen") {
        Some(fen) => fen.parse::<Setup>().map_err(|error| error.to_string())?,
        None => match context.game.position() {
            Ok(position) => position.to_setup(),
            Err(_) => context.game.start().clone(),
        },
    };
    Diagram::from_setup(&setup).map_err(|error| error.to_string().into())
}

/// A length in half-moves, from the text of `moves` (`23.0`, `23`) or `plies` (`46`), or that of a game which the task
/// gives.
pub(super) fn plies(task: &Task) -> Result<u16, TaskError> {
    let plies = match (task.key("moves"), task.key("plies")) {
        (Some(_), Some(_)) => return Err(TaskError::expected("moves or plies").got("both")),
        (Some(moves), None) => in_moves(moves)?,
        (None, Some(plies)) => {
            plies.parse().map_err(|_| TaskError::expects("plies", "a whole number").got(plies))?
        }
        (None, None) => {
            let game = task.text.as_deref().and_then(|text| read_game(text).ok());
            let long = game.filter(|game| !game.is_empty()).map(|game| u16::try_from(game.len()));
            long.and_then(Result::ok).ok_or_else(|| {
                TaskError::expected("the key moves (such as 23.0) or plies (such as 46)")
            })?
        }
    };
    within(plies)
}

fn within(plies: u16) -> Result<u16, TaskError> {
    if plies <= PLIES_MAX {
        return Ok(plies);
    }
    Err(format!("{plies} half-moves are too many, at most {PLIES_MAX} are possible").into())
}

/// A length in moves: `23.0`, `22.5`, or `23` for 23.0.
pub(super) fn in_moves(text: &str) -> Result<u16, TaskError> {
    let whole = text.parse::<u16>().ok().and_then(|moves| moves.checked_mul(2));
    let plies = whole.or_else(|| length_of(text));
    within(
        plies.ok_or_else(|| {
            TaskError::expects("moves", "a length such as 23.0 or 22.5").got(text)
        })?,
    )
}

/// Settings for all problems of a task, read once from the keys and the options.
#[derive(Clone, Debug)]
pub(super) struct SolveSettings {
    /// The solver that a key of the task names.
    solver: Option<SolverChoice>,
    /// How to solve.
    pub params: Params,
    /// Whether shorter games count, unless a problem has its own word.
    length: Length,
    notation: Notation,
    seek_path: bool,
    /// Time for each problem.
    time_each: Option<Duration>,
    cluster: Option<ClusterSettings>,
    /// A key that only strategies can use.
    reserved: Option<&'static str>,
}

impl SolveSettings {
    /// Reads the keys; the options supply the rest.
    ///
    /// # Errors
    /// The first key that cannot be used, and what was expected.
    pub(super) fn of(task: &Task, context: &Context) -> Result<Self, TaskError> {
        let long = match task.key("notation") {
            Some("long") => true,
            None | Some("short" | "san") => false,
            Some(other) => return Err(TaskError::expects("notation", "long or short").got(other)),
        };
        let knight = match task.key("knight") {
            None | Some("S") => 'S',
            Some("N") => 'N',
            Some(other) => return Err(TaskError::expects("knight", "S or N").got(other)),
        };
        let mut options = context.options.clone();
        let set = options.set_by_keys(PROOF_SPECS, |key| task.key(key));
        set.map_err(|error| error.to_string())?;
        let options = options.proofs;
        let params = params(task, &options)?;
        Ok(Self {
            solver: task.key("solver").map(|_| params.solver),
            params,
            length: options.length,
            notation: Notation { long, knight },
            seek_path: options.seek_path,
            time_each: time_each(task)?,
            cluster: cluster(task, &options.cluster)?,
            reserved: start::reserved(task),
        })
    }

    /// Whether shorter games count.
    pub(super) fn length(&self) -> Length {
        self.length
    }

    /// The workers of seekers and players together, when both are given.
    pub(super) fn workers(&self) -> Option<usize> {
        let (seekers, players) = (self.params.seekers, self.params.players);
        (seekers > 0 && players > 0).then_some(seekers + players)
    }

    /// Chooses the solver of a problem if the user leaves it open.
    fn choose(&self, posed: &mut PosedProblem) {
        let reserved = self.reserved.or(self.cluster.is_some().then_some("cluster"));
        let PosedProblem { problem, params, start, .. } = posed;
        posed.chosen = choose(params, problem, start, reserved);
    }

    /// Returns a problem with its solver.
    ///
    /// # Errors
    /// The solver or setting that does not fit the problem.
    pub(super) fn pose(
        &self,
        problem: FairyProblem,
        mut params: Params,
        (title, mut comments): (Option<String>, Vec<String>),
        given: Option<Color>,
    ) -> Result<SheetProblem, SolverMismatch> {
        let (first, plies) = (problem.start.turn, problem.plies);
        if problem.turns == Turns::Alternating {
            let odd = given.and_then(|given| sheet::contradiction(given, first, plies));
            comments.extend(odd.map(|warning| format!("warning: {warning}")));
        }
        comments.extend(problem.remarks().into_iter().map(|remark| format!("warning: {remark}")));
        params = params.counting_intended();
        let Some((chess, start)) = problem.orthodox() else {
            let (params_of, time) = (params.clone(), self.time_each);
            let posed = FairyPosed { problem, title, comments, params: params_of, time };
            posed.check_solver(self.solver.unwrap_or_default())?;
            let used = start::setting_of_strategies(&posed.params);
            let cluster = self.cluster.is_some().then_some("cluster");
            if let Some(key) = self.reserved.or(cluster).or(used) {
                return Err(SolverMismatch::KindAndKey(posed.kind(), key));
            }
            params.solver = SolverChoice::Positions;
            return Ok(SheetProblem::Fairy(Box::new(FairyPosed { params, ..posed })));
        };
        let mut posed = PosedProblem {
            notation: self.notation,
            seek_path: self.seek_path,
            time: self.time_each,
            cluster: self.cluster.clone(),
            title,
            comments,
            start,
            ..PosedProblem::new(chess, params)
        };
        self.choose(&mut posed);
        start::check(&posed.params, &posed.start, posed.cluster.is_some())?;
        Ok(SheetProblem::Chess(Box::new(posed)))
    }
}

/// The time for each problem.
fn time_each(task: &Task) -> Result<Option<Duration>, TaskError> {
    let read = |text| {
        let expects = || TaskError::expects("time-each", time_limit::EXPECTED).got(text);
        time_limit::read(text).ok_or_else(expects)
    };
    task.key("time-each").map(read).transpose()
}

/// Keys that an ordinary run has and one with several machines has not.
const NOT_WITH_CLUSTER: [&str; 6] = [
    "histogram",
    "shard",
    "strategies-in",
    "strategies-out",
    "from-strategy",
    "threads-per-strategy",
];

/// How a task uses the server that the options name; only `solve` uses one.
fn cluster(task: &Task, url: &str) -> Result<Option<ClusterSettings>, TaskError> {
    let url = if task.verb == "solve" { url } else { "" };
    let settings = ClusterSettings::of(task, url)?;
    match NOT_WITH_CLUSTER.iter().find(|key| task.key(key).is_some()) {
        Some(key) if settings.is_some() => {
            Err(format!("{key} cannot be combined with cluster").into())
        }
        _ => Ok(settings),
    }
}

/// Settings of the solver from the keys and options.
fn params(task: &Task, options: &ProofOptions) -> Result<Params, TaskError> {
    let mut params = options.params.clone();
    // The keys of options have been read with these.
    for parameter in Params::TABLE.iter().filter(|parameter| parameter.option.is_none()) {
        let Some((key, text)) = parameter.key.and_then(|key| Some((key, task.key(key)?))) else {
            continue;
        };
        match (parameter.kind, key) {
            (ParameterKind::Flag { set, .. }, _) => set(&mut params, true),
            (ParameterKind::Text { .. }, "conditions") => params.condition = Some(condition(text)?),
            (ParameterKind::Text { .. }, "shard") => {
                params.shard = shard::read(text, &|name| std::env::var(name).ok())?;
            }
            (ParameterKind::Text { .. }, _) => {
                parameter.read(&mut params, text).map_err(|error| error.to_string())?
            }
            (ParameterKind::Number { .. } | ParameterKind::Word { .. }, _) => {
                let read = parameter.read(&mut params, text);
                read.map_err(|expected| TaskError::expects(key, expected.to_string()).got(text))?;
            }
        }
    }
    if task.key("max-solutions").is_some() {
        // One game of a strategy does not show that it is the only one.
        params.games_max = params.games_max.max(2);
        if task.key("stop-at").is_none() {
            // A limit of games is also a limit for the games of a cook.
            params.stop_at = StopAt::Counted;
        }
    }
    if let Some(size) = task.key("memory") {
        let size = size.parse::<MemorySize>().map_err(|error| format!("memory {error}"))?;
        params.table_bytes = size.0;
    }
    params.histogram |= task.verb == "bounds";
    if task.verb != "solve" {
        params.solver = SolverChoice::Strategies;
    }
    Ok(params)
}

fn condition(text: &str) -> Result<Condition, TaskError> {
    text.parse().map_err(|error: umbrail_proof::SyntaxError| {
        let is_fairy = ConditionName::read_whole(text).is_some();
        let hint = match is_fairy {
            true => format!(
                "\nconditions restricts strategies; a fairy condition is --condition \"{text}\""
            ),
            false => String::new(),
        };
        format!("{error}{}{hint}", caret(text, error.column)).into()
    })
}

/// The line with a mark below the place of an error, to be printed after the message.
pub(super) fn caret(line: &str, column: usize) -> String {
    // Blanks stay what they are, so that the mark is below its place in any terminal.
    let before = line.chars().take(column.saturating_sub(1));
    let blank: String = before.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    format!("\n  {line}\n  {blank}^")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_condition_has_a_mark_below_its_place() {
        let reported = condition("Sb1-c3 AND Xb1").unwrap_err().to_string();
        let lines: Vec<&str> = reported.lines().collect();
        assert!(lines[0].starts_with("condition, column 12: expected a man"), "{reported}");
        assert_eq!(lines[1..], ["  Sb1-c3 AND Xb1", "             ^"]);
    }
}
