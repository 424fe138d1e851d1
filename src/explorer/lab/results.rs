//! What a laboratory's folder tells: read by the laboratory, shown by the page.

use std::path::{Path, PathBuf};

/// All matches of a folder.
#[derive(Clone, Debug, Default)]
pub(crate) struct LabResults {
    /// A run of the laboratory works in it now.
    pub(crate) is_at_work: bool,
    /// Finished matches in the order of the table, then those that are not.
    pub(crate) matches: Vec<LabMatch>,
}

/// How it stands with a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LabState {
    /// It is in the table.
    Finished,
    /// Games are missing.
    Open,
    /// A fault of an engine has ended it.
    Faulted(String),
}

/// A match, finished or not.
#[derive(Clone, Debug)]
pub(crate) struct LabMatch {
    /// The name of its folder; empty where that is gone.
    pub(crate) name: String,
    /// What was measured.
    pub(crate) label: String,
    /// Clock or nodes.
    pub(crate) control: String,
    /// How it stands.
    pub(crate) state: LabState,
    /// Wins, losses and draws of DEV.
    pub(crate) tally: [u32; 3],
    /// Elo and half the width of its 95 % interval.
    pub(crate) elo: Option<(f64, f64)>,
    /// Likelihood of superiority, per cent.
    pub(crate) los: Option<f64>,
    /// Log-likelihood ratio.
    pub(crate) llr: Option<f64>,
    /// The hypotheses of the sequential test, normalized Elo.
    pub(crate) hypotheses: (f64, f64),
    /// What the interval says, in a word.
    pub(crate) reading: &'static str,
    /// The class of that word, for its color.
    pub(crate) class: &'static str,
    /// The lines that identify it.
    pub(crate) identity: String,
}

/// How a match stood after some games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LabPoint {
    /// Games in whole pairs.
    pub(crate) games: u32,
    /// Log-likelihood ratio.
    pub(crate) llr: f64,
    /// Elo and half the width of its 95 % interval; none with too few pairs.
    pub(crate) elo: Option<(f64, f64)>,
}

/// Where the laboratory lies, and who can read it. Reading changes nothing there.
#[derive(Clone, Debug)]
pub(crate) struct LabSource {
    /// The folder.
    pub(crate) folder: PathBuf,
    /// Reads all matches.
    pub(crate) read: fn(&Path) -> Result<LabResults, String>,
    /// Reads how one match of a folder went, by its name and its hypotheses.
    pub(crate) course: fn(&Path, &str, (f64, f64)) -> Vec<LabPoint>,
    /// A number that is another one when something new is there.
    pub(crate) stamp: fn(&Path) -> u64,
    /// The ratio at which H1 is accepted; at its negative H0 is.
    pub(crate) bound: f64,
}
