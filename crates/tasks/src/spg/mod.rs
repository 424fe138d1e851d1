//! The module of proof games: its verbs and keys, and how its tasks are made ready.

mod archive_writer;
mod check;
mod choice;
#[cfg(feature = "cluster")]
mod cluster;
mod collected;
mod counted;
mod diagram_words;
mod ending;
mod explain;
mod fairy;
mod fairy_run;
mod files;
mod game_text;
mod histograms;
mod keep;
mod keys;
mod least;
mod legal;
mod list;
mod merge;
#[cfg(feature = "cluster")]
mod named_units;
mod notify;
mod observer;
mod outcome;
mod popeye_file;
mod popeye_text;
mod posed;
mod posing;
mod position_archive;
mod positions;
mod problems;
mod run_file_error;
mod run_files;
mod shard;
mod sheet_problem;
mod solved;
mod solving;
mod start;
mod strategies;
mod time_limit;
mod turns;
mod verbs;
mod work;
#[cfg(feature = "cluster")]
mod worker;
#[cfg(feature = "cluster")]
mod worker_status;

use self::verbs::VERBS;
#[cfg(not(feature = "cluster"))]
use super::no_cluster::{self as cluster, self as worker};

pub use diagram_words::with_diagram_keys;
use problems::SolveSettings;
use umbrail_session::domain::{Domain, Task};
use umbrail_session::module::{Context, Prepared, SolverModule};
use umbrail_session::task_error::TaskError;

/// The module of shortest proof games.
pub const MODULE: SolverModule = SolverModule {
    domain: Domain::Spg,
    verbs: VERBS,
    from_board,
    table_for_play: None,
    game_for_play: None,
};

/// `go` with this module as the solver: the diagram on the board, in the number of moves of the option.
fn from_board(context: &Context) -> Result<Task, TaskError> {
    let moves = context.options.proofs.moves.clone();
    if moves.is_empty() {
        return Err("the option SPG Moves is empty, expected a length such as 23.0".into());
    }
    let mut keys = vec![("moves", moves)];
    let archive = &context.options.proofs.archive;
    if !archive.is_empty() {
        keys.extend([("archive", archive.clone()), ("resume", String::new())]);
    }
    Ok(Task { domain: Domain::Spg, verb: "solve", subject: vec![], keys, text: None })
}

/// Makes the work of a verb.
type MakeSpgWork = fn(&Task, SolveSettings, &Context) -> Result<Prepared, TaskError>;

/// Reads the keys once, and prepares the work of a verb.
fn prepare(task: &Task, context: &Context, make: MakeSpgWork) -> Result<Prepared, TaskError> {
    let task = with_diagram_keys(task.clone())?;
    let settings = SolveSettings::of(&task, context)?;
    let workers = settings.workers();
    Ok(Prepared { workers, ..make(&task, settings, context)? })
}
