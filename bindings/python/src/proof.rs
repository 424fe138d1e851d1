//! Shortest proof games as a job.

use crate::job::{Job, Means, granted, refused};
use crate::positions::{GameOut, setup};
use pyo3::prelude::*;
use umbrail_chess::{CastlingMode, Position};
use umbrail_proof::run::{Params, Persistence, RunControl, RunEvent, StopAt, solve};
use umbrail_proof::{Diagram, Length, PLIES_MAX, Problem, report};

/// The fields of `umbrail.ProofResult`.
#[derive(IntoPyObject)]
struct ProofOut {
    verdict: String,
    statement: String,
    games: Vec<GameOut>,
    complete: bool,
    reasons: Vec<String>,
    strategies: u64,
    nodes: u64,
}

/// Starts a proof game; the answer is a dictionary of the fields of `umbrail.ProofResult`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the fields of the Python function, in its order")]
pub(crate) fn start_proof(
    fen: &str,
    plies: u16,
    exact: bool,
    games_max: usize,
    stop_at: &str,
    threads: usize,
    memory_mib: Option<u64>,
    seconds: Option<f64>,
) -> PyResult<Job> {
    if plies > PLIES_MAX {
        let most = PLIES_MAX / 2;
        return Err(refused(format!("a proof game has at most {most} moves")));
    }
    let length = if exact { Length::Exact } else { Length::Parity };
    let diagram = Diagram::from_setup(&setup(fen)?).map_err(refused)?;
    let problem = Problem { diagram, plies, length };
    let stop_at = match stop_at {
        "complete" => StopAt::Complete,
        "cooked" => StopAt::Cooked,
        "first" => StopAt::First,
        other => {
            return Err(refused(format!("stop must be complete, cooked or first, got {other}")));
        }
    };
    let table_bytes = granted(memory_mib, 256);
    // One game of a strategy does not show that it is the only one.
    let params = Params { games_max: games_max.max(2), stop_at, table_bytes, ..Params::default() };
    Job::start(&Means::new(threads, seconds)?, move |place| {
        let notify = |fact| match fact {
            RunEvent::Success(success) => {
                for game in &success.games {
                    place.notify(format!("game: {}", report::text::numbered(game, 'N')));
                }
            }
            RunEvent::SmallerTable { wanted, granted } => {
                let (wanted, granted) = (wanted >> 20, granted >> 20);
                place.notify(format!("memory is low: {granted} of {wanted} MiB"));
            }
        };
        let control = place.control(&notify);
        let found =
            solve(&problem, &params, &RunControl::default(), Persistence::default(), &control);
        let start = Position::startpos();
        let verdict = report::Verdict::of(&problem, &params, &found);
        let of_each = games_max.max(1);
        let listed = found.successes.iter().flat_map(|one| one.games.iter().take(of_each));
        Ok(ProofOut {
            verdict: verdict.word.to_string(),
            statement: verdict.text,
            games: listed.map(|game| GameOut::new(&start, game, CastlingMode::Standard)).collect(),
            complete: verdict.complete,
            reasons: found
                .refusals
                .iter()
                .map(ToString::to_string)
                .chain(found.faults.iter().cloned())
                .collect(),
            strategies: found.counts.enumerated,
            nodes: found.counts.nodes,
        })
    })
}
