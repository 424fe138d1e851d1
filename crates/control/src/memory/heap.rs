//! Allocator below [`super::ReservingAllocator`]: the system's, except with musl, whose allocator
//! has one lock for all threads. Solvers that allocate in several threads took 1.6 to 2.3 times the
//! processor time there (`docs/measurements/packages.csv`). With musl it is mimalloc, unless
//! address space or data are limited (`ulimit -v`, `ulimit -d`): mimalloc reserves both in large
//! steps that are hardly used at first.

#[cfg(target_env = "musl")]
pub(super) use chosen::Heap;
#[cfg(not(target_env = "musl"))]
pub(super) use std::alloc::System as Heap;

#[cfg(target_env = "musl")]
mod chosen {
    use mimalloc::MiMalloc;
    use std::alloc::{GlobalAlloc, Layout, System};
    use std::ffi::c_int;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// True if address space or data are limited: all blocks come from the system's allocator.
    /// Written once, before the first allocation, so that each block returns to its allocator.
    /// Relaxed: there is only one thread then.
    static IS_LIMITED: AtomicBool = AtomicBool::new(false);

    /// `struct rlimit` of `sys/resource.h`, bytes.
    #[repr(C)]
    struct Limit {
        soft: u64,
        hard: u64,
    }
    const RLIMIT_DATA: c_int = 2;
    const RLIMIT_AS: c_int = 9;
    unsafe extern "C" {
        fn getrlimit(resource: c_int, limit: *mut Limit) -> c_int;
    }

    extern "C" fn choose() {
        let is_limited = [RLIMIT_DATA, RLIMIT_AS].into_iter().any(|resource| {
            let mut limit = Limit { soft: u64::MAX, hard: u64::MAX };
            // SAFETY: the function writes two numbers into a block of their layout.
            unsafe { getrlimit(resource, &raw mut limit) == 0 && limit.soft != u64::MAX }
        });
        IS_LIMITED.store(is_limited, Ordering::Relaxed);
    }

    // SAFETY: the loader calls each function of this section once, before `main`; `choose` needs
    // nothing that is initialized later.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static CHOOSE: extern "C" fn() = choose;

    /// Either mimalloc or the system's allocator, see the module documentation.
    pub(in super::super) struct Heap;

    // SAFETY: each method passes its contract on to one allocator, which does not change during the
    // life of the process.
    unsafe impl GlobalAlloc for Heap {
        #[inline]
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            // SAFETY: the caller's contract is that of both.
            unsafe {
                match IS_LIMITED.load(Ordering::Relaxed) {
                    true => System.alloc(layout),
                    false => MiMalloc.alloc(layout),
                }
            }
        }

        #[inline]
        unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
            // SAFETY: as in `alloc`.
            unsafe {
                match IS_LIMITED.load(Ordering::Relaxed) {
                    true => System.alloc_zeroed(layout),
                    false => MiMalloc.alloc_zeroed(layout),
                }
            }
        }

        #[inline]
        unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
            // SAFETY: as in `alloc`.
            unsafe {
                match IS_LIMITED.load(Ordering::Relaxed) {
                    true => System.dealloc(block, layout),
                    false => MiMalloc.dealloc(block, layout),
                }
            }
        }

        #[inline]
        unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
            // SAFETY: as in `alloc`.
            unsafe {
                match IS_LIMITED.load(Ordering::Relaxed) {
                    true => System.realloc(block, layout, size),
                    false => MiMalloc.realloc(block, layout, size),
                }
            }
        }
    }
}
