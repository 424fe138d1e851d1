//! A match between two engines: what identifies it, and the words for the match runner.

use super::control::Control;
use super::error::LabError;
use super::preflight::BookFormat;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use umbrail_control::{FILE_BYTES_MAX, read_own};
use xxhash_rust::xxh3::xxh3_64;

/// Seed of the order of the openings: every match of a book plays the same ones.
const SEED: &str = "20261121";

/// One of the players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Side {
    pub(super) name: String,
    pub(super) command: PathBuf,
    /// Options by name.
    pub(super) options: Vec<(String, String)>,
}

/// What a fault of an engine does to a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FaultPolicy {
    /// The first fault of either side ends the match.
    Strict,
    /// BASE is another program: its faults are reported at the end, those of DEV make the match worthless.
    Stranger,
    /// The experiment is about losing on time: such games are results and are counted; any other fault
    /// makes the match worthless.
    Flags,
}

/// When a match ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// When all games are played.
    Games,
    /// When the sequential test has decided, or all games are played.
    Decision,
}

/// A match of DEV against BASE.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct EngineMatch {
    /// What is measured: the option of an experiment, `control`, a program.
    pub(super) label: String,
    pub(super) dev: Side,
    pub(super) base: Side,
    pub(super) control: Control,
    pub(super) book: Option<PathBuf>,
    pub(super) concurrency: u32,
    pub(super) ending: Ending,
    pub(super) fault_policy: FaultPolicy,
}

impl EngineMatch {
    /// Control, adjudication and concurrency as words for fastchess.
    fn common_words(&self) -> Vec<String> {
        let mut words = vec!["-each".to_owned()];
        words.extend(self.control.words());
        words.extend(["-srand", SEED].map(str::to_owned));
        words.extend(["-draw", "movenumber=40", "movecount=8", "score=8"].map(str::to_owned));
        words.extend(["-resign", "movecount=4", "score=700"].map(str::to_owned));
        words.extend(["-concurrency".to_owned(), self.concurrency.to_string()]);
        if self.fault_policy == FaultPolicy::Stranger {
            words.push("-recover".to_owned());
        }
        words
    }

    /// The words behind `fastchess` that start the match; its state is saved in this file.
    ///
    /// # Errors
    /// The book has no format.
    pub(super) fn words(&self, state: &str) -> Result<Vec<String>, LabError> {
        let mut words: Vec<String> = vec![];
        for side in [&self.dev, &self.base] {
            words.extend(["-engine".to_owned(), format!("cmd={}", side.command.display())]);
            words.push(format!("name={}", side.name));
            words.extend(side.options.iter().map(|(name, value)| format!("option.{name}={value}")));
        }
        words.extend(self.common_words());
        if let Some(book) = &self.book {
            words.extend(["-openings".to_owned(), format!("file={}", book.display())]);
            words.push(format!("format={}", BookFormat::of(book)?.word()));
            words.push("order=random".to_owned());
        }
        if self.ending == Ending::Decision {
            let (low, high) = self.control.elo;
            words.extend(["-sprt".to_owned(), format!("elo0={low}"), format!("elo1={high}")]);
            words.extend(["alpha=0.05", "beta=0.05", "model=normalized"].map(str::to_owned));
        }
        words.extend(["-games", "2", "-rounds"].map(str::to_owned));
        words.push((self.control.games / 2).to_string());
        // The log has a result after each pair; a kill costs the games of about a second.
        words.extend(["-ratinginterval", "1", "-autosaveinterval", "2"].map(str::to_owned));
        words.extend(["-config".to_owned(), format!("outname={state}")]);
        words.extend(["-pgnout".to_owned(), format!("file=out_{}.pgn", self.stem())]);
        words.extend(["nodes=true".to_owned(), "nps=true".to_owned()]);
        Ok(words)
    }

    /// The whole command as it can be typed.
    ///
    /// # Errors
    /// The book has no format.
    pub(super) fn command_line(&self, runner: &Path) -> Result<String, LabError> {
        let mut line = runner.display().to_string();
        for word in self.words("part-1.json")? {
            let _ = match word.contains(' ') {
                true => write!(line, " \"{word}\""),
                false => write!(line, " {word}"),
            };
        }
        Ok(line)
    }

    /// Label and control, for messages.
    pub(super) fn title(&self) -> String {
        format!("{} at {}", self.label, self.control.name)
    }

    /// `XP3_blitz`: how files of this match begin.
    pub(super) fn stem(&self) -> String {
        let first = self.label.split(' ').next().unwrap_or("match");
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        format!("{first}_{}", self.control.name)
            .chars()
            .map(|c| if c == '_' { c } else { plain(c) })
            .collect()
    }

    /// Everything that changes the result, one fact a line: both programs and the book by what they hold, options,
    /// control, length, adjudication, fault policy, and the version of the match runner.
    ///
    /// # Errors
    /// A program or the book cannot be read.
    pub(super) fn identity(&self, runner: &str) -> Result<String, LabError> {
        let mut text = format!("label {}\nrunner {runner}\n", self.label.replace('\n', " "));
        for (role, side) in [("dev", &self.dev), ("base", &self.base)] {
            let _ = writeln!(text, "{role} {} {}", side.name, file_digest(&side.command)?);
            for (name, value) in &side.options {
                let _ = writeln!(text, "{role} option {name}={value}");
            }
        }
        match &self.book {
            Some(book) => {
                let _ =
                    writeln!(text, "book {} {}", BookFormat::of(book)?.word(), file_digest(book)?);
            }
            None => text.push_str("book none\n"),
        }
        let _ = writeln!(text, "games {}", self.control.games);
        let ending = match self.ending {
            Ending::Games => "all games".to_owned(),
            Ending::Decision => format!("decision between {:?}", self.control.elo),
        };
        let _ = writeln!(text, "ending {ending}\nfaults {:?}", self.fault_policy);
        let _ = writeln!(text, "words {}", self.common_words().join(" "));
        Ok(text)
    }
}

/// Short name of an identity.
pub(super) fn digest(identity: &str) -> String {
    format!("{:016x}", xxh3_64(identity.as_bytes()))
}

/// Digest of what a file holds; a name on the search path is looked up there.
fn file_digest(path: &Path) -> Result<String, LabError> {
    let bytes = read_own(path, FILE_BYTES_MAX).map_err(LabError::own)?;
    Ok(format!("{:016x}", xxh3_64(&bytes)))
}

/// The same path from everywhere: matches run in folders of their own.
///
/// # Errors
/// There is no such file.
pub(super) fn absolute(path: &Path) -> Result<PathBuf, LabError> {
    path.canonicalize().map_err(|source| LabError::NoFile { path: path.to_owned(), source })
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::control::Control;
    use super::{Ending, EngineMatch, FaultPolicy, Side, digest};

    pub(crate) fn engine_match(option: (&str, &str), control: &str) -> EngineMatch {
        let side = |name: &str| Side {
            name: name.to_owned(),
            command: std::env::current_exe().unwrap(),
            options: vec![("Hash".to_owned(), "32".to_owned())],
        };
        let mut dev = side("DEV");
        dev.options.push((option.0.to_owned(), option.1.to_owned()));
        EngineMatch {
            label: option.0.to_owned(),
            dev,
            base: side("BASE"),
            control: Control::read(control, None).unwrap(),
            book: None,
            concurrency: 1,
            ending: Ending::Games,
            fault_policy: FaultPolicy::Strict,
        }
    }

    #[test]
    fn the_command_is_what_fastchess_expects() {
        let one = engine_match(("XP3 LMRCons", "true"), "blitz");
        let line = one.command_line("fastchess".as_ref()).unwrap();
        for part in [
            "fastchess -engine cmd=",
            " name=DEV option.Hash=32 \"option.XP3 LMRCons=true\" -engine cmd=",
            " name=BASE option.Hash=32 -each tc=10+0.1",
            "-games 2 -rounds 150",
            "-config outname=part-1.json",
            "-pgnout file=out_XP3_blitz.pgn",
        ] {
            assert!(line.contains(part), "{part} in {line}");
        }
        assert!(!line.contains("-sprt"), "all games are played");
        let decided = EngineMatch { ending: Ending::Decision, ..one };
        let line = decided.command_line("fastchess".as_ref()).unwrap();
        assert!(line.contains("-sprt elo0=0 elo1=6 alpha=0.05 beta=0.05 model=normalized"));
        let nodes = engine_match(("XP10 RootBias", "true"), "nodes=5000");
        assert_eq!(nodes.stem(), "XP10_nodes-5000");
    }

    #[test]
    fn whatever_changes_a_match_changes_its_name() {
        let folder = std::env::temp_dir().join(format!("umbrail-identity-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (book, program) = (folder.join("b.epd"), folder.join("engine"));
        std::fs::write(&book, "one").unwrap();
        std::fs::write(&program, "first").unwrap();
        let mut first = engine_match(("XP3 LMRCons", "true"), "nodes=5000");
        first.book = Some(book.clone());
        first.dev.command = program.clone();
        let name = |one: &EngineMatch| digest(&one.identity("v1").unwrap());
        let names = [
            name(&first),
            name(&EngineMatch { concurrency: 2, ..first.clone() }),
            name(&EngineMatch { ending: Ending::Decision, ..first.clone() }),
            name(&EngineMatch { book: None, ..first.clone() }),
            name(&EngineMatch { fault_policy: FaultPolicy::Flags, ..first.clone() }),
            name(&EngineMatch {
                control: Control::read("nodes=5000", Some(10)).unwrap(),
                ..first.clone()
            }),
            {
                let mut other = first.clone();
                other.base.options[0].1 = "64".to_owned();
                name(&other)
            },
            digest(&first.identity("v2").unwrap()),
        ];
        for (at, one) in names.iter().enumerate() {
            assert!(!names[..at].contains(one), "{at}: {names:?}");
        }
        std::fs::write(&program, "second").unwrap();
        assert_ne!(name(&first), names[0], "a rebuilt program");
        std::fs::write(&program, "first").unwrap();
        assert_eq!(name(&first), names[0]);
        std::fs::write(&book, "two").unwrap();
        assert_ne!(name(&first), names[0], "another book");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
