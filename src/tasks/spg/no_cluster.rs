//! What stands for the work on several machines in a build without it: a key that is refused with the reason.

use super::collected::Collected;
use super::problems::{PosedProblem, SolveSettings};
use crate::control::Control;
use crate::proof::run::{Persistence, RunControl, RunEvent};
use crate::session::domain::Task;
use crate::session::message::Message;
use crate::session::module::{Context, Prepared};
use crate::session::snapshot::ClusterPage;
use crate::session::task_error::TaskError;
use crate::tasks::cluster::settings::{ClusterSettings, WITHOUT};
use std::sync::Mutex;

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
