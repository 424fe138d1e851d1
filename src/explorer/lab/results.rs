//! Results in a laboratory's folder: read by the laboratory, shown by the page.

use std::path::{Path, PathBuf};

/// All matches of a folder.
#[derive(Clone, Debug, Default)]
pub(crate) struct LabResults {
    /// A run of the laboratory is in progress in the folder.
    pub(crate) is_at_work: bool,
    /// Finished matches in the order of the table, then the unfinished ones.
    pub(crate) matches: Vec<LabMatch>,
}

/// State of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LabState {
    /// The match is in the table.
    Finished,
    /// Games are missing.
    Open,
    /// An error of an engine has ended the match.
    Faulted(String),
}

/// A match, finished or not.
#[derive(Clone, Debug)]
pub(crate) struct LabMatch {
    /// Name of the folder; empty if the folder no longer exists.
    pub(crate) name: String,
    /// Subject of the measurement.
    pub(crate) label: String,
    /// Time control or node limit.
    pub(crate) control: String,
    /// State of the match.
    pub(crate) state: LabState,
    /// Wins, losses and draws of DEV.
    pub(crate) tally: [u32; 3],
    /// Elo and half the width of its 95 % interval.
    pub(crate) elo: Option<(f64, f64)>,
    /// Likelihood of superiority, per cent.
    pub(crate) los: Option<f64>,
    /// Log-likelihood ratio.
    pub(crate) llr: Option<f64>,
    /// Hypotheses of the sequential test, in normalized Elo.
    pub(crate) hypotheses: (f64, f64),
    /// Verdict of the interval, in a word.
    pub(crate) reading: &'static str,
    /// CSS class of that word, for its color.
    pub(crate) class: &'static str,
    /// Lines that identify the match.
    pub(crate) identity: String,
}

/// State of a match after some games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LabPoint {
    /// Number of games in whole pairs.
    pub(crate) games: u32,
    /// Log-likelihood ratio; `None` without a sequential test.
    pub(crate) llr: Option<f64>,
    /// Elo and half the width of its 95 % interval; `None` with too few pairs.
    pub(crate) elo: Option<(f64, f64)>,
}

/// Location of the laboratory, and its reader. Reading changes nothing in the folder.
#[derive(Clone, Debug)]
pub(crate) struct LabSource {
    /// Folder of the laboratory.
    pub(crate) folder: PathBuf,
    /// Reads all matches.
    pub(crate) read: fn(&Path) -> Result<LabResults, String>,
    /// Reads the course of one match of a folder, by its name.
    pub(crate) course: fn(&Path, &str) -> Vec<LabPoint>,
    /// Returns a number that differs after each change of the folder.
    pub(crate) stamp: fn(&Path) -> u64,
    /// Ratio at which H1 is accepted; H0 is accepted at its negative.
    pub(crate) bound: f64,
}
