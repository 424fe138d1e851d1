//! Frontier of a breadth-first search: states met, and states to expand.

use crate::search::bound::MoveBound;
use crate::search::relax::feasibility::{CacheEntry, Feasibility, MovesLeft, Slack};
use crate::search::state::board::SearchBoard;
use umbrail_control::FastMap;

/// Maximum number of queued states, some 600 bytes each; a test that needs more is abandoned.
const NEXT_MAX: usize = 1 << 16;

/// A state to expand later.
pub(crate) struct QueuedState {
    pub(crate) board: SearchBoard,
    pub(crate) bound: MoveBound,
    pub(crate) left: MovesLeft,
}

/// Placements met so far with their greatest slack, and the queue of the next layer.
#[derive(Default)]
pub(crate) struct Frontier {
    pub(super) met: FastMap<u128, CacheEntry>,
    pub(super) next: Vec<QueuedState>,
}

impl Frontier {
    /// Queues a state, unless it was met with as much slack. Returns `Infeasible` if nothing
    /// remains to be done now, `Unknown` if the queue is full.
    pub(crate) fn meet(
        &mut self,
        key: u128,
        room: Slack,
        place: impl FnOnce() -> QueuedState,
    ) -> Feasibility {
        let met = self.met.entry(key).or_insert(CacheEntry::NOTHING);
        if met.answer(room, 0).is_none() {
            if self.next.len() >= NEXT_MAX {
                return Feasibility::Unknown(0);
            }
            met.note(room, Feasibility::Infeasible);
            self.next.push(place());
        }
        Feasibility::Infeasible
    }
}
