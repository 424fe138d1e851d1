//! A problem with its result, as exports write it.

use super::{Credits, Notation, Verdict};
use crate::problem::Problem;
use crate::run::RunReport;

/// A problem that was worked on, as an export writes it.
#[derive(Clone, Copy, Debug)]
pub struct SolvedProblem<'a> {
    /// What was asked.
    pub problem: &'a Problem,
    /// Its title and comments.
    pub credits: Credits<'a>,
    /// What was found.
    pub report: &'a RunReport,
    /// What that proves.
    pub verdict: &'a Verdict,
    /// How games are written, where the format leaves it open.
    pub notation: Notation,
}

#[cfg(test)]
impl SolvedProblem<'_> {
    /// Returns what an export makes of a problem with this title and report, with default
    /// parameters.
    pub(crate) fn exported(
        problem: &Problem,
        title: Option<&str>,
        report: &RunReport,
        export: impl FnOnce(&SolvedProblem<'_>) -> String,
    ) -> String {
        let verdict = &Verdict::of(problem, &crate::run::Params::default(), report);
        let (credits, notation) = (Credits { title, comments: &[] }, Notation::default());
        export(&SolvedProblem { problem, credits, report, verdict, notation })
    }
}
