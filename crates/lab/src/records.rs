//! JSON records of the laboratory (`--json`): one object a line, with its kind in `"t"`.

use super::journal::Row;
use serde::Serialize;

/// Record of the laboratory.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "t", rename_all = "snake_case")]
pub(super) enum LabRecord {
    /// A folder of the laboratory.
    Laboratory {
        /// The folder.
        folder: String,
        /// A run is in progress.
        is_running: bool,
    },
    /// A match.
    Match(Box<MatchRecord>),
    /// Estimate of a gauntlet.
    Rating {
        /// Time control or node limit.
        control: String,
        /// Estimated rating.
        elo: f64,
        /// Half the width of its 95 % interval.
        elo_error: f64,
    },
    /// Result of a file of test positions.
    Suite {
        /// The file.
        file: String,
        /// The result in words.
        text: String,
    },
    /// A file that was written.
    File {
        /// The file.
        file: String,
    },
}

/// A match of the laboratory.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct MatchRecord {
    /// `finished`, `open` or `faulted`.
    pub(super) state: &'static str,
    /// Subject, such as an experiment; of an unfinished match the name of its folder.
    pub(super) label: String,
    /// Time control or node limit.
    pub(super) control: Option<String>,
    /// Number of games.
    pub(super) games: u32,
    /// Games that DEV won.
    pub(super) wins: u32,
    /// Games that DEV lost.
    pub(super) losses: u32,
    /// Drawn games.
    pub(super) draws: u32,
    /// Elo.
    pub(super) elo: Option<f64>,
    /// Half the width of the 95 % interval of Elo.
    pub(super) elo_error: Option<f64>,
    /// Likelihood of superiority.
    pub(super) los_percent: Option<f64>,
    /// Log-likelihood ratio.
    pub(super) llr: Option<f64>,
    /// `H0` or `H1`, if the sequential test has decided.
    pub(super) decision: Option<String>,
    /// Games lost on time by DEV.
    pub(super) time_losses: Option<u32>,
    /// Games lost on time by BASE.
    pub(super) base_time_losses: Option<u32>,
    /// The fault that has ended the match.
    pub(super) fault: Option<String>,
}

impl MatchRecord {
    /// Returns the record of a finished match.
    pub(super) fn finished(row: &Row) -> Self {
        Self {
            state: "finished",
            label: row.label.clone(),
            control: Some(row.control.clone()),
            games: row.games,
            wins: row.wins,
            losses: row.losses,
            draws: row.draws,
            elo: row.elo,
            elo_error: row.error,
            los_percent: row.los,
            llr: row.llr,
            decision: Some(row.decision.clone()).filter(|decision| !decision.is_empty()),
            time_losses: row.time_losses,
            base_time_losses: row.base_time_losses,
            fault: None,
        }
    }
}
