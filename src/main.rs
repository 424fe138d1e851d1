//! The program: arguments in, exit status out.

mod cli;

use std::process::ExitCode;
use umbrail::control::{ReservingAllocator, keep_memory_limits};

/// Memory that is refused ends the work, not the process.
#[global_allocator]
static ALLOCATOR: ReservingAllocator = ReservingAllocator;

fn main() -> ExitCode {
    keep_memory_limits();
    ExitCode::from(cli::run(std::env::args_os()))
}
