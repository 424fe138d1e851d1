//! What stands for the work on several machines in a build without it: a key that is refused with the reason.

use super::collected::Collected;
use super::problems::{PosedProblem, SolveSettings};
use crate::cluster::settings::{ClusterSettings, WITHOUT};
use std::sync::Mutex;
use umbrail_control::Control;
use umbrail_proof::run::{Persistence, RunControl, RunEvent};
use umbrail_session::domain::Task;
use umbrail_session::message::Message;
use umbrail_session::module::{Context, Prepared};
use umbrail_session::snapshot::ClusterPage;
use umbrail_session::task_error::TaskError;

pub(super) fn solve_with_workers(
    _: &PosedProblem,
    settings: &ClusterSettings,
    _: Persistence<'_>,
    _: &RunControl,
    _: &Control<'_, RunEvent>,
    _: &(dyn Fn(Message) + Sync),
    _: &Mutex<Option<ClusterPage>>,
) -> Result<Collected, String> {
    match *settings {}
}

pub(super) fn working(_: &Task, _: SolveSettings, _: &Context) -> Result<Prepared, TaskError> {
    Err(WITHOUT.into())
}
