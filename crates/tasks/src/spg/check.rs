//! `spg check`: whether a game is a solution of a problem.

use super::game_text::{fairy_words, read_game};
use super::problems::SolveSettings;
use super::sheet_problem::SheetProblem;
use super::{keys, notify, posing};
use crate::records::spg::CheckEnd;
use umbrail_chess::san::SanError;
use umbrail_proof::positions::{FairyProblem, check_fairy_game};
use umbrail_proof::report::not_the_shortest;
use umbrail_proof::run::Words;
use umbrail_proof::{GameFault, verify};
use umbrail_session::domain::Task;
use umbrail_session::message::{Completion, Kind, Value};
use umbrail_session::module::{Context, Prepared};
use umbrail_session::status::Status;
use umbrail_session::task_error::TaskError;

/// Keys of problems that have rules, pieces or a start of their own.
const BEYOND_CHESS: [&str; 6] = ["start", "condition", "piece", "series", "uncolored", "add"];

/// `spg check`: is this game a solution?
pub(super) fn checking(
    task: &Task,
    settings: SolveSettings,
    context: &Context,
) -> Result<Prepared, TaskError> {
    let text = task.text.clone().ok_or_else(|| TaskError::expected("a game after 'text'"))?;
    let is_fairy = || matches!(posing::one(task, &settings, context), Ok(SheetProblem::Fairy(_)));
    if BEYOND_CHESS.iter().any(|key| task.key(key).is_some()) || is_fairy() {
        let problem = keys::problem(task, &settings, context)?;
        return Ok(Prepared::work(move |_| checked_by_rules(&problem, &text)));
    }
    let game = match read_game(&text) {
        Ok(game) => Ok(game),
        Err(error) if error.why == SanError::Syntax => return Err(error.to_string().into()),
        Err(error) => Err(error.to_string()),
    };
    let lengths = ["moves", "plies"];
    let game = match game {
        // How long a game is that stops being one is not known.
        Err(why) if lengths.iter().all(|key| task.key(key).is_none()) => {
            return Ok(Prepared::work(move |_| not_fitting(why)));
        }
        game => game,
    };
    let problem = posing::chess(task, &settings, context)?.problem;
    Ok(Prepared::work(move |_| {
        let checked = game.and_then(|game| {
            let plies = game.len();
            verify(&problem, &game).map(|()| plies).map_err(|fault| match fault {
                GameFault::Plies(plies) => {
                    let mode = problem.length.word();
                    let plural = if plies == 1 { "" } else { "s" };
                    format!(
                        "the game has {plies} half-move{plural}, expected {} ({mode})",
                        problem.plies
                    )
                }
                GameFault::Diagram(reached) => {
                    format!("the game ends in {reached}, expected {}", problem.diagram)
                }
                fault => fault.to_string(),
            })
        });
        match checked {
            Ok(plies) => {
                let shorter = (plies < usize::from(problem.plies))
                    .then(|| format!("; {}", not_the_shortest(plies, problem.plies)));
                fitting(format!("the game reaches the diagram{}", shorter.unwrap_or_default()))
            }
            Err(why) => not_fitting(why),
        }
    }))
}

/// Checks a game by the rules of a problem with conditions, fairy pieces, series moves or another start.
fn checked_by_rules(problem: &FairyProblem, text: &str) -> Completion {
    let words = fairy_words(text);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match check_fairy_game(problem, &words) {
        Ok(game) if words.len() < usize::from(problem.plies) => fitting(format!(
            "the game reaches the diagram in {} half-moves, fewer than {}: {}",
            words.len(),
            problem.plies,
            game.text
        )),
        Ok(game) => fitting(format!("the game reaches the diagram: {}", game.text)),
        Err(why) => not_fitting(why.to_string()),
    }
}

/// The end of a check of a solution.
fn fitting(text: String) -> Completion {
    let done = notify::holding(Kind::Done, &CheckEnd { fits: true });
    let done = done.with("fits", Value::Truth(true)).printing(text);
    Completion { done, status: Status::Complete }
}

/// The end of a check of a game that is no solution.
fn not_fitting(why: String) -> Completion {
    let done = notify::holding(Kind::Done, &CheckEnd { fits: false });
    let done = done.with("fits", Value::Truth(false)).printing(why);
    Completion { done, status: Status::NotAsRequired }
}
