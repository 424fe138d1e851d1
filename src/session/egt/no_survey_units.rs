//! Stub for builds without the `cluster` feature; its settings cannot be constructed.

use super::config::TableConfig;
use crate::session::cluster::settings::ClusterSettings;
use crate::session::job_context::JobContext;
use crate::tables::{Material, Statistics};

pub(super) fn survey_with_workers(
    _: &[Material],
    _: &TableConfig,
    settings: &ClusterSettings,
    _: &mut dyn FnMut(&Statistics),
    _: &JobContext<'_>,
) -> Result<(usize, Vec<String>), String> {
    match *settings {}
}
