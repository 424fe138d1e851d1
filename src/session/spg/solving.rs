//! Solves a problem: in this process, or with the workers of a cluster.

use super::cluster::solve_with_workers;
use super::collected::Collected;
use super::problems::PosedProblem;
use crate::control::Control;
use crate::proof::run::{Fact, Persistence, RunControl, solve};
use crate::session::message::Message;
use crate::session::snapshot::ClusterPage;
use crate::session::stage::Stage;
use std::sync::Mutex;

/// Solves a problem. A server that cannot be used is one of the troubles. What is seen of a cluster is written to `page`.
pub(super) fn solve_anywhere(
    posed: &PosedProblem,
    keeping: Persistence<'_>,
    run_control: &RunControl,
    control: &Control<'_, Fact>,
    stage: &Stage<'_>,
    page: &Mutex<Option<ClusterPage>>,
) -> Collected {
    let Some(settings) = &posed.cluster else {
        let report = solve(&posed.problem, &posed.params, run_control, keeping, control);
        return Collected { report, troubles: vec![] };
    };
    let say = |message: Message| stage.message(message);
    solve_with_workers(posed, settings, keeping, run_control, control, &say, page)
        .unwrap_or_else(|why| Collected { troubles: vec![why], ..Collected::default() })
}
