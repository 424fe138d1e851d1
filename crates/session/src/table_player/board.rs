//! Boards of games from tables: the board of chess, with fairy pieces, or that of another game.

use umbrail_chess::geometry::Color;
use umbrail_tables::FairyBoard;
use umbrail_tables::game::GamePosition;

/// Position of a game from tables.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TableBoard {
    /// Board of chess.
    Chess(FairyBoard),
    /// Board of another game.
    Game(GamePosition),
}

/// Move with the board after it.
#[derive(Clone, Debug)]
pub(super) struct TableMove {
    pub(super) name: String,
    pub(super) after: TableBoard,
}

impl TableBoard {
    pub(super) fn turn(&self) -> Color {
        match self {
            Self::Chess(board) => board.turn,
            Self::Game(position) => position.turn,
        }
    }

    /// Returns the board of chess.
    pub(super) fn chess(&self) -> Option<&FairyBoard> {
        match self {
            Self::Chess(board) => Some(board),
            Self::Game(_) => None,
        }
    }
}
