//! Records of endgame tables.

mod pieces;

pub use pieces::{EgtPiece, PieceEndingRecord, PieceMove, PieceMoves};

use super::kinds;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

kinds! {
    EgtStatistics => "statistics",
    ProbedMove => "move",
    ProbedLine => "probe",
    LongestWin => "longest",
    MoreWins => "more",
    HeldTable => "table",
    TableFile => "file",
    WrongValue => "fault",
    EgtDifference => "difference",
    EgtListing => "listing",
    Rep2Report => "rep2",
    EgtEnd => "end",
}

/// Statistics of an endgame, of `egt stats` and `egt survey`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EgtStatistics {
    /// The endgame, such as `KQ.KR`.
    pub material: String,
    /// Metric of wins: `dtm`, `dtc`, `dtz` or `level`.
    pub metric: String,
    /// Longest win or loss, in plies.
    pub max: ByOutcome<u64>,
    /// Legal positions of the full board.
    pub full_board: EgtCounts,
    /// Legal positions, those that differ only by a symmetry of the board counted once.
    pub unique: EgtCounts,
    /// Mutual zugzwangs.
    pub zugzwangs: ZugzwangCounts,
    /// Number of positions of the full board by plies.
    pub histogram: ByOutcome<BTreeMap<u64, u64>>,
    /// FEN of a longest win or loss, if there is any.
    pub longest: LongestByOutcome,
    /// Number of positions of the full board that are decided within 50 moves.
    pub within_50_moves: ByOutcome<u64>,
    /// Classes of positions by the square colors of bishops, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color_classes: Option<BTreeMap<String, ClassCounts>>,
}

/// A value for each outcome of each side to move; `wtm` means White to move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByOutcome<T> {
    /// White to move wins.
    pub wtm_win: T,
    /// Black to move loses.
    pub btm_loss: T,
    /// Black to move wins.
    pub btm_win: T,
    /// White to move loses.
    pub wtm_loss: T,
}

/// FEN of a longest win or loss for each outcome; none without such a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LongestByOutcome {
    /// White to move wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wtm_win: Option<String>,
    /// Black to move loses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub btm_loss: Option<String>,
    /// Black to move wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub btm_win: Option<String>,
    /// White to move loses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wtm_loss: Option<String>,
}

/// Numbers of positions by side to move and outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EgtCounts {
    /// Legal positions with White to move.
    pub wtm_legal: u64,
    /// Legal positions with Black to move.
    pub btm_legal: u64,
    /// White to move wins.
    pub wtm_win: u64,
    /// Black to move loses.
    pub btm_loss: u64,
    /// Black to move wins.
    pub btm_win: u64,
    /// White to move loses.
    pub wtm_loss: u64,
    /// Black to move is stalemated.
    pub btm_stalemate: u64,
    /// White to move is stalemated.
    pub wtm_stalemate: u64,
}

/// Numbers of positions of a class of square colors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassCounts {
    /// Legal positions with White to move.
    pub wtm_legal: u64,
    /// Legal positions with Black to move.
    pub btm_legal: u64,
    /// White to move wins.
    pub wtm_win: u64,
    /// Black to move loses.
    pub btm_loss: u64,
    /// Black to move wins.
    pub btm_win: u64,
    /// White to move loses.
    pub wtm_loss: u64,
}

/// Numbers of mutual zugzwangs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZugzwangCounts {
    /// White to move only draws; Black to move loses.
    pub wtm_draw_btm_loss: u64,
    /// White to move loses; Black to move only draws.
    pub wtm_loss_btm_draw: u64,
    /// The side to move loses, whichever it is.
    pub full_point: u64,
}

/// End of `egt need`: estimated cost of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NeedEnd {
    /// Number of results.
    pub count: u64,
    /// The endgame.
    pub material: String,
    /// Number of pieces, kings included.
    pub men: u64,
    /// Number of tables, those that moves lead to included.
    pub tables: u64,
    /// Number of positions of one side to move in all tables.
    pub positions: u64,
    /// Memory to count wins, in bytes.
    pub counted_bytes: u64,
    /// Memory to keep all distances, in bytes.
    pub kept_bytes: u64,
    /// Memory that tables may take, in bytes.
    pub granted_bytes: u64,
    /// Estimated time of one processor.
    pub estimate_ms: u64,
}

/// A move of `egt probe` and its value, for the side that makes the move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbedMove {
    /// The move in coordinates.
    #[serde(rename = "move")]
    pub mv: String,
    /// 1 for a win, 0 for a draw, -1 for a loss.
    pub wdl: i64,
    /// Distance in plies, negative for a loss; null for a draw.
    pub plies: Option<i64>,
    /// Metric of the distance.
    pub metric: String,
    /// 1 for the best move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<u8>,
    /// FEN of the position after the move, without half-move clock.
    pub fen: String,
}

/// Distance in plies, negative for a loss; `None` in another metric, `Some(None)` for a draw.
pub type Distance = Option<Option<i64>>;

/// Reads a distance that is given; null is a draw.
fn given<'de, D: Deserializer<'de>>(from: D) -> Result<Distance, D::Error> {
    Option::deserialize(from).map(Some)
}

/// Distances of a position for the side to move, and its best move. The key of a distance is its metric.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProbedValue {
    /// Distance to mate.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub dtm: Distance,
    /// Distance to mate or conversion.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub dtc: Distance,
    /// Distance to mate, capture or pawn move.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub dtz: Distance,
    /// Distance by EGTgen's count.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub level: Distance,
    /// 2 for a win, 1 for a win that the fifty-move rule draws, negative for losses; only in `dtz`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wdl50: Option<i64>,
    /// Distance to mate under the fifty-move rule, from the counter of the position; only on request.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub dtm50: Distance,
    /// A lower bound of that distance, when its search was stopped.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub dtm50_at_least: Distance,
    /// Best play under the fifty-move rule in coordinates, to the mate; only on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line50: Option<Vec<String>>,
    /// Best move in coordinates, if there is a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
}

impl ProbedValue {
    /// Returns the distance in plies; 0 for a draw.
    pub fn plies(&self) -> u64 {
        let signed = self.dtm.or(self.dtc).or(self.dtz).or(self.level).flatten();
        signed.map_or(0, i64::unsigned_abs)
    }
}

/// End of `egt probe` for one position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeEnd {
    /// Number of moves.
    pub count: u64,
    /// FEN of the position.
    pub fen: String,
    /// 1 for a win, 0 for a draw, -1 for a loss.
    pub wdl: i64,
    /// Its distances and best move.
    #[serde(flatten)]
    pub value: ProbedValue,
}

/// A position of `egt probe` with several positions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbedLine {
    /// The position as given.
    pub fen: String,
    /// 1 for a win, 0 for a draw, -1 for a loss; none if the line is not a position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wdl: Option<i64>,
    /// Its distances and best move; empty if the line is not a position.
    #[serde(flatten)]
    pub value: ProbedValue,
    /// Reason why the line is not a position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A longest win of `egt maximin`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LongestWin {
    /// Side that wins.
    pub winner: String,
    /// FEN of the position.
    pub fen: String,
    /// Distance.
    pub plies: i64,
    /// EGTgen's index in octal digits, if the endgame has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub octal: Option<String>,
    /// Best play in coordinates.
    pub uci: Vec<String>,
}

/// Longest wins of `egt maximin` that are not listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoreWins {
    /// Side that wins.
    pub winner: String,
    /// Number of positions.
    pub more: u64,
}

/// A table in memory, of `egt list`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldTable {
    /// The endgame.
    pub material: String,
    /// Metric of wins.
    pub metric: String,
}

/// A file of a table, of `egt list`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableFile {
    /// Name.
    pub file: String,
    /// Size.
    pub bytes: u64,
}

/// A wrong value, of `egt verify`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrongValue {
    /// Position and values.
    pub fault: String,
}

/// A difference of two endgames, of `egt compare`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EgtDifference {
    /// The difference.
    pub difference: String,
}

/// EGTgen's listing of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EgtListing {
    /// Text of the listing.
    pub listing: String,
}

/// EGTgen's report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rep2Report {
    /// Text of the report.
    pub rep2: String,
}

/// End of a task of endgame tables. Fields that the task does not have are missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EgtEnd {
    /// Number of results.
    pub count: u64,
    /// The endgame that was built or loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
    /// Longest win of White, of `egt build`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white_plies: Option<u64>,
    /// Longest win of Black, of `egt build`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black_plies: Option<u64>,
    /// Positions checked, of `egt verify`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<u64>,
    /// Endings that `egt piece-report` did not examine: too large, or it was stopped.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub left_out: Vec<String>,
    /// Page that `egt report` wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Positions that `egt report` wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epd: Option<String>,
}
