//! Stub for builds without the `cluster` feature: its keys are refused with the reason, so the
//! settings of a run cannot be constructed and the functions cannot be called.

use crate::cluster_keys::KEYS;
use std::convert::Infallible;
use umbrail_session::domain::Task;
use umbrail_session::module::{Context, Prepared};
use umbrail_session::task_error::TaskError;

/// Reason for the refusal.
const WITHOUT: &str = "this build has no cluster; build it with the feature cluster";

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

pub(crate) fn survey_with_workers<M, C, S, J>(
    _: M,
    _: C,
    settings: &ClusterSettings,
    _: S,
    _: J,
) -> Result<(usize, Vec<String>), Infallible> {
    match *settings {}
}

pub(crate) fn compose_with_workers<I, G, W, S, J>(
    _: I,
    _: G,
    _: W,
    settings: &ClusterSettings,
    _: S,
    _: J,
) -> Result<Vec<String>, Infallible> {
    match *settings {}
}

pub(crate) fn solve_with_workers<P, K, R, C, W, S, T>(
    _: P,
    settings: &ClusterSettings,
    _: K,
    _: R,
    _: C,
    _: W,
    _: S,
) -> Result<T, Infallible> {
    match *settings {}
}

pub(crate) fn working<S>(_: &Task, _: S, _: &Context) -> Result<Prepared, TaskError> {
    Err(WITHOUT.into())
}
