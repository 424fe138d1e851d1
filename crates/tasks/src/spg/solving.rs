//! Solves a problem: in this process, or with the workers of a cluster.

use super::cluster::solve_with_workers;
use super::collected::Collected;
use super::posed::PosedProblem;
use std::sync::Mutex;
use umbrail_control::Control;
use umbrail_proof::run::{Persistence, RunControl, RunEvent, solve};
use umbrail_session::job_context::JobContext;
use umbrail_session::message::Message;
use umbrail_session::snapshot::ClusterPage;

/// Solves a problem. A server that cannot be used is one of the troubles. What is seen of a cluster is written to `page`.
pub(super) fn solve_anywhere(
    posed: &PosedProblem,
    keeping: Persistence<'_>,
    run_control: &RunControl,
    control: &Control<'_, RunEvent>,
    job: &JobContext<'_>,
    page: &Mutex<Option<ClusterPage>>,
) -> Collected {
    let Some(settings) = &posed.cluster else {
        let report = solve(&posed.problem, &posed.params, run_control, keeping, control);
        return Collected { report, troubles: vec![] };
    };
    let write = |message: Message| job.message(message);
    let mut collected =
        solve_with_workers(posed, settings, keeping, run_control, control, &write, page)
            .unwrap_or_else(|why| Collected {
                troubles: vec![why.to_string()],
                ..Collected::default()
            });
    collected.report.taken.claims = keeping.done.map_or(0, |done| done.len() as u64);
    collected
}
