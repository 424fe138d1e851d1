//! Locking without poisoning.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, even if a thread panicked while it held the lock.
///
/// Suited to data that every statement under the lock leaves valid: counters, caches, lists that
/// only grow.
///
/// ```
/// use std::sync::Mutex;
/// let found = Mutex::new(vec![1]);
/// umbrail_control::lock(&found).push(2);
/// assert_eq!(*umbrail_control::lock(&found), [1, 2]);
/// ```
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::lock;
    use std::sync::Mutex;

    #[test]
    fn a_poisoned_mutex_is_locked_all_the_same() {
        let mutex = Mutex::new(1);
        std::thread::scope(|scope| {
            let poison = scope.spawn(|| {
                let mut guard = lock(&mutex);
                *guard = 2;
                std::panic::resume_unwind(Box::new(()));
            });
            assert!(poison.join().is_err());
        });
        assert!(mutex.is_poisoned());
        assert_eq!(*lock(&mutex), 2);
    }
}
