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
