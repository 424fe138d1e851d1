//! The table of all matches, `lab.csv`: one line each, with the match's identity.

use super::error::{LabError, RowFault, TableError};
use super::keystats::Keys;
use super::transcript::Transcript;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use umbrail_control::{FILE_BYTES_MAX, Unreadable, read_own, text_of, write_whole};

/// How the label of a gauntlet's match begins.
pub(super) const RIVAL: &str = "against-";
/// Name of the table in the laboratory's folder.
pub(super) const FILE: &str = "lab.csv";
/// Columns of a table of 0.1.0, which are the first of those of today.
const COLUMNS_BEFORE: usize = 16;

/// A match in the table. Columns that a table of an earlier version lacks are empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Row {
    /// The experiment's option, `control`, or what was tested.
    #[serde(rename = "xp")]
    pub(super) label: String,
    /// `on` or `off`.
    pub(super) switch: String,
    pub(super) control: String,
    pub(super) games: u32,
    pub(super) wins: u32,
    pub(super) losses: u32,
    pub(super) draws: u32,
    /// Elo and half width of its 95 % interval; none when there are too few games for an interval.
    pub(super) elo: Option<f64>,
    pub(super) error: Option<f64>,
    /// Likelihood of superiority, per cent.
    pub(super) los: Option<f64>,
    /// Log-likelihood ratio of the two hypotheses; none for a match without a sequential test.
    pub(super) llr: Option<f64>,
    /// Pairs by points, such as `5/20/40/25/10`.
    pub(super) pairs: String,
    pub(super) tt_hit: Option<f64>,
    pub(super) fail_high: Option<f64>,
    pub(super) first_fail_high: Option<f64>,
    pub(super) nps: Option<f64>,
    /// Repeated searches of the root in a hundred iterations.
    pub(super) researches: Option<f64>,
    /// Games lost on time by DEV.
    pub(super) time_losses: Option<u32>,
    /// Games lost on time by BASE.
    pub(super) base_time_losses: Option<u32>,
    /// `H0` or `H1` when the sequential test decided.
    pub(super) decision: String,
    /// Identity of the match: programs, options, book, control.
    #[serde(rename = "match")]
    pub(super) id: String,
}

impl Row {
    /// A row with the newest result of a match.
    pub(super) fn new(
        id: &str,
        (label, switch, control): (&str, &str, &str),
        transcript: &Transcript,
    ) -> Self {
        let report = transcript.last().cloned().unwrap_or_default();
        let [time_losses, base_time_losses] = transcript.time_losses().map(Some);
        Self {
            label: label.to_owned(),
            switch: switch.to_owned(),
            control: control.to_owned(),
            games: report.games,
            wins: report.wins,
            losses: report.losses,
            draws: report.draws,
            elo: report.elo.map(|(elo, _)| elo),
            error: report.elo.map(|(_, error)| error),
            los: report.los,
            llr: report.llr,
            pairs: report.pairs.map(|count| count.to_string()).join("/"),
            time_losses,
            base_time_losses,
            decision: transcript.decision.to_owned(),
            id: id.to_owned(),
            ..Self::default()
        }
    }

    /// The same row with key statistics.
    pub(super) fn with_keys(self, keys: Option<Keys>) -> Self {
        let Some(keys) = keys else { return self };
        Self {
            tt_hit: Some(keys.tt_hit),
            fail_high: Some(keys.fail_high),
            first_fail_high: Some(keys.first_fail_high),
            nps: Some(keys.nps),
            researches: keys.researches,
            ..self
        }
    }

    /// Checks that the numbers of the row agree with each other: a damaged digit would be a false result.
    ///
    /// # Errors
    /// The numbers that differ.
    fn check(&self) -> Result<(), RowFault> {
        let Self { games, wins, losses, draws, .. } = *self;
        let sum = u64::from(wins) + u64::from(losses) + u64::from(draws);
        if sum != u64::from(games) {
            return Err(RowFault::Games { wins, losses, draws, games });
        }
        let pairs = self.pairs.split('/').map(str::parse::<u32>);
        if let Ok(pairs) = pairs.collect::<Result<Vec<_>, _>>() {
            // Points of DEV, in halves: a pair of class n has n of them.
            let points =
                (0..).zip(&pairs).map(|(half, &count)| half * u64::from(count)).sum::<u64>();
            let all = pairs.iter().map(|&count| u64::from(count)).sum::<u64>();
            let (halves, singles) =
                (2 * u64::from(wins) + u64::from(draws), sum.checked_sub(2 * all));
            // Games whose pair is not complete have at most two halves each.
            let agrees = singles
                .zip(halves.checked_sub(points))
                .is_some_and(|(singles, rest)| rest <= 2 * singles);
            if !agrees {
                return Err(RowFault::Pairs(self.pairs.clone()));
            }
        }
        Ok(())
    }

    /// Elo with its interval.
    pub(super) fn interval(&self) -> Option<(f64, f64)> {
        let both = self.elo.zip(self.error)?;
        (both.0.is_finite() && both.1.is_finite()).then_some(both)
    }

    /// One line for a person.
    pub(super) fn summary(&self) -> String {
        let Self { games, wins, losses, draws, .. } = self;
        let elo = match (self.interval(), self.los) {
            (Some((elo, error)), Some(los)) => {
                format!("{elo:+.1} ± {error:.1} Elo, stronger with {los:.1} %")
            }
            (Some((elo, error)), None) => format!("{elo:+.1} ± {error:.1} Elo"),
            (None, _) => "too few games for an interval".to_owned(),
        };
        let llr = self.llr.map_or_else(String::new, |llr| format!(", LLR {llr:+.2}"));
        let decision = match self.decision.as_str() {
            "" => String::new(),
            decision => format!(", {decision} accepted"),
        };
        let flags = match (self.time_losses.unwrap_or(0), self.base_time_losses.unwrap_or(0)) {
            (0, 0) => String::new(),
            (dev, base) => format!(", lost on time: DEV {dev}, BASE {base}"),
        };
        format!("{games} games (+{wins} ={draws} −{losses}), {elo}{llr}{decision}{flags}")
    }
}

/// The table of one folder.
#[derive(Debug, Default)]
pub(super) struct Journal {
    path: PathBuf,
    pub(super) rows: Vec<Row>,
}

impl Journal {
    /// Reads the table of a folder; an absent one is empty.
    ///
    /// # Errors
    /// Names the file and the line that cannot be read: nothing is written over what is not understood.
    pub(super) fn open(folder: &Path) -> Result<Self, LabError> {
        let path = folder.join(FILE);
        let text = match read_own(&path, FILE_BYTES_MAX) {
            Ok(bytes) => text_of(bytes),
            Err(error) if error.reason == Unreadable::Absent => String::new(),
            Err(error) => return Err(LabError::own(error)),
        };
        match rows(&text) {
            Ok(rows) => Ok(Self { rows, path }),
            Err(source) => Err(LabError::Table { path, source }),
        }
    }

    /// The row of this match.
    pub(super) fn find(&self, id: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.id == id)
    }

    /// Enters a match, or replaces the row of the same match; the file is replaced as a whole.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn add(&mut self, row: Row) -> Result<(), LabError> {
        match self.rows.iter_mut().find(|known| known.id == row.id) {
            Some(known) => *known = row,
            None => self.rows.push(row),
        }
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder).map_err(LabError::at(folder))?;
        }
        write_whole(&self.path, |out| {
            let mut writer = csv::Writer::from_writer(out);
            self.rows.iter().try_for_each(|row| writer.serialize(row))?;
            writer.flush()
        })?;
        Ok(())
    }
}

/// The rows of a table. Those of 0.1.0 are shorter, also in a table that a later version started and 0.1.0 continued.
fn rows(text: &str) -> Result<Vec<Row>, TableError> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let head = reader.headers()?.clone();
    let row = |record: csv::Result<csv::StringRecord>| {
        let record = record?;
        let line = record.position().map_or(0, csv::Position::line);
        if ![head.len(), COLUMNS_BEFORE].contains(&record.len()) {
            return Err(TableError::Columns { line, found: record.len(), expected: head.len() });
        }
        let columns: csv::StringRecord = head.iter().take(record.len()).collect();
        let row: Row = record.deserialize(Some(&columns))?;
        row.check().map_err(|source| TableError::Damaged { line, source })?;
        Ok(row)
    };
    reader.records().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::super::transcript::{Transcript, tests::block};
    use super::{Journal, Row};
    use crate::keystats::Keys;

    #[test]
    fn rows_are_read_as_they_were_written_and_known_by_the_whole_match() {
        let folder = std::env::temp_dir().join(format!("umbrail-journal-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let mut transcript = Transcript::new("DEV", "BASE");
        let llr = "LLR: -1.25 (-42.5%) (-2.94, 2.94) [0.00, 10.00]\n";
        let flag = "Finished game 2 (BASE vs DEV): 1-0 {Black loses on time (2ms overrun)}\n";
        let result = block(1_000, "50, 70, 80, 180, 120", "88.74 +/- 17.40", llr);
        for line in format!("{flag}{result}").lines() {
            transcript.read(line);
        }
        let what = ("XP3 LMRCons", "on", "nodes=5000");
        let row = Row::new("aa", what, &transcript);
        assert_eq!((row.interval(), row.pairs.as_str()), (Some((88.74, 17.4)), "50/70/80/180/120"));
        let keys = Keys {
            tt_hit: 31.5,
            fail_high: 60.25,
            first_fail_high: 88.0,
            researches: None,
            nps: 1e6,
        };
        let mut journal = Journal::open(&folder).unwrap();
        journal.add(row.clone()).unwrap();
        journal.add(row.clone().with_keys(Some(keys))).unwrap();
        journal
            .add(Row { id: "bb".to_owned(), label: "with, comma".to_owned(), ..row.clone() })
            .unwrap();
        let again = Journal::open(&folder).unwrap();
        assert_eq!(again.rows.len(), 2);
        assert_eq!(again.find("aa"), Some(&row.clone().with_keys(Some(keys))));
        assert_eq!(again.find("bb").unwrap().label, "with, comma");
        assert!(again.find("cc").is_none());
        assert!(row.summary().contains("1000 games (+500 =250 −250)"), "{}", row.summary());
        assert!(row.summary().contains("DEV 1, BASE 0") && row.summary().contains("LLR -1.25"));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_flipped_digit_is_found() {
        let row = Row {
            games: 1000,
            wins: 500,
            losses: 250,
            draws: 250,
            elo: Some(88.74),
            error: Some(17.4),
            pairs: "50/70/80/180/120".to_owned(),
            ..Row::default()
        };
        assert_eq!(row.check(), Ok(()));
        let damages: [fn(&mut Row); 4] = [
            |row| row.games = 1001,
            |row| row.wins = 510,
            |row| (row.wins, row.losses) = (250, 500),
            |row| row.pairs = "50/70/80/190/120".to_owned(),
        ];
        for (number, damage) in damages.iter().enumerate() {
            let mut damaged = row.clone();
            damage(&mut damaged);
            assert!(damaged.check().is_err(), "{number}");
        }
    }

    #[test]
    fn a_table_of_the_version_before_is_read_and_a_broken_line_is_named() {
        let folder =
            std::env::temp_dir().join(format!("umbrail-journal-old-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let head = "xp,switch,control,games,wins,losses,draws,elo,error,los,llr,pairs,tt_hit,fail_high,first_fail_high,nps\n";
        let line = "XP3 LMRCons,on,nodes=5000,1000,289,440,271,-52.90,17.40,0.00,,100/130/145/71/54,21.65,59.29,85.39,900000\n";
        std::fs::write(folder.join("lab.csv"), format!("{head}{line}")).unwrap();
        let journal = Journal::open(&folder).unwrap();
        assert_eq!(journal.rows[0].interval(), Some((-52.9, 17.4)));
        assert_eq!((journal.rows[0].llr, journal.rows[0].id.as_str()), (None, ""));
        std::fs::write(folder.join("lab.csv"), format!("{head}{line}garbage\n")).unwrap();
        let why = Journal::open(&folder).unwrap_err().to_string();
        assert!(why.contains("lab.csv") && why.contains("line 3 has 1 columns"), "{why}");
        // The version before went on with a table of this one.
        let mut now = Journal { path: folder.join("lab.csv"), rows: vec![] };
        now.add(Row { id: "cc".to_owned(), ..journal.rows[0].clone() }).unwrap();
        let text = std::fs::read_to_string(&now.path).unwrap();
        std::fs::write(&now.path, format!("{text}{line}")).unwrap();
        let both = Journal::open(&folder).unwrap();
        assert_eq!((both.rows[0].id.as_str(), &both.rows[1]), ("cc", &journal.rows[0]));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
