//! Cache of the squares common to all paths, by table, ends and slack. A few thousand entries serve
//! millions of strategies.

use crate::distance::OfficerTable;
use umbrail_chess::geometry::{Bitboard, Square};

/// Maximum number of free moves for which crossed squares are computed; beyond it only the end of a
/// path is certain. (Nearly always true; assuming less is sound.)
pub(crate) const SLACK_MAX: u16 = 3;

/// Crossed squares by [`OfficerTable::id`] and slack.
#[derive(Debug, Default)]
pub(crate) struct CrossingCache {
    rows: Vec<[Option<Box<[Bitboard; 4096]>>; SLACK_MAX as usize + 1]>,
}

impl CrossingCache {
    /// Returns [`OfficerTable::crossings`]. All tables must come from one
    /// [`TableCache`](crate::distance::TableCache).
    pub(crate) fn of(
        &mut self,
        table: &OfficerTable,
        from: Square,
        to: Square,
        slack: u16,
    ) -> Bitboard {
        if slack > SLACK_MAX {
            return Bitboard::EMPTY;
        }
        if self.rows.len() <= table.id() {
            self.rows.resize_with(table.id() + 1, Default::default);
        }
        // A full board marks "not computed yet": no path crosses its own first square.
        let unknown = || Box::new([Bitboard::FULL; 4096]);
        let row = self.rows[table.id()][usize::from(slack)].get_or_insert_with(unknown);
        let known = &mut row[from.index() * 64 + to.index()];
        if *known == Bitboard::FULL {
            *known = table.crossings(from, to, slack as u8);
        }
        *known
    }
}
