//! The allocator below [`super::ReservingAllocator`]: the system's, except with musl, whose allocator has one lock for all
//! threads (solvers that allocate in several threads took 1.6 to 2.3 times the processor time there; see
//! `docs/packages-figures.md`). There it is mimalloc, told to take address space in small steps.

#[cfg(target_env = "musl")]
pub(super) use mimalloc::MiMalloc as Heap;
#[cfg(not(target_env = "musl"))]
pub(super) use std::alloc::System as Heap;

/// Takes effect before the first block is asked for, which may be before `main`: an arena of 1 GiB, mimalloc's default,
/// counts against limits of address space and data (`ulimit -v`, `ulimit -d`) although hardly any of it is used.
#[cfg(target_env = "musl")]
mod steps {
    use libmimalloc_sys::{_mi_option_last, mi_option_set, mi_option_t};

    /// `mi_option_arena_reserve` of `mimalloc.h`: the step by which address space is taken, KiB.
    const ARENA_RESERVE: mi_option_t = 23;
    const ARENA_RESERVE_KIB: std::ffi::c_long = 32 << 10;
    /// `mi_option_arena_max_object_size`: larger blocks come from the system, and go back to it when they are freed, KiB.
    const ARENA_MAX_OBJECT: mi_option_t = 45;
    const ARENA_MAX_OBJECT_KIB: std::ffi::c_long = 4 << 10;
    /// The numbers are those of this list of options; another version may number them in another way.
    const _: () = assert!(_mi_option_last == 47);

    extern "C" fn set() {
        // SAFETY: the function stores a number in an array of the allocator, which is there before any code runs.
        unsafe {
            mi_option_set(ARENA_RESERVE, ARENA_RESERVE_KIB);
            mi_option_set(ARENA_MAX_OBJECT, ARENA_MAX_OBJECT_KIB);
        }
    }

    // SAFETY: the loader calls each function of this section once, before `main`; `set` needs nothing that is made later.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static SET: extern "C" fn() = set;
}
