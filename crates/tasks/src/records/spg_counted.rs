//! Records of the search of positions.

use super::kinds;
use super::steno::GameCount;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

kinds! {
    SpgChoice => "choice",
}

/// Solver that works on a problem, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SpgChoice {
    /// `strategies`, `positions`, or `turns` for both.
    pub solver: String,
    /// Solver and reason in words.
    pub text: String,
    /// Captures of both sides, if an estimate chose the solver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub captures: Option<u64>,
    /// Plies without a capture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiet_plies: Option<u64>,
    /// Plies beyond those that the pieces of the diagram need at least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free_plies: Option<u64>,
}

/// Time of both solvers that worked in turns, beside the verdict of one of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SpgTurns {
    /// Solver whose verdict this is: `strategies` or `positions`.
    pub decided_by: String,
    /// Elapsed time of the search of strategies.
    pub strategies_ms: u64,
    /// Elapsed time of the search of positions.
    pub positions_ms: u64,
}

/// Verdict of the search of positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpgCounted {
    /// The verdict in one word.
    pub verdict: String,
    /// Number of games.
    pub count: GameCount,
    /// The solver: `positions`.
    pub solver: String,
    /// Number of games.
    pub solutions: GameCount,
    /// The number is exact.
    pub complete: bool,
    /// Number of games by length in plies.
    pub lengths: BTreeMap<String, GameCount>,
    /// Length in plies of a game that is shorter than the stated length, if there is one.
    pub shorter_plies: Option<u64>,
    /// The problem is correct; null if that is not known.
    pub correct: Option<bool>,
    /// The problem may be called C+.
    pub computer_tested: bool,
    /// Stipulation such as `PG in 22.5`.
    pub stipulation: String,
    /// The problem in words.
    pub task: String,
    /// Which games count, and what is not compared.
    pub scope: String,
    /// FEN of the first position.
    pub start: String,
    /// Fairy conditions, with their variants.
    pub conditions: Vec<String>,
    /// One side makes all moves.
    pub series: bool,
    /// Positions searched.
    pub nodes: u64,
    /// Positions that earlier runs searched, whose numbers were taken from an archive.
    #[serde(default)]
    pub earlier_nodes: u64,
    /// Time of these runs.
    #[serde(default)]
    pub earlier_ms: u64,
    /// Numbers of games that were taken from an archive and not counted again.
    #[serde(default)]
    pub unverified_numbers: u64,
    /// Size of the table.
    pub table_bytes: u64,
    /// Title, if it has one.
    pub title: Option<String>,
    /// The stated length is exact, or the least one, in a word.
    pub length: String,
    /// Number of games that the composer intended.
    pub intended: u64,
    /// Elapsed time.
    pub elapsed_ms: u64,
    /// Processor time of all threads, where the system reports it.
    pub processor_ms: Option<u64>,
}

/// Comparison of both solvers, beside the verdict of one of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpgAgreement {
    /// The numbers of games do not contradict each other.
    pub solvers_agree: bool,
    /// Games that the search of strategies found.
    pub strategies_solutions: u64,
    /// Every strategy was searched or refuted.
    pub strategies_complete: bool,
    /// Games that the search of positions counted.
    pub positions_solutions: GameCount,
    /// That number is exact.
    pub positions_complete: bool,
}
