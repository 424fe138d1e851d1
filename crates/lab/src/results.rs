//! Results in a laboratory's folder, for the local page and the written page.

/// All matches of a folder.
#[derive(Clone, Debug, Default)]
pub struct LabResults {
    /// A run of the laboratory is in progress in the folder.
    pub is_at_work: bool,
    /// Finished matches in the order of the table, then the unfinished ones.
    pub matches: Vec<LabMatch>,
}

/// State of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabState {
    /// The match is in the table.
    Finished,
    /// Games are missing.
    Open,
    /// An error of an engine has ended the match.
    Faulted(String),
}

/// A match, finished or not.
#[derive(Clone, Debug)]
pub struct LabMatch {
    /// Name of the folder; empty if the folder no longer exists.
    pub name: String,
    /// Subject of the measurement.
    pub label: String,
    /// Time control or node limit.
    pub control: String,
    /// State of the match.
    pub state: LabState,
    /// Wins, losses and draws of DEV.
    pub tally: [u32; 3],
    /// Elo and half the width of its 95 % interval.
    pub elo: Option<(f64, f64)>,
    /// Likelihood of superiority, per cent.
    pub los: Option<f64>,
    /// Log-likelihood ratio.
    pub llr: Option<f64>,
    /// Hypotheses of the sequential test, in normalized Elo.
    pub hypotheses: (f64, f64),
    /// Verdict of the interval, in a word.
    pub reading: &'static str,
    /// CSS class of that word, for its color.
    pub class: &'static str,
    /// Lines that identify the match.
    pub identity: String,
}

/// State of a match after some games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabPoint {
    /// Number of games in whole pairs.
    pub games: u32,
    /// Log-likelihood ratio; `None` without a sequential test.
    pub llr: Option<f64>,
    /// Elo and half the width of its 95 % interval; `None` with too few pairs.
    pub elo: Option<(f64, f64)>,
}
