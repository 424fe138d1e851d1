//! The folder as the local page and the written page show it: read while another process may work in it, and never
//! written to.

use super::control::Control;
use super::engine_match::digest;
use super::error::LabError;
use super::journal::{Journal, Row};
use super::lock::FolderLock;
use super::results::{LabMatch, LabPoint, LabResults, LabState};
use super::runner::{FAULT, IDENTITY, MatchFolder, matches_in};
use super::transcript::{Report, Transcript, part_file};
use super::verdict::{Reading, reading};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// Largest number of points of a course.
const POINTS_MAX: usize = 300;

/// The class of a row's reading, for its color.
pub(super) fn class(row: &Row) -> &'static str {
    match reading(row) {
        Reading::TooFew => "few",
        Reading::Gains => "gains",
        Reading::Loses => "loses",
        Reading::NoGain | Reading::Open => "open",
    }
}

/// All matches.
///
/// # Errors
/// The table cannot be read.
pub fn results(folder: &Path) -> Result<LabResults, LabError> {
    let journal = Journal::open(folder)?;
    let mut folders = matches_in(folder);
    let mut matches = vec![];
    for row in &journal.rows {
        let at = folders.iter().position(|one| digest(&one.identity) == row.id);
        let own = at.map(|at| folders.remove(at)).unwrap_or_default();
        matches.push(shown(row, LabState::Finished, own));
    }
    for own in folders {
        let transcript = Transcript::of_folder(&folder.join(&own.name), "", "");
        let state = match &own.fault {
            Some(why) => LabState::Faulted(why.trim().to_owned()),
            None => LabState::Open,
        };
        let what = (own.line("label").unwrap_or(&own.name), "", own.control());
        let row = Row::new("", (what.0, what.1, &what.2), &transcript);
        matches.push(shown(&row, state, own));
    }
    Ok(LabResults { is_at_work: FolderLock::is_taken(folder), matches })
}

impl MatchFolder {
    /// The rest of the line of the identity that begins with this word.
    fn line(&self, word: &str) -> Option<&str> {
        self.identity.lines().find_map(|line| line.strip_prefix(word)?.strip_prefix(' '))
    }

    /// `blitz`, `nodes=5000` or a clock, from the words for the match runner.
    fn control(&self) -> String {
        let words = self.line("words").unwrap_or("");
        let value = |key: &str| words.split(' ').find_map(|word| word.strip_prefix(key));
        match (value("nodes="), value("tc=")) {
            (Some(nodes), _) => format!("nodes={nodes}"),
            (None, Some("10+0.1")) => "blitz".to_owned(),
            (None, Some("60+0.6")) => "rapid".to_owned(),
            (None, clock) => clock.unwrap_or("").to_owned(),
        }
    }

    /// The hypotheses: those of its decision, or those of its control.
    fn hypotheses(&self, control: &str) -> (f64, f64) {
        let printed = self.line("ending").and_then(|text| {
            let text = text.strip_prefix("decision between (")?.strip_suffix(')')?;
            let (low, high) = text.split_once(", ")?;
            Some((low.parse().ok()?, high.parse().ok()?))
        });
        let usual = || Control::read(control, None).map(|control| control.elo);
        printed.or_else(|| usual().ok()).unwrap_or((0.0, 10.0))
    }
}

fn shown(row: &Row, state: LabState, own: MatchFolder) -> LabMatch {
    LabMatch {
        label: row.label.clone(),
        control: row.control.clone(),
        state,
        tally: [row.wins, row.losses, row.draws],
        elo: row.interval(),
        los: row.los,
        llr: row.llr,
        hypotheses: own.hypotheses(&row.control),
        reading: reading(row).word(),
        class: class(row),
        name: own.name,
        identity: own.identity,
    }
}

/// Results of a match in the order of games, thinned to about 300 points for a plot.
pub fn course(folder: &Path, name: &str) -> Vec<LabPoint> {
    let reports = Transcript::of_folder(&folder.join(name), "", "").reports;
    let every = reports.len().div_ceil(POINTS_MAX).max(1);
    let last = reports.len().saturating_sub(1);
    let kept = reports.iter().enumerate().filter(|(at, _)| at.is_multiple_of(every) || *at == last);
    kept.map(|(_, &Report { games, llr, elo, .. })| LabPoint { games, llr, elo }).collect()
}

/// All matches with their courses.
///
/// # Errors
/// The table cannot be read.
pub(super) fn with_courses(folder: &Path) -> Result<Vec<(LabMatch, Vec<LabPoint>)>, LabError> {
    let matches = results(folder)?.matches.into_iter().filter(|one| !one.name.is_empty());
    let with_course = |one: LabMatch| {
        let went = course(folder, &one.name);
        (one, went)
    };
    Ok(matches.map(with_course).collect())
}

/// Lengths of the files that grow, and the state of the lock.
pub fn stamp(folder: &Path) -> u64 {
    let mut hash = DefaultHasher::new();
    let length = |path: PathBuf| std::fs::metadata(path).map_or(0, |data| data.len());
    length(folder.join(super::journal::FILE)).hash(&mut hash);
    FolderLock::is_taken(folder).hash(&mut hash);
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.sort();
    for own in folders {
        for file in [IDENTITY, FAULT] {
            length(own.join(file)).hash(&mut hash);
        }
        let logs = (1..).map(|part| part_file(&own, part, "txt"));
        logs.take_while(|log| log.exists()).for_each(|log| length(log).hash(&mut hash));
    }
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::super::transcript::tests::block;
    use super::{course, results, stamp};
    use crate::results::LabState;

    const IDENTITY: &str = "label XP3 LMRCons\nrunner x\nending decision between (0.0, 6.0)\nwords -each tc=inf nodes=1000 -srand 1\n";

    #[test]
    fn a_match_that_is_being_played_is_shown_with_its_course() {
        let lab = std::env::temp_dir().join(format!("umbrail-view-{}", std::process::id()));
        let own = lab.join("XP3_nodes-1000_1");
        std::fs::create_dir_all(&own).unwrap();
        std::fs::write(own.join("match.txt"), IDENTITY).unwrap();
        let before = stamp(&lab);
        let llr = "LLR: 0.75 (25.5%) (-2.94, 2.94) [0.00, 6.00]\n";
        let first = block(
            8,
            "0, 0, 4, 0, 0",
            "0.00 +/- 0.00",
            "LLR: 0.10 (3.4%) (-2.94, 2.94) [0.00, 6.00]\n",
        );
        let second = block(128, "9, 5, 21, 5, 24", "82.97 +/- 64.53", llr);
        std::fs::write(own.join("part-1.txt"), first).unwrap();
        std::fs::write(own.join("part-2.txt"), format!("{second}-----\nResults of")).unwrap();
        assert_ne!(stamp(&lab), before);
        assert_eq!(stamp(&lab), stamp(&lab));
        let found = results(&lab).unwrap();
        let one = &found.matches[0];
        assert_eq!((one.label.as_str(), one.control.as_str()), ("XP3 LMRCons", "nodes=1000"));
        assert_eq!((one.state.clone(), one.tally), (LabState::Open, [64, 32, 32]));
        assert_eq!((one.hypotheses, one.elo), ((0.0, 6.0), Some((82.97, 64.53))));
        assert_eq!((one.reading, one.llr), ("gains", Some(0.75)));
        let went = course(&lab, &one.name);
        assert_eq!((went.len(), went[0].games, went[0].elo), (2, 8, None));
        assert_eq!((went[0].llr, went[1].llr), (Some(0.1), Some(0.75)));
        std::fs::write(own.join("fault.txt"), "DEV disconnected\n").unwrap();
        let found = results(&lab).unwrap();
        assert_eq!(found.matches[0].state, LabState::Faulted("DEV disconnected".to_owned()));
        std::fs::remove_dir_all(lab).unwrap();
        assert!(results("nowhere".as_ref()).unwrap().matches.is_empty());
    }
}
