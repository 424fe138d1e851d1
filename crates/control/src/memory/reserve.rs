//! Out-of-memory handling: running work stops, but the process continues.
//!
//! Large blocks are sized by [`super::available`] and allocated in [`fallibly`]. All other
//! allocations of Rust cannot fail: the process would abort. The program therefore keeps a reserve.
//! When an allocation is refused, the reserve is freed and the allocation is retried. Every
//! [`crate::Cancel`] counts as raised until the reserve is refilled: the running job ends with its
//! partial result. If the allocation still fails, the process ends with a message and
//! [`STATUS_NO_MEMORY`].

use super::heap::Heap;
use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::time::Duration;

/// Exit status if there is no memory to continue (`EX_OSERR` of `sysexits.h`).
const STATUS_NO_MEMORY: i32 = 71;

/// Size of the reserve, bytes: enough for a job to notice that it must stop and to report its
/// partial result.
const RESERVE_BYTES: usize = 6 << 20;
const RESERVE: Layout = match Layout::from_size_align(RESERVE_BYTES, 4096) {
    Ok(layout) => layout,
    Err(_) => panic!("a power of two"),
};

/// Number of retries of a refused thread, and the pause before each, during which other threads may
/// free memory.
const WAITS: u32 = 100;
const WAIT: Duration = Duration::from_millis(10);

static IS_SHORT: AtomicBool = AtomicBool::new(false);
static RESERVED: AtomicPtr<u8> = AtomicPtr::new(null_mut());

thread_local! {
    /// True while the thread can handle a refused allocation.
    static FALLIBLE: Cell<bool> = const { Cell::new(false) };
}

/// Allocator of `heap.rs` with a reserve, for programs; see the module documentation.
#[derive(Debug)]
pub struct ReservingAllocator;

// SAFETY: every block comes from `Heap` and returns to it with the layout that the caller gave.
unsafe impl GlobalAlloc for ReservingAllocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`, which is that of `Heap`.
        let ask = || unsafe { Heap.alloc(layout) };
        granted(ask(), layout.size(), &ask)
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as in `alloc`.
        let ask = || unsafe { Heap.alloc_zeroed(layout) };
        granted(ask(), layout.size(), &ask)
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as in `alloc`.
        unsafe { Heap.dealloc(block, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as in `alloc`; a block that could not be moved is unchanged for the next try.
        let ask = || unsafe { Heap.realloc(block, layout, size) };
        granted(ask(), size, &ask)
    }
}

#[inline]
fn granted(block: *mut u8, size: usize, ask: &dyn Fn() -> *mut u8) -> *mut u8 {
    if block.is_null() { refused(size, ask) } else { block }
}

#[cold]
fn refused(size: usize, ask: &dyn Fn() -> *mut u8) -> *mut u8 {
    // A thread that is ending no longer has this cell.
    if FALLIBLE.try_with(Cell::get).unwrap_or(false) {
        return null_mut();
    }
    raise_shortage();
    for _ in 0..WAITS {
        let block = ask();
        if !block.is_null() {
            return block;
        }
        std::thread::sleep(WAIT);
    }
    // Writing to standard error does not allocate.
    crate::print_error!(
        "umbrail: out of memory: the system refuses {} KiB; reduce Hash, SPG Memory, EGT Memory, --memory or \
         Threads, or raise the limit",
        size.div_ceil(1 << 10)
    );
    std::process::exit(STATUS_NO_MEMORY)
}

/// Stops all work, see the module documentation.
pub(super) fn raise_shortage() {
    // Relaxed: the flag guards no other data.
    IS_SHORT.store(true, Ordering::Relaxed);
    free_reserve();
}

fn free_reserve() {
    let block = RESERVED.swap(null_mut(), Ordering::AcqRel);
    if !block.is_null() {
        // SAFETY: `refill_reserve` has allocated the block with this layout; the swap gives it to
        // this thread alone.
        unsafe { Heap.dealloc(block, RESERVE) }
    }
}

/// Returns true if an allocation was refused since the reserve was filled; work must then stop.
#[inline]
pub fn memory_is_short() -> bool {
    // Relaxed: the flag guards no other data.
    IS_SHORT.load(Ordering::Relaxed)
}

/// Ends the shortage and allocates the reserve, if the system grants it. To be called before and
/// after each job. Programs without [`ReservingAllocator`] do not need this function.
pub fn refill_reserve() {
    if RESERVED.load(Ordering::Acquire).is_null() {
        // SAFETY: the layout has a size other than 0.
        let block = unsafe { Heap.alloc(RESERVE) };
        let filled =
            RESERVED.compare_exchange(null_mut(), block, Ordering::AcqRel, Ordering::Acquire);
        if filled.is_err() && !block.is_null() {
            // SAFETY: allocated above, with this layout, and not stored anywhere.
            unsafe { Heap.dealloc(block, RESERVE) }
        }
    }
    IS_SHORT.store(false, Ordering::Relaxed);
}

/// Runs `work`, in which a refused allocation is an ordinary error (`try_reserve`) and not a
/// shortage.
pub fn fallibly<T>(work: impl FnOnce() -> T) -> T {
    /// Guard that restores the previous value, also if the work panics.
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            FALLIBLE.set(self.0);
        }
    }
    let _before = Before(FALLIBLE.replace(true));
    work()
}

/// Limits the C library to one heap if the address space is limited, since it would reserve 64 MiB
/// for each thread. To be called before threads are started.
pub(super) fn spare_address_space() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if super::address_space_is_limited() {
        unsafe extern "C" {
            fn mallopt(parameter: std::ffi::c_int, value: std::ffi::c_int) -> std::ffi::c_int;
        }
        /// `M_ARENA_MAX` of `malloc.h`.
        const ARENA_MAX: std::ffi::c_int = -8;
        // SAFETY: the function sets one number of the allocator, under its own lock.
        unsafe { mallopt(ARENA_MAX, 1) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_an_answer_where_it_was_expected() {
        assert!(fallibly(|| refused(1, &|| null_mut())).is_null());
        let panics = std::panic::catch_unwind(|| fallibly(|| panic!("as expected")));
        assert!(panics.is_err() && !FALLIBLE.get());
    }

    /// Single test, since all threads share the reserve.
    #[test]
    fn a_refusal_frees_the_reserve_and_stops_work() {
        refill_reserve();
        assert!(!memory_is_short() && !RESERVED.load(Ordering::Relaxed).is_null());
        let mut byte = 0u8;
        let block: *mut u8 = &raw mut byte;
        let ask = || match RESERVED.load(Ordering::Relaxed).is_null() {
            true => block,
            false => null_mut(),
        };
        assert_eq!(granted(ask(), 1, &ask), block);
        assert!(memory_is_short() && RESERVED.load(Ordering::Relaxed).is_null());
        assert!(crate::Cancel::default().is_raised());
        refill_reserve();
        assert!(!memory_is_short() && !crate::Cancel::default().is_raised());
    }
}
