//! A match under fastchess: its command line, and playing it to the end.

use super::control::Control;
use super::faults;
use super::outcome::Outcome;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// One of the players.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub(super) name: String,
    pub(super) command: PathBuf,
    /// Options by name.
    pub(super) options: Vec<(String, String)>,
}

/// What a fault does to a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FaultPolicy {
    /// The first fault of either side ends the match.
    Strict,
    /// A stranger plays: its faults are told at the end, our own make the match worthless.
    Stranger,
    /// The experiment is about losing on time: such games are results and are counted; any other fault
    /// makes the match worthless.
    Flags,
}

/// A match of two or, for a gauntlet, of the first against all others.
#[derive(Clone, Debug)]
pub(super) struct EngineMatch {
    pub(super) label: String,
    pub(super) sides: Vec<Side>,
    pub(super) control: Control,
    pub(super) book: Option<PathBuf>,
    pub(super) concurrency: u32,
    /// Stop when the sequential test has decided.
    pub(super) decide: bool,
    /// What a fault does.
    pub(super) fault_policy: FaultPolicy,
    pub(super) fastchess: PathBuf,
    /// Folder of the whole run.
    pub(super) folder: PathBuf,
}

/// The state that fastchess saves every twenty games and goes on from.
const STATE: &str = "config.json";

impl EngineMatch {
    /// `XP3_blitz`: the folder of the match, and part of the name of its games.
    fn name(&self) -> String {
        let first = self.label.split(' ').next().unwrap_or("match");
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        format!("{first}_{}", self.control.name)
            .chars()
            .map(|c| if c == '_' { c } else { plain(c) })
            .collect()
    }

    /// The words behind `fastchess`.
    fn words(&self) -> Result<Vec<String>, String> {
        let mut words: Vec<String> = vec![];
        for side in &self.sides {
            words.extend(["-engine".to_owned(), format!("cmd={}", side.command.display())]);
            words.push(format!("name={}", side.name));
            words.extend(side.options.iter().map(|(name, value)| format!("option.{name}={value}")));
        }
        words.push("-each".to_owned());
        words.extend(self.control.words());
        if let Some(book) = &self.book {
            let path = absolute(book)?;
            let format = match path.extension().is_some_and(|extension| extension == "pgn") {
                true => "pgn",
                false => "epd",
            };
            words.extend(["-openings".to_owned(), format!("file={}", path.display())]);
            words.extend([format!("format={format}"), "order=random".to_owned()]);
        }
        let rounds = self.control.games / 2;
        let games = format!("out_{}.pgn", self.name());
        words
            .extend(["-srand", "20261121", "-games", "2", "-repeat", "-rounds"].map(str::to_owned));
        words.extend([rounds.to_string(), "-concurrency".to_owned(), self.concurrency.to_string()]);
        words.extend(
            ["-draw", "movenumber=40", "movecount=8", "score=8", "-resign", "movecount=4"]
                .map(str::to_owned),
        );
        words.extend(["score=700", "-ratinginterval", "50"].map(str::to_owned));
        if self.fault_policy == FaultPolicy::Strict {
            words.push("-strict".to_owned());
        }
        words.push("-pgnout".to_owned());
        words.extend([format!("file={games}"), "nodes=true".to_owned(), "nps=true".to_owned()]);
        if self.sides.len() > 2 {
            words.extend(["-tournament", "gauntlet", "-seeds", "1"].map(str::to_owned));
        } else if self.decide {
            let (low, high) = self.control.elo;
            words.extend(["-sprt".to_owned(), format!("elo0={low}"), format!("elo1={high}")]);
            words.extend(["alpha=0.05", "beta=0.05"].map(str::to_owned));
        }
        Ok(words)
    }

    /// The whole command as it can be typed.
    pub(super) fn command_line(&self) -> String {
        let mut line = self.fastchess.display().to_string();
        for word in self.words().unwrap_or_default() {
            let _ = match word.contains(' ') {
                true => write!(line, " \"{word}\""),
                false => write!(line, " {word}"),
            };
        }
        line
    }

    /// Plays it, or the rest of it, and gives the result.
    pub(super) fn play(&self) -> Result<Outcome, String> {
        let folder = self.folder.join(self.name());
        let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
        std::fs::create_dir_all(&folder).map_err(fail)?;
        let mut command = Command::new(&self.fastchess);
        if folder.join(STATE).is_file() {
            eprintln!("{} at {}: going on", self.label, self.control.name);
            command.args(["-config", &format!("file={STATE}"), &format!("outname={STATE}")]);
        } else {
            std::fs::write(folder.join("command.txt"), self.command_line() + "\n").map_err(fail)?;
            command.args(self.words()?);
        }
        command.current_dir(&folder).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| {
            format!(
                "fastchess is missing: cannot run {} ({error}); get it from \
                 github.com/Disservin/fastchess and name it with --fastchess PATH",
                self.fastchess.display()
            )
        })?;
        let mut said = String::new();
        if let Some(out) = child.stdout.take() {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                let message = ["Elo:", "Games:", "Warning", "Fatal", "SPRT"];
                if message.iter().any(|word| line.starts_with(word)) {
                    eprintln!("  {line}");
                }
                said.push_str(&line);
                said.push('\n');
            }
        }
        let status = child.wait().map_err(|error| format!("fastchess: {error}"))?;
        std::fs::write(folder.join("fastchess.txt"), &said).map_err(fail)?;
        if !status.success() {
            let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("");
            return Err(format!("fastchess ended with {status}: {last}"));
        }
        let see = folder.join("fastchess.txt");
        for (side, other) in self.sides.iter().zip([false, true]) {
            let (flags, faults): (Vec<&str>, Vec<&str>) = faults::of(&said, &side.name)
                .into_iter()
                .partition(|line| self.fault_policy == FaultPolicy::Flags && faults::is_flag(line));
            if !flags.is_empty() {
                eprintln!("  {} lost {} games on time", side.name, flags.len());
            }
            let Some(first) = faults.first() else { continue };
            let many = format!("{} had {} faults, first: {first}", side.name, faults.len());
            if !(other && self.fault_policy == FaultPolicy::Stranger) {
                return Err(format!("{many}; see {}", see.display()));
            }
            eprintln!("  {many}");
        }
        Outcome::read(&said)
            .ok_or_else(|| format!("fastchess printed no result; see {}", see.display()))
    }
}

/// The same path from everywhere: matches run in folders of their own.
pub(super) fn absolute(path: &Path) -> Result<PathBuf, String> {
    let found = path.canonicalize();
    found.map_err(|error| format!("cannot use {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::super::control::Control;
    use super::{EngineMatch, FaultPolicy, Side};

    fn engine_match(option: (&str, &str), control: &str) -> EngineMatch {
        let side = |name: &str| Side {
            name: name.to_owned(),
            command: "umbrail".into(),
            options: vec![("Hash".to_owned(), "32".to_owned())],
        };
        let mut dev = side("DEV");
        dev.options.push((option.0.to_owned(), option.1.to_owned()));
        EngineMatch {
            label: option.0.to_owned(),
            sides: vec![dev, side("BASE")],
            control: Control::read(control, None).unwrap(),
            book: None,
            concurrency: 1,
            decide: true,
            fault_policy: FaultPolicy::Strict,
            fastchess: "fastchess".into(),
            folder: "lab".into(),
        }
    }

    #[test]
    fn the_command_is_spelled_as_fastchess_wants_it() {
        let line = engine_match(("XP3 LMRCons", "true"), "blitz").command_line();
        for part in [
            "fastchess -engine cmd=umbrail name=DEV option.Hash=32 \"option.XP3 LMRCons=true\"",
            "-engine cmd=umbrail name=BASE option.Hash=32 -each tc=10+0.1",
            "-games 2 -repeat -rounds 150",
            "-strict -pgnout file=out_XP3_blitz.pgn",
            "-sprt elo0=0 elo1=6 alpha=0.05 beta=0.05",
        ] {
            assert!(line.contains(part), "{part} in {line}");
        }
        assert!(!line.contains("opt."));
        let nodes = engine_match(("XP10 RootBias", "true"), "nodes=5000");
        assert_eq!(nodes.name(), "XP10_nodes-5000");
    }

    #[test]
    fn a_missing_fastchess_is_named() {
        let folder = std::env::temp_dir().join(format!("umbrail-lab-{}", std::process::id()));
        let mut engine_match = engine_match(("XP3 LMRCons", "true"), "blitz");
        (engine_match.fastchess, engine_match.folder) =
            ("no/such/fastchess".into(), folder.clone());
        let why = engine_match.play().unwrap_err();
        assert!(why.contains("fastchess is missing") && why.contains("no/such/fastchess"), "{why}");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
