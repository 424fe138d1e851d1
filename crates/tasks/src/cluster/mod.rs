//! Work on several machines, shared by all modules: settings, and runs with a fixed list
//! of units. The code for runs of proof games is in `spg/cluster.rs`, because their units come from
//! a tree.

#[cfg(feature = "cluster")]
pub(super) mod collect;
#[cfg(feature = "cluster")]
pub(super) mod list_collector;
#[cfg(feature = "cluster")]
pub(super) mod list_run;
#[cfg(feature = "cluster")]
pub(super) mod settings;
#[cfg(feature = "cluster")]
pub(super) mod status;
#[cfg(feature = "cluster")]
pub(super) mod worker_name;

#[cfg(not(feature = "cluster"))]
pub(super) use super::no_cluster as settings;

/// Maximum number of units in the queue of a run.
#[cfg(feature = "cluster")]
pub(super) const ROOM: i64 = 1024;
