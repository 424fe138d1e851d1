//! Text files: problem sheets to be solved, Popeye's input, archives of runs, and lists of strategies.

pub mod archive;
mod board_change;
pub mod popeye;
pub mod sheet;
pub mod strategy_file;
