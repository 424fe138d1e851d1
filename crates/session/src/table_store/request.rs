//! Request for the table of a game, which the module of the tables fulfills.

use super::{GameCache, TableCache, TableConfig};
use std::sync::Arc;
use umbrail_tables::game::{Game, GameMaterial};
use umbrail_tables::{FairyBoard, Material};

/// Request for a table to play from, and for results beside it.
pub struct TableRequest {
    /// Pieces, rules and seeds.
    pub config: TableConfig,
    /// Endgame.
    pub material: Material,
    /// Cache that takes the finished table.
    pub cache: TableCache,
    /// Board to look up first, so that the extra table for its castling rights exists when the move
    /// is due.
    pub board: Option<FairyBoard>,
    /// Write the file `rep2.txt`.
    pub rep2: bool,
    /// Note about the file that defines the pieces, if there is one.
    pub pieces: Option<String>,
}

/// Request for the tables of a game on another board or with other rules.
pub struct GameRequest {
    /// Board, pieces and rules.
    pub game: Arc<Game>,
    /// Endgame.
    pub material: GameMaterial,
    /// Folder and memory of tables.
    pub config: TableConfig,
    /// Cache that takes the finished tables.
    pub cache: GameCache,
}
