//! Training tools of the command line: self-play games (`datagen`), openings (`genfens`), networks (`train`), and fits of
//! the evaluation (`tune`), of the win model (`wdl`) and of the search (`spsa`).
//!
//! Each module has the arguments of one subcommand and a function that returns its exit status.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod book;
pub mod datagen;
pub mod genfens;
mod records;
pub mod spsa;
pub mod train;
pub mod tune;
pub mod wdl;
