//! Stub for builds without the `cluster` feature; its settings cannot be constructed.

use crate::cluster::settings::ClusterSettings;
use umbrail_session::job_context::JobContext;
use umbrail_session::table_store::TableConfig;
use umbrail_tables::{Material, Statistics};

pub(super) fn survey_with_workers(
    _: &[Material],
    _: &TableConfig,
    settings: &ClusterSettings,
    _: &mut dyn FnMut(&Statistics),
    _: &JobContext<'_>,
) -> Result<(usize, Vec<String>), String> {
    match *settings {}
}
