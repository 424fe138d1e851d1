//! Probes of endgame tables by the search: conditions, scores, and ranks of the root moves.

use super::syzygy::{TableVerdict, Tables};
use crate::limits::SearchParams;
use crate::score::{Bound, TABLE_WIN, Value};
use std::sync::Arc;
use umbrail_chess::{Move, Position};

/// Endgame tables and the conditions of a probe.
pub(crate) struct SyzygyProbe {
    tables: Arc<Tables>,
    /// Smallest depth for positions with as many pieces as the largest tables.
    depth: i32,
    /// Largest number of pieces.
    pieces: u32,
    /// True if wins that the fifty-move rule prevents count as draws.
    fifty: bool,
}

/// Root move to search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RankedMove {
    pub(crate) mv: Move,
    /// Rank by the endgame tables, higher is better; 0 without tables.
    pub(crate) rank: i32,
    /// Score by the endgame tables.
    pub(crate) value: Option<Value>,
}

impl SyzygyProbe {
    pub(crate) fn new(tables: Arc<Tables>, params: &SearchParams) -> Self {
        Self {
            pieces: tables.pieces().min(params.syzygy_probe_limit),
            tables,
            depth: params.syzygy_probe_depth as i32,
            fifty: params.syzygy_fifty,
        }
    }

    /// Returns the score of a verdict where a draw has the score `draw`: ± [`TABLE_WIN`] or next to
    /// a draw.
    fn value(&self, verdict: TableVerdict, draw: Value) -> Value {
        match verdict {
            TableVerdict::Win => TABLE_WIN,
            TableVerdict::Loss => -TABLE_WIN,
            TableVerdict::SpoiledWin if !self.fifty => TABLE_WIN,
            TableVerdict::SavedLoss if !self.fifty => -TABLE_WIN,
            TableVerdict::SpoiledWin => draw + 1,
            TableVerdict::SavedLoss => draw - 1,
            TableVerdict::Draw => draw,
        }
    }

    /// Returns the score of a position `ply` plies from the root, if it may be probed.
    pub(crate) fn probe(
        &self,
        position: &Position,
        depth: i32,
        ply: usize,
        draw: Value,
    ) -> Option<(Value, Bound)> {
        let pieces = position.occupied().len();
        if pieces > self.pieces || (pieces == self.tables.pieces() && depth < self.depth) {
            return None;
        }
        let value = self.value(self.tables.verdict(position)?, draw);
        Some(match value {
            TABLE_WIN => (value - ply as Value, Bound::Lower),
            v if v == -TABLE_WIN => (value + ply as Value, Bound::Upper),
            _ => (value, Bound::Exact),
        })
    }

    /// Returns the ranks and scores of root moves, if the root may be probed.
    pub(crate) fn rank(
        &self,
        position: &Position,
        moves: &[Move],
        draw: Value,
    ) -> Option<Vec<RankedMove>> {
        if position.occupied().len() > self.pieces {
            return None;
        }
        let ranked = self.tables.rank_moves(position, moves, self.fifty)?;
        let value = |verdict| Some(self.value(verdict, draw));
        let ranked = ranked.into_iter();
        Some(ranked.map(|(mv, rank, it)| RankedMove { mv, rank, value: value(it) }).collect())
    }
}
