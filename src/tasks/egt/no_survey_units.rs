//! Stub for builds without the `cluster` feature; its settings cannot be constructed.

use crate::session::job_context::JobContext;
use crate::session::table_store::TableConfig;
use crate::tables::{Material, Statistics};
use crate::tasks::cluster::settings::ClusterSettings;

pub(super) fn survey_with_workers(
    _: &[Material],
    _: &TableConfig,
    settings: &ClusterSettings,
    _: &mut dyn FnMut(&Statistics),
    _: &JobContext<'_>,
) -> Result<(usize, Vec<String>), String> {
    match *settings {}
}
