//! Collection of a run beside a worker in the same process.

use super::settings::ClusterSettings;
use std::time::{Duration, Instant};
use umbrail_cluster::{
    AUDIT_WAIT, ClusterError, CollectedRun, Collection, CollectionEnd, CollectionEvent, Collector,
    OpenRun, Server,
};
use umbrail_control::Cancel;

/// Pause before a worker joins its run again, after the server lost the record of the run.
const REJOIN: Duration = Duration::from_secs(1);

/// Opens a run and collects it, while `work` takes units in a thread of its own unless the settings
/// forbid that. `work` ends when it cannot join the run, or when `cancel` is raised. Closes a run
/// that is over.
///
/// # Errors
/// The reason why the server does not open the run.
pub(crate) fn collect(
    (server, run): (&Server, &OpenRun),
    settings: &ClusterSettings,
    collected: &mut dyn CollectedRun,
    (work, cancel): (impl Fn() + Send, &Cancel),
    is_over: &dyn Fn() -> bool,
    notify: &mut dyn FnMut(CollectionEvent),
) -> Result<CollectionEnd, ClusterError> {
    let mut collector = Collector::open(server, run, is_over)?;
    let collection = Collection::new(&run.name, settings.lease, settings.audit);
    let work = move || {
        while !cancel.is_raised() {
            work();
            if !cancel.is_raised() {
                std::thread::sleep(REJOIN);
            }
        }
    };
    let end = std::thread::scope(|scope| {
        let worker = (!settings.collects_only)
            .then(|| std::thread::Builder::new().spawn_scoped(scope, work).ok())
            .flatten();
        let end = collection.collect(collected, &mut collector, is_over, notify);
        cancel.raise();
        let _ = worker.map(std::thread::ScopedJoinHandle::join);
        end
    });
    // A run with a wrong result is not kept on the server.
    if end.is_over {
        let began = Instant::now();
        collector.close(&|| began.elapsed() > AUDIT_WAIT);
    }
    Ok(end)
}
