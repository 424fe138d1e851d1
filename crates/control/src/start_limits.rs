//! State that a process inherits from its parent: closed output, a small stack, limits.

#[cfg(unix)]
use std::ffi::c_int;

/// Returns true if the process was started without standard output (`umbrail … >&-`). Rust then
/// opens the null device in its place, where all results would be lost without an error.
pub fn stdout_was_closed() -> bool {
    #[cfg(target_os = "linux")]
    return at_start::stdout_was_closed();
    #[cfg(not(target_os = "linux"))]
    false
}

#[cfg(target_os = "linux")]
mod at_start {
    use std::ffi::c_int;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Written once, before `main`. Relaxed: there is only one thread then.
    static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

    /// `F_GETFD` of `fcntl.h`.
    const GET_FLAGS: c_int = 1;
    /// File number of standard output.
    const STDOUT: c_int = 1;
    unsafe extern "C" {
        fn fcntl(file: c_int, command: c_int, ...) -> c_int;
    }

    extern "C" fn look() {
        // SAFETY: the call reads the flags of a file number, which need not be open.
        let flags = unsafe { fcntl(STDOUT, GET_FLAGS) };
        WAS_CLOSED.store(flags == -1, Ordering::Relaxed);
    }

    // SAFETY: the loader calls each function of this section once, before `main` and before the
    // standard library opens the null device; `look` needs nothing that is initialized later.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;

    pub(super) fn stdout_was_closed() -> bool {
        WAS_CLOSED.load(Ordering::Relaxed)
    }
}

/// Smallest stack of the main thread that the program runs on, bytes. The usual one has 8 MiB.
const STACK_BYTES_MIN: u64 = 1 << 20;

/// Returns true if the main thread has too little stack for the program (`ulimit -s`).
pub fn stack_is_small() -> bool {
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    return soft_limit(STACK).is_some_and(|bytes| bytes < STACK_BYTES_MIN);
    #[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
    {
        let _ = STACK_BYTES_MIN;
        false
    }
}

/// `RLIMIT_STACK` of `sys/resource.h`.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
const STACK: c_int = 3;

/// Returns the soft limit of a resource of `sys/resource.h`; none if it cannot be read.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn soft_limit(resource: c_int) -> Option<u64> {
    /// `struct rlimit` of `sys/resource.h` on systems with 64 bits.
    #[repr(C)]
    struct Limit {
        soft: u64,
        hard: u64,
    }
    unsafe extern "C" {
        fn getrlimit(resource: c_int, limit: *mut Limit) -> c_int;
    }
    let mut limit = Limit { soft: 0, hard: 0 };
    // SAFETY: the function writes two numbers into a block of their layout.
    let result = unsafe { getrlimit(resource, &raw mut limit) };
    (result == 0).then_some(limit.soft)
}

/// Makes a write beyond the limit of file sizes (`ulimit -f`) an error of this write, in place of a
/// signal that ends the process without a message. To be called before the first write.
pub fn ignore_file_size_signal() {
    #[cfg(unix)]
    {
        /// `SIGXFSZ` of `signal.h`.
        const FILE_SIZE: c_int = 25;
        /// `SIG_IGN` of `signal.h`.
        const IGNORE: usize = 1;
        unsafe extern "C" {
            fn signal(number: c_int, handler: usize) -> usize;
        }
        // SAFETY: the call sets the handling of one signal, and installs no handler.
        unsafe { signal(FILE_SIZE, IGNORE) };
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_usual_process_has_its_output_and_its_stack() {
        assert!(!super::stdout_was_closed() && !super::stack_is_small());
    }
}
