//! Tasks: the verbs of the solver modules, as jobs that use files, threads and other machines.
//!
//! - endgame tables ([`egt`]);
//! - shortest proof games ([`spg`]);
//! - Steno-Chess ([`steno`]);
//! - runs on several machines, for all three (`cluster`);
//! - types of the JSON records that tasks write ([`records`]);
//! - result files (`results.rs`);
//! - execution of any job, searches and benches included (`run_job.rs`).
//!
//! Each module is a [`SolverModule`] in [`MODULES`]. A verb checks the words of a
//! [`Task`](umbrail_session::Task) and prepares its work, which a job executes.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod bench;
mod cluster;
mod cluster_keys;
mod date;
pub mod egt;
#[cfg(not(feature = "cluster"))]
mod no_cluster;
pub mod records;
mod results;
mod run_job;
mod sequences;
pub mod spg;
pub mod steno;

pub use date::date;
pub use run_job::run;

use std::time::Instant;
use umbrail_session::{Options, Session, SolverModule};

/// Solver modules of this program.
pub const MODULES: &[SolverModule] = &[egt::MODULE, spg::MODULE, steno::MODULE];

/// Creates a conversation with these options and the modules of this program.
pub fn session(options: Options) -> Session {
    Session::new(options, MODULES, Instant::now())
}

#[cfg(test)]
mod tests;
