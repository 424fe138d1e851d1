//! Records of shortest proof games. Logs of runs keep records of earlier versions, which have fewer
//! keys: missing keys have the default value.

mod problem;

pub use problem::SpgProblem;

use super::{ErrorRecord, kinds};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

kinds! {
    SpgProblem => "problem",
    SpgSolution => "solution",
    SpgVerdict => "verdict",
    SpgHistogram => "histogram",
    SpgUnsearched => "verdict",
    SpgResumed => "resumed",
    SpgRefused => "refused",
    MissingShards => "missing_shards",
    LeastEnd => "end",
    SheetEnd => "end",
    CheckEnd => "end",
    ExplainEnd => "end",
    FateEnd => "end",
    SpgChecking => "checking",
}

/// A game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SpgSolution {
    /// Number of the game.
    pub index: u64,
    /// Length in plies.
    pub plies: u64,
    /// Moves in standard notation.
    pub moves: Vec<String>,
    /// Moves in coordinates; empty for a game with conditions.
    pub uci: Vec<String>,
    /// Placements before the first move and after each move of a game with conditions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub boards: Vec<String>,
    /// Route of each piece; empty in a search of positions.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub strategy: String,
    /// Number of the strategy, which is the same in every run of the problem; empty in a search of positions.
    #[serde(alias = "number", skip_serializing_if = "String::is_empty")]
    pub strategy_number: String,
    /// Numbered moves.
    pub text: String,
}

/// Verdict on a problem of a sheet, end of a task with one problem, and length that `spg min` tried. A
/// problem that was not searched has the keys of [`SpgUnsearched`] only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SpgVerdict {
    /// The verdict in one word; `error` if the problem cannot be read.
    pub verdict: String,
    /// Number of the problem, if it was not searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// Number of games.
    pub count: Option<u64>,
    /// Length in moves, of `spg min`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length_moves: Option<String>,
    /// Number of games.
    pub solutions: u64,
    /// Every strategy was searched or refuted.
    pub complete: bool,
    /// Number of games by length in plies.
    pub lengths: Option<BTreeMap<String, u64>>,
    /// Length in plies of a game that is shorter than the stated length, if there is one.
    #[serde(alias = "shorter")]
    pub shorter_plies: Option<u64>,
    /// Number of strategies that can be played in several ways.
    pub cook_strategies: Option<u64>,
    /// The problem is correct; null if that is not known.
    pub correct: Option<bool>,
    /// The problem may be called C+.
    pub computer_tested: bool,
    /// Claims taken from an archive, whose strategies were not searched.
    pub unverified_claims: Option<u64>,
    /// Stipulation such as `PG in 22.5`.
    pub stipulation: Option<String>,
    /// The problem in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// Which games count, and what is not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Reasons why no game can reach the diagram.
    pub reasons: Option<Vec<String>>,
    /// Counts of the run.
    pub counts: Option<SpgCounts>,
    /// Number of strategies that each deduction refused.
    pub refused: Option<BTreeMap<String, u64>>,
    /// Digest of all strategies.
    pub strategy_digest: Option<String>,
    /// Size of the refutation table.
    pub table_bytes: Option<u64>,
    /// Title, if it has one.
    pub title: Option<String>,
    /// The stated length is exact, or the least one, in a word.
    pub length: Option<String>,
    /// Treatment of the last moves, in a word.
    pub retraction: Option<String>,
    /// Condition on strategies.
    pub condition: Option<String>,
    /// Number of the first strategy.
    pub from_strategy: Option<u64>,
    /// Deductions in use.
    pub rules: Option<String>,
    /// Shard and number of shards.
    pub shard: Option<String>,
    /// Number of games that the composer intended.
    pub intended: Option<u64>,
    /// The shard is finished, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard_finished: Option<bool>,
    /// Elapsed time.
    pub elapsed_ms: Option<u64>,
    /// Processor time of all threads, where the system reports it.
    pub processor_ms: Option<u64>,
    /// Strategies that can be played in several ways, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cooks: Option<Vec<SpgCook>>,
    /// Themes of the only game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub themes: Option<Vec<GameTheme>>,
    /// Verification of archives, of `spg merge` and `spg verify`.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub recount: Option<SpgRecount>,
    /// The verdict as a sentence.
    pub text: String,
}

/// Theme of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameTheme {
    /// Name, in English.
    pub name: String,
    /// The pieces that show it.
    pub pieces: Vec<String>,
}

/// Verdict on a problem that was not searched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpgUnsearched {
    /// The reason in one word.
    pub verdict: String,
    /// Number of the problem.
    pub number: u64,
    /// Number of games: 0.
    pub solutions: u64,
    /// Every strategy was searched: false.
    pub complete: bool,
    /// The problem is correct: null.
    pub correct: Option<bool>,
    /// The problem may be called C+: false.
    pub computer_tested: bool,
    /// Title or number.
    pub title: String,
    /// The reason as a sentence.
    pub text: String,
}

/// Verification of archives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpgRecount {
    /// Finished claims of the archives.
    pub claims: u64,
    /// Damaged or contradicted lines.
    pub damaged: u64,
    /// The tree was walked to its end.
    pub checked: bool,
    /// Strategies counted again.
    pub strategies_counted: u64,
    /// Strategies searched again with the same result.
    pub strategies_confirmed: u64,
    /// Strategies searched outside the tree.
    pub strategies_excluded: u64,
}

/// Counts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SpgCounts {
    /// Leaves of the tree of strategies, before any rule was applied.
    pub leaves: u64,
    /// Strategies enumerated.
    pub enumerated: u64,
    /// Strategies refuted by analysis.
    pub refuted: u64,
    /// Strategies that analysis did not refute.
    pub left: u64,
    /// Strategies searched completely.
    pub searched: u64,
    /// Strategies dropped or given up during their search.
    pub dropped: u64,
    /// Strategies that fail the condition, and were not searched.
    pub filtered: u64,
    /// Moves tried.
    #[serde(alias = "moves")]
    pub moves_tried: u64,
    /// Nodes of the tree.
    pub nodes: u64,
    /// Claims of the tree.
    pub claims: u64,
}

/// A strategy that can be played in several ways.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpgCook {
    /// Number of the strategy.
    #[serde(alias = "number")]
    pub strategy_number: String,
    /// Number of games.
    pub games: u64,
    /// Kind of the difference.
    pub differ: CookDifference,
    /// Number of groups of games with the same moves, in any order.
    pub ways: u64,
    /// Description of the ways.
    pub text: String,
}

/// Difference between games of a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CookDifference {
    /// The order of moves differs.
    Order,
    /// The route of a piece differs.
    Way,
    /// Any other difference.
    #[serde(other)]
    Other,
}

/// Numbers of strategies by free moves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SpgHistogram {
    /// The classes of all strategies.
    pub classes: Vec<FreeMovesClass>,
    /// The classes for each retraction of the last moves, where the problem has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retractions: Option<Vec<RetractionClasses>>,
    /// The classes as words: `white+black:enumerated`.
    pub text: String,
}

/// Strategies with equal numbers of free moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FreeMovesClass {
    /// Free moves of White.
    pub white: i64,
    /// Free moves of Black.
    pub black: i64,
    /// Strategies enumerated.
    pub enumerated: u64,
    /// Strategies not refuted.
    pub left: u64,
}

/// Strategies with the same last moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetractionClasses {
    /// The last moves.
    pub retracted: String,
    /// The classes of these strategies.
    pub classes: Vec<FreeMovesClass>,
}

/// Start of a run that continues from an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpgResumed {
    /// Finished claims of the archive.
    pub claims: u64,
    /// Numbers of games of the archive of the search of positions.
    pub numbers: u64,
    /// Positions that earlier runs visited for them.
    pub earlier_nodes: u64,
    /// Time of these runs.
    pub earlier_ms: u64,
}

/// Strategies that a deduction refuted, of `spg explain`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpgRefused {
    /// Deduction.
    pub rule: String,
    /// Number of strategies.
    pub count: u64,
    /// Some of them.
    pub examples: Vec<String>,
    /// Meaning of the deduction.
    pub text: String,
}

/// Shards of which an archive lacks claims, of `spg merge`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingShards {
    /// Their numbers, from 0.
    pub shards: Vec<u64>,
    /// Number of shards.
    pub of: u64,
    /// The numbers as a list for a job array.
    pub text: String,
}

/// End of `spg min`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeastEnd {
    /// Least length in moves; null if it is not known.
    pub length_moves: Option<String>,
    /// Least length, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<u64>,
    /// Lengths proved to have no game, in plies.
    pub none_plies: Vec<u16>,
    /// Reasons why no game of any length reaches the diagram.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<String>>,
}

/// End of `spg check`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckEnd {
    /// The game reaches the diagram.
    pub fits: bool,
}

/// End of `spg explain` for all strategies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplainEnd {
    /// Strategies enumerated.
    pub enumerated: u64,
    /// Strategies not refuted.
    pub left: u64,
    /// Every strategy was enumerated.
    pub complete: bool,
}

/// End of `spg explain` for one strategy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FateEnd {
    /// What became of the strategy, in one word.
    pub fate: String,
}

/// Progress of `spg verify` and `spg merge`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpgChecking {
    /// Claims walked.
    pub claims: u64,
    /// Strategies counted.
    pub strategies: u64,
    /// Strategies searched again.
    pub confirmed: u64,
}

/// End of a sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SheetEnd {
    /// Number of problems that were searched.
    pub count: u64,
    /// Number of problems.
    pub problems: u64,
    /// Verdict on each problem, in one word.
    #[serde(default)]
    pub verdicts: Vec<String>,
}

/// Record of a sheet, in the order of its problems.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum SheetRecord {
    /// Start of a problem.
    Problem(SpgProblem),
    /// A game of the problem.
    Solution(SpgSolution),
    /// Verdict on the problem.
    Verdict(Box<SpgVerdict>),
    /// Reason why the problem cannot be read or searched.
    Error(ErrorRecord),
    /// Any other record.
    #[serde(other)]
    Other,
}
