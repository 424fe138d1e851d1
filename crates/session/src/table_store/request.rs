//! Request for the table of a game, which the module of the tables fulfills.

use super::{TableCache, TableConfig};
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
