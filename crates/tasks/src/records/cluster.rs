//! Records of runs on several machines.

use super::kinds;
use serde::{Deserialize, Serialize};

kinds! {
    ClusterRecord => "cluster",
    ClusterRun => "run",
    ClusterUnits => "units",
    ClusterWorker => "worker",
    AuditRecord => "audit",
    WorkerEnd => "end",
    ServerEnd => "end",
}

/// State of a run on several machines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClusterRecord {
    /// Units done.
    pub units: u64,
    /// Units that are not done.
    pub open: u64,
    /// Units that wait.
    pub queued: u64,
    /// Units in progress.
    pub working: u64,
    /// Units per second.
    pub per_second: u64,
    /// Finished claims, of proof games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claims: Option<u64>,
    /// Finished endgames or games, of a survey or a composer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished: Option<u64>,
    /// Units done twice and compared.
    pub audited: u64,
    /// Number of workers.
    pub workers: u64,
    /// Number of claims, endgames or games, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<u64>,
    /// Estimated time to the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_ms: Option<u64>,
}

/// Units of a run on several machines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClusterUnits {
    /// Units done by the workers.
    pub units: u64,
    /// Median of the time of a unit.
    #[serde(alias = "median-ms")]
    pub median_ms: u64,
    /// 90th percentile of the time of a unit.
    #[serde(alias = "p90-ms")]
    pub p90_ms: u64,
    /// Longest time of a unit.
    #[serde(alias = "max-ms")]
    pub max_ms: u64,
    /// Units done twice and compared.
    pub audited: u64,
}

/// State of a worker of a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterWorker {
    /// Name.
    pub name: String,
    /// Run that it works on; empty without one.
    pub run: String,
    /// Number of threads.
    pub threads: u64,
    /// Units done.
    pub units: u64,
    /// Units in progress.
    pub at: Vec<UnitInProgress>,
}

/// A unit that a worker runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitInProgress {
    /// Text of the unit.
    pub unit: String,
    /// Time since its start.
    pub elapsed_ms: u64,
}

/// State of a run of a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterRun {
    /// Name.
    pub name: String,
    /// Waiting units.
    pub queued: u64,
    /// Units in progress.
    pub working: u64,
    /// Results.
    pub results: u64,
}

/// Extent of the audits of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRecord {
    /// Units that a second worker confirmed.
    pub confirmed_units: u64,
    /// Units of the run.
    pub units: u64,
    /// Strategies in confirmed units, of proof games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmed_strategies: Option<u64>,
    /// Strategies of the run, of proof games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategies: Option<u64>,
}

/// End of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerEnd {
    /// Units that it did.
    pub units: u64,
}

/// End of `umbrail worker --status`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerEnd {
    /// Open runs.
    pub runs: u64,
    /// Connected workers.
    pub workers: u64,
}
