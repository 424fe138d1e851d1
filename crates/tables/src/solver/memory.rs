//! Memory of a build: the parts of solved tables that unsolved ones will read, and their size in
//! bytes.

use crate::catalog::{Catalog, Conversion};
use crate::layout::Layout;
use crate::material_key::MaterialKey;
use crate::packed_distances::RetainedWords;
use crate::retrograde::{Retention, can_page, least_bytes, reduce};
use crate::table_set::TableSet;
use std::collections::HashMap;
use std::sync::Arc;

/// Words read of a table's wins and of its losses.
#[derive(Default)]
struct RetainedSides {
    wins: Option<RetainedWords>,
    losses: Option<RetainedWords>,
}

/// Upper bound in bytes of the move tables of all pieces of a build.
pub(super) const PIECES_BYTES: u64 = 2 << 20;

/// Memory of a table, in bytes.
struct WorkBytes {
    /// While the largest of its parts is solved.
    part: u64,
    /// When it is whole and solved.
    whole: u64,
    /// While finished parts are joined; zero for a table in one part.
    put_together: u64,
}

fn work(layout: &Layout, wide: bool) -> WorkBytes {
    let parts = layout.parts();
    let part = parts.iter().map(|part| part.total_words() as u64).max().unwrap_or(0);
    // Distances of both sides, two words of wins and losses; a part has five words.
    let depths = if wide { 256 } else { 128 };
    let (whole, part) = (layout.total_words() as u64 * (depths + 16), part * (depths + 48));
    WorkBytes { part, whole, put_together: if parts.len() > 1 { whole } else { 0 } }
}

/// Returns the bytes needed while a table is solved with retention `keep`.
pub(super) fn work_bytes(layout: &Layout, keep: &Retention, wide: bool) -> u64 {
    let work = work(layout, wide);
    work.part + if matches!(keep, Retention::All) { work.put_together } else { 0 }
}

/// Drops data that no unsolved member needs. After a conversion of the attacker only the losses of
/// a table are read, after one of the loser only its wins; the other half is dropped, too.
pub(super) fn release_unneeded(
    set: &mut TableSet,
    members: &[MaterialKey],
    solved: usize,
    counted: &[MaterialKey],
) {
    let ahead: Vec<(MaterialKey, bool)> =
        members[solved..].iter().flat_map(|m| set.catalog.converted(m)).collect();
    // The probe index holds references to its tables.
    set.probe_index.take();
    let needed = |k: &MaterialKey, lost: bool| ahead.iter().any(|(a, l)| a == k && *l == lost);
    set.solved.retain(|k, table| {
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

/// Reduces a whole table to the data that other tables will read.
pub(super) fn reduce_table(set: &mut TableSet, key: &MaterialKey, keep: &Retention) {
    set.probe_index.take();
    if let Some(table) = set.solved.remove(key) {
        let table = Arc::try_unwrap(table).unwrap_or_else(|shared| (*shared).clone());
        set.solved.insert(key.clone(), Arc::new(reduce(keep, table)));
    }
}

/// Retention of solved tables during a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeps {
    /// All tables.
    Everything,
    /// Data that larger tables need.
    Needed,
    /// Data that larger tables need, but each table is temporarily whole, to be written to a file.
    NeededOfWhole,
}

/// Estimates the peak memory, in bytes, of solving these tables. Those that may be paged and need
/// more than `page_above` count with the least that paging needs.
pub(crate) fn estimate_bytes(
    catalog: &Catalog,
    tops: &[MaterialKey],
    keeps: Keeps,
    page_above: Option<u64>,
) -> u64 {
    let mut members = Vec::new();
    tops.iter().for_each(|key| catalog.collect(key, &mut members));
    members.retain(|key| tops.contains(key) || !catalog.never_wins(key));
    estimate(catalog, tops, &members, 0, (keeps, page_above))
}

/// Returns true when a table may be paged: it is requested, no other table of the build reads it,
/// and the builder can.
pub(super) fn may_page(
    catalog: &Catalog,
    tops: &[MaterialKey],
    members: &[MaterialKey],
    key: &MaterialKey,
) -> bool {
    let is_read = || members.iter().any(|m| catalog.conversions_of(m).any(|c| c.key == *key));
    tops.contains(key) && can_page(catalog, key) && !is_read()
}

/// Estimates the peak memory of a build that retains everything, including the current contents of
/// the set.
pub(crate) fn estimate_beside(set: &TableSet, tops: &[MaterialKey]) -> u64 {
    let mut members = Vec::new();
    tops.iter().for_each(|key| set.catalog.collect(key, &mut members));
    let is_small = |key: &MaterialKey| !tops.contains(key) && set.catalog.never_wins(key);
    members.retain(|key| !set.solved.contains_key(key) && !is_small(key));
    estimate(&set.catalog, tops, &members, set.held_bytes(), (Keeps::Everything, None))
}

fn estimate(
    catalog: &Catalog,
    tops: &[MaterialKey],
    members: &[MaterialKey],
    held: u64,
    (keeps, page_above): (Keeps, Option<u64>),
) -> u64 {
    let (lean, whole) = (keeps != Keeps::Everything, keeps == Keeps::NeededOfWhole);
    let layouts: Vec<Layout> = members.iter().map(|key| catalog.layout(key)).collect();
    let kept =
        if lean { kept_when_lean(catalog, tops, members, &layouts, page_above) } else { vec![] };
    let (mut most, mut kept_whole) = (held, held);
    for (number, layout) in layouts.iter().enumerate() {
        let work = work(layout, false);
        most = most.max(if lean {
            let wanted = kept[number] + work.part + if whole { work.put_together } else { 0 };
            let paged = page_above.is_some_and(|limit| wanted + PIECES_BYTES > limit)
                && may_page(catalog, tops, members, &members[number]);
            if paged { kept[number] + least_bytes(layout) } else { wanted }
        } else {
            kept_whole + work.part + work.put_together
        });
        kept_whole += work.whole;
    }
    most + PIECES_BYTES
}

/// Returns, for each member, the bytes retained of earlier members while it is solved.
fn kept_when_lean(
    catalog: &Catalog,
    tops: &[MaterialKey],
    members: &[MaterialKey],
    layouts: &[Layout],
    page_above: Option<u64>,
) -> Vec<u64> {
    // Members that convert into each member.
    let place: HashMap<&MaterialKey, usize> = members.iter().zip(0..).collect();
    let mut uses: Vec<Vec<(usize, Conversion)>> = members.iter().map(|_| Vec::new()).collect();
    for (above, key) in members.iter().enumerate() {
        for conversion in catalog.conversions_of(key) {
            if let Some(&known) = place.get(&conversion.key) {
                uses[known].push((above, conversion));
            }
        }
    }
    let mut kept = vec![0; members.len()];
    for (known, uses) in uses.iter().enumerate() {
        let (key, layout) = (&members[known], &layouts[known]);
        let words = layout.total_words() as u64;
        // A table too large for the memory is paged, and then has no words.
        let is_paged = page_above.is_some_and(|limit| work(layout, false).part > limit);
        let counts = if tops.contains(key) && !is_paged { words * 16 } else { 0 };
        let (mut retained, mut bytes, mut left) = (RetainedSides::default(), 0, uses.as_slice());
        // Data retained while a member is solved serves it and later members.
        for number in (known + 1..members.len()).rev() {
            let before = left.len();
            while let [rest @ .., (above, conversion)] = left
                && *above >= number
            {
                add_conversion(layout, key, conversion, &mut retained);
                left = rest;
            }
            if left.len() < before {
                let shares = retained.wins.iter().chain(&retained.losses).map(RetainedWords::share);
                let needed = shares.map(|share| words as f64 * (4.0 + 36.0 * share));
                bytes = needed.sum::<f64>() as u64;
            }
            kept[number] += counts + bytes;
        }
    }
    kept
}

/// Returns the data of a table that unsolved members will read.
pub(super) fn needed(
    catalog: &Catalog,
    unsolved: &[MaterialKey],
    key: &MaterialKey,
    counts: bool,
) -> Retention {
    let layout = catalog.layout(key);
    let mut retained = RetainedSides::default();
    for above in unsolved {
        for conversion in catalog.conversions_of(above).filter(|after| after.key == *key) {
            add_conversion(&layout, key, &conversion, &mut retained);
        }
    }
    Retention::Some { counts, wins: retained.wins, losses: retained.losses }
}

/// Adds the data that a conversion into a table reads. After a promotion the new piece stands on
/// the last rank, or on an image of it if the table has more symmetries than the pawn.
fn add_conversion(
    layout: &Layout,
    key: &MaterialKey,
    after: &Conversion,
    retained: &mut RetainedSides,
) {
    let need = if after.ours { &mut retained.losses } else { &mut retained.wins };
    let need: &mut RetainedWords = need.get_or_insert_default();
    let Some(promoted) = after.promoted else {
        need.retain_all();
        return;
    };
    let rank: u64 = if after.ours { 0xFF << 56 } else { 0xFF };
    let squares = layout.symmetry.members().fold(0, |all, symmetry| all | symmetry.word(rank));
    let alike = |&piece: &usize| {
        key.piece(piece) == key.piece(promoted)
            && key.is_attacker(piece) == key.is_attacker(promoted)
    };
    for piece in (0..layout.others).filter(alike) {
        need.retain_piece_on(piece, squares);
    }
}
