//! Pages of proof games on a pseudo-terminal: what a person at the keyboard sees, and that the terminal is
//! given back.

use portable_pty::{CommandBuilder, ExitStatus, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// A program at a terminal.
struct Terminal {
    keys: Box<dyn Write + Send>,
    shown: Receiver<Vec<u8>>,
    seen: String,
    child: Box<dyn portable_pty::Child + Send + Sync>,
}

/// Longer than any answer takes, even with all processors running.
const PATIENCE: Duration = Duration::from_secs(60);

impl Terminal {
    fn open(arguments: &[&str]) -> Self {
        let size = PtySize { rows: 40, cols: 100, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_umbrail"));
        command.args(arguments);
        command.env("TERM", "xterm");
        command.cwd(std::env::temp_dir());
        let child = pair.slave.spawn_command(command).unwrap();
        let keys = pair.master.take_writer().unwrap();
        let mut screen = pair.master.try_clone_reader().unwrap();
        let (notify, shown) = channel();
        std::thread::spawn(move || {
            // The terminal lives as long as it is read.
            let _master = pair.master;
            let mut some = [0; 4096];
            while let Ok(count @ 1..) = screen.read(&mut some) {
                if notify.send(some[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self { keys, shown, seen: String::new(), child }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits until the screen has shown all of this since the last time, and gives what it has shown.
    fn sees(&mut self, words: &[&str]) -> String {
        let until = Instant::now() + PATIENCE;
        while !words.iter().all(|word| self.seen.contains(word)) {
            let left = until.saturating_duration_since(Instant::now());
            match self.shown.recv_timeout(left) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(_) => panic!("expected {words:?}, the screen shows:\n{}", self.seen),
            }
        }
        std::mem::take(&mut self.seen)
    }

    fn ends(mut self) -> ExitStatus {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            if Instant::now() > until {
                let _ = self.child.kill();
                panic!("it does not end");
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

#[test]
fn commands_of_uci_are_plain_at_a_terminal() {
    let mut terminal = Terminal::open(&[]);
    terminal.press("go depth 2\n");
    let seen = terminal.sees(&["bestmove "]);
    assert!(!seen.contains("info "), "{seen}");
    terminal.press("quit\n");
    assert!(terminal.ends().success());
}

/// A diagram that takes far longer than any test.
const LONG: &str = "rnbqkb1r/1p3ppp/p2p4/4p3/2P1P3/P1N5/1P3PPP/R1BQKBNR";

const INTO_PAGES: &str = "\u{1b}[?1049h";
const OUT_OF_PAGES: &str = "\u{1b}[?1049l";
const RIGHT: &str = "\u{1b}[C";
const LEFT: &str = "\u{1b}[D";
const UP: &str = "\u{1b}[A";
const DOWN: &str = "\u{1b}[B";

#[test]
fn pages_are_turned_and_the_terminal_is_given_back() {
    let mut terminal = Terminal::open(&[
        "spg",
        "solve",
        "--fen",
        LONG,
        "--moves",
        "30.0",
        "--threads",
        "2",
        "--pages",
        "on",
    ]);
    terminal.sees(&[INTO_PAGES, "shortest proof games", "Player 1/2"]);
    terminal.press(RIGHT);
    terminal.sees(&["Player 2/2"]);
    terminal.press(RIGHT);
    terminal.sees(&["Seeker 1/2"]);
    terminal.press(LEFT);
    terminal.sees(&["Player 2/2"]);
    terminal.press("s");
    terminal.press("q");
    terminal.sees(&[OUT_OF_PAGES, "30.0 moves"]);
    let status = terminal.ends();
    assert!(status.exit_code() != 101, "{status:?}");
}

#[test]
fn solutions_and_their_strategies_are_gone_through() {
    let mut terminal = Terminal::open(&[
        "spg",
        "solve",
        "--moves",
        "2.0",
        "--fen",
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR",
        "--threads",
        "1",
        "--pages",
        "on",
    ]);
    terminal.sees(&[INTO_PAGES, "Done. Found"]);
    terminal.press(UP);
    terminal.sees(&["1.P"]);
    // Men that never move stand in no game, but in every strategy.
    terminal.press(DOWN);
    terminal.sees(&["Ke1"]);
    terminal.press("q");
    terminal.sees(&[OUT_OF_PAGES, "2.0 moves"]);
    terminal.ends();
}

#[test]
fn a_slow_strategy_is_dropped_on_request() {
    let mut terminal = Terminal::open(&[
        "spg",
        "solve",
        "--moves",
        "18.0",
        "--fen",
        "rn4n1/p7/bpppKpp1/k1r1p1qp/7b/5P1P/PPPPP1P1/RNBQ1BNR",
        "--rules",
        "none",
        "--threads",
        "1",
        "--pages",
        "on",
    ]);
    // The king's way is shown while a strategy is played.
    terminal.sees(&[INTO_PAGES, "Ke1-e6"]);
    terminal.press("s");
    terminal.sees(&["2/2/"]);
    terminal.press("q");
    let end = terminal.sees(&[OUT_OF_PAGES, "18.0 moves", "dropped"]);
    assert!(!end.contains("C+"), "{end}");
    terminal.ends();
}

#[test]
fn an_interrupt_gives_the_terminal_back_too() {
    let mut terminal =
        Terminal::open(&["spg", "solve", "--fen", LONG, "--moves", "30.0", "--pages", "on"]);
    terminal.sees(&[INTO_PAGES, "shortest proof games"]);
    terminal.press("\u{3}");
    terminal.sees(&[OUT_OF_PAGES, "30.0 moves"]);
    terminal.ends();
}

#[test]
fn a_short_problem_shows_no_page() {
    let mut terminal = Terminal::open(&[
        "spg",
        "solve",
        "--moves",
        "2.0",
        "--fen",
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR",
    ]);
    let until = "in 2.0 moves";
    assert!(!terminal.sees(&[until]).contains(INTO_PAGES));
    terminal.ends();
}

/// A person is greeted, and gets sentences; a script that pipes the same commands gets records.
#[test]
fn a_person_at_a_terminal_is_greeted_and_reads_sentences() {
    let mut terminal = Terminal::open(&[]);
    terminal.sees(&["Type help for the commands"]);
    terminal.press("steno solve --vocabulary classic -- e4~~~#\n");
    let printed = terminal.sees(&["no game"]);
    assert!(!printed.contains("start id") && !printed.contains("done id"), "{printed}");
    terminal.press("spg solve no-such-file\n");
    let printed = terminal.sees(&["no-such-file", "does not exist"]);
    assert!(!printed.contains("error text") && !printed.contains("umbrail:"), "{printed}");
    terminal.press("quit\n");
    assert!(terminal.ends().success());
}

/// An error of a command is reported once, also when everything is shown on one terminal.
#[test]
fn a_fault_is_reported_once() {
    let mut terminal = Terminal::open(&["spg", "solve", "no-such-file"]);
    let printed = terminal.sees(&["does not exist"]);
    std::thread::sleep(Duration::from_millis(200));
    let rest: String = terminal
        .shown
        .try_iter()
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect();
    let printed = printed + &rest;
    assert_eq!(printed.matches("does not exist").count(), 1, "{printed}");
    assert!(printed.contains("umbrail: ") && !printed.contains("error text"), "{printed}");
    assert_eq!(terminal.ends().exit_code(), 2);
}
