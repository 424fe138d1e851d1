//! A memory budget: large blocks are reserved before they are allocated. What there is to grant is read in
//! [`available`].

mod available;
mod cgroup;
mod heap;
mod reserve;
mod watch;

#[cfg(all(target_os = "linux", target_env = "gnu"))]
use available::address_space_is_limited;
pub use available::{Available, MemoryLimit, available, available_bytes};
pub use reserve::{ReservingAllocator, fallibly, memory_is_short, refill_reserve};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// To be called when a program begins that has [`ReservingAllocator`]: fills the reserve, and keeps to the limits of address
/// space and control group.
pub fn keep_memory_limits() {
    reserve::spare_address_space();
    refill_reserve();
    watch::watch_control_group();
}

/// How many bytes a job may hold in large blocks; clones share the count.
#[derive(Clone, Debug)]
pub struct Budget(Arc<BudgetState>);

#[derive(Debug)]
struct BudgetState {
    limit: u64,
    used: AtomicU64,
}

/// A granted amount; dropping it gives the bytes back.
#[derive(Debug)]
pub struct Reservation {
    budget: Budget,
    bytes: u64,
}

/// Why a request was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    /// Bytes that were asked for.
    pub wanted: u64,
    /// Bytes that were left.
    pub left: u64,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mib = |bytes: u64| bytes.div_ceil(1 << 20);
        write!(f, "needs {} MiB, but only {} MiB are left", mib(self.wanted), self.left >> 20)
    }
}

impl std::error::Error for OutOfMemory {}

impl Budget {
    /// A budget of this many bytes.
    pub fn new(limit_bytes: u64) -> Self {
        Self(Arc::new(BudgetState { limit: limit_bytes, used: AtomicU64::new(0) }))
    }

    /// Reserves bytes before they are allocated.
    ///
    /// # Errors
    /// [`OutOfMemory`] when the budget does not hold that much; nothing is taken then.
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
