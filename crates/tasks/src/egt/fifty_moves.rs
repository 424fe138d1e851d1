//! `egt probe … dtm50`: the shortest mate under the fifty-move rule.

use super::build::Failure;
use crate::records::egt::ProbedValue;
use umbrail_chess::geometry::Color;
use umbrail_session::domain::{Key, Reach};
use umbrail_session::job_context::JobContext;
use umbrail_tables::{
    FairyBoard, FairyMove, FiftyMoveError, FiftyMoveSearch, TableValue, Tablebase,
};

/// Key of `probe`.
pub(super) const FIFTY: Key = Key {
    name: "dtm50",
    aliases: &[],
    reach: Reach::Flag,
    help: "also search the shortest mate under the fifty-move rule, from the counter of the FEN",
};

/// A shortest mate and best play to it.
pub(super) struct Mate {
    turn: Color,
    value: TableValue,
    line: Vec<FairyMove>,
    /// The search was stopped: the distance is a lower bound, and there is no line.
    is_bound: bool,
}

/// Searches between a table of DTM and one of DTZ, both with the material of the board.
///
/// When the job is stopped, the distance is a lower bound.
///
/// # Errors
/// A missing or damaged table, and castling rights.
pub(super) fn shortest_mate(
    [to_mate, to_zeroing]: [&Tablebase; 2],
    board: &FairyBoard,
    halfmoves: usize,
    job: &JobContext<'_>,
) -> Result<Mate, Failure> {
    let control = job.control(&|()| {});
    let check = || control.check();
    let mut search = FiftyMoveSearch::new(to_mate, to_zeroing, &check);
    let turn = board.turn;
    let mate = |value, line, is_bound| Mate { turn, value, line, is_bound };
    let found = search.value(board, halfmoves);
    let found = found.and_then(|value| Ok((value, search.best_line(board, halfmoves)?)));
    match found {
        Ok((value, line)) => Ok(mate(value, line, false)),
        Err(FiftyMoveError::Stopped) => {
            let least = search.least();
            let wins = matches!(to_mate.value(board), Ok(TableValue::Win(_)));
            let value = if wins { TableValue::Win(least) } else { TableValue::Loss(least) };
            Ok(mate(value, vec![], true))
        }
        Err(error) => Err(Failure::refused(error)),
    }
}

impl Mate {
    /// Adds the distance and the line to the value of a position.
    pub(super) fn add_to(&self, probed: &mut ProbedValue) {
        let plies = Some(self.value.signed_plies());
        if self.is_bound {
            probed.dtm50_at_least = plies;
            return;
        }
        probed.dtm50 = plies;
        probed.line50 = Some(self.line.iter().map(ToString::to_string).collect());
    }

    /// Describes the mate, from a position with this counter.
    pub(super) fn words(&self, halfmoves: usize) -> String {
        let plies = self.value.signed_plies().unwrap_or(0).unsigned_abs();
        let unit = if plies == 1 { "ply" } else { "plies" };
        let plies = if self.is_bound { format!("at least {plies}") } else { plies.to_string() };
        let result = match self.value {
            TableValue::Draw => "the game is drawn".to_owned(),
            TableValue::Win(_) => format!("{} mates in {plies} {unit}", self.turn),
            TableValue::Loss(_) => format!("{} mates in {plies} {unit}", !self.turn),
        };
        let line: Vec<String> = self.line.iter().map(ToString::to_string).collect();
        let line = if line.is_empty() { String::new() } else { format!(": {}", line.join(" ")) };
        let stopped = if self.is_bound { " (stopped)" } else { "" };
        format!("under the fifty-move rule, after {halfmoves} half-moves, {result}{line}{stopped}")
    }
}
