//! Plays a match under fastchess, in as many parts as interruptions make of it.
//!
//! The folder of a match holds `match.txt` (its identity), `out_LABEL_CONTROL.pgn` (the games), and for each start of
//! fastchess `part-N.txt` (its output) and `part-N.json` (its saved state). A part continues from the newest whole
//! state. Each part has a state of its own, because a kill may leave one half written.

use super::engine_match::{Ending, EngineMatch, FaultPolicy, digest};
use super::error::LabError;
use super::interrupt;
use super::progress::ProgressLine;
use super::transcript::{Fault, Finding, Transcript, part_file};
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;
use umbrail_control::{FILE_BYTES_MAX, Unreadable, read_own, text_of, write_whole};

/// Identity of the match, in its folder.
pub(super) const IDENTITY: &str = "match.txt";
/// The fault that ended a match, in its folder.
pub(super) const FAULT: &str = "fault.txt";
/// Time limit for the next line of fastchess, after which its process is checked.
const TICK: Duration = Duration::from_millis(200);

/// A match in a folder, ready to be played.
pub(super) struct Runner<'a> {
    engine_match: &'a EngineMatch,
    /// The match runner.
    fastchess: &'a Path,
    folder: PathBuf,
    /// The folder did not exist before.
    is_new: bool,
    transcript: Transcript,
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
    ) -> Result<Self, LabError> {
        let folder = lab.join(format!("{}_{}", engine_match.stem(), &digest(identity)[..8]));
        let is_new = !folder.join(IDENTITY).is_file();
        if is_new {
            std::fs::create_dir_all(&folder).map_err(LabError::at(&folder))?;
            write_whole(&folder.join(IDENTITY), |out| out.write_all(identity.as_bytes()))?;
        } else if read_own(&folder.join(IDENTITY), FILE_BYTES_MAX).map_err(LabError::own)?
            != identity.as_bytes()
        {
            return Err(LabError::OtherMatch(folder));
        }
        let EngineMatch { dev, base, .. } = engine_match;
        let transcript = Transcript::of_folder(&folder, &dev.name, &base.name);
        let runner = Self { engine_match, fastchess, folder, is_new, transcript };
        match read_own(&runner.folder.join(FAULT), FILE_BYTES_MAX).map(text_of) {
            Ok(fault) => Err(LabError::WasFaulted {
                title: engine_match.title(),
                fault: fault.trim().to_owned(),
                folder: runner.folder,
            }),
            Err(error) if error.reason == Unreadable::Absent => Ok(runner),
            Err(source) => Err(LabError::NotContinued { title: engine_match.title(), source }),
        }
    }

    /// Plays the missing games and returns the results.
    ///
    /// # Errors
    /// fastchess fails, Ctrl-C was pressed, or an engine commits a fault that the match does not allow. A match that
    /// this call started and of which no pair is over leaves no folder.
    pub(super) fn play(mut self) -> Result<Transcript, LabError> {
        if !self.is_over() {
            let played = self.play_part();
            let is_empty = self.transcript.last().is_none() && !self.folder.join(FAULT).exists();
            if played.is_err() && self.is_new && is_empty {
                let _ = std::fs::remove_dir_all(&self.folder);
            }
            played?;
        }
        Ok(self.transcript)
    }

    /// The sequential test has decided, or all games are played.
    fn is_over(&self) -> bool {
        let EngineMatch { ending, control, .. } = self.engine_match;
        let is_decided = *ending == Ending::Decision && !self.transcript.decision.is_empty();
        is_decided || self.games() >= control.games
    }

    fn games(&self) -> u32 {
        self.transcript.last().map_or(0, |last| last.games)
    }

    fn play_part(&mut self) -> Result<(), LabError> {
        interrupt::listen();
        let part = (1..).find(|part| !part_file(&self.folder, *part, "txt").exists()).unwrap_or(1);
        let log_path = part_file(&self.folder, part, "txt");
        let state = format!("part-{part}.json");
        let (words, before) = match self.saved(part) {
            Some((games, config)) => {
                let path = self.folder.join(&state);
                write_whole(&path, |out| out.write_all(config.to_string().as_bytes()))?;
                let words =
                    ["-config".to_owned(), format!("file={state}"), format!("outname={state}")];
                (words.to_vec(), games)
            }
            None => (self.engine_match.words(&state)?, 0),
        };
        let mut progress = ProgressLine::new(self.engine_match, before);
        umbrail_control::print_error!("{}", progress.beginning());
        let mut log = std::fs::File::create(&log_path).map_err(LabError::at(&log_path))?;
        let mut child = self.spawn(&words)?;
        let lines = lines_of(&mut child);
        let mut faults_of_base = vec![];
        let (mut fault, mut is_stopped) = (None, false);
        let mut last = "no output".to_owned();
        while let Some(line) = next_line(&lines, &mut child) {
            if !is_stopped && interrupt::is_requested() {
                is_stopped = true;
                interrupt::stop(&mut child);
            }
            if line.is_empty() {
                continue;
            }
            if let Err(error) = writeln!(log, "{line}") {
                interrupt::stop(&mut child);
                return Err(LabError::at(log_path)(error));
            }
            match self.transcript.read(&line) {
                Some(Finding::Report) => progress.show(&self.transcript),
                // Engines that stop together with fastchess are not at fault.
                Some(Finding::Fault(found)) if !is_stopped => {
                    if !self.is_tolerated(&found) {
                        fault = Some(found.text);
                        is_stopped = true;
                        interrupt::stop(&mut child);
                    } else if self.engine_match.fault_policy == FaultPolicy::Stranger {
                        faults_of_base.push(found.text);
                    }
                }
                _ => {}
            }
            last = line;
        }
        let status = child.wait().map_err(LabError::Wait)?;
        if let Some(fault) = fault {
            let text = format!("{fault} ({})", log_path.display());
            write_whole(&self.folder.join(FAULT), |out| out.write_all(text.as_bytes()))?;
            let (title, folder) = (self.engine_match.title(), self.folder.clone());
            return Err(LabError::Fault { title, fault: text, folder });
        }
        if let Some(first) = faults_of_base.first() {
            umbrail_control::print_error!(
                "  faults of {}: {}, the first: {first}",
                self.engine_match.base.name,
                faults_of_base.len()
            );
        }
        match self.is_over() {
            true => Ok(()),
            false if interrupt::is_requested() => {
                Err(LabError::Interrupted { title: self.engine_match.title(), games: self.games() })
            }
            false => Err(LabError::Ended { status, games: self.games(), last }),
        }
    }

    fn spawn(&self, words: &[String]) -> Result<Child, LabError> {
        let mut command = Command::new(self.fastchess);
        command.args(words).current_dir(&self.folder);
        // An engine that survives fastchess may write to the error output without end.
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C in a terminal reaches the laboratory alone: engines that it ended would count as faults.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.spawn().map_err(LabError::at(self.fastchess))
    }

    /// The newest whole state before this part with games left to play, and its number of games. Programs and book may
    /// have moved since; their contents are the same.
    fn saved(&self, part: u32) -> Option<(u32, Value)> {
        let EngineMatch { dev, base, book, control, .. } = self.engine_match;
        (1..part).rev().find_map(|part| {
            let bytes = read_own(&part_file(&self.folder, part, "json"), FILE_BYTES_MAX).ok()?;
            let mut config: Value = serde_json::from_slice(&bytes).ok()?;
            let stats = config.get("stats")?.as_object()?.values().next()?;
            let count = |key| stats.get(key)?.as_u64();
            let games = count("wins")? + count("losses")? + count("draws")?;
            let games =
                u32::try_from(games).ok().filter(|games| (1..control.games).contains(games))?;
            for (at, side) in [dev, base].into_iter().enumerate() {
                *config.get_mut("engines")?.get_mut(at)?.get_mut("cmd")? =
                    side.command.display().to_string().into();
            }
            if let Some(book) = book {
                *config.get_mut("opening")?.get_mut("file")? = book.display().to_string().into();
            }
            Some((games, config))
        })
    }

    fn is_tolerated(&self, fault: &Fault) -> bool {
        match self.engine_match.fault_policy {
            FaultPolicy::Strict => false,
            FaultPolicy::Stranger => fault.is_of_base,
            FaultPolicy::Flags => fault.is_flag,
        }
    }
}

/// Reads the output of fastchess on a thread of its own.
fn lines_of(child: &mut Child) -> Receiver<String> {
    let (send, lines) = channel();
    if let Some(out) = child.stdout.take() {
        std::thread::spawn(move || {
            for line in BufReader::new(out).split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line).trim_end().to_owned();
                if send.send(line).is_err() {
                    return;
                }
            }
        });
    }
    lines
}

/// The next line; empty when none came for a while, none at the end. An engine that survives fastchess may hold its
/// output open, so the end of the process counts as well.
fn next_line(lines: &Receiver<String>, child: &mut Child) -> Option<String> {
    let has_ended = matches!(child.try_wait(), Ok(Some(_)));
    match lines.recv_timeout(TICK) {
        Ok(line) => Some(line),
        Err(RecvTimeoutError::Timeout) if !has_ended => Some(String::new()),
        Err(_) => None,
    }
}

/// A folder of a match inside a laboratory's folder.
#[derive(Default)]
pub(super) struct MatchFolder {
    pub(super) name: String,
    pub(super) identity: String,
    /// The fault that has ended the match.
    pub(super) fault: Option<String>,
}

/// The folders of matches inside a laboratory's folder, by name.
pub(super) fn matches_in(lab: &Path) -> Vec<MatchFolder> {
    let Ok(entries) = std::fs::read_dir(lab) else { return vec![] };
    let mut found: Vec<_> = entries
        .filter_map(|entry| {
            let folder = entry.ok()?.path();
            let text = |name| read_own(&folder.join(name), FILE_BYTES_MAX).ok().map(text_of);
            let (identity, fault) = (text(IDENTITY)?, text(FAULT));
            let name = folder.file_name()?.to_string_lossy().into_owned();
            Some(MatchFolder { name, identity, fault })
        })
        .collect();
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}
