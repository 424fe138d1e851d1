//! Relaxations: one side alone (B3), and subsets of the pieces of both sides (B4).

pub(crate) mod bfs;
pub(crate) mod cache;
pub(crate) mod dfs;
pub(crate) mod feasibility;
pub(crate) mod frontier;
pub(crate) mod side;
pub(crate) mod subset;
