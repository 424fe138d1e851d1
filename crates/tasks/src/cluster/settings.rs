//! Keys and options for work on several machines.

use crate::cluster_keys::USE;
use std::time::Duration;
use umbrail_cluster::Address;
use umbrail_session::domain::Task;
use umbrail_session::task_error::TaskError;

/// Time without a heartbeat after which a unit is handed out again.
const LEASE: Duration = Duration::from_secs(60);

/// Use of a cluster by a run.
#[derive(Clone, Debug)]
pub(crate) struct ClusterSettings {
    pub(crate) address: Address,
    /// This process collects only.
    pub(crate) collects_only: bool,
    /// Share of units that a second worker repeats, in millionths.
    pub(crate) audit: u64,
    pub(crate) lease: Duration,
}

impl ClusterSettings {
    /// Reads the keys for a run at this server; `None` when there is no server.
    ///
    /// # Errors
    /// The key that cannot be used, and the accepted values.
    pub(crate) fn of(task: &Task, url: &str) -> Result<Option<Self>, TaskError> {
        if url.is_empty() {
            if let Some(key) = USE.iter().map(|key| key.name).find(|key| task.key(key).is_some()) {
                return Err(format!("{key} requires the key cluster").into());
            }
            return Ok(None);
        }
        let audit = match task.key("audit") {
            None => 0,
            Some(text) => {
                let percent = text.strip_suffix('%').unwrap_or(text).parse::<f64>().ok();
                let percent = percent.filter(|percent| (0.0..=100.0).contains(percent));
                (percent.ok_or_else(|| {
                    TaskError::expects("audit", "a percentage such as 5%").got(text)
                })? * 1e4) as u64
            }
        };
        let lease =
            match task.key("lease") {
                None => LEASE,
                Some(text) => {
                    let seconds =
                        text.parse::<u64>().ok().filter(|seconds| (1..=86_400).contains(seconds));
                    Duration::from_secs(seconds.ok_or_else(|| {
                        TaskError::expects("lease", "seconds, 1 to 86400").got(text)
                    })?)
                }
            };
        let address = address(task, url)?;
        let collects_only = task.key("no-work").is_some();
        Ok(Some(Self { address, collects_only, audit, lease }))
    }
}

/// Returns the address of the server, with its credentials.
pub(crate) fn address(task: &Task, url: &str) -> Result<Address, TaskError> {
    let variable = |name: &str| std::env::var(name).ok();
    Address::of(url, task.key("cluster-credentials"), &variable)
        .map_err(|error| error.to_string().into())
}
