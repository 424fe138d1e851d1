//! Plays the conversations in `protocol-tests/` against the real program. `protocol-tests/README.md`
//! describes how one is written.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// An answer that does not come in this time does not come at all.
const PATIENCE: Duration = Duration::from_secs(20);
/// `!` listens for this long.
const LISTEN: Duration = Duration::from_millis(150);

/// One running program and its output.
struct Talk {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    /// Read from the program, not yet matched.
    unread: Vec<(Instant, String)>,
    printed_at: Instant,
    answered_at: Instant,
    skipping: bool,
}

impl Talk {
    fn start(arguments: &str, folder: &Path) -> Self {
        let mut child = common::command(words(arguments), folder)
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if send.send((Instant::now(), line)).is_err() {
                    return;
                }
            }
        });
        let now = Instant::now();
        let stdin = child.stdin.take();
        Self {
            child,
            stdin,
            lines,
            unread: vec![],
            printed_at: now,
            answered_at: now,
            skipping: false,
        }
    }

    /// Reads the output of this time; false when the program has closed its output.
    fn listen(&mut self, time: Duration) -> bool {
        let end = Instant::now() + time;
        loop {
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => self.unread.push(line),
                Err(RecvTimeoutError::Timeout) => return true,
                Err(RecvTimeoutError::Disconnected) => return false,
            }
        }
    }

    /// One line of the transcript.
    fn play(&mut self, line: &str) -> Result<(), String> {
        let (mark, rest) = line.split_at(1);
        let rest = rest.strip_prefix(' ').unwrap_or(rest);
        match mark {
            ">" if rest == "^D" => self.stdin = None,
            ">" => {
                let stdin = self.stdin.as_mut().ok_or("our end is closed")?;
                self.printed_at = Instant::now();
                writeln!(stdin, "{rest}")
                    .map_err(|error| format!("it does not listen: {error}"))?;
            }
            "<" if rest == "..." => self.skipping = true,
            "<" => self.expect(rest)?,
            "!" => {
                self.listen(LISTEN);
                if let Some((_, printed)) =
                    self.unread.iter().find(|(_, printed)| matches(rest, printed))
                {
                    return Err(format!("it printed \"{printed}\""));
                }
            }
            "~" => {
                let time = milliseconds(rest)?;
                self.listen(time);
            }
            "@" => {
                let bound =
                    milliseconds(rest.strip_prefix("within ").ok_or("expected: within N ms")?)?;
                let took = self.answered_at.saturating_duration_since(self.printed_at);
                if took > bound {
                    return Err(format!("it took {took:?}"));
                }
            }
            "%" => {
                let expected = rest.strip_prefix("exit ").ok_or("expected: exit N")?;
                let status = self.exit()?;
                if status != expected {
                    return Err(format!("its exit status is {status}"));
                }
            }
            _ => return Err("expected one of # $ = > < ! ~ @ %".to_owned()),
        }
        Ok(())
    }

    /// The next line, or after `...` one of the next lines, looks like this.
    fn expect(&mut self, pattern: &str) -> Result<(), String> {
        let skipping = std::mem::take(&mut self.skipping);
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(index) =
                self.unread.iter().position(|(_, printed)| matches(pattern, printed))
            {
                if index > 0 && !skipping {
                    return Err(format!("it printed \"{}\" first", self.unread[0].1));
                }
                self.answered_at = self.unread[index].0;
                self.unread.drain(..=index);
                return Ok(());
            }
            if !skipping && let Some((_, printed)) = self.unread.first() {
                return Err(format!("it printed \"{printed}\""));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => self.unread.push(line),
                Err(why) => {
                    let last =
                        self.unread.last().map_or("nothing", |(_, printed)| printed.as_str());
                    return Err(format!(
                        "it did not print that ({why}); last it printed \"{last}\""
                    ));
                }
            }
        }
    }

    fn exit(&mut self) -> Result<String, String> {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Ok(status.code().map_or("a signal".to_owned(), |code| code.to_string()));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Err("it is still running".to_owned())
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn milliseconds(text: &str) -> Result<Duration, String> {
    let number = text.strip_suffix(" ms").and_then(|number| number.parse().ok());
    number.map(Duration::from_millis).ok_or_else(|| format!("expected N ms, got {text}"))
}

/// Words with double quotes around those that have blanks.
fn words(text: &str) -> Vec<String> {
    let quoted = text.split('"').enumerate().flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().collect::<Vec<_>>(),
        _ => vec![part],
    });
    quoted.map(str::to_owned).collect()
}

/// True when a line looks like a pattern: `*` is anything, `{int}` a number, `{move}` coordinates.
fn matches(pattern: &str, line: &str) -> bool {
    let Some(first) = pattern.chars().next() else { return line.is_empty() };
    if let Some(rest) = pattern.strip_prefix('*') {
        let ends = line.char_indices().map(|(at, _)| at).chain([line.len()]);
        return ends.into_iter().any(|at| matches(rest, &line[at..]));
    }
    if let Some(rest) = pattern.strip_prefix("{int}") {
        let sign = usize::from(line.starts_with('-'));
        let digits = line[sign..].bytes().take_while(u8::is_ascii_digit).count();
        return digits > 0 && matches(rest, &line[sign + digits..]);
    }
    if let Some(rest) = pattern.strip_prefix("{move}") {
        let bytes = line.as_bytes();
        let square = |at: usize| {
            bytes.len() >= at + 2
                && (b'a'..=b'h').contains(&bytes[at])
                && (b'1'..=b'8').contains(&bytes[at + 1])
        };
        let promotes = matches!(bytes.get(4), Some(b'q' | b'r' | b'b' | b'n'));
        return square(0) && square(2) && matches(rest, &line[4 + usize::from(promotes)..]);
    }
    line.strip_prefix(first).is_some_and(|rest| matches(&pattern[first.len_utf8()..], rest))
}

/// Plays one transcript; says what went wrong, with the line it went wrong at.
fn play(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    if !text.starts_with("# ") {
        return Err("it does not begin with what it shows".to_owned());
    }
    let own = path.strip_prefix(Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol-tests"));
    let own = own.map_err(|error| error.to_string())?.with_extension("");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("transcripts").join(own);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let arguments = text.lines().find_map(|line| line.strip_prefix("$ ")).unwrap_or("");
    write_files(&text, &folder)?;
    let mut talk = Talk::start(arguments, &folder);
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with(['#', '$', '=']) {
            continue;
        }
        talk.play(line).map_err(|why| format!("line {}, \"{line}\": {why}", index + 1))?;
    }
    Ok(())
}

/// Writes the files that a transcript states, line by line.
fn write_files(text: &str, folder: &Path) -> Result<(), String> {
    for stated in text.lines().filter_map(|line| line.strip_prefix("= ")) {
        let (name, line) = stated.split_once(' ').ok_or("expected: = FILE text")?;
        let mut options = std::fs::OpenOptions::new();
        let file = options.create(true).append(true).open(folder.join(name));
        file.and_then(|mut file| writeln!(file, "{line}")).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn transcripts(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol-tests").join(folder);
    let entries = std::fs::read_dir(&folder).expect("the folder is there");
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "t"));
    paths.sort();
    assert!(!paths.is_empty(), "no transcripts in {}", folder.display());
    paths
}

fn play_all(folder: &str) {
    let failed: Vec<_> = transcripts(folder)
        .into_iter()
        .filter_map(|path| play(&path).err().map(|why| format!("{}: {why}", path.display())))
        .collect();
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
}

#[test]
fn uci() {
    play_all("uci");
}

#[test]
fn xboard() {
    play_all("xboard");
}

#[test]
fn plain() {
    play_all("plain");
}

#[test]
fn command_line() {
    play_all("cli");
}

#[test]
fn tables() {
    play_all("egt");
}

#[test]
fn proof_games() {
    play_all("spg");
}

#[test]
fn the_player_knows_right_from_wrong() {
    assert!(matches("bestmove {move}", "bestmove e7e8q"));
    assert!(matches("info * score mate {int} *", "info depth 3 score mate -2 nodes 5"));
    assert!(matches("id name *", "id name Umbrail 0.1.0"));
    assert!(matches("", "") && matches("*", ""));
    for (pattern, line) in [
        ("bestmove {move}", "bestmove (none)"),
        ("bestmove {move}", "bestmove e2e4 ponder e7e5"),
        ("readyok", "readyok "),
        ("pong {int}", "pong x"),
    ] {
        assert!(!matches(pattern, line), "{pattern} took {line}");
    }
    assert_eq!(words(r#"--set "Move Overhead=5" uci"#), ["--set", "Move Overhead=5", "uci"]);
}
