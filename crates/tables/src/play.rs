//! Play from a table: the best move, and the main line.
//!
//! The winner takes the shortest line under the metric, the loser the longest. A side that cannot
//! win keeps the draw, and among drawing moves prefers the one after which most replies lose. Ties
//! are broken by the result of a conversion (a mate is better than a capture that wins), then by
//! the move's name, so play is repeatable. After a conversion the table of the new material is
//! used, with fewer pieces or pawns each time, so play ends even under DTC.

use super::fairy_board::{FairyBoard, FairyMove};
use super::probe::{ProbeError, ValuedMove};
use super::tablebase::Tablebase;
use super::value::TableValue;

impl Tablebase {
    /// Returns the best move of a board with its value; none when the side to move has no move.
    ///
    /// # Errors
    /// [`ProbeError::Material`] when a table is missing.
    pub fn best(&self, board: &FairyBoard) -> Result<Option<ValuedMove>, ProbeError> {
        let moves = self.moves(board)?;
        let Some(first) = moves.first() else { return Ok(None) };
        if first.value != TableValue::Draw {
            return Ok(Some(first.clone()));
        }
        let mut best: Option<(usize, ValuedMove)> = None;
        let drawing = |m: &&ValuedMove| m.value == TableValue::Draw;
        for choice in moves.iter().filter(drawing) {
            // A pass is considered only where no other move holds the draw.
            if choice.mv.is_pass() && best.is_some() {
                continue;
            }
            let traps = self.losing_replies(&board.after(&choice.mv))?;
            if best.as_ref().is_none_or(|(most, _)| traps > *most) {
                best = Some((traps, choice.clone()));
            }
        }
        Ok(best.map(|(_, choice)| choice))
    }

    /// Returns the number of legal replies that lose for the side that makes them.
    fn losing_replies(&self, board: &FairyBoard) -> Result<usize, ProbeError> {
        let losing = |m: &ValuedMove| matches!(m.value, TableValue::Loss(_));
        Ok(self.moves(board)?.iter().filter(|m| losing(m)).count())
    }

    /// Returns best play of both sides until the game ends, neither side can win, or `plies` are
    /// made.
    ///
    /// # Errors
    /// [`ProbeError::Material`] when a table is missing.
    pub fn line(&self, board: &FairyBoard, plies: usize) -> Result<Vec<FairyMove>, ProbeError> {
        let mut line = Vec::new();
        let mut now = board.clone();
        while line.len() < plies {
            let Some(choice) = self.moves(&now)?.into_iter().next() else { break };
            if choice.value == TableValue::Draw {
                break;
            }
            now = now.after(&choice.mv);
            line.push(choice.mv);
        }
        Ok(line)
    }
}
