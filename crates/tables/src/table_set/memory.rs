//! What unsolved tables will ask of solved ones: it is kept, the rest is dropped, and the memory that
//! takes is told beforehand.

use super::{Conversion, MaterialKey, TableSet};
use crate::layout::Layout;
use crate::packed_distances::RetainedWords;
use crate::retrograde::Retention;
use std::collections::HashMap;
use std::sync::Arc;

/// What is asked of a table's wins and of its losses.
#[derive(Default)]
struct RetainedSides {
    wins: Option<RetainedWords>,
    losses: Option<RetainedWords>,
}

/// What rays and paths of some pieces take, more than which no tables have.
const PIECES_BYTES: u64 = 2 << 20;

/// Bytes of a table.
struct WorkBytes {
    /// While the largest of its parts is solved.
    part: u64,
    /// When it is whole and solved.
    whole: u64,
    /// Where finished parts are put together; nothing for a table in one part.
    put_together: u64,
}

fn work(layout: &Layout, wide: bool) -> WorkBytes {
    let parts = layout.parts();
    let part = parts.iter().map(|part| part.total_words() as u64).max().unwrap_or(0);
    // Distances of both sides, two words of wins and losses; of a part five words.
    let depths = if wide { 256 } else { 128 };
    let (whole, part) = (layout.total_words() as u64 * (depths + 16), part * (depths + 48));
    WorkBytes { part, whole, put_together: if parts.len() > 1 { whole } else { 0 } }
}

/// Bytes that are taken while a table is solved of which this is kept.
pub(super) fn work_bytes(layout: &Layout, keep: &Retention, wide: bool) -> u64 {
    let work = work(layout, wide);
    work.part + if matches!(keep, Retention::All) { work.put_together } else { 0 }
}

impl TableSet {
    /// Drops what no unsolved member needs. A table is asked only for its losses after a conversion
    /// of the attacker, and only for its wins after one of the loser; the other half goes, too.
    pub(super) fn release_unneeded(
        &mut self,
        members: &[MaterialKey],
        solved: usize,
        counted: &[MaterialKey],
    ) {
        let ahead: Vec<(MaterialKey, bool)> =
            members[solved..].iter().flat_map(|m| self.converted(m)).collect();
        // Doors hold on to their tables.
        self.probe_index.take();
        let needed = |k: &MaterialKey, lost: bool| ahead.iter().any(|(a, l)| a == k && *l == lost);
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
    pub(super) fn reduce_table(&mut self, key: &MaterialKey, keep: &Retention) {
        self.probe_index.take();
        if let Some(table) = self.solved.remove(key) {
            let table = Arc::try_unwrap(table).unwrap_or_else(|shared| (*shared).clone());
            self.solved.insert(key.clone(), Arc::new(keep.reduce(table)));
        }
    }

    /// The bytes that solved tables hold, and that unpacked blocks of files may take.
    pub(crate) fn held_bytes(&self) -> u64 {
        let solved: u64 = self.solved.values().map(|table| table.bytes()).sum();
        solved + self.mapped.values().map(|file| file.cache_bytes()).sum::<u64>()
    }

    /// The most bytes that solving these tables takes at any time, roughly; lean as by [`BuildMonitor::lean`], and
    /// with each table whole for a while if `whole`.
    ///
    /// [`BuildMonitor::lean`]: super::Watch::lean
    pub(crate) fn estimate_bytes(&self, tops: &[MaterialKey], lean: bool, whole: bool) -> u64 {
        let mut members = Vec::new();
        tops.iter().for_each(|key| self.collect(key, &mut members));
        members.retain(|key| tops.contains(key) || !self.never_wins(key));
        self.estimate(tops, &members, 0, (lean, whole))
    }

    /// The same, with nothing let go, beside what is solved, and with that.
    pub(crate) fn estimate_beside(&self, tops: &[MaterialKey]) -> u64 {
        let mut members = Vec::new();
        tops.iter().for_each(|key| self.collect(key, &mut members));
        let is_small = |key: &MaterialKey| !tops.contains(key) && self.never_wins(key);
        members.retain(|key| !self.solved.contains_key(key) && !is_small(key));
        self.estimate(tops, &members, self.held_bytes(), (false, false))
    }

    fn estimate(
        &self,
        tops: &[MaterialKey],
        members: &[MaterialKey],
        held: u64,
        (lean, whole): (bool, bool),
    ) -> u64 {
        let layouts: Vec<Layout> = members.iter().map(|key| self.layout(key)).collect();
        let kept = if lean { self.kept_when_lean(tops, members, &layouts) } else { Vec::new() };
        let (mut most, mut kept_whole) = (held, held);
        for (number, layout) in layouts.iter().enumerate() {
            let work = work(layout, false);
            most = most.max(if lean {
                kept[number] + work.part + if whole { work.put_together } else { 0 }
            } else {
                kept_whole + work.part + work.put_together
            });
            kept_whole += work.whole;
        }
        most + PIECES_BYTES
    }

    /// For each member the bytes that are kept of those before it while it is solved.
    fn kept_when_lean(
        &self,
        tops: &[MaterialKey],
        members: &[MaterialKey],
        layouts: &[Layout],
    ) -> Vec<u64> {
        // Who converts into each member.
        let place: HashMap<&MaterialKey, usize> = members.iter().zip(0..).collect();
        let mut uses: Vec<Vec<(usize, Conversion)>> = members.iter().map(|_| Vec::new()).collect();
        for (above, key) in members.iter().enumerate() {
            for conversion in self.conversions_of(key) {
                if let Some(&known) = place.get(&conversion.key) {
                    uses[known].push((above, conversion));
                }
            }
        }
        let mut kept = vec![0; members.len()];
        for (known, uses) in uses.iter().enumerate() {
            let (key, layout) = (&members[known], &layouts[known]);
            let words = layout.total_words() as u64;
            let counts = if tops.contains(key) { words * 16 } else { 0 };
            let (mut contains, mut bytes, mut left) =
                (RetainedSides::default(), 0, uses.as_slice());
            // What is kept while a member is solved is for it and those behind it.
            for number in (known + 1..members.len()).rev() {
                let before = left.len();
                while let [rest @ .., (above, conversion)] = left
                    && *above >= number
                {
                    self.want(layout, key, conversion, &mut contains);
                    left = rest;
                }
                if left.len() < before {
                    let shares =
                        contains.wins.iter().chain(&contains.losses).map(RetainedWords::share);
                    let needed = shares.map(|share| words as f64 * (4.0 + 36.0 * share));
                    bytes = needed.sum::<f64>() as u64;
                }
                kept[number] += counts + bytes;
            }
        }
        kept
    }

    /// What the unsolved members will ask of a table.
    pub(super) fn needed(
        &self,
        unsolved: &[MaterialKey],
        key: &MaterialKey,
        counts: bool,
    ) -> Retention {
        let layout = self.layout(key);
        let mut contains = RetainedSides::default();
        for above in unsolved {
            for conversion in self.conversions_of(above).filter(|after| after.key == *key) {
                self.want(&layout, key, &conversion, &mut contains);
            }
        }
        Retention::Some { counts, wins: contains.wins, losses: contains.losses }
    }

    /// What a conversion into a table asks of it. After a promotion the new piece stands on the last
    /// rank, or on an image of it if the table has more symmetries than the pawn.
    fn want(
        &self,
        layout: &Layout,
        key: &MaterialKey,
        after: &Conversion,
        contains: &mut RetainedSides,
    ) {
        let need = if after.ours { &mut contains.losses } else { &mut contains.wins };
        let need: &mut RetainedWords = need.get_or_insert_default();
        let Some(promoted) = after.promoted else {
            need.retain_all();
            return;
        };
        let rank: u64 = if after.ours { 0xFF << 56 } else { 0xFF };
        let squares = layout.symmetry.members().fold(0, |all, symmetry| all | symmetry.word(rank));
        let alike = |&man: &usize| {
            key.man(man) == key.man(promoted) && key.is_attacker(man) == key.is_attacker(promoted)
        };
        for man in (0..layout.others).filter(alike) {
            need.retain_man_on(man, squares);
        }
    }
}
