//! Table of one endgame and one winner.

use super::index::{Men, PositionIndex};
use super::material::GameKey;
use crate::rules::Metric;
use std::collections::HashMap;
use std::sync::Arc;

/// Value of a cell that is not decided.
pub(super) const OPEN: u8 = 0;
/// Value of a cell without a legal position.
pub(super) const ILLEGAL: u8 = u8::MAX;
/// Largest cell with a distance.
pub(super) const DEPTH_MAX: u8 = u8::MAX - 1;

/// Unit of stored distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Moves of the attacker: wins take an odd number of plies, losses an even one, as under DTM.
    /// The largest is a win in 507 plies.
    Moves,
    /// Plies plus one: conversions of either side end the count. The largest is 253 plies.
    Plies,
}

impl Unit {
    pub(super) fn of(metric: Metric) -> Self {
        if metric == Metric::Dtm { Self::Moves } else { Self::Plies }
    }

    /// Largest number of plies that a cell can store.
    pub(super) fn plies_max(self) -> usize {
        match self {
            Self::Moves => 2 * usize::from(DEPTH_MAX) - 1,
            Self::Plies => usize::from(DEPTH_MAX) - 1,
        }
    }

    /// Returns the cell of a distance; none for one that is too long.
    #[inline]
    pub(super) fn cell(self, plies: usize) -> Option<u8> {
        let cell = match self {
            Self::Moves => plies / 2 + 1,
            Self::Plies => plies + 1,
        };
        u8::try_from(cell).ok().filter(|&cell| cell <= DEPTH_MAX)
    }

    /// Returns the plies of a decided cell.
    #[inline]
    pub(super) fn plies(self, cell: u8, attacker_moves: bool) -> Option<usize> {
        let depth = usize::from(cell);
        let decided = (1..=DEPTH_MAX).contains(&cell);
        decided.then(|| match (self, attacker_moves) {
            (Self::Moves, true) => 2 * depth - 1,
            (Self::Moves, false) => 2 * depth - 2,
            (Self::Plies, _) => depth - 1,
        })
    }
}

/// Tables by key.
pub(super) type SolvedGames = HashMap<GameKey, Arc<SolvedGame>>;

/// Table "the attacker wins": cells from 1 to [`DEPTH_MAX`] are wins with the attacker to move, and
/// losses with the loser to move.
#[derive(Clone, Debug)]
pub(super) struct SolvedGame {
    pub(super) index: PositionIndex,
    pub(super) unit: Unit,
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

    /// Returns the plies of a decided cell.
    pub(super) fn plies(&self, cell: u8, attacker_moves: bool) -> Option<usize> {
        self.unit.plies(cell, attacker_moves)
    }
}
