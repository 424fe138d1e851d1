//! Steno-Chess as a job.

use crate::job::{Job, Means, granted, refused};
use crate::positions::{GameOut, position};
use pyo3::prelude::*;
use umbrail_chess::CastlingMode;
use umbrail_steno::game::Game;
use umbrail_steno::{StenoEnd, StenoEvent, StenoParams, StenoRequest, Vocabulary, report, solve};

/// The fields of `umbrail.steno.StenoResult`.
#[derive(IntoPyObject)]
struct StenoOut {
    /// A number of any size, in decimal digits.
    count: String,
    games: Vec<GameOut>,
    complete: bool,
    ended: &'static str,
    dead_turn: Option<usize>,
    nodes: u64,
}

fn vocabulary(name: &str) -> PyResult<Vocabulary> {
    Vocabulary::from_name(name).ok_or_else(|| {
        let known = Vocabulary::ALL.map(Vocabulary::name).join(", ");
        refused(format!("vocabulary must be one of {known}, got {name}"))
    })
}

/// Starts a steno; the answer is a dictionary of the fields of `umbrail.steno.StenoResult`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the fields of the Python function, in its order")]
pub(crate) fn start_steno(
    py: Python<'_>,
    text: &str,
    words: &str,
    fen: &str,
    chess960: bool,
    strict: bool,
    games_max: usize,
    threads: usize,
    memory_mib: Option<u64>,
    seconds: Option<f64>,
) -> PyResult<Job> {
    let mode = CastlingMode::of(chess960);
    let start = position(py, fen, mode)?;
    let request = StenoRequest::new(text, vocabulary(words)?, start).map_err(refused)?;
    let request = if strict { request.strict() } else { request };
    let memory_bytes = granted(memory_mib, 2048);
    let params = StenoParams { memory_bytes, games_max, ..StenoParams::default() };
    Job::start(&Means::new(threads, seconds)?, move |place| {
        let notify = |fact: StenoEvent| match fact {
            StenoEvent::Mark(mark) => {
                let positions =
                    mark.positions.map_or(String::new(), |n| format!("{n} positions, "));
                place.notify(format!("turn {}: {positions}{} games", mark.turn, mark.games));
            }
            StenoEvent::Split(turn) => {
                place.notify(format!(
                    "memory is low after turn {turn}: searched in parts from here on"
                ));
            }
            StenoEvent::Game(game) => {
                place.notify(format!("game: {}", report::numbered(&request.start, &game)));
            }
            StenoEvent::Saved(_) | StenoEvent::Unfinished(_) => {}
        };
        let found = solve(&request, &params, &place.control(&notify));
        Ok(StenoOut {
            count: found.count.to_string(),
            games: found.games.iter().map(|g| GameOut::new(&request.start, g, mode)).collect(),
            complete: found.ended == StenoEnd::Complete,
            ended: match found.ended {
                StenoEnd::Complete => "complete",
                StenoEnd::Stopped => "stopped",
                StenoEnd::Enough => "enough",
                StenoEnd::Moves => "moves",
                StenoEnd::Positions(_) => "positions",
            },
            dead_turn: found.dead_turn(),
            nodes: found.made,
        })
    })
}

/// The moves of a game in short notation, each with all characters that describe it.
#[pyfunction]
pub(crate) fn marks_of(
    py: Python<'_>,
    game: &str,
    words: &str,
    fen: &str,
    chess960: bool,
    strict: bool,
) -> PyResult<Vec<(String, String)>> {
    let mode = CastlingMode::of(chess960);
    let game = Game::read(game, &position(py, fen, mode)?, mode).map_err(refused)?;
    let marks = game.marks(vocabulary(words)?, strict);
    Ok(marks.into_iter().map(|(san, marks)| (san, marks.into_iter().collect())).collect())
}
