//! Request for the table of a game, which the module of the tables fulfills.

use super::{TableCache, TableConfig};
use crate::tables::{FairyBoard, Material};

/// Request for a table to play from, and for results beside it.
pub struct TableRequest {
    /// Pieces, rules and seeds.
    pub(crate) config: TableConfig,
    /// Endgame.
    pub(crate) material: Material,
    /// Cache that takes the finished table.
    pub(crate) cache: TableCache,
    /// Board to look up first, so that the extra table for its castling rights exists when the move
    /// is due.
    pub(crate) board: Option<FairyBoard>,
    /// Write the file `rep2.txt`.
    pub(crate) rep2: bool,
    /// Note about the file that defines the pieces, if there is one.
    pub(crate) pieces: Option<String>,
}
