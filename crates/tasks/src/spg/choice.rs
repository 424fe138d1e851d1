//! The solver that works on a problem if the user leaves the choice to the program.

use super::start::setting_of_strategies;
use crate::records::{self, spg_counted::SpgChoice};
use umbrail_chess::Position;
use umbrail_proof::run::{Params, SolverChoice, Words as _};
use umbrail_proof::{Problem, SolverEstimate, SolverPlan};
use umbrail_session::domain::Domain;
use umbrail_session::message::{Kind, Message};

/// A choice of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChosenSolver {
    /// Solver and reason.
    text: String,
    solver: SolverChoice,
    /// The estimate, if it decided.
    estimate: Option<SolverEstimate>,
}

impl ChosenSolver {
    /// The message about the choice. Strategies are nothing that a person must know of before the
    /// verdict, which names them too.
    pub(super) fn message(&self) -> Message {
        let count = |of: fn(&SolverEstimate) -> u16| self.estimate.as_ref().map(|e| of(e).into());
        let record = SpgChoice {
            solver: match self.solver {
                SolverChoice::Auto => "turns".to_owned(),
                solver => solver.word().to_owned(),
            },
            text: self.text.clone(),
            captures: count(|estimate| estimate.captures),
            quiet_plies: count(|estimate| estimate.quiet),
            free_plies: self.estimate.and_then(|estimate| estimate.free).map(u64::from),
        };
        let text = format!("solver: {self}");
        let mut message =
            records::message(Domain::Spg, Kind::Progress, &record).printing(text.as_str());
        message.page = vec![text];
        message.json_only = self.solver == SolverChoice::Strategies;
        message
    }
}

impl std::fmt::Display for ChosenSolver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

/// Chooses the solver of a problem that leaves it open. `reserved` is a key that only strategies can
/// use. Afterwards the solver [`SolverChoice::Auto`] means both in turns.
pub(super) fn choose(
    params: &mut Params,
    problem: &Problem,
    start: &Position,
    reserved: Option<&'static str>,
) -> Option<ChosenSolver> {
    if params.solver != SolverChoice::Auto {
        return None;
    }
    let reserved = reserved.or(setting_of_strategies(params));
    let (solver, text, estimate) = if !start.is_same(&Position::startpos()) {
        (SolverChoice::Positions, "positions (a start of its own)".to_owned(), None)
    } else if let Some(key) = reserved {
        (SolverChoice::Strategies, format!("strategies ({key} belongs to them)"), None)
    } else {
        let estimate = SolverEstimate::of(problem);
        let solver = match estimate.plan() {
            SolverPlan::Strategies => SolverChoice::Strategies,
            SolverPlan::Positions => SolverChoice::Positions,
            SolverPlan::Turns => SolverChoice::Auto,
        };
        (solver, estimate.to_string(), Some(estimate))
    };
    params.solver = solver;
    Some(ChosenSolver { text, solver, estimate })
}

#[cfg(test)]
mod tests {
    use super::*;
    use umbrail_proof::{Diagram, Length};

    fn chosen(
        (placement, plies): (&str, u16),
        solver: SolverChoice,
        reserved: Option<&'static str>,
    ) -> (SolverChoice, Option<String>) {
        let diagram = Diagram::from_setup(&placement.parse().unwrap()).unwrap();
        let problem = Problem { diagram, plies, length: Length::Parity };
        let mut params = Params { solver, ..Params::default() };
        let chosen = choose(&mut params, &problem, &Position::startpos(), reserved);
        (params.solver, chosen.map(|chosen| chosen.to_string()))
    }

    const MASSACRE: (&str, u16) = ("5k2/8/8/6B1/8/8/8/5K2", 33);

    #[test]
    fn a_shard_needs_strategies_whatever_the_estimate() {
        assert_eq!(chosen(MASSACRE, SolverChoice::Auto, None).0, SolverChoice::Positions);
        let (solver, text) = chosen(MASSACRE, SolverChoice::Auto, Some("shard"));
        assert_eq!(solver, SolverChoice::Strategies);
        assert_eq!(text.as_deref(), Some("strategies (shard belongs to them)"));
        let between = ("r1b1k2r/p6p/8/8/8/8/P6P/R1B1K2R", 40);
        assert_eq!(chosen(between, SolverChoice::Auto, None).0, SolverChoice::Auto);
    }

    #[test]
    fn a_solver_that_the_user_names_stays() {
        assert_eq!(chosen(MASSACRE, SolverChoice::Both, None), (SolverChoice::Both, None));
    }
}
