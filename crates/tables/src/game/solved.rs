//! Table of one endgame and one winner.

use super::index::{Men, PositionIndex};
use super::material::GameKey;
use std::collections::HashMap;
use std::sync::Arc;

/// Value of a cell that is not decided.
pub(super) const OPEN: u8 = 0;
/// Value of a cell without a legal position.
pub(super) const ILLEGAL: u8 = u8::MAX;
/// Largest stored distance: wins in 507 plies.
pub(super) const DEPTH_MAX: u8 = u8::MAX - 1;

/// Tables by key.
pub(super) type SolvedGames = HashMap<GameKey, Arc<SolvedGame>>;

/// Table "the attacker wins": a cell `d` from 1 to [`DEPTH_MAX`] is a win in `2d - 1` plies with
/// the attacker to move, and a loss in `2d - 2` plies with the loser to move.
#[derive(Clone, Debug)]
pub(super) struct SolvedGame {
    pub(super) index: PositionIndex,
    pub(super) won: Vec<u8>,
    pub(super) lost: Vec<u8>,
    /// Stalemates of the loser: slice, word, bit.
    pub(super) stalemates: Vec<(u8, u32, u8)>,
}

impl SolvedGame {
    /// Returns the cell of a position; none when a piece is outside its zone.
    pub(super) fn cell(&self, attacker_moves: bool, home: u8, men: &Men, loser: u8) -> Option<u8> {
        let spot = self.index.spot(home, men)?;
        let bit = self.index.axis.bit(loser)?;
        let cell = spot.cell(&self.index, bit);
        Some(if attacker_moves { self.won[cell] } else { self.lost[cell] })
    }
}

/// Returns the plies of a decided cell.
pub(super) fn plies(cell: u8, attacker_moves: bool) -> Option<usize> {
    let depth = usize::from(cell);
    let decided = (1..=DEPTH_MAX).contains(&cell);
    decided.then(|| if attacker_moves { 2 * depth - 1 } else { 2 * depth - 2 })
}
