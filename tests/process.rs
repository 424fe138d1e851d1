//! The process as a whole: leaving, logging, and what happens when the output is not read.

mod common;
#[cfg(target_os = "linux")]
#[path = "common/cutechess.rs"]
mod cutechess;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

fn folder(name: &str) -> PathBuf {
    common::folder("process", name)
}

fn start(arguments: &[&str], folder: &Path) -> Child {
    common::command(arguments, folder).spawn().expect("the program starts")
}

fn write(child: &mut Child, text: &str) {
    let stdin = child.stdin.as_mut().expect("a pipe");
    stdin.write_all(text.as_bytes()).expect("it listens");
}

/// Waits for a line.
fn parse(child: &mut Child, line: &str) {
    let mut printed = BufReader::new(child.stdout.as_mut().expect("a pipe")).lines();
    assert!(printed.any(|printed| printed.is_ok_and(|printed| printed == line)), "no {line}");
}

#[test]
fn quit_ends_any_job_within_a_second() {
    // Perft and bench are finished first, unless quit is sent again.
    let jobs: &[(&str, &str)] = &[
        ("go infinite", "quit\n"),
        ("go ponder wtime 9 btime 9", "quit\n"),
        ("go depth 100", "quit\n"),
        ("steno solve text ~~~~~~~~~~#", "quit\n"),
        ("go perft 9", "quit\nquit\n"),
        ("bench depth 60", "quit\nquit\n"),
    ];
    for (job, quit) in jobs {
        let mut child = start(&["uci"], &folder("quit"));
        write(&mut child, "setoption name Threads value 2\nisready\n");
        parse(&mut child, "readyok");
        write(&mut child, &format!("{job}\n"));
        std::thread::sleep(Duration::from_millis(150));
        let before = Instant::now();
        write(&mut child, quit);
        let mut rest = String::new();
        let _ = child.stdout.take().map(|mut out| out.read_to_string(&mut rest));
        let status = child.wait().expect("it ends");
        assert!(before.elapsed() < Duration::from_secs(1), "{job}: {:?}", before.elapsed());
        assert_eq!(status.code(), Some(0), "{job}");
    }
}

/// What the program says to a session that comes through a pipe.
fn piped(session: &str) -> String {
    let mut child = start(&["uci"], &folder("piped"));
    write(&mut child, session);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{session}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn bounded_work_is_finished_at_the_end_of_input() {
    let cases: &[(&str, &str)] = &[
        ("go depth 7\n", "bestmove "),
        ("go nodes 2000\n", "bestmove "),
        ("go movetime 30\n", "bestmove "),
        ("go mate 1\n", "bestmove "),
        ("go perft 4\n", "Nodes searched: 197281\n"),
        ("go perft 4\nquit\n", "Nodes searched: 197281\n"),
        ("bench depth 3\n", " nps\n"),
        ("bench depth 3\nquit\n", " nps\n"),
        ("bench 16 1 20 default movetime\n", " nps\n"),
        ("egt build KR.K metric dtm\n", "egt done id 1 status complete "),
        ("spg solve moves 1.5 fen rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R\n", " unique "),
        ("steno solve text 36~#\n", "steno done id 1 status complete "),
    ];
    for (session, wanted) in cases {
        let printed = piped(session);
        assert!(printed.contains(wanted), "{session}: {printed}");
        assert!(!printed.contains("stopped"), "{session}: {printed}");
    }
}

#[test]
fn every_search_of_a_piped_session_has_its_bestmove() {
    let count =
        |printed: &str| printed.lines().filter(|line| line.starts_with("bestmove ")).count();
    for _ in 0..10 {
        assert_eq!(count(&piped("position startpos\ngo depth 6\n")), 1);
    }
    let four = "position startpos moves e2e4\ngo depth 5\n".repeat(4);
    assert_eq!(count(&piped(&four)), 4);
    // The last one is ended by `quit`, and answers.
    assert_eq!(count(&piped(&(four + "go depth 90\nquit\n"))), 5);
}

#[test]
fn the_end_of_input_ends_an_endless_search_with_its_bestmove() {
    for go in ["go infinite\n", "go ponder wtime 100 btime 100\n", "go\n"] {
        let before = Instant::now();
        let printed = piped(go);
        assert!(printed.contains("bestmove "), "{go}: {printed}");
        assert!(before.elapsed() < Duration::from_secs(5), "{go}: {:?}", before.elapsed());
    }
}

/// A log file that cannot be opened is reported where a GUI shows it.
#[test]
fn a_log_file_that_cannot_be_written_is_reported_in_the_protocol() {
    let folder = folder("no log");
    let file = folder.join("missing").join("x.log").display().to_string();
    let named = format!("cannot write the log file {file}");
    for (arguments, lines, reply) in [
        (vec!["uci"], format!("setoption name Log File value {file}\n"), "info string"),
        (vec!["--log", &file], "uci\n".to_owned(), "info string"),
        (vec!["xboard"], format!("option Log File={file}\n"), "tellusererror"),
        (vec!["--log", &file, "xboard"], "protover 2\n".to_owned(), "tellusererror"),
        (
            vec!["uci"],
            format!("setoption name Log File value {}\n", folder.display()),
            "info string",
        ),
    ] {
        let mut child = start(&arguments, &folder);
        write(&mut child, &lines);
        let output = child.wait_with_output().expect("it ends");
        let printed = common::printed(&output);
        let expected = match lines.contains("missing") || arguments.len() > 1 {
            true => format!("{reply} {named}"),
            false => format!("{reply} cannot write the log file {}", folder.display()),
        };
        let reported = printed.lines().filter(|line| line.starts_with(&expected)).count();
        assert_eq!(reported, 1, "{arguments:?} {lines:?}: {printed}");
        assert!(!printed.contains("No such file") || reply == "info string", "{printed}");
    }
}

#[test]
fn the_log_holds_the_conversation_and_names_the_opponent() {
    let folder = folder("log");
    let mut child = start(&["--log", "talk.log", "uci"], &folder);
    write(
        &mut child,
        "setoption name UCI_Opponent value GM 2800 human Vera\nucinewgame\nisready\nquit\n",
    );
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "readyok\n", "the log stays off stdout");
    assert!(output.stderr.is_empty());
    let log = std::fs::read_to_string(folder.join("talk.log")).expect("the log");
    for part in ["> isready", "< readyok", "a new game opponent=\"GM 2800 human Vera\""] {
        assert!(log.contains(part), "no {part} in {log}");
    }
}

#[test]
fn an_option_file_in_the_working_folder_is_read_and_its_faults_are_named() {
    let folder = folder("ini");
    std::fs::write(folder.join("umbrail.ini"), "Hash = 33\nHush = 1\n").expect("a file");
    let mut child = start(&["uci"], &folder);
    write(&mut child, "uci\nquit\n");
    let output = child.wait_with_output().expect("it ends");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("option name Hash type spin default 33 "), "{printed}");
    let faults = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(faults.contains("umbrail.ini:2: no option is called \"Hush\""), "{faults}");
    let output = start(&["--ini", "umbrail.ini", "uci"], &folder).wait_with_output();
    assert_eq!(output.expect("it ends").status.code(), Some(2), "a named file must be good");
}

#[test]
fn a_reader_that_goes_away_is_no_reason_to_panic() {
    let mut child = start(&["perft", "5"], &folder("pipe"));
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(3));
}

#[cfg(unix)]
#[test]
fn a_signal_stops_a_subcommand_and_shows_what_it_has() {
    for signal in ["-INT", "-TERM"] {
        let child = start(&["perft", "12"], &folder("interrupt"));
        std::thread::sleep(Duration::from_millis(300));
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(killed.expect("kill").success());
        let output = child.wait_with_output().expect("it ends");
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(printed.contains("(stopped)"), "{signal}: {printed}");
        assert_eq!(output.status.code(), Some(3), "{signal}");
    }
}

/// `scripts/tool kill-test table` does the same with larger tables and more often.
#[cfg(unix)]
#[test]
fn a_kill_while_tables_are_written_leaves_no_broken_file() {
    let folder = folder("killed");
    let set = format!("EGT Folder={}", folder.display());
    let build = ["--set", set.as_str(), "egt", "build", "KP.K", "--metric", "dtm"];
    for pause_ms in [20, 90, 200, 350] {
        let mut child = start(&build, &folder);
        std::thread::sleep(Duration::from_millis(pause_ms));
        child.kill().expect("it can be killed");
        let _ = child.wait();
        // Whatever has its final name is whole.
        for file in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let name = file.file_name().to_string_lossy().into_owned();
            let Some(endgame) = name.strip_suffix(".dtm.egt") else { continue };
            let load = ["egt", "load", endgame, ".", "--metric", "dtm"];
            let loaded = start(&load, &folder).wait_with_output().expect("it ends");
            let printed = String::from_utf8_lossy(&loaded.stderr).into_owned()
                + &String::from_utf8_lossy(&loaded.stdout);
            // The other color's table may not be there yet.
            let fine = loaded.status.success() || printed.contains("No such file");
            assert!(fine, "{name} after {pause_ms} ms: {printed}");
        }
    }
    let status = start(&build, &folder).wait().expect("it ends");
    assert_eq!(status.code(), Some(0));
    let names = std::fs::read_dir(&folder).expect("a folder").flatten();
    let left: Vec<_> = names.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    assert!(left.iter().any(|name| name == "KP.K.dtm.egt"), "{left:?}");
    assert!(left.iter().all(|name| name.ends_with(".egt")), "{left:?}");
}

/// A release is unpacked and the script in it is started: the examples are solved.
#[cfg(target_os = "linux")]
#[test]
fn a_release_holds_a_program_that_starts_and_what_belongs_to_it() {
    let folder = folder("release");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/release");
    let run = |command: &mut Command| {
        let out = command.current_dir(&folder).output().expect("it starts");
        let printed = String::from_utf8_lossy(&out.stdout).into_owned();
        assert!(out.status.success(), "{printed}{}", String::from_utf8_lossy(&out.stderr));
        printed
    };
    let program = env!("CARGO_BIN_EXE_umbrail");
    let packed = run(Command::new(script).args([".", "linux"]).env("PROGRAM", program));
    let packed = packed.lines().next().unwrap_or_default();
    let listed = run(Command::new("tar").args(["-tzf", packed]));
    let name = concat!("umbrail-", env!("CARGO_PKG_VERSION"), "-linux-x86_64");
    let wanted = ["umbrail", "spg", "problems.txt", "README.md", "LICENSE", "docs/proof.md"];
    let made = ["man/umbrail-spg-solve.1", "completions/_umbrail", "ini/umbrail-spg.ini"];
    for file in wanted.into_iter().chain(made).chain(["ini/piecedef.ini"]) {
        let file = format!("{name}/{file}");
        assert!(listed.lines().any(|line| line == file), "no {file} in {listed}");
    }
    run(Command::new("tar").args(["-xzf", packed]));
    let home = folder.join(name);
    let solved = run(Command::new("bash").args(["-c", "cd \"$0\" && ./spg"]).arg(&home));
    assert!(solved.contains("C+: exactly one proof game in 1.5 moves"), "{solved}");
    assert!(home.join("problems_out.txt").exists());
    // The archive's own program, also when it is unpacked where the sources are.
    let entries = std::fs::read_to_string(home.join("engines.json")).expect("entries");
    assert!(!entries.contains("target/"), "s8: {entries}");
    cutechess::play_entries(&home);
}

#[cfg(target_os = "linux")]
#[test]
fn the_entries_for_cute_chess_start_and_play() {
    let folder = folder("entries");
    std::fs::create_dir_all(folder.join("target/release")).expect("a folder");
    let built = folder.join("target/release/umbrail");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_umbrail"), built).expect("a link");
    let entries = concat!(env!("CARGO_MANIFEST_DIR"), "/engines.json");
    std::fs::copy(entries, folder.join("engines.json")).expect("the entries");
    cutechess::play_entries(&folder);
}

/// A folder with a pipe without a writer: reading it blocks for ever.
#[cfg(unix)]
fn folder_with_pipe(name: &str) -> PathBuf {
    let folder = folder(name);
    let made = Command::new("mkfifo").arg(folder.join("pipe")).status();
    assert!(made.expect("mkfifo").success());
    folder
}

/// Waits for the end of a process, at most this long; its output and its exit status.
#[cfg(unix)]
fn ended(mut child: Child, within: Duration, what: &str) -> (String, Option<i32>) {
    let deadline = Instant::now() + within;
    loop {
        match child.try_wait().expect("it can be waited for") {
            Some(_) => break,
            None if Instant::now() > deadline => {
                child.kill().expect("it can be killed");
                panic!("it does not end: {what}");
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    }
    let output = child.wait_with_output().expect("it has ended");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

#[cfg(unix)]
fn signal(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
}

#[cfg(unix)]
#[test]
fn a_file_that_does_not_answer_delays_no_conversation() {
    let book = "setoption name Book File value pipe\nsetoption name OwnBook value true";
    let sessions = [
        "spg solve pipe",
        "spg solve moves 1.5 strategies-in pipe",
        "spg merge pipe",
        "steno solve vocab classic intended pipe text ~~",
        "steno match game pipe text ~~",
        "egt build KQ.K pieces pipe",
        "egt build KQ.K seed pipe",
        "setoption name Experience File value pipe",
        "setoption name Log File value pipe",
        book,
    ];
    for printed in sessions {
        let mut child = start(&[], &folder_with_pipe("pipe"));
        write(&mut child, &format!("uci\n{printed}\nisready\nquit\n"));
        let (answer, status) = ended(child, Duration::from_secs(2), printed);
        assert!(answer.contains("readyok\n"), "{printed}: {answer}");
        assert_eq!(status, Some(0), "{printed}");
    }
}

#[cfg(unix)]
#[test]
fn a_move_is_played_without_a_book_that_does_not_answer() {
    let book = "uci\nsetoption name Book File value pipe\nsetoption name OwnBook value true\n";
    let folder = folder_with_pipe("book");
    // Two seconds later without it, or at once after `stop`.
    for (go, least, most) in [("go depth 2\n", 1500, 6000), ("go depth 2\nstop\n", 0, 1000)] {
        let mut child = start(&[], &folder);
        let before = Instant::now();
        write(&mut child, &format!("{book}isready\n{go}"));
        let mut printed = BufReader::new(child.stdout.as_mut().expect("a pipe")).lines();
        let best =
            printed.find(|line| line.as_ref().is_ok_and(|line| line.starts_with("bestmove ")));
        let took = before.elapsed();
        assert!(best.is_some(), "{go}");
        assert!((least..most).contains(&took.as_millis()), "{go}: {took:?}");
        write(&mut child, "quit\n");
        assert_eq!(ended(child, Duration::from_secs(2), go).1, Some(0));
    }
}

#[cfg(unix)]
#[test]
fn stop_ends_a_task_whose_file_does_not_answer() {
    let mut child = start(&["uci"], &folder_with_pipe("stop"));
    write(&mut child, "spg solve pipe\n");
    std::thread::sleep(Duration::from_millis(200));
    write(&mut child, "stop\ngo depth 1\n");
    let mut printed = BufReader::new(child.stdout.as_mut().expect("a pipe")).lines();
    let mut next = || printed.next().expect("a line").expect("text");
    assert_eq!(next(), "info string spg start id 1");
    assert!(next().starts_with("info string spg done id 1 status stopped "));
    write(&mut child, "quit\n");
    ended(child, Duration::from_secs(2), "stop");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_process_whose_file_does_not_answer() {
    let commands: &[&[&str]] = &[
        &["spg", "solve", "pipe"],
        &["--ini", "pipe", "uci"],
        &["steno", "solve", "--vocabulary", "classic", "--intended", "pipe", "~~"],
        &["egt", "build", "KQ.K", "--pieces", "pipe"],
        &["-xboard", "-f", "pipe", "KQ.KR"],
        // Writing blocks, too.
        &["spg", "solve", "--moves", "0.5", "--fen", "8/8/8/8/8/8/8/8", "--strategies-out", "pipe"],
    ];
    for arguments in commands {
        let folder = folder_with_pipe("signal");
        for kind in ["-INT", "-TERM"] {
            // XBoard sends interrupts by habit.
            // A shell starts background jobs with the interrupt ignored, and the option file is read before the
            // program listens to signals: there only the other signal is sure to arrive.
            if kind == "-INT" && ["-xboard", "--ini"].contains(&arguments[0]) {
                continue;
            }
            let child = start(arguments, &folder);
            std::thread::sleep(Duration::from_millis(300));
            signal(&child, kind);
            let what = format!("{arguments:?} {kind}");
            let (_, status) = ended(child, Duration::from_secs(3), &what);
            // A conversation with xboard ends as usual.
            assert_eq!(status == Some(0), arguments[0] == "-xboard", "{what}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_second_signal_ends_a_process_whose_output_is_not_read() {
    // The loop blocks while it writes: only the thread that hears signals is left.
    for kind in ["-INT", "-TERM"] {
        let mut child = start(&["uci"], &folder("deaf"));
        let flood = "uci\n".repeat(200);
        write(&mut child, &flood);
        std::thread::sleep(Duration::from_millis(300));
        signal(&child, kind);
        std::thread::sleep(Duration::from_millis(50));
        signal(&child, kind);
        let sent = Instant::now();
        while child.try_wait().expect("it can be waited for").is_none() {
            assert!(sent.elapsed() < Duration::from_secs(1), "{kind}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_with_a_writer_is_a_file_of_problems() {
    let folder = folder_with_pipe("problems");
    let problem = "rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R 3\n";
    let child = start(&["spg", "solve", "pipe"], &folder);
    std::fs::write(folder.join("pipe"), problem).expect("it reads");
    let (printed, status) = ended(child, Duration::from_secs(20), "pipe");
    assert!(printed.contains("exactly one proof game in 1.5 moves"), "{printed}");
    assert_eq!(status, Some(0));
    let mut child = start(&["spg", "solve", "/dev/stdin"], &folder);
    write(&mut child, problem);
    drop(child.stdin.take());
    let (printed, status) = ended(child, Duration::from_secs(20), "/dev/stdin");
    assert!(printed.contains("exactly one proof game in 1.5 moves"), "{printed}");
    assert_eq!(status, Some(0));
}

/// The memory of a large table would otherwise be provided page by page on the clock of a search.
#[cfg(target_os = "linux")]
#[test]
fn the_memory_of_the_table_is_provided_before_readyok() {
    let mut child = start(&["uci"], &folder("memory"));
    for lines in ["setoption name Hash value 256\nisready\n", "ucinewgame\nisready\n"] {
        write(&mut child, lines);
        parse(&mut child, "readyok");
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
        let status = status.expect("it runs");
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a size");
        let kib: u64 = resident.trim().trim_end_matches(" kB").parse().expect("a number");
        assert!(kib >= 256 << 10, "{lines:?}: {kib} KiB");
    }
    write(&mut child, "quit\n");
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn castling_rights_that_are_dropped_are_reported_beside_the_answer() {
    let folder = folder("castling");
    let walked = "r4k1r/8/8/8/8/8/8/R4K1R w KQkq - 0 1";
    let suite = format!("{walked}\n4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1\n");
    std::fs::write(folder.join("walked.epd"), suite).expect("a suite");
    let castles = "4k3/8/8/8/8/8/8/R4K1R w KQ - bm O-O;\n";
    std::fs::write(folder.join("castles.epd"), castles).expect("a suite");
    let standard = [
        &["d", "--fen", walked][..],
        &["eval", "--fen", walked],
        &["go", "depth", "1", "--fen", walked],
        &["perft", "1", "--fen", walked],
        &["bench", "1", "1", "1", "walked.epd", "depth"],
        &["lab", "suites", "castles.epd", "--nodes", "10"],
    ];
    for arguments in standard {
        let output = common::command(arguments, &folder).output().expect("it ends");
        let (answer, reported) = (common::printed(&output), common::complained(&output));
        assert_eq!(reported.matches(" dropped: ").count(), 1, "{arguments:?}: {reported}");
        assert!(!answer.contains("dropped") && !answer.contains("KQ"), "{arguments:?}: {answer}");
        let chess960 = [&["--set", "UCI_Chess960=true"], arguments].concat();
        let output = common::command(&chess960, &folder).output().expect("it ends");
        assert_eq!(common::complained(&output), "", "{arguments:?}");
        assert!(output.status.success(), "{arguments:?}");
    }
}

#[test]
fn the_version_names_the_build() {
    let folder = common::folder("process", "version");
    let run = |words: &[&str]| {
        common::printed(&common::command(words, &folder).output().expect("it starts"))
    };
    let title = run(&["--version"]);
    assert!(title.starts_with(concat!("umbrail ", env!("CARGO_PKG_VERSION"))), "{title}");
    assert_eq!((run(&["version"]), run(&["-V"])), (title.clone(), title.clone()));
    if Path::new(env!("CARGO_MANIFEST_DIR")).join(".git").exists() {
        assert!(title.contains(" (commit "), "{title}");
    }
    let compiler = run(&["compiler"]);
    assert!(compiler.starts_with(&title), "{compiler}");
    for line in ["target: ", "compiler: rustc ", "processor features: ", "allocator: "] {
        assert!(compiler.contains(line), "{compiler}");
    }
}
