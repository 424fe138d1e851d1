//! What unsolved tables will ask of solved ones: it is kept, the rest is dropped, and the memory that
//! takes is told beforehand.

use super::{Family, Key};
use crate::tables::build::Keep;
use crate::tables::packed::Need;
use std::sync::Arc;

impl Family {
    /// Drops what no unsolved member needs. A table is asked only for its losses after a conversion
    /// of the attacker, and only for its wins after one of the loser; the other half goes, too.
    pub(super) fn slim(&mut self, members: &[Key], solved: usize, counted: &[Key]) {
        let ahead: Vec<(Key, bool)> =
            members[solved..].iter().flat_map(|m| self.converted(m)).collect();
        let needed = |k: &Key, lost: bool| ahead.iter().any(|(a, l)| a == k && *l == lost);
        self.solved.retain(|k, table| {
            if !members[..solved].contains(k) {
                return true;
            }
            let (lost, won) = (needed(k, true), needed(k, false));
            if counted.contains(k) {
                if let Some(table) = Arc::get_mut(table) {
                    table.strip_packed(!won, !lost);
                }
                return true;
            }
            if let Some(table) = Arc::get_mut(table) {
                table.strip(!won, !lost);
            }
            lost || won
        });
    }

    /// Keeps of a whole table only what others will ask of it.
    pub(super) fn thin(&mut self, key: &Key, keep: &Keep) {
        if let Some(table) = self.solved.remove(key) {
            let table = Arc::try_unwrap(table).unwrap_or_else(|shared| (*shared).clone());
            self.solved.insert(key.clone(), Arc::new(keep.reduce(table)));
        }
    }

    /// The most bytes that solving these tables takes at any time, roughly; lean as by [`Watch::lean`], and
    /// with each table whole for a while if `whole`.
    pub(crate) fn estimate_bytes(&self, tops: &[Key], lean: bool, whole: bool) -> u64 {
        let mut members = Vec::new();
        tops.iter().for_each(|key| self.collect(key, &mut members));
        members.retain(|key| tops.contains(key) || !self.never_wins(key));
        let words = |key: &Key| self.layout(key).total_words() as u64;
        let (mut most, mut kept) = (0, 0);
        for (number, key) in members.iter().enumerate() {
            let parts = self.layout(key).parts();
            let part = parts.iter().map(|part| part.total_words() as u64).max().unwrap_or(0);
            // Distances of both sides, two words of wins and losses; of a part five words.
            let (all, work) = (words(key) * (128 + 16), part * (128 + 48));
            let put_together = if parts.len() > 1 { all } else { 0 };
            if lean {
                let left = |known: &Key| {
                    let top = if tops.contains(known) { words(known) * 16 } else { 0 };
                    let Keep::Some { wins, losses, .. } =
                        self.needed(&members[number..], known, false)
                    else {
                        return top;
                    };
                    let shares = wins.iter().chain(&losses).map(Need::share);
                    let bytes = shares.map(|share| words(known) as f64 * (4.0 + 36.0 * share));
                    top + bytes.sum::<f64>() as u64
                };
                kept = members[..number].iter().map(left).sum();
                most = most.max(kept + work + if whole { put_together } else { 0 });
            } else {
                most = most.max(kept + work + put_together);
                kept += all;
            }
        }
        most
    }

    /// What the unsolved members will ask of a table. After a promotion the new piece stands on the last
    /// rank, or on an image of it if the table has more symmetries than the pawn.
    pub(super) fn needed(&self, unsolved: &[Key], key: &Key, counts: bool) -> Keep {
        let layout = self.layout(key);
        let (mut wins, mut losses) = (None, None);
        for above in unsolved {
            for after in self.conversions_of(above).filter(|after| after.key == *key) {
                let need = if after.ours { &mut losses } else { &mut wins };
                let need: &mut Need = need.get_or_insert_default();
                let Some(promoted) = after.promoted else {
                    need.everything();
                    continue;
                };
                let rank: u64 = if after.ours { 0xFF << 56 } else { 0xFF };
                let squares =
                    layout.symmetry.members().fold(0, |all, symmetry| all | symmetry.word(rank));
                for man in (0..layout.others).filter(|&man| {
                    key.man(man) == key.man(promoted)
                        && key.is_attacker(man) == key.is_attacker(promoted)
                }) {
                    need.man_on(man, squares);
                }
            }
        }
        Keep::Some { counts, wins, losses }
    }
}
