//! A problem of orthodox chess with its settings.

use super::choice::ChosenSolver;
use crate::cluster::settings::ClusterSettings;
use std::time::Duration;
use umbrail_chess::Position;
use umbrail_proof::Problem;
use umbrail_proof::positions::{PositionProblem, Turns};
use umbrail_proof::report::Notation;
use umbrail_proof::run::Params;

/// One problem to be solved.
#[derive(Clone, Debug)]
pub(super) struct PosedProblem {
    /// The problem.
    pub problem: Problem,
    /// How to solve it.
    pub params: Params,
    /// Its title.
    pub title: Option<String>,
    /// Comment lines of its source, and warnings.
    pub comments: Vec<String>,
    /// How games are written.
    pub notation: Notation,
    /// Whether pages show the path of seekers.
    pub seek_path: bool,
    /// The workers on other machines, if there are any.
    pub cluster: Option<ClusterSettings>,
    /// Position from which the games start.
    pub start: Position,
    /// The solver that the program chose, if it did.
    pub chosen: Option<ChosenSolver>,
    /// Time that this problem may take.
    pub time: Option<Duration>,
}

impl PosedProblem {
    /// A problem without title and comments.
    pub(super) fn new(problem: Problem, params: Params) -> Self {
        let notation = Notation::default();
        Self {
            problem,
            params,
            title: None,
            comments: vec![],
            notation,
            seek_path: true,
            cluster: None,
            start: Position::startpos(),
            chosen: None,
            time: None,
        }
    }

    /// Returns the problem as the search of positions has it.
    pub(super) fn position_problem(&self) -> PositionProblem {
        let Problem { diagram, plies, length } = self.problem;
        PositionProblem { start: self.start, diagram, plies, length, turns: Turns::Alternating }
    }
}
