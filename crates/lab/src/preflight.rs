//! Checks before a match starts, so that a wrong command leaves no files: the match runner answers,
//! the book holds openings, both engines start and have the options that will be set.

use super::error::LabError;
use std::io::{BufRead as _, BufReader, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use umbrail_chess::Position;
use umbrail_chess::geometry::Setup;
use umbrail_control::{FILE_BYTES_MAX, read_own};

/// How long an engine may take to answer `uci`.
const PATIENCE: Duration = Duration::from_secs(10);
/// Lines of a book that are looked at.
const LINES_MAX: usize = 200_000;

/// The kinds of books that match runners read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BookFormat {
    /// One position a line.
    Epd,
    /// Games.
    Pgn,
}

impl BookFormat {
    /// The format by the name of the file, capitals or not.
    ///
    /// # Errors
    /// The name ends in neither.
    pub(super) fn of(path: &Path) -> Result<Self, LabError> {
        let extension = path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase());
        match extension.as_deref() {
            Some("epd" | "fen") => Ok(Self::Epd),
            Some("pgn") => Ok(Self::Pgn),
            _ => Err(LabError::BookName(path.to_owned())),
        }
    }

    /// The word of the match runner.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Epd => "epd",
            Self::Pgn => "pgn",
        }
    }
}

/// Reads a book; gives how many openings it holds.
///
/// # Errors
/// The file cannot be read, holds nothing, or names the first line that is no position.
pub(super) fn check_book(path: &Path) -> Result<usize, LabError> {
    match BookFormat::of(path)? {
        BookFormat::Epd => Ok(positions(path)?.len()),
        BookFormat::Pgn => games(path),
    }
}

/// Counts the games of a book.
fn games(path: &Path) -> Result<usize, LabError> {
    let text = read_own(path, FILE_BYTES_MAX).map_err(LabError::own)?;
    let text = String::from_utf8_lossy(&text);
    let events = text.lines().take(LINES_MAX).filter(|line| line.trim().starts_with("[Event "));
    let moves = |line: &str| line.starts_with("1.") || line.contains(" 1.");
    match events.count() {
        0 if text.lines().any(moves) => Ok(1),
        0 => Err(LabError::Empty { path: path.to_owned(), expected: "openings" }),
        count => Ok(count),
    }
}

/// Reads the positions of a book, one a line.
///
/// # Errors
/// The file cannot be read, has games in place of positions, holds nothing, or names the first line that is no position.
pub(super) fn positions(path: &Path) -> Result<Vec<Position>, LabError> {
    if BookFormat::of(path)? != BookFormat::Epd {
        return Err(LabError::Inside("--book must be positions (.epd or .fen)"));
    }
    let text = read_own(path, FILE_BYTES_MAX).map_err(LabError::own)?;
    let text = String::from_utf8_lossy(&text);
    let lines = text.lines().enumerate().take(LINES_MAX).map(|(at, line)| (at + 1, line.trim()));
    let mut positions = vec![];
    for (number, line) in lines.filter(|(_, line)| !line.is_empty()) {
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        let position =
            fields.join(" ").parse::<Setup>().ok().map(|setup| Position::try_from(&setup));
        let Some(Ok(position)) = position else {
            return Err(LabError::BookLine { path: path.to_owned(), line: number, got: cut(line) });
        };
        positions.push(position);
    }
    match positions.len() {
        0 => Err(LabError::Empty { path: path.to_owned(), expected: "openings" }),
        _ => Ok(positions),
    }
}

fn cut(line: &str) -> String {
    const SHOWN: usize = 60;
    match line.chars().count() > SHOWN {
        true => line.chars().take(SHOWN).chain("…".chars()).collect(),
        false => line.to_owned(),
    }
}

/// Finds the match runner: a name on the search path, or a path, made absolute because matches run in folders of
/// their own; and asks it for its version.
///
/// # Errors
/// It cannot be run.
pub(super) fn find_runner(name: &Path) -> Result<(PathBuf, String), LabError> {
    let missing = |source| LabError::NoRunner { name: name.to_owned(), source };
    let path = match name.components().count() {
        0 | 1 => name.to_owned(),
        _ => name.canonicalize().map_err(missing)?,
    };
    let output = Command::new(&path).arg("-version").stdin(Stdio::null()).output();
    let output = output.map_err(missing)?;
    let printed = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    match printed.to_ascii_lowercase().contains("fastchess")
        || printed.to_ascii_lowercase().contains("fast-chess")
    {
        true => Ok((path, printed)),
        false => Err(LabError::OtherRunner { name: name.to_owned(), printed: cut(&printed) }),
    }
}

/// Starts an engine, and looks whether it has these options with these values.
///
/// # Errors
/// It does not start, does not speak UCI, or has no such option or no such value.
pub(super) fn check_engine(
    name: &str,
    command: &Path,
    options: &[(String, String)],
) -> Result<(), LabError> {
    let engine = format!("{name} ({})", command.display());
    let child = Command::new(command)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child =
        child.map_err(|source| LabError::EngineStart { engine: engine.clone(), source })?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(LabError::EngineStart { engine, source: ErrorKind::BrokenPipe.into() });
    };
    let _ = input.write_all(b"uci\n").and_then(|()| input.flush());
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        let lines = BufReader::new(output).lines().map_while(Result::ok);
        let mut printed = vec![];
        for line in lines {
            let done = line.trim() == "uciok";
            printed.push(line);
            if done {
                let _ = send.send(printed);
                return;
            }
        }
    });
    let printed = receive.recv_timeout(PATIENCE);
    let _ = input.write_all(b"quit\n").and_then(|()| input.flush());
    drop(input);
    let Ok(printed) = printed else {
        let _ = child.kill();
        let _ = child.wait();
        return Err(LabError::NoUci(engine));
    };
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(1));
        if !matches!(child.try_wait(), Ok(Some(_))) {
            let _ = child.kill();
        }
        let _ = child.wait();
    });
    let known: Vec<Offered> = printed.iter().filter_map(|line| Offered::read(line)).collect();
    for (option, value) in options {
        let Some(found) = known.iter().find(|known| known.name.eq_ignore_ascii_case(option)) else {
            return Err(LabError::EngineOption { engine, option: option.clone() });
        };
        if !found.takes(value) {
            let (option, got) = (option.clone(), value.clone());
            return Err(LabError::EngineValue {
                engine,
                option,
                expected: found.values.clone(),
                got,
            });
        }
    }
    Ok(())
}

/// An option as an engine offers it.
struct Offered {
    name: String,
    kind: String,
    range: Option<(i64, i64)>,
    choices: Vec<String>,
    /// The values in words, for an error.
    values: String,
}

impl Offered {
    /// Reads `option name X type spin default 1 min 1 max 8`.
    fn read(line: &str) -> Option<Self> {
        let (name, rest) = line.trim().strip_prefix("option name ")?.split_once(" type ")?;
        let words: Vec<&str> = rest.split_whitespace().collect();
        let kind = (*words.first()?).to_owned();
        let after = |word: &str| {
            words.iter().position(|found| *found == word).and_then(|at| words.get(at + 1))
        };
        let number = |word: &str| after(word)?.parse::<i64>().ok();
        let range = number("min").zip(number("max"));
        let choices: Vec<String> =
            rest.split(" var ").skip(1).map(|choice| choice.trim().to_owned()).collect();
        let values = match (kind.as_str(), range) {
            ("spin", Some((min, max))) => format!("{min} to {max}"),
            ("check", _) => "true or false".to_owned(),
            ("combo", _) => choices.join(", "),
            _ => "text".to_owned(),
        };
        Some(Self { name: name.trim().to_owned(), kind, range, choices, values })
    }

    fn takes(&self, value: &str) -> bool {
        match (self.kind.as_str(), self.range) {
            ("spin", Some((min, max))) => {
                value.parse().is_ok_and(|number| (min..=max).contains(&number))
            }
            ("check", _) => ["true", "false"].contains(&value),
            ("combo", _) => self.choices.iter().any(|choice| choice.eq_ignore_ascii_case(value)),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BookFormat, LabError, Offered, check_book};
    use std::path::Path;

    #[test]
    fn a_book_without_openings_is_refused_by_file_and_line() {
        let folder = std::env::temp_dir().join(format!("umbrail-book-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let book = |name: &str, text: &str| {
            let path = folder.join(name);
            std::fs::write(&path, text).unwrap();
            check_book(&path)
        };
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
        assert_eq!(book("a.EPD", &start.repeat(3)).unwrap(), 3);
        let why = book("b.epd", &format!("{start}garbage here\n")).unwrap_err().to_string();
        assert!(why.contains("b.epd:2") && why.contains("garbage here"), "{why}");
        assert!(book("c.epd", "").unwrap_err().to_string().contains("found none"));
        assert_eq!(book("d.PGN", "[Event \"x\"]\n\n1. e4 e5 *\n").unwrap(), 1);
        assert!(matches!(book("e.txt", start), Err(LabError::BookName(_))));
        assert!(matches!(
            check_book(&folder.join("absent.epd")),
            Err(LabError::Unreadable { path, .. }) if path.ends_with("absent.epd")
        ));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_format_is_known_in_capitals_too() {
        assert_eq!(BookFormat::of(Path::new("BOOK.PGN")).unwrap(), BookFormat::Pgn);
        assert_eq!(BookFormat::of(Path::new("b.epd")).unwrap(), BookFormat::Epd);
    }

    #[test]
    fn values_are_compared_with_what_the_engine_offers() {
        let spin = Offered::read("option name Hash type spin default 16 min 1 max 1024").unwrap();
        assert!(spin.takes("32") && !spin.takes("0") && !spin.takes("many"));
        assert_eq!(spin.values, "1 to 1024");
        let combo =
            Offered::read("option name Style type combo default Solid var Solid var Very Wild")
                .unwrap();
        assert!(combo.takes("very wild") && !combo.takes("Wild"));
        let check = Offered::read("option name XP3 LMRCons type check default false").unwrap();
        assert_eq!(check.name, "XP3 LMRCons");
        assert!(check.takes("true") && !check.takes("yes"));
    }
}
