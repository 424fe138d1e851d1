//! Starts of games, and keys and settings that a solver cannot use.

use umbrail_chess::Position;
use umbrail_chess::geometry::{Setup, SetupError};
use umbrail_chess::{CastlingMode, PositionError};
use umbrail_proof::report::EXPORTS;
use umbrail_proof::run::{Params, SolverChoice, Words as _};
use umbrail_session::domain::Task;
use umbrail_session::task_error::TaskError;

/// Reason why a solver cannot work on a problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum SolverMismatch {
    /// The start is no FEN.
    #[error("start: {0}")]
    Fen(#[from] SetupError),
    /// The start is no position of chess.
    #[error("start: illegal position: {0}")]
    Position(#[from] PositionError),
    /// A start for strategies.
    #[error(
        "strategies start from the initial position; --solver positions solves problems with another start"
    )]
    Start,
    /// A key that belongs to strategies.
    #[error("{0} belongs to strategies, and cannot be combined with the solver {1}")]
    Key(&'static str, &'static str),
}

impl From<SolverMismatch> for TaskError {
    fn from(mismatch: SolverMismatch) -> Self {
        mismatch.to_string().into()
    }
}

/// Returns the position of a FEN.
///
/// # Errors
/// The fault of the FEN, or the rules that the position breaks.
pub(super) fn start(fen: &str) -> Result<Position, SolverMismatch> {
    let setup: Setup = fen.parse()?;
    Ok(Position::from_setup(&setup, CastlingMode::Standard)?)
}

/// Keys whose work only strategies can do.
const OF_STRATEGIES: [&str; 8] = [
    "archive",
    "resume",
    "shard",
    "from-strategy",
    "conditions",
    "histogram",
    "strategies-in",
    "strategies-out",
];

/// Returns the first key of a task that only strategies can use.
pub(super) fn reserved(task: &Task) -> Option<&'static str> {
    let exports = EXPORTS.iter().map(|export| export.key);
    OF_STRATEGIES.into_iter().chain(exports).find(|key| task.key(key).is_some())
}

/// Refuses keys that the solver of a task cannot use.
///
/// # Errors
/// The first such key.
pub(super) fn check_keys(task: &Task, solver: SolverChoice) -> Result<(), SolverMismatch> {
    if matches!(solver, SolverChoice::Strategies | SolverChoice::Auto) {
        return Ok(());
    }
    let exports = EXPORTS.iter().map(|export| export.key);
    let exports = exports.filter(|_| solver == SolverChoice::Positions);
    match OF_STRATEGIES.into_iter().chain(exports).find(|key| task.key(key).is_some()) {
        Some(key) => Err(SolverMismatch::Key(key, solver.word())),
        None => Ok(()),
    }
}

/// Refuses a problem that its solver cannot search.
///
/// # Errors
/// The start or setting that the solver cannot use.
pub(super) fn check(
    params: &Params,
    start: &Position,
    uses_cluster: bool,
) -> Result<(), SolverMismatch> {
    let solver = params.solver;
    if solver != SolverChoice::Positions && !start.is_same(&Position::startpos()) {
        return Err(SolverMismatch::Start);
    }
    let used = [
        ("cluster", uses_cluster),
        ("StrategyConditions", params.condition.is_some()),
        ("From-strategy", params.from_claim > 0),
    ];
    match used.into_iter().find(|(_, is_used)| *is_used) {
        Some((key, _)) if solver != SolverChoice::Strategies => {
            Err(SolverMismatch::Key(key, solver.word()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(solver: SolverChoice, fen: &str) -> Result<(), SolverMismatch> {
        let params = Params { solver, ..Params::default() };
        check(&params, &start(fen).unwrap(), false)
    }

    #[test]
    fn only_positions_have_another_start() {
        let other = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
        assert_eq!(checked(SolverChoice::Positions, other), Ok(()));
        for solver in [SolverChoice::Strategies, SolverChoice::Both] {
            assert_eq!(checked(solver, other), Err(SolverMismatch::Start));
            assert_eq!(checked(solver, Setup::START_FEN), Ok(()));
        }
    }

    #[test]
    fn conditions_and_clusters_belong_to_strategies() {
        let array = Position::startpos();
        let mut params = Params { solver: SolverChoice::Positions, ..Params::default() };
        let refused = check(&params, &array, true).unwrap_err().to_string();
        assert_eq!(
            refused,
            "cluster belongs to strategies, and cannot be combined with the solver positions"
        );
        params.condition = Some("Sb1-c3".parse().unwrap());
        let refused = check(&params, &array, false).unwrap_err().to_string();
        assert!(refused.starts_with("StrategyConditions belongs to strategies"), "{refused}");
        params.solver = SolverChoice::Strategies;
        assert_eq!(check(&params, &array, true), Ok(()));
    }

    #[test]
    fn an_illegal_start_is_refused_with_its_reason() {
        let refused = start("4k3/8/8/8/8/8/8/8 w - - 0 1").unwrap_err().to_string();
        assert_eq!(refused, "start: illegal position: white has no king");
        assert!(
            start("4k3/8").unwrap_err().to_string().starts_with("start: FEN must have 8 ranks")
        );
    }
}
