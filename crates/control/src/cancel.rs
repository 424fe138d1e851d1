//! Stop signal: a tree of flags, where raising a flag stops everything below it.
//!
//! A signal can also be held: work that polls it waits until the signal is released or raised. Two
//! solvers that take turns need nothing else.

use super::memory_is_short;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

/// Error of a solver that was asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Stop signal. Clones share the flag; a [child](Cancel::child) also stops when its parent does.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<CancelNode>);

#[derive(Debug, Default)]
struct CancelNode {
    state: AtomicU8,
    parent: Option<Cancel>,
}

/// States of a signal.
const RUNNING: u8 = 0;
const HELD: u8 = 1;
const RAISED: u8 = 2;

/// Period of looks at a signal that is held.
const HELD_PULSE: Duration = Duration::from_millis(2);

impl Cancel {
    /// Creates a child signal, which is also raised whenever this one is.
    pub fn child(&self) -> Self {
        Self(Arc::new(CancelNode { state: AtomicU8::new(RUNNING), parent: Some(self.clone()) }))
    }

    /// Raises the signal permanently; further calls have no effect.
    pub fn raise(&self) {
        // Relaxed: the flag guards no other data, and a worker may see it one poll later.
        self.0.state.store(RAISED, Ordering::Relaxed);
    }

    /// Holds the signal: threads that poll it, or a signal below it, wait until it is released. A raised signal stays
    /// raised.
    pub fn hold(&self) {
        self.turn(RUNNING, HELD);
    }

    /// Releases a signal that is held.
    pub fn release(&self) {
        self.turn(HELD, RUNNING);
    }

    fn turn(&self, from: u8, to: u8) {
        // Relaxed: see `raise`.
        let state = &self.0.state;
        let _ = state.compare_exchange(from, to, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Returns true after this signal or one above it was raised, and while memory is short (see
    /// [`crate::memory_is_short`]). Waits while this signal or one above it is held.
    #[inline]
    pub fn is_raised(&self) -> bool {
        match self.state() {
            RUNNING => memory_is_short(),
            state => state == RAISED || self.is_raised_after_wait(),
        }
    }

    /// Returns the strongest state of this signal and those above it.
    #[inline]
    fn state(&self) -> u8 {
        let (mut signal, mut strongest) = (&self.0, RUNNING);
        loop {
            // Relaxed: see `raise`.
            strongest = strongest.max(signal.state.load(Ordering::Relaxed));
            match &signal.parent {
                Some(parent) => signal = &parent.0,
                None => return strongest,
            }
        }
    }

    #[cold]
    fn is_raised_after_wait(&self) -> bool {
        loop {
            std::thread::sleep(HELD_PULSE);
            match self.state() {
                _ if memory_is_short() => return true,
                HELD => {}
                state => return state == RAISED,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Cancel;
    use std::time::{Duration, Instant};

    #[test]
    fn a_child_stops_with_its_parent_but_not_the_other_way_round() {
        let parent = Cancel::default();
        let (skipped, other) = (parent.child(), parent.child());
        skipped.raise();
        assert!(skipped.is_raised() && !other.is_raised() && !parent.is_raised());
        parent.clone().raise();
        assert!(other.is_raised());
    }

    #[test]
    fn held_work_waits_until_it_is_released_or_raised() {
        let parent = Cancel::default();
        let child = parent.child();
        for ends in [false, true] {
            parent.hold();
            let held = Instant::now();
            std::thread::scope(|scope| {
                let waits = scope.spawn(|| (child.is_raised(), held.elapsed()));
                std::thread::sleep(Duration::from_millis(20));
                if ends {
                    child.raise()
                } else {
                    parent.release()
                }
                let (raised, waited) = waits.join().unwrap();
                assert_eq!(raised, ends);
                assert!(waited >= Duration::from_millis(20), "{waited:?}");
            });
        }
        child.hold();
        assert!(child.is_raised());
    }
}
