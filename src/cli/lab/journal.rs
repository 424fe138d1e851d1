//! The table of all matches: one CSV line each, appended when a match is over.

use super::keystats::Keys;
use super::outcome::Outcome;
use std::io::Write;
use std::path::{Path, PathBuf};

/// How the label of a gauntlet's match begins.
pub(super) const RIVAL: &str = "against-";

const FILE: &str = "lab.csv";
const HEAD: &str = "xp,switch,control,games,wins,losses,draws,elo,error,los,llr,pairs,\
                    tt_hit,fail_high,first_fail_high,nps";

/// A match in the table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row {
    /// The experiment's option, `control`, or what was tested.
    pub(super) label: String,
    /// `on` or `off`.
    pub(super) switch: String,
    pub(super) control: String,
    pub(super) games: u32,
    pub(super) wins: u32,
    pub(super) losses: u32,
    pub(super) draws: u32,
    pub(super) elo: f64,
    pub(super) error: f64,
    pub(super) los: f64,
    pub(super) llr: Option<f64>,
    pub(super) pairs: [u32; 5],
    pub(super) keys: Option<Keys>,
}

impl Row {
    pub(super) fn new(
        label: &str,
        switch: &str,
        control: &str,
        outcome: &Outcome,
        keys: Option<Keys>,
    ) -> Self {
        let Outcome { elo, error, los, games, wins, losses, draws, pairs, llr } = outcome.clone();
        // fastchess says -0.00 of equals.
        let elo = elo + 0.0;
        let [label, switch, control] = [label, switch, control].map(str::to_owned);
        Self {
            label,
            switch,
            control,
            games,
            wins,
            losses,
            draws,
            elo,
            error,
            los,
            llr,
            pairs,
            keys,
        }
    }

    /// One line for a person.
    pub(super) fn summary(&self) -> String {
        let Self { elo, error, los, games, .. } = self;
        format!("{elo:+.1} +/- {error:.1} Elo, LOS {los:.1} %, {games} games")
    }

    fn line(&self) -> String {
        let pairs = self.pairs.map(|n| n.to_string()).join("/");
        let llr = self.llr.map_or_else(String::new, |llr| format!("{llr:.2}"));
        let keys = self.keys.map_or_else(
            || ",,,".to_owned(),
            |k| {
                let Keys { tt_hit, fail_high, first_fail_high, nps } = k;
                format!("{tt_hit:.2},{fail_high:.2},{first_fail_high:.2},{nps:.0}")
            },
        );
        let Self { label, switch, control, games, wins, losses, draws, elo, error, los, .. } = self;
        format!(
            "{label},{switch},{control},{games},{wins},{losses},{draws},{elo:.2},{error:.2},{los:.2},\
             {llr},{pairs},{keys}"
        )
    }

    fn read(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split(',').collect();
        let [
            label,
            switch,
            control,
            games,
            wins,
            losses,
            draws,
            elo,
            error,
            los,
            llr,
            pairs,
            keys @ ..,
        ] = fields.as_slice()
        else {
            return None;
        };
        let pairs: Option<Vec<u32>> = pairs.split('/').map(|n| n.parse().ok()).collect();
        let numbers: Option<Vec<f64>> = keys.iter().map(|n| n.parse().ok()).collect();
        let keys = match numbers.as_deref() {
            Some(&[tt_hit, fail_high, first_fail_high, nps]) => {
                Some(Keys { tt_hit, fail_high, first_fail_high, nps })
            }
            _ => None,
        };
        Some(Self {
            label: (*label).to_owned(),
            switch: (*switch).to_owned(),
            control: (*control).to_owned(),
            games: games.parse().ok()?,
            wins: wins.parse().ok()?,
            losses: losses.parse().ok()?,
            draws: draws.parse().ok()?,
            elo: elo.parse().ok()?,
            error: error.parse().ok()?,
            los: los.parse().ok()?,
            llr: llr.parse().ok(),
            pairs: pairs?.try_into().ok()?,
            keys,
        })
    }
}

/// The table of one folder.
#[derive(Debug, Default)]
pub(super) struct Journal {
    path: PathBuf,
    pub(super) rows: Vec<Row>,
}

impl Journal {
    /// Reads the table of a folder; an absent one is empty. Lines that are none are passed over.
    pub(super) fn open(folder: &Path) -> Self {
        let path = folder.join(FILE);
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        Self { rows: text.lines().filter_map(Row::read).collect(), path }
    }

    /// True when this match is in the table.
    pub(super) fn has(&self, label: &str, control: &str) -> bool {
        self.rows.iter().any(|row| row.label == label && row.control == control)
    }

    /// Appends a match, to the file at once.
    pub(super) fn add(&mut self, row: Row) -> Result<(), String> {
        let fail = |error: std::io::Error| format!("{}: {error}", self.path.display());
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder).map_err(fail)?;
        }
        let fresh = !self.path.is_file();
        let file = std::fs::OpenOptions::new().append(true).create(true).open(&self.path);
        let mut file = file.map_err(fail)?;
        let head = if fresh { format!("{HEAD}\n") } else { String::new() };
        file.write_all(format!("{head}{}\n", row.line()).as_bytes()).map_err(fail)?;
        self.rows.push(row);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{HEAD, Journal, Row};
    use crate::cli::lab::keystats::Keys;

    #[test]
    fn rows_are_read_as_they_were_written() {
        let folder = std::env::temp_dir().join(format!("umbrail-journal-{}", std::process::id()));
        let row = Row {
            label: "XP3 LMRCons".to_owned(),
            switch: "on".to_owned(),
            control: "nodes=5000".to_owned(),
            games: 1_000,
            wins: 300,
            losses: 310,
            draws: 390,
            elo: -3.47,
            error: 15.2,
            los: 32.71,
            llr: None,
            pairs: [50, 120, 170, 110, 50],
            keys: Some(Keys { tt_hit: 31.5, fail_high: 60.25, first_fail_high: 88.0, nps: 1e6 }),
        };
        let bare = Row { llr: Some(-1.25), keys: None, control: "blitz".to_owned(), ..row.clone() };
        let mut journal = Journal::open(&folder);
        journal.add(row.clone()).unwrap();
        journal.add(bare.clone()).unwrap();
        let again = Journal::open(&folder);
        assert_eq!(again.rows, [row, bare]);
        assert!(again.has("XP3 LMRCons", "blitz") && !again.has("XP3 LMRCons", "rapid"));
        let text = std::fs::read_to_string(folder.join("lab.csv")).unwrap();
        assert_eq!(text.lines().next(), Some(HEAD));
        assert!(text.lines().all(|line| line.split(',').count() == HEAD.split(',').count()));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
