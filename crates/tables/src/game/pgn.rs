//! Best play as PGN, with the variant and the position in tags, as XBoard reads and writes it.
//!
//! Moves are in the notation of FIDE: a capital letter for the piece, except for `P`, and file, rank
//! or both where other pieces of the kind can go to the same square. On a board of ten ranks, ranks
//! have the numbers 0 to 9, as in XBoard.

use super::position::{GameMove, GamePosition, after};
use super::referee::GameEndReason;
use super::tables::{GameProbeError, GameTables};
use crate::pgn::{PgnGame, PgnResult};
use umbrail_chess::geometry::Color;

impl GameTables {
    /// Returns best play from a position as a game.
    ///
    /// # Errors
    /// [`GameProbeError`] for other material.
    pub fn pgn(&self, first: &GamePosition, plies_max: usize) -> Result<PgnGame, GameProbeError> {
        let mut position = first.clone();
        let mut moves = vec![];
        for mv in self.line(first, plies_max)? {
            moves.push(self.san(&position, &mv));
            position = after(&position, &mv);
        }
        let game = &self.moves.game;
        let grid = &game.grid;
        let parent = if grid.is_cylinder() { "cylinder" } else { "fairy" };
        let variant = match game.source.is_empty() {
            true => format!("{}x{}+0_{parent}", grid.width(), grid.height()),
            false => game.name.clone(),
        };
        let end = self.moves.end(&position);
        let result = match end.map(|end| end.winner) {
            Some(Some(Color::White)) => PgnResult::White,
            Some(Some(Color::Black)) => PgnResult::Black,
            Some(None) => PgnResult::Draw,
            None => PgnResult::Unknown,
        };
        if let (Some(last), Some(end)) = (moves.last_mut(), end)
            && end.reason == GameEndReason::Mate
        {
            *last = format!("{}#", last.trim_end_matches('+'));
        }
        Ok(PgnGame {
            variant: Some(variant),
            fen: self.fen(first),
            turn: first.turn,
            moves,
            result,
        })
    }

    /// Returns a move in the notation of FIDE.
    fn san(&self, position: &GamePosition, mv: &GameMove) -> String {
        let game = &self.moves.game;
        let name = |square: u8| {
            let (file, rank) = (square % game.grid.width(), square / game.grid.width());
            let first = u8::from(game.grid.height() != 10);
            (char::from(b'a' + file), (rank + first).to_string())
        };
        let at = |square: u8| position.men.iter().find(|man| man.square == square);
        let letter = |kind: u8| game.pieces[usize::from(kind)].letter;
        let mover = at(mv.from).map_or('?', |man| letter(man.kind));
        let same = self.moves.legal(position).into_iter().filter(|other| {
            other.to == mv.to
                && other.from != mv.from
                && at(other.from).is_some_and(|man| letter(man.kind) == mover)
        });
        let others: Vec<(char, String)> = same.map(|other| name(other.from)).collect();
        let (file, rank) = name(mv.from);
        let mut text = String::new();
        if mover != 'P' {
            text.push(mover);
        }
        let takes = mv.take != 0;
        let shares_file = others.iter().any(|other| other.0 == file);
        let shares_rank = others.iter().any(|other| other.1 == rank);
        let is_capture_of_pawn = mover == 'P' && takes;
        if is_capture_of_pawn || !others.is_empty() && (!shares_file || shares_rank) {
            text.push(file);
        }
        if shares_file {
            text += &rank;
        }
        if takes {
            text.push('x');
        }
        let (file, rank) = name(mv.to);
        text.push(file);
        text += &rank;
        if let Some(kind) = mv.becomes {
            text.push('=');
            text.push(letter(kind));
        }
        if self.moves.in_check(&after(position, mv)) {
            text.push('+');
        }
        text
    }
}
