//! Stub for builds without the `cluster` feature: its keys are refused with the reason.

use super::keys::KEYS;
use umbrail_session::domain::Task;
use umbrail_session::task_error::TaskError;

/// Reason for the refusal.
pub(crate) const WITHOUT: &str = "this build has no cluster; build it with the feature cluster";

/// Settings, which cannot be constructed.
#[derive(Clone, Debug)]
pub(crate) enum ClusterSettings {}

impl ClusterSettings {
    pub(crate) fn of(task: &Task, url: &str) -> Result<Option<Self>, TaskError> {
        match url.is_empty() && KEYS.iter().all(|key| task.key(key.name).is_none()) {
            true => Ok(None),
            false => Err(WITHOUT.into()),
        }
    }
}
