//! Who has time, and whom to help: workers without a strategy of their own play along with those whose
//! strategy takes long.

use super::verdict::Number;
use crate::proof::play::Call;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A strategy that takes long, and its number.
#[derive(Clone, Debug)]
pub(super) struct Open {
    pub(super) number: Number,
    pub(super) call: Arc<Call>,
}

/// The players of a part.
#[derive(Debug)]
pub(super) struct Crew {
    open: Mutex<Vec<Open>>,
    /// Players that have not run out of strategies. Only these can call others.
    busy: AtomicUsize,
}

impl Crew {
    /// So many players, all at work.
    pub(super) fn new(players: usize) -> Self {
        Self { open: Mutex::default(), busy: AtomicUsize::new(players) }
    }

    fn with<R>(&self, look: impl FnOnce(&mut Vec<Open>) -> R) -> R {
        look(&mut self.open.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A strategy takes long.
    pub(super) fn announce(&self, open: Open) {
        self.with(|calls| {
            calls.retain(|one| !one.call.is_answered());
            calls.push(open);
        });
    }

    /// The strategy with the fewest players that still wants some.
    pub(super) fn call(&self) -> Option<Open> {
        self.with(|calls| {
            calls.retain(|one| !one.call.is_answered());
            calls.iter().min_by_key(|one| one.call.joined()).cloned()
        })
    }

    /// A player has run out of strategies; it may still help.
    pub(super) fn rest(&self) {
        // The counter alone tells when all may go home; calls are behind their lock.
        self.busy.fetch_sub(1, Ordering::AcqRel);
    }

    /// Whether nobody can call any more.
    pub(super) fn is_at_rest(&self) -> bool {
        self.busy.load(Ordering::Acquire) == 0
    }
}
