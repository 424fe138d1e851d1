//! What stands for the settings of several machines in a build without them: keys that are refused with the reason.

use crate::session::domain::Task;
use crate::session::task_error::TaskError;

/// Why.
pub(super) const WITHOUT: &str = "this build has no cluster; build it with the feature cluster";

/// No setting is possible.
#[derive(Clone, Debug)]
pub(super) enum ClusterSettings {}

impl ClusterSettings {
    pub(super) fn of(task: &Task, url: &str) -> Result<Option<Self>, TaskError> {
        let keys = ["no-work", "audit", "lease", "cluster-credentials"];
        match url.is_empty() && keys.iter().all(|key| task.key(key).is_none()) {
            true => Ok(None),
            false => Err(WITHOUT.into()),
        }
    }
}
