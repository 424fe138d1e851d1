//! Stop signal: a tree of flags, where raising a flag stops everything below it.

use super::memory_is_short;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Error of a solver that was asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Stop signal. Clones share the flag; a [child](Cancel::child) also stops when its parent does.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<CancelNode>);

#[derive(Debug, Default)]
struct CancelNode {
    raised: AtomicBool,
    parent: Option<Cancel>,
}

impl Cancel {
    /// Creates a child signal, which is also raised whenever this one is.
    pub fn child(&self) -> Self {
        Self(Arc::new(CancelNode { raised: AtomicBool::new(false), parent: Some(self.clone()) }))
    }

    /// Raises the signal permanently; further calls have no effect.
    pub fn raise(&self) {
        // Relaxed: the flag guards no other data, and a worker may see it one poll later.
        self.0.raised.store(true, Ordering::Relaxed);
    }

    /// Returns true after this signal or one above it was raised, and while memory is short (see
    /// [`crate::memory_is_short`]).
    #[inline]
    pub fn is_raised(&self) -> bool {
        if memory_is_short() {
            return true;
        }
        let mut signal = &self.0;
        loop {
            // Relaxed: see `raise`.
            if signal.raised.load(Ordering::Relaxed) {
                return true;
            }
            match &signal.parent {
                Some(parent) => signal = &parent.0,
                None => return false,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Cancel;

    #[test]
    fn a_child_stops_with_its_parent_but_not_the_other_way_round() {
        let parent = Cancel::default();
        let (skipped, other) = (parent.child(), parent.child());
        skipped.raise();
        assert!(skipped.is_raised() && !other.is_raised() && !parent.is_raised());
        parent.clone().raise();
        assert!(other.is_raised());
    }
}
