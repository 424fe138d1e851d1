//! Work that a solver saves when it is stopped.
//!
//! A stopped job has little time before the process ends without it. A job that first finishes a step and then writes
//! its state to a file holds an [`UnsavedWork`], and the process waits for it.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of holders in this process.
static HOLDERS: AtomicUsize = AtomicUsize::new(0);

/// Held while stopped work would still be saved.
#[derive(Debug)]
#[must_use = "the work counts as saved when this is dropped"]
pub struct UnsavedWork(());

impl UnsavedWork {
    /// Announces work that will be saved.
    pub fn announce() -> Self {
        // Relaxed ordering suffices: the count guards no other data.
        HOLDERS.fetch_add(1, Ordering::Relaxed);
        Self(())
    }

    /// Returns true while somebody holds such work.
    pub fn is_held() -> bool {
        // Relaxed ordering suffices: see above.
        HOLDERS.load(Ordering::Relaxed) > 0
    }
}

impl Drop for UnsavedWork {
    fn drop(&mut self) {
        // Relaxed ordering suffices: see above.
        HOLDERS.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::UnsavedWork;

    #[test]
    fn work_is_held_until_its_last_holder_is_dropped() {
        let first = UnsavedWork::announce();
        let second = UnsavedWork::announce();
        drop(first);
        assert!(UnsavedWork::is_held());
        drop(second);
        assert!(!UnsavedWork::is_held());
    }
}
