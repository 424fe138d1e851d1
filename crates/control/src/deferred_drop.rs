//! Deferred drop of large values on another thread. The operating system reclaims some gigabytes
//! per second, fewer under load; an answer that is due should not wait for that.

use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};

/// Value that is dropped on a separate thread.
#[derive(Debug)]
pub struct DeferredDrop<T: Send + 'static>(ManuallyDrop<T>);

impl<T: Send + 'static> DeferredDrop<T> {
    /// Wraps a value.
    pub const fn new(value: T) -> Self {
        Self(ManuallyDrop::new(value))
    }

    /// Returns the value, which is then dropped normally.
    pub fn into_inner(self) -> T {
        let mut whole = ManuallyDrop::new(self);
        // SAFETY: `whole` is never dropped, so the value is taken once.
        unsafe { ManuallyDrop::take(&mut whole.0) }
    }
}

impl<T: Send + 'static> Deref for DeferredDrop<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Send + 'static> DerefMut for DeferredDrop<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Send + 'static> Drop for DeferredDrop<T> {
    fn drop(&mut self) {
        // SAFETY: the value is not used after its owner's drop.
        let value = unsafe { ManuallyDrop::take(&mut self.0) };
        // If no thread can be started, the value is dropped here with the closure.
        let _ = std::thread::Builder::new().name("free".to_owned()).spawn(move || drop(value));
    }
}

#[cfg(test)]
mod tests {
    use super::DeferredDrop;
    use std::sync::mpsc::{Sender, channel};
    use std::thread::{ThreadId, current};

    struct Reports(Sender<ThreadId>);

    impl Drop for Reports {
        fn drop(&mut self) {
            let _ = self.0.send(current().id());
        }
    }

    #[test]
    fn a_value_is_freed_once_and_elsewhere_unless_it_is_taken_back() {
        let (send, freed) = channel();
        drop(DeferredDrop::new(Reports(send.clone())));
        assert_ne!(freed.recv().unwrap(), current().id());
        drop(DeferredDrop::new(Reports(send)).into_inner());
        assert_eq!(freed.recv().unwrap(), current().id());
        assert!(freed.recv().is_err(), "each is freed once");
    }
}
