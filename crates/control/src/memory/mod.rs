//! Memory budget: large blocks are reserved before they are allocated. [`available`] reads how much
//! memory can be granted.

mod available;
mod cgroup;
mod heap;
mod reserve;
mod watch;

#[cfg(all(target_os = "linux", target_env = "gnu"))]
use available::address_space_is_limited;
pub use available::{Available, MemoryLimit, available, available_bytes};
pub use reserve::{ReservingAllocator, fallibly, memory_is_short, refill_reserve};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Initializes memory limits; to be called at the start of a program with [`ReservingAllocator`].
/// Fills the reserve, and observes the limits of address space and control group.
pub fn keep_memory_limits() {
    reserve::spare_address_space();
    refill_reserve();
    watch::watch_control_group();
}

/// Limit of the bytes in large blocks of a job; clones share the count.
#[derive(Clone, Debug)]
pub struct Budget(Arc<BudgetState>);

#[derive(Debug)]
struct BudgetState {
    limit: u64,
    used: AtomicU64,
}

/// Granted number of bytes; dropping it returns them.
#[derive(Debug)]
pub struct Reservation {
    budget: Budget,
    bytes: u64,
}

/// Error of a refused request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("needs {} MiB, but only {} MiB are left", .wanted.div_ceil(1 << 20), .left >> 20)]
pub struct OutOfMemory {
    /// Requested bytes.
    pub wanted: u64,
    /// Bytes that were left.
    pub left: u64,
}

impl Budget {
    /// Creates a budget of this many bytes.
    pub fn new(limit_bytes: u64) -> Self {
        Self(Arc::new(BudgetState { limit: limit_bytes, used: AtomicU64::new(0) }))
    }

    /// Reserves bytes before they are allocated.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the budget has fewer bytes left; nothing is reserved then.
    pub fn take(&self, bytes: u64) -> Result<Reservation, OutOfMemory> {
        let grant = |used: u64| used.checked_add(bytes).filter(|&sum| sum <= self.0.limit);
        // Relaxed: the count guards no other data.
        match self.0.used.try_update(Ordering::Relaxed, Ordering::Relaxed, grant) {
            Ok(_) => Ok(Reservation { budget: self.clone(), bytes }),
            Err(used) => {
                Err(OutOfMemory { wanted: bytes, left: self.0.limit.saturating_sub(used) })
            }
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        // Relaxed: see `Budget::take`.
        self.budget.0.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::Budget;

    #[test]
    fn a_budget_grants_what_it_has_and_takes_it_back() {
        let budget = Budget::new(100);
        let most = budget.take(90).unwrap();
        let refused = budget.take(11).unwrap_err();
        assert_eq!((refused.wanted, refused.left), (11, 10));
        drop(most);
        assert!(budget.take(100).is_ok());
        assert!(budget.take(u64::MAX).is_err());
    }
}
