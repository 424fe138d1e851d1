//! Plays a match to its end, in as many parts as interruptions make of it.
//!
//! fastchess plays; every game is booked in the [ledger](super::ledger) when fastchess reports it. The folder of a
//! match holds `match.txt` (its identity), `games.txt` (the ledger), `part-N.pgn` and `part-N.txt` (what fastchess
//! wrote), and at the end `out_LABEL_CONTROL.pgn` with each counted game once.

use super::engine_match::{Ending, EngineMatch, FaultPolicy, Segment, digest};
use super::error_output::ErrorOutput;
use super::faults;
use super::ledger::{self, GameResult, Ledger};
use super::outcome::MatchResult;
use super::progress::ProgressLine;
use super::sprt::{Decision, Hypotheses};
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use umbrail::control::write_whole;

/// Identity of the match, in its folder.
pub(super) const IDENTITY: &str = "match.txt";
/// The fault that ended a match, in its folder.
pub(super) const FAULT: &str = "fault.txt";

/// A match in a folder, ready to be played.
pub(super) struct Runner<'a> {
    engine_match: &'a EngineMatch,
    /// The match runner.
    fastchess: &'a Path,
    folder: PathBuf,
    /// The folder did not exist before.
    is_new: bool,
    ledger: Ledger,
}

impl<'a> Runner<'a> {
    /// Opens the folder of a match inside `lab`, or makes it.
    ///
    /// # Errors
    /// The folder cannot be made or read, belongs to another match, or its match was ended by a fault.
    pub(super) fn open(
        engine_match: &'a EngineMatch,
        fastchess: &'a Path,
        identity: &str,
        lab: &Path,
    ) -> Result<Self, String> {
        let folder = lab.join(format!("{}_{}", engine_match.stem(), &digest(identity)[..8]));
        let fail = |error: &dyn std::fmt::Display| format!("{}: {error}", folder.display());
        let is_new = !folder.join(IDENTITY).is_file();
        if is_new {
            std::fs::create_dir_all(&folder).map_err(|error| fail(&error))?;
            let written =
                write_whole(&folder.join(IDENTITY), |out| out.write_all(identity.as_bytes()));
            written.map_err(|error| fail(&error.source))?;
        } else if std::fs::read_to_string(folder.join(IDENTITY)).map_err(|error| fail(&error))?
            != identity
        {
            return Err(fail(&"holds another match"));
        }
        if let Ok(fault) = std::fs::read_to_string(folder.join(FAULT)) {
            return Err(format!(
                "{} at {} was ended by a fault: {}; correct it, or remove {} to play the match again",
                engine_match.label,
                engine_match.control.name,
                fault.trim(),
                folder.display()
            ));
        }
        let ledger = Ledger::open(&folder)?;
        Ok(Self { engine_match, fastchess, folder, is_new, ledger })
    }

    /// Plays what is missing and gives the result.
    ///
    /// # Errors
    /// fastchess fails, or an engine commits a fault that the match does not allow. A match that was begun by this
    /// call and of which no game is over leaves no folder.
    pub(super) fn play(mut self) -> Result<MatchResult, String> {
        let played = self.play_parts();
        if played.is_err() && self.is_new && self.ledger.games().next().is_none() {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
        played?;
        self.join_games()?;
        Ok(self.outcome())
    }

    fn outcome(&self) -> MatchResult {
        let (low, high) = self.engine_match.control.elo;
        let pairs = self.ledger.pairs();
        let llr = pairs.llr(Hypotheses { elo0: low, elo1: high });
        MatchResult {
            pairs,
            tally: self.ledger.tally(),
            time_losses: self.ledger.time_losses(),
            llr,
            decision: Hypotheses::decide(llr, pairs.pairs()),
        }
    }

    fn play_parts(&mut self) -> Result<(), String> {
        let mut progress = ProgressLine::new(self.engine_match, self.ledger.pairs().pairs());
        let started = self.ledger.games().count();
        eprintln!("{}", progress.beginning(started));
        for (opening, dev_white) in self.ledger.halves() {
            if self.is_over() {
                return Ok(());
            }
            self.play_part(Segment::Single { opening, dev_white }, &mut progress)?;
        }
        let done = u32::try_from(self.ledger.pairs().pairs()).unwrap_or(u32::MAX);
        let count = self.engine_match.pairs().saturating_sub(done);
        if count > 0 && !self.is_over() {
            let first = self.ledger.next_opening();
            self.play_part(Segment::Pairs { first, count }, &mut progress)?;
        }
        let pairs = self.ledger.pairs().pairs();
        match self.is_over() {
            true => Ok(()),
            false => Err(format!(
                "fastchess ended after {pairs} of {} pairs; see {}",
                self.engine_match.pairs(),
                self.folder.display()
            )),
        }
    }

    fn is_over(&self) -> bool {
        let decided = self.engine_match.ending == Ending::Decision
            && self.outcome().decision != Decision::Open;
        decided || self.ledger.pairs().pairs() >= u64::from(self.engine_match.pairs())
    }

    fn play_part(&mut self, segment: Segment, progress: &mut ProgressLine) -> Result<(), String> {
        let folder = self.folder.clone();
        let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
        let part = (1..).find(|part| !folder.join(part_name(*part, "txt")).exists()).unwrap_or(1);
        let mut command = Command::new(self.fastchess);
        command.args(self.engine_match.words(segment, &part_name(part, "pgn"))?);
        command
            .current_dir(&folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut log = std::fs::File::create(folder.join(part_name(part, "txt"))).map_err(fail)?;
        let mut child =
            command.spawn().map_err(|error| format!("{}: {error}", self.fastchess.display()))?;
        let errors = child.stderr.take().map(ErrorOutput::read);
        let mut printed = String::new();
        if let Some(out) = child.stdout.take() {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                let _ = writeln!(log, "{line}");
                if let Some((number, game)) = self.read_result(&line, segment) {
                    let booked = self.ledger.book(game);
                    if booked.is_err() {
                        stop(&mut child);
                    }
                    booked?;
                    progress.show(&self.outcome());
                    // One decision ends the match; games that are being played do not count.
                    if number > 0 && self.is_over() {
                        stop(&mut child);
                        return Ok(());
                    }
                }
                printed.push_str(&line);
                printed.push('\n');
            }
        }
        let status = child.wait().map_err(|error| format!("fastchess: {error}"))?;
        if let Some(errors) = errors.map(ErrorOutput::text) {
            let _ = log.write_all(errors.as_bytes());
            printed.push_str(&errors);
        }
        self.refuse_faults(&printed)?;
        if !status.success() {
            let last =
                printed.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no word");
            let why = format!("fastchess ended with {status}: {last}");
            // A match that runs strictly ends so at the first fault.
            if self.engine_match.fault_policy == FaultPolicy::Strict
                && self.ledger.games().next().is_some()
            {
                self.keep_fault(&why)?;
            }
            return Err(why);
        }
        Ok(())
    }

    /// Reads `Finished game 5 (DEV vs BASE): 1-0 {White mates}`.
    fn read_result(&self, line: &str, segment: Segment) -> Option<(u32, GameResult)> {
        let rest = line.strip_prefix("Finished game ")?;
        let (number, rest) = rest.split_once(" (")?;
        let number: u32 = number.parse().ok()?;
        let (players, rest) = rest.split_once("): ")?;
        let dev_white = players.split_once(" vs ")?.0 == self.engine_match.dev.name;
        let (result, reason) = rest.split_once(" {")?;
        let white = match result {
            "1-0" => 2,
            "0-1" => 0,
            "1/2-1/2" => 1,
            _ => return None,
        };
        let opening = match segment {
            Segment::Pairs { first, .. } => first + (number - 1) / 2,
            Segment::Single { opening, .. } => opening,
        };
        let half_points = if dev_white { white } else { 2 - white };
        let reason = reason.trim_end_matches('}').to_owned();
        Some((number, GameResult { opening, dev_white, half_points, reason }))
    }

    fn refuse_faults(&self, printed: &str) -> Result<(), String> {
        let policy = self.engine_match.fault_policy;
        for (side, is_base) in [(&self.engine_match.dev, false), (&self.engine_match.base, true)] {
            let (_, faults): (Vec<&str>, Vec<&str>) = faults::of(printed, &side.name)
                .into_iter()
                .partition(|line| policy == FaultPolicy::Flags && faults::is_flag(line));
            let Some(first) = faults.first() else { continue };
            let many = format!("{} had {} faults, the first: {first}", side.name, faults.len());
            if is_base && policy == FaultPolicy::Stranger {
                eprintln!("  {many}");
                continue;
            }
            self.keep_fault(&many)?;
            return Err(format!("{many}; see {}", self.folder.display()));
        }
        Ok(())
    }

    fn keep_fault(&self, why: &str) -> Result<(), String> {
        let path = self.folder.join(FAULT);
        let written = write_whole(&path, |out| out.write_all(why.as_bytes()));
        written.map_err(|error| format!("{}: {}", path.display(), error.source))
    }

    /// Writes every booked game once into one PGN file.
    fn join_games(&self) -> Result<(), String> {
        let mut joined = String::new();
        let mut written = std::collections::HashSet::new();
        for part in (1..).take_while(|part| self.folder.join(part_name(*part, "txt")).exists()) {
            let path = self.folder.join(part_name(part, "pgn"));
            let Ok(bytes) = std::fs::read(&path) else { continue };
            for game in pgn_games(&String::from_utf8_lossy(&bytes)) {
                // A game is known by its moves and players: openings differ, and repeated colors exchange names.
                if game.contains("[Result \"*\"]") || !written.insert(game_key(&game)) {
                    continue;
                }
                joined.push_str(&game);
                joined.push_str("\n\n");
            }
        }
        let path = self.folder.join(format!("out_{}.pgn", self.engine_match.stem()));
        let done = write_whole(&path, |out| out.write_all(joined.as_bytes()));
        done.map_err(|error| format!("{}: {}", path.display(), error.source))
    }
}

fn part_name(part: u32, kind: &str) -> String {
    format!("part-{part}.{kind}")
}

/// Identity of a game within a match: opening and colors.
fn game_key(game: &str) -> (String, String) {
    let tag = |name: &str| {
        let line = game.lines().find(|line| line.starts_with(&format!("[{name} ")));
        line.unwrap_or_default().to_owned()
    };
    let opening = match tag("FEN") {
        fen if fen.is_empty() => tag("Round"),
        fen => fen,
    };
    (opening, tag("White"))
}

/// Cuts a PGN file into its games.
fn pgn_games(text: &str) -> Vec<String> {
    let mut games: Vec<String> = vec![];
    for line in text.lines() {
        if line.starts_with("[Event ") {
            games.push(String::new());
        }
        if let Some(game) = games.last_mut() {
            game.push_str(line);
            game.push('\n');
        }
    }
    games.into_iter().map(|game| game.trim_end().to_owned()).collect()
}

/// Ends the match runner: it is asked first, so that it can end its engines, then killed.
fn stop(child: &mut Child) {
    #[cfg(unix)]
    {
        let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        for _ in 0..50 {
            if matches!(child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// The folders of matches inside a laboratory's folder: name, identity, games so far, and the fault that ended it.
pub(super) fn matches_in(lab: &Path) -> Vec<(String, String, usize, Option<String>)> {
    let Ok(entries) = std::fs::read_dir(lab) else { return vec![] };
    let mut found: Vec<_> = entries
        .filter_map(|entry| {
            let folder = entry.ok()?.path();
            let identity = std::fs::read_to_string(folder.join(IDENTITY)).ok()?;
            let games = std::fs::read_to_string(folder.join(ledger::FILE)).unwrap_or_default();
            let fault = std::fs::read_to_string(folder.join(FAULT)).ok();
            let name = folder.file_name()?.to_string_lossy().into_owned();
            Some((name, identity, games.lines().count(), fault))
        })
        .collect();
    found.sort();
    found
}
