//! Composing on several machines: a unit is a game, its result the outcome of the composer.

use super::Inputs;
use crate::cluster::list_collector::{ListResults, collect};
use crate::cluster::list_run::{ListKind, ListRun, ListWork, NoResult, RefusedRun};
use crate::cluster::settings::ClusterSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use umbrail_chess::geometry::Setup;
use umbrail_chess::lan::to_uci;
use umbrail_chess::{CastlingMode, Position, PositionError};
use umbrail_cluster::{ClusterError, ResultDefect};
use umbrail_session::domain::Domain;
use umbrail_session::job_context::JobContext;
use umbrail_steno::compose::{ComposeOptions, ComposeResult, Composed, compose};
use umbrail_steno::game::{Game, GameError};
use umbrail_steno::{StenoEvent, StenoParams, Vocabulary};

const WORD: &str = "compose";

/// Data of a run that workers need.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ComposeContext {
    vocabulary: String,
    many_any: bool,
    only: Option<String>,
    fixed: Vec<Option<char>>,
    trials: Option<usize>,
    positions: Option<u64>,
    moves: Option<u64>,
    lookahead: bool,
}

/// Report of a worker on a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ComposeReport {
    /// String that determines the game, if one was found.
    found: Option<String>,
    /// No such string has more `~`.
    best: bool,
    /// Proof that there is no such string.
    none: bool,
    trials: usize,
    cooks: usize,
    banned: usize,
    stopped: bool,
}

impl From<Composed> for ComposeReport {
    fn from(composed: Composed) -> Self {
        let Composed { verdict, trials, cooks, banned, stopped } = composed;
        let none = verdict == ComposeResult::None;
        let (found, best) = match verdict {
            ComposeResult::Found { text, best } => (Some(text), best),
            _ => (None, false),
        };
        Self { found, best, none, trials, cooks, banned, stopped }
    }
}

impl From<ComposeReport> for Composed {
    fn from(report: ComposeReport) -> Self {
        let ComposeReport { found, best, none, trials, cooks, banned, stopped } = report;
        let verdict = match found {
            Some(text) => ComposeResult::Found { text, best },
            None if none => ComposeResult::None,
            None => ComposeResult::Open,
        };
        Self { verdict, trials, cooks, banned, stopped }
    }
}

/// Composing as a kind of run.
pub(crate) const KIND: ListKind = ListKind {
    word: WORD,
    read: |context, machine| {
        let context: ComposeContext =
            serde_json::from_value(context.clone()).map_err(|source| RefusedRun::Settings {
                what: "the run has settings that are not known",
                source,
            })?;
        let usual = StenoParams::default();
        let memory_bytes = machine.memory_bytes.unwrap_or(usual.memory_bytes);
        let at_once = machine.threads.max(1) as u64;
        Ok(Box::new(ComposeWork {
            vocabulary: Vocabulary::from_name(&context.vocabulary)
                .ok_or(RefusedRun::Vocabulary(context.vocabulary))?,
            options: ComposeOptions {
                many_any: context.many_any,
                only: context.only,
                fixed: context.fixed,
                trials_max: context.trials,
            },
            params: StenoParams {
                lookahead: context.lookahead,
                memory_bytes: memory_bytes / at_once,
                positions_max: context.positions,
                moves_max: context.moves,
                ..usual
            },
        }))
    },
};

/// Composes stenos for games.
struct ComposeWork {
    vocabulary: Vocabulary,
    options: ComposeOptions,
    params: StenoParams,
}

impl ListWork for ComposeWork {
    fn result(&self, unit: &str, job: &JobContext<'_>) -> Result<String, NoResult> {
        let game = game_of(unit).map_err(|error| NoResult::Failed(error.to_string()))?;
        let quiet = |_: StenoEvent| {};
        let control = job.control(&quiet);
        let composed = compose(&game, self.vocabulary, &self.options, &self.params, &control)
            .map_err(|error| NoResult::Failed(error.to_string()))?;
        if composed.stopped && job.is_over() {
            return Err(NoResult::Stopped);
        }
        serde_json::to_string(&ComposeReport::from(composed))
            .map_err(|error| NoResult::Failed(error.to_string()))
    }

    /// One thread does most of the work on a game.
    fn at_once(&self, threads: usize) -> usize {
        threads
    }
}

/// Writes a game as a unit: its number, initial position and moves.
fn unit_of(number: usize, game: &Game) -> String {
    let mut position = game.start;
    let mut moves = vec![];
    for &mv in &game.moves {
        moves.push(to_uci(&position, mv, false));
        position = position.after(mv);
    }
    format!("{number} fen {} moves {}", game.start.to_setup(), moves.join(" "))
}

/// Reason why a unit is not a game.
#[derive(Debug, thiserror::Error)]
enum GameUnitError {
    #[error("the unit \"{0}\" is not a game")]
    Form(String),
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error(transparent)]
    Game(#[from] GameError),
}

fn game_of(unit: &str) -> Result<Game, GameUnitError> {
    let wrong = || GameUnitError::Form(unit.to_owned());
    let (_, rest) = unit.split_once(" fen ").ok_or_else(wrong)?;
    let (fen, moves) = rest.split_once(" moves ").ok_or_else(wrong)?;
    let setup: Setup = fen.parse().map_err(|_| wrong())?;
    // Rights of Chess960 occur only if the collector's game has them.
    let mode = CastlingMode::Chess960;
    let start = Position::from_setup(&setup, mode)?;
    Ok(Game::read(moves, &start, mode)?)
}

/// Composes stenos for games with all workers of a cluster; `show` takes the results in order.
///
/// # Errors
/// The reason why the server cannot be used.
pub(super) fn compose_with_workers(
    inputs: &Inputs,
    games: &[Game],
    wishes: &ComposeOptions,
    settings: &ClusterSettings,
    show: &mut dyn FnMut(usize, &Composed),
    job: &JobContext<'_>,
) -> Result<Vec<String>, ClusterError> {
    let context = ComposeContext {
        vocabulary: inputs.vocabulary.name().to_owned(),
        many_any: wishes.many_any,
        only: wishes.only.clone(),
        fixed: wishes.fixed.clone(),
        trials: wishes.trials_max,
        positions: inputs.params.positions_max,
        moves: inputs.params.moves_max,
        lookahead: inputs.params.lookahead,
    };
    let run = ListRun::new(WORD, serde_json::to_value(context).unwrap_or(Value::Null));
    let units: Vec<String> =
        games.iter().enumerate().map(|(at, game)| unit_of(at + 1, game)).collect();
    let memory_bytes = inputs.params.memory_bytes / job.pool.size().max(1) as u64;
    let work = ComposeWork {
        vocabulary: inputs.vocabulary,
        options: wishes.clone(),
        params: StenoParams { memory_bytes, ..inputs.params.clone() },
    };
    let results = ListResults {
        read: &|unit, body| read(unit, body, inputs),
        differ: &differ,
        show: &mut |at, composed| show(at, composed),
    };
    let end = collect((Domain::Steno, &run, &units), &work, settings, results, job)?;
    Ok(end.troubles)
}

/// Reads a worker's result: a string must describe its game.
fn read(unit: &str, body: &str, inputs: &Inputs) -> Result<Composed, ResultDefect> {
    let report: ComposeReport = serde_json::from_str(body).map_err(ResultDefect::damaged)?;
    if report.found.is_some() && report.none {
        return Err(ResultDefect::damaged("it has a string and also a proof that there is none"));
    }
    if let Some(text) = &report.found {
        let game = game_of(unit).map_err(ResultDefect::damaged)?;
        game.fits(text, inputs.vocabulary, inputs.strict).map_err(|misfit| {
            ResultDefect::Damaged(format!("the game does not fit {text}: {misfit}"))
        })?;
    }
    Ok(report.into())
}

/// Compares two results. Two composers may find different strings, and one may run out of trials.
/// If one has found a string, no other can have proved that there is none.
fn differ(one: &Composed, other: &Composed) -> Option<String> {
    let contradict = |one: &Composed, other: &Composed| {
        matches!(one.verdict, ComposeResult::Found { .. }) && other.verdict == ComposeResult::None
    };
    (contradict(one, other) || contradict(other, one))
        .then(|| "one has found a string, the other one has proved that there is none".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{differ, game_of, unit_of};
    use umbrail_chess::{CastlingMode, Position};
    use umbrail_steno::compose::{ComposeResult, Composed};
    use umbrail_steno::game::Game;

    #[test]
    fn a_game_arrives_at_a_worker() {
        let game = Game::read(
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. O-O",
            &Position::default(),
            CastlingMode::Standard,
        );
        let game = game.expect("a game");
        let unit = unit_of(3, &game);
        assert!(unit.starts_with("3 fen rnbqkbnr/") && unit.ends_with("g8f6 e1g1"), "{unit}");
        assert_eq!(game_of(&unit).expect("the game").moves, game.moves);
        assert!(game_of("nonsense").is_err());
    }

    #[test]
    fn a_string_contradicts_the_proof_that_there_is_none() {
        let with = |verdict| Composed { verdict, trials: 1, cooks: 0, banned: 0, stopped: false };
        let found = |text: &str| with(ComposeResult::Found { text: text.to_owned(), best: true });
        assert!(differ(&found("~"), &with(ComposeResult::None)).is_some());
        assert!(differ(&with(ComposeResult::None), &found("~")).is_some());
        assert!(differ(&found("~"), &found("3")).is_none());
        assert!(differ(&with(ComposeResult::Open), &with(ComposeResult::None)).is_none());
    }
}
