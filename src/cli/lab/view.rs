//! The folder as the local page and the written page show it: read while another process may work in it, and never
//! written to.

use super::control::Control;
use super::engine_match::digest;
use super::journal::{Journal, Row};
use super::ledger::{self, GameResult};
use super::lock::FolderLock;
use super::outcome::MatchResult;
use super::runner::{FAULT, IDENTITY, matches_in};
use super::sprt::{Hypotheses, PairCounts};
use super::verdict::{Reading, reading};
use crate::explorer::{LabMatch, LabPoint, LabResults, LabSource, LabState};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// Points of a course that are computed at most.
const POINTS_MAX: usize = 300;

/// The laboratory of a folder.
pub(in crate::cli) fn source(folder: PathBuf) -> LabSource {
    LabSource { folder, read, course, stamp, bound: Hypotheses::bound() }
}

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
fn read(folder: &Path) -> Result<LabResults, String> {
    let journal = Journal::open(folder)?;
    let mut folders: Vec<MatchFolder> = matches_in(folder)
        .into_iter()
        .map(|(name, identity, _, fault)| MatchFolder {
            id: digest(&identity),
            name,
            identity,
            fault,
        })
        .collect();
    let mut matches = vec![];
    for row in &journal.rows {
        let at = folders.iter().position(|one| one.id == row.id);
        let own = at.map(|at| folders.remove(at)).unwrap_or_default();
        matches.push(shown(row, LabState::Finished, own));
    }
    for own in folders {
        let games = ledger::booked(&folder.join(&own.name));
        let state = match &own.fault {
            Some(why) => LabState::Faulted(why.trim().to_owned()),
            None => LabState::Open,
        };
        let row = unfinished(&own, &games);
        matches.push(shown(&row, state, own));
    }
    Ok(LabResults { is_at_work: FolderLock::is_taken(folder), matches })
}

/// A match folder: its name, what identifies it, and the fault that has ended it.
#[derive(Default)]
struct MatchFolder {
    id: String,
    name: String,
    identity: String,
    fault: Option<String>,
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

/// A match that is not in the table, as a row of it.
fn unfinished(own: &MatchFolder, games: &[GameResult]) -> Row {
    let control = own.control();
    let (low, high) = own.hypotheses(&control);
    let pairs = pairs_of(games).last().map_or_else(PairCounts::default, |(_, counts)| *counts);
    let llr = pairs.llr(Hypotheses { elo0: low, elo1: high });
    let count = |points| games.iter().filter(|game| game.half_points == points).count() as u32;
    let outcome = MatchResult {
        pairs,
        tally: [count(2), count(0), count(1)],
        time_losses: [0, 0],
        llr,
        decision: Hypotheses::decide(llr, pairs.pairs()),
    };
    Row::new(&own.id, (own.line("label").unwrap_or(&own.name), "", &control), &outcome)
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

/// The counts of pairs whenever a pair was complete, with the games in whole pairs.
fn pairs_of(games: &[GameResult]) -> Vec<(u32, PairCounts)> {
    let mut halves: HashMap<(u32, bool), u8> = HashMap::new();
    let mut counts = PairCounts::default();
    let mut found = vec![];
    for game in games {
        // A game that was booked twice counts once.
        if halves.insert((game.opening, game.dev_white), game.half_points).is_some() {
            continue;
        }
        if let Some(other) = halves.get(&(game.opening, !game.dev_white)) {
            counts.add(usize::from(game.half_points + other));
            found.push((2 * (found.len() as u32 + 1), counts));
        }
    }
    found
}

/// How a match went, thinned to about [`POINTS_MAX`] points for a plot.
pub(super) fn course(folder: &Path, name: &str, (low, high): (f64, f64)) -> Vec<LabPoint> {
    let pairs = pairs_of(&ledger::booked(&folder.join(name)));
    let every = pairs.len().div_ceil(POINTS_MAX).max(1);
    let last = pairs.len().saturating_sub(1);
    let kept = pairs.iter().enumerate().filter(|(at, _)| at.is_multiple_of(every) || *at == last);
    kept.map(|(_, (games, counts))| LabPoint {
        games: *games,
        llr: counts.llr(Hypotheses { elo0: low, elo1: high }),
        elo: counts.estimate().map(|found| (found.elo, found.error)),
    })
    .collect()
}

/// All matches with their courses.
///
/// # Errors
/// The table cannot be read.
pub(super) fn with_courses(folder: &Path) -> Result<Vec<(LabMatch, Vec<LabPoint>)>, String> {
    let matches = read(folder)?.matches.into_iter().filter(|one| !one.name.is_empty());
    let with_course = |one: LabMatch| {
        let went = course(folder, &one.name, one.hypotheses);
        (one, went)
    };
    Ok(matches.map(with_course).collect())
}

/// Lengths of the files that grow, and the state of the lock.
fn stamp(folder: &Path) -> u64 {
    let mut hash = DefaultHasher::new();
    let length = |path: PathBuf| std::fs::metadata(path).map_or(0, |data| data.len());
    length(folder.join(super::journal::FILE)).hash(&mut hash);
    FolderLock::is_taken(folder).hash(&mut hash);
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.sort();
    for own in folders {
        for file in [IDENTITY, ledger::FILE, FAULT] {
            length(own.join(file)).hash(&mut hash);
        }
    }
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::{course, pairs_of, read, stamp};
    use crate::cli::lab::ledger::booked;
    use crate::explorer::LabState;

    const IDENTITY: &str = "label XP3 LMRCons\nrunner x\nending decision between (0.0, 6.0)\nwords -each tc=inf nodes=1000 -srand 1\n";

    #[test]
    fn a_match_that_is_being_played_is_shown_with_its_course_and_left_alone() {
        let lab = std::env::temp_dir().join(format!("umbrail-view-{}", std::process::id()));
        let own = lab.join("XP3_nodes-1000_1");
        std::fs::create_dir_all(&own).unwrap();
        std::fs::write(own.join("match.txt"), IDENTITY).unwrap();
        let before = stamp(&lab);
        let games = "1 white 2 White mates\n2 white 1 draw\n1 black 1 draw\n2 black 0 Black";
        std::fs::write(own.join("games.txt"), games).unwrap();
        assert_ne!(stamp(&lab), before);
        assert_eq!(stamp(&lab), stamp(&lab));
        let pairs = pairs_of(&booked(&own));
        assert_eq!((pairs.len(), pairs[0].0, pairs[0].1.0), (1, 2, [0, 0, 0, 1, 0]));
        let found = read(&lab).unwrap();
        let one = &found.matches[0];
        assert_eq!((one.label.as_str(), one.control.as_str()), ("XP3 LMRCons", "nodes=1000"));
        assert_eq!((one.state.clone(), one.tally), (LabState::Open, [1, 0, 2]));
        assert_eq!((one.hypotheses, one.elo, one.reading), ((0.0, 6.0), None, "too few games"));
        let went = course(&lab, &one.name, one.hypotheses);
        assert_eq!((went.len(), went[0].games, went[0].elo), (1, 2, None));
        assert!(went[0].llr > 0.0 && one.llr.is_some());
        // The torn line is as it was.
        assert_eq!(std::fs::read_to_string(own.join("games.txt")).unwrap(), games);
        std::fs::write(own.join("fault.txt"), "DEV crashed\n").unwrap();
        let found = read(&lab).unwrap();
        assert_eq!(found.matches[0].state, LabState::Faulted("DEV crashed".to_owned()));
        std::fs::remove_dir_all(lab).unwrap();
        assert!(read("nowhere".as_ref()).unwrap().matches.is_empty());
    }
}
