//! Records of the search of positions.

use super::steno::GameCount;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
    /// FEN of the first position.
    pub start: String,
    /// Fairy conditions, with their variants.
    pub conditions: Vec<String>,
    /// One side makes all moves.
    pub series: bool,
    /// Positions searched.
    pub nodes: u64,
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
