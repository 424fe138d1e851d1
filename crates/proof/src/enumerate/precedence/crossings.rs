//! A cache of the squares on every way, by table, ends and slack; a few thousand entries serve
//! millions of strategies.

use crate::distance::OfficerTable;
use umbrail_chess::geometry::{Bitboard, Square};

/// With more free moves than this, only the end of a way is taken as certain (nearly always true;
/// assuming less is sound).
pub(crate) const SLACK_MAX: u16 = 3;

/// Crossed squares by [`OfficerTable::id`] and slack.
#[derive(Debug, Default)]
pub(crate) struct CrossingCache {
    rows: Vec<[Option<Box<[Bitboard; 4096]>>; SLACK_MAX as usize + 1]>,
}

impl CrossingCache {
    /// [`OfficerTable::crossings`]. All tables must come from one
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
        // A full board marks "not computed yet": no way crosses its own beginning.
        let unknown = || Box::new([Bitboard::FULL; 4096]);
        let row = self.rows[table.id()][usize::from(slack)].get_or_insert_with(unknown);
        let known = &mut row[from.index() * 64 + to.index()];
        if *known == Bitboard::FULL {
            *known = table.crossings(from, to, slack as u8);
        }
        *known
    }
}
