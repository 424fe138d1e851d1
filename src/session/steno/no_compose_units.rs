//! What stands for composing on several machines in a build without it; its settings cannot be made.

use super::Inputs;
use crate::session::cluster::settings::ClusterSettings;
use crate::session::stage::Stage;
use crate::steno::compose::{ComposeOptions, Composed};
use crate::steno::game::Game;

pub(super) fn compose_with_workers(
    _: &Inputs,
    _: &[Game],
    _: &ComposeOptions,
    settings: &ClusterSettings,
    _: &mut dyn FnMut(usize, &Composed),
    _: &Stage<'_>,
) -> Result<ListEnd, String> {
    match *settings {}
}

/// How a run ended.
pub(super) struct ListEnd {
    pub(super) troubles: Vec<String>,
}
