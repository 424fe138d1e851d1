//! What is known at the end of a run, wherever it was carried out.

use umbrail_proof::run::RunReport;

/// What is known at the end of a run.
#[derive(Debug, Default)]
pub(super) struct Collected {
    pub(super) report: RunReport,
    /// Why it is not complete, beyond being stopped.
    pub(super) troubles: Vec<String>,
}
