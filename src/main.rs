//! The program: arguments in, exit status out.

mod cli;

use std::process::ExitCode;
use umbrail::control::{
    BuiltFrom, ReservingAllocator, ignore_file_size_signal, keep_memory_limits, print_error,
    stack_is_small,
};
use umbrail::server::STATUS_SYSTEM;

/// Memory that is refused ends the work, not the process.
#[global_allocator]
static ALLOCATOR: ReservingAllocator = ReservingAllocator;

fn main() -> ExitCode {
    ignore_file_size_signal();
    if !stack_is_small() {
        return work();
    }
    // A thread has a stack of its own size.
    match std::thread::Builder::new().name("main".to_owned()).stack_size(STACK_BYTES).spawn(work) {
        Ok(thread) => thread.join().unwrap_or(ExitCode::from(STATUS_INTERNAL)),
        Err(error) => {
            print_error!(
                "umbrail: cannot start: the stack is too small (ulimit -s), and the system starts no thread: {error}"
            );
            ExitCode::from(STATUS_SYSTEM)
        }
    }
}

/// Exit status of a panic.
const STATUS_INTERNAL: u8 = 70;
/// Stack in place of one that is too small, bytes; the usual size of Linux.
const STACK_BYTES: usize = 8 << 20;

fn work() -> ExitCode {
    let (commit, rustc) = (option_env!("UMBRAIL_COMMIT"), option_env!("UMBRAIL_RUSTC"));
    let kernel = Some(umbrail::search::Kernel::best().name());
    let is_released = option_env!("UMBRAIL_RELEASED").is_some();
    BuiltFrom { commit, rustc, target: option_env!("UMBRAIL_TARGET"), kernel, is_released }
        .register();
    keep_memory_limits();
    ExitCode::from(cli::run(std::env::args_os()))
}
