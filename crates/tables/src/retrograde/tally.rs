//! Counts of wins and losses that need the words of both: of tables that are never whole in memory.

use super::slice::SymmetryCount;
use crate::layout::Layout;
use crate::solved_table::Shades;
use umbrail_chess::geometry::Square;

/// Counts of some slices of a table.
pub(crate) struct WordTally {
    pub(super) won: SymmetryCount,
    pub(super) lost: SymmetryCount,
    /// Losses of the loser, to move, that the attacker, to move, would not win.
    pub(crate) reciprocal: Vec<(usize, usize, u64)>,
    pub(crate) shades: Shades,
}

impl WordTally {
    pub(crate) fn new(layout: &Layout) -> Self {
        Self {
            won: SymmetryCount::default(),
            lost: SymmetryCount::default(),
            reciprocal: Vec::new(),
            shades: Shades::new(layout.others),
        }
    }

    /// Adds the wins and losses of a word, and those of the losses that are mutual zugzwangs.
    pub(crate) fn add(
        &mut self,
        layout: &Layout,
        (slice, word): (usize, usize),
        [won, lost]: [u64; 2],
        reciprocal: u64,
    ) {
        let mirrors = layout.mirrors(slice, word);
        self.won.add(won, &mirrors);
        self.lost.add(lost, &mirrors);
        if reciprocal != 0 {
            self.reciprocal.push((slice, word, reciprocal));
        }
        let is_light = |square: u8| Square::new(square).is_light();
        let pieces = layout.decode(word);
        let light = pieces[..layout.others].iter().map(|&square| is_light(square));
        self.shades.add((is_light(layout.homes[slice]), light), [won, lost], layout.orbit(slice));
    }

    /// Adds the counts of later slices.
    pub(crate) fn join(&mut self, other: Self) {
        self.reciprocal.extend(other.reciprocal);
        self.shades.join(&other.shades);
    }
}
