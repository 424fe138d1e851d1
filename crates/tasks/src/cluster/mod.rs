//! Work on several machines, shared by all modules: keys and settings, and runs with a fixed list
//! of units. The code for runs of proof games is in `spg/cluster.rs`, because their units come from
//! a tree.

#[cfg(feature = "cluster")]
pub(super) mod audits;
pub(super) mod keys;
#[cfg(feature = "cluster")]
pub(super) mod list_collector;
#[cfg(feature = "cluster")]
pub(super) mod list_run;
#[cfg(not(feature = "cluster"))]
pub(super) mod no_settings;
#[cfg(feature = "cluster")]
pub(super) mod settings;
#[cfg(feature = "cluster")]
pub(super) mod status;
#[cfg(feature = "cluster")]
pub(super) mod worker_name;

#[cfg(not(feature = "cluster"))]
pub(super) use no_settings as settings;

/// Maximum number of units in the queue of a run.
#[cfg(feature = "cluster")]
pub(super) const ROOM: i64 = 1024;

/// Time without results after which units that no worker has are queued again.
#[cfg(feature = "cluster")]
pub(super) const SILENCE: std::time::Duration = std::time::Duration::from_secs(2);

/// Time without results after which the absence of workers is reported.
#[cfg(feature = "cluster")]
pub(super) const LONELY: std::time::Duration = std::time::Duration::from_secs(5);
