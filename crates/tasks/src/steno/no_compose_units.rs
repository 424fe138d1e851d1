//! Stub for builds without the `cluster` feature; its settings cannot be constructed.

use super::Inputs;
use crate::cluster::settings::ClusterSettings;
use umbrail_session::job_context::JobContext;
use umbrail_steno::compose::{ComposeOptions, Composed};
use umbrail_steno::game::Game;

pub(super) fn compose_with_workers(
    _: &Inputs,
    _: &[Game],
    _: &ComposeOptions,
    settings: &ClusterSettings,
    _: &mut dyn FnMut(usize, &Composed),
    _: &JobContext<'_>,
) -> Result<ListEnd, String> {
    match *settings {}
}

/// End of a run.
pub(super) struct ListEnd {
    pub(super) troubles: Vec<String>,
}
