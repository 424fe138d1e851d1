//! Starts of games, and keys and settings that a solver cannot use.

use umbrail_chess::Position;
use umbrail_proof::run::{Params, SolverChoice, Words as _};
use umbrail_session::domain::Task;
use umbrail_session::task_error::TaskError;

/// Reason why a solver cannot work on a problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum SolverMismatch {
    /// A start for strategies.
    #[error(
        "strategies start from the initial position; --solver positions solves problems with another start"
    )]
    Start,
    /// A kind of problem that a solver does not know.
    #[error("{0}: only the search of positions knows this, and not {1}")]
    Kind(String, &'static str),
    /// The same with a key that belongs to strategies.
    #[error("{1} belongs to strategies, and cannot be combined with {0}")]
    KindAndKey(String, &'static str),
    /// A key that belongs to strategies.
    #[error("{0} belongs to strategies, and cannot be combined with the solver {1}")]
    Key(&'static str, &'static str),
}

impl From<SolverMismatch> for TaskError {
    fn from(mismatch: SolverMismatch) -> Self {
        mismatch.to_string().into()
    }
}

/// Keys whose work only strategies can do.
const OF_STRATEGIES: [&str; 6] =
    ["shard", "from-strategy", "conditions", "histogram", "strategies-in", "strategies-out"];

/// Returns the first key of a task that only strategies can use.
pub(super) fn reserved(task: &Task) -> Option<&'static str> {
    OF_STRATEGIES.into_iter().find(|key| task.key(key).is_some())
}

/// Refuses keys that the solver of a task cannot use.
///
/// # Errors
/// The first such key.
pub(super) fn check_keys(task: &Task, solver: SolverChoice) -> Result<(), SolverMismatch> {
    if matches!(solver, SolverChoice::Strategies | SolverChoice::Auto) {
        return Ok(());
    }
    match reserved(task) {
        Some(key) => Err(SolverMismatch::Key(key, solver.word())),
        None => Ok(()),
    }
}

/// Returns the first setting of a problem that only strategies can use.
pub(super) fn setting_of_strategies(params: &Params) -> Option<&'static str> {
    let used = [
        ("StrategyConditions", params.condition.is_some()),
        ("From-strategy", params.from_claim > 0),
    ];
    used.into_iter().find(|(_, is_used)| *is_used).map(|(key, _)| key)
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
    let cluster = uses_cluster.then_some("cluster");
    match cluster.or(setting_of_strategies(params)) {
        Some(key) if solver != SolverChoice::Strategies => {
            Err(SolverMismatch::Key(key, solver.word()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use umbrail_chess::CastlingMode;
    use umbrail_chess::geometry::Setup;

    fn checked(solver: SolverChoice, fen: &str) -> Result<(), SolverMismatch> {
        let params = Params { solver, ..Params::default() };
        let start = Position::from_setup(&fen.parse().unwrap(), CastlingMode::Standard).unwrap();
        check(&params, &start, false)
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
}
