//! Tables whose values are checked or looked up: in memory, or in files.

use super::{AttackerPlies, VerifierPosition};
use crate::layout::{Layout, Others};
use crate::material_key::MaterialKey;
use crate::solved_table::SolvedTable;
use crate::store::MappedTable;
use crate::table_set::TableSet;

/// Table that a value is looked up in.
#[derive(Clone, Copy)]
pub(super) enum KnownTable<'a> {
    Solved(&'a SolvedTable),
    /// File with wins and losses.
    Mapped(&'a MappedTable),
}

impl<'a> KnownTable<'a> {
    /// Returns the table of a key, if there is one.
    pub(super) fn of(set: &'a TableSet, key: &MaterialKey) -> Option<Self> {
        match set.of(&key.attacker, &key.loser) {
            (Some(table), _) => Some(Self::Solved(table)),
            (None, Some(file)) if !file.is_lost_only() => Some(Self::Mapped(file)),
            (None, _) => None,
        }
    }

    pub(super) fn layout(self) -> &'a Layout {
        match self {
            Self::Solved(table) => &table.layout,
            Self::Mapped(file) => file.layout(),
        }
    }

    /// Returns the stored value of a position. A damaged file gives none; the fault is kept with
    /// the file.
    pub(super) fn distance(self, position: &VerifierPosition, pieces: &Others) -> AttackerPlies {
        let (royal, loser_royal) = (position.squares[0], position.squares[1]);
        let moves = position.attacker_moves;
        let table = match self {
            Self::Solved(table) => table,
            Self::Mapped(file) => {
                return file.plies_at(moves, royal, pieces, loser_royal).ok().flatten();
            }
        };
        let (word, spot) =
            if moves { table.won_word(royal, pieces) } else { table.lost_word(royal, pieces) };
        if word >> loser_royal & 1 == 0 {
            return None;
        }
        if moves { table.won_ply(spot, loser_royal) } else { table.lost_ply(spot, loser_royal) }
    }
}
