//! Text files: problem sheets to be solved, archives of runs, and lists of strategies.

pub mod archive;
pub mod sheet;
pub mod strategy_file;
