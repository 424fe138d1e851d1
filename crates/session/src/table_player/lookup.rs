//! Values of a table for a board, and moves as the user gives them.

use super::EndgameSetup;
use super::board::{TableBoard, TableMove};
use super::rules::{IllegalFairyMove, read_move};
use super::variant::{GameVariant, Variant};
use crate::Session;
use crate::table_store::{CachedTable, GameCache, TableCache};
use std::sync::Arc;
use umbrail_tables::game::{GamePosition, GameTables, IllegalGameMove};
use umbrail_tables::{FairyBoard, Metric, TableValue};

/// Reason why a move of a game from tables is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum IllegalTableMove {
    #[error(transparent)]
    Fairy(#[from] IllegalFairyMove),
    #[error(transparent)]
    Game(#[from] IllegalGameMove),
    #[error("the board is of another game")]
    OtherGame,
}

/// Move with its value to the mover.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) mv: TableMove,
    pub(super) value: TableValue,
}

/// Values of a table for a board.
pub(super) struct Lookup {
    /// All moves, the best first.
    pub(super) moves: Vec<Choice>,
    pub(super) best: Option<Choice>,
    pub(super) source: Source,
}

/// Table of a lookup.
pub(super) enum Source {
    Chess(Arc<CachedTable>),
    Game(Arc<GameTables>),
}

impl EndgameSetup {
    /// Reads a move on a board of this variant.
    pub(super) fn read_move(
        &self,
        board: &TableBoard,
        text: &str,
        variant: &Variant,
    ) -> Result<TableMove, IllegalTableMove> {
        match (board, variant) {
            (TableBoard::Chess(board), _) => {
                let mv = read_move(board, text, self)?;
                let after = TableBoard::Chess(board.after(&mv));
                Ok(TableMove { name: mv.to_string(), after })
            }
            (TableBoard::Game(position), Variant::Game(game)) => {
                Ok(game.read_move(position, text)?)
            }
            (TableBoard::Game(_), Variant::Chess | Variant::Fairy) => {
                Err(IllegalTableMove::OtherGame)
            }
        }
    }
}

impl Lookup {
    /// Looks a board of chess up; none when the table has no value for it.
    pub(super) fn of_chess(board: &FairyBoard, entry: Arc<CachedTable>) -> Option<Self> {
        let (moves, best) = {
            let table = entry.table();
            (table.moves(board).ok()?, table.best(board).ok()?)
        };
        let choice = |choice: umbrail_tables::ValuedMove| Choice {
            value: choice.value,
            mv: TableMove {
                name: choice.mv.to_string(),
                after: TableBoard::Chess(board.after(&choice.mv)),
            },
        };
        Some(Self {
            moves: moves.into_iter().map(choice).collect(),
            best: best.map(choice),
            source: Source::Chess(entry),
        })
    }

    /// Looks a position of another game up; none when the tables have no value for it.
    pub(super) fn of_game(
        position: &GamePosition,
        game: &GameVariant,
        tables: Arc<GameTables>,
    ) -> Option<Self> {
        let moves = tables.moves(position).ok()?;
        let choice = |(mv, value)| Choice { value, mv: game.played(position, &mv) };
        let moves: Vec<Choice> = moves.into_iter().map(choice).collect();
        Some(Self { best: moves.first().cloned(), moves, source: Source::Game(tables) })
    }

    /// Returns best play from a board, at most this many plies.
    pub(super) fn line(&self, board: &TableBoard, plies: usize) -> Vec<String> {
        match (&self.source, board) {
            (Source::Chess(entry), TableBoard::Chess(board)) => {
                let line = entry.table().line(board, plies).unwrap_or_default();
                line.iter().map(ToString::to_string).collect()
            }
            (Source::Game(tables), TableBoard::Game(position)) => {
                let line = tables.line(position, plies).unwrap_or_default();
                line.iter().map(|mv| tables.name(mv)).collect()
            }
            (Source::Chess(_), TableBoard::Game(_)) | (Source::Game(_), TableBoard::Chess(_)) => {
                vec![]
            }
        }
    }

    /// Returns the metric of the values.
    pub(super) fn metric(&self) -> Metric {
        match &self.source {
            Source::Chess(entry) => entry.rules().metric,
            Source::Game(tables) => tables.metric(),
        }
    }
}

impl Session {
    /// Looks a board up; none when no table has it, or has it only after more work.
    pub(super) fn find(&mut self, board: &TableBoard) -> Option<Lookup> {
        match board {
            TableBoard::Chess(board) => {
                let endgame_setup = self.endgame_setup().ok()?;
                let entry = self.store.get::<TableCache>().holding(board, &endgame_setup.config)?;
                if !entry.table().answers_quickly(board) {
                    return None;
                }
                Lookup::of_chess(board, entry)
            }
            TableBoard::Game(position) => {
                let Variant::Game(game) = self.table_player.variant.clone() else { return None };
                let tables = self.store.get::<GameCache>().holding(game.game(), position)?;
                Lookup::of_game(position, &game, tables)
            }
        }
    }
}
