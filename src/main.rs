//! The program: arguments in, exit status out.

mod cli;

use std::process::ExitCode;
use umbrail::control::{BuiltFrom, ReservingAllocator, keep_memory_limits};

/// Memory that is refused ends the work, not the process.
#[global_allocator]
static ALLOCATOR: ReservingAllocator = ReservingAllocator;

fn main() -> ExitCode {
    let (commit, rustc) = (option_env!("UMBRAIL_COMMIT"), option_env!("UMBRAIL_RUSTC"));
    BuiltFrom { commit, rustc, target: option_env!("UMBRAIL_TARGET") }.register();
    keep_memory_limits();
    ExitCode::from(cli::run(std::env::args_os()))
}
