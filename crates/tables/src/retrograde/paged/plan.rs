//! Memory of a paged build.

use crate::catalog::Catalog;
use crate::layout::Layout;
use crate::material_key::MaterialKey;
use crate::rules::{Metric, Stalemate};

/// Words of a window: half a megabyte.
const WINDOW: usize = 1 << 16;
/// Sets of a slice that a worker needs: `safe`, `open`, candidates.
const SETS: u64 = 3;
/// Bytes of a worker's buffers for packing, at most.
const BUFFERS: u64 = 8 << 20;

/// Division of the memory.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Workers, each on one slice.
    pub(crate) workers: usize,
    /// Sets that stay in memory, of the 2 of each slice.
    pub(crate) residents: usize,
    /// Words of a window.
    pub(crate) window: usize,
    /// Bytes for the cells of a pass while the table is written.
    pub(crate) cells: u64,
}

impl Plan {
    /// Divides this memory, of which at least [`least_bytes`] are needed, among at most `workers`.
    pub(crate) fn new(layout: &Layout, bytes: u64, workers: usize) -> Self {
        let left = bytes.saturating_sub(index_bytes(layout));
        let workers = (left / worker_bytes(layout)).clamp(1, workers.max(1) as u64);
        let left = left.saturating_sub(workers * worker_bytes(layout));
        let residents = left / set_bytes(layout);
        let residents = residents.min(2 * layout.homes.len() as u64);
        // Nothing else is in memory while the table is written.
        let cells = bytes.saturating_sub(index_bytes(layout)).max(1 << 20);
        Self { workers: workers as usize, residents: residents as usize, window: WINDOW, cells }
    }
}

fn set_bytes(layout: &Layout) -> u64 {
    layout.words as u64 * 8
}

fn worker_bytes(layout: &Layout) -> u64 {
    SETS * set_bytes(layout) + BUFFERS
}

/// Returns an upper bound on the bytes of the index of all blocks, at 48 each: two of each window
/// in each of 400 plies, of which most have none.
fn index_bytes(layout: &Layout) -> u64 {
    let windows = layout.words.div_ceil(WINDOW) * layout.homes.len();
    windows as u64 * 800 * 48
}

/// Returns the least memory in bytes that a build needs.
pub(crate) fn least_bytes(layout: &Layout) -> u64 {
    worker_bytes(layout) + index_bytes(layout)
}

/// Returns true when a table can be built with paged sets: it has no pawns, stalemate does not
/// pass, and neither side is decided by its bare royal.
pub(crate) fn can_page(catalog: &Catalog, key: &MaterialKey) -> bool {
    let rules = &catalog.rules;
    let pieces = key.attacker.len() + key.loser.len() - 2;
    let pawns = (0..pieces).any(|piece| catalog.piece(key.piece(piece)).pawn);
    let bare = rules.bare_loses && (key.attacker.len() == 1 || key.loser.len() == 1);
    !pawns && !bare && rules.stalemate != Stalemate::Pass && rules.metric != Metric::Level
}
