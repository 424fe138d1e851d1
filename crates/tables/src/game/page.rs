//! Page about an endgame of a game, in the form of the page for the board of chess.

use super::position::{GamePosition, after};
use super::tables::{GameProbeError, GameTables};
use crate::report::{ReportSource, report_page};
use umbrail_chess::geometry::Color;

impl ReportSource for &GameTables {
    type Position = GamePosition;
    type Error = GameProbeError;

    fn longest_wins(&mut self, winner: Color, winner_moves: bool) -> Vec<GamePosition> {
        self.hardest(winner, winner_moves, usize::MAX)
    }

    fn zugzwangs(&mut self, winner: Color) -> Vec<(GamePosition, bool)> {
        self.mutual_zugzwangs(winner, usize::MAX)
    }

    fn position_fen(&self, position: &GamePosition) -> String {
        self.fen(position)
    }

    fn best_play(
        &self,
        first: &GamePosition,
        plies_max: usize,
    ) -> Result<(Vec<String>, Vec<String>), GameProbeError> {
        let mut position = first.clone();
        let (mut moves, mut fens) = (vec![], vec![self.fen(first)]);
        for mv in self.line(first, plies_max)? {
            position = after(&position, &mv);
            moves.push(self.name(&mv));
            fens.push(self.fen(&position));
        }
        Ok((moves, fens))
    }
}

impl GameTables {
    /// Returns the page about the endgame.
    ///
    /// # Errors
    /// [`GameProbeError`] never: all tables that play leads to are part of these.
    pub fn report_html(&self) -> Result<String, GameProbeError> {
        report_page(&mut &*self, &self.statistics())
    }
}
