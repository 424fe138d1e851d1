//! Proof games as a user meets them: the program with its files, one process after the other.

mod archives;
#[path = "../common/mod.rs"]
mod common;
mod composers;
mod resumed;
mod verdicts;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// One game in 1.5 moves.
const SHORT: &str = "rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R";
/// A cook with many claims and strategies, in 7.0 moves.
const COOKED: &str = "rnbq1rk1/ppp3pp/5n2/8/1b6/5N2/PPPPBPPP/RNBQ1RK1";
/// Stelvio's example P1013138 of 18.5 moves has 270,000 strategies.
const MANY: &str = "rn1qkbnr/Ppp1p1pR/8/8/3P1P2/4BN1Q/PP5P/5NRK";
/// M. Caillaud, Phenix 1999, 25.5 moves: some strategies take many seconds.
const HARD: &str = "k5n1/3ppp1p/B1p2p2/pP3P1b/4P1nP/8/1PP1PPrb/RNB1K1NR";

fn folder(name: &str) -> PathBuf {
    common::folder("proof", name)
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = common::command(arguments, folder);
    command.stdin(Stdio::null());
    command
}

fn run(folder: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    let Output { stdout, stderr, status } = command(folder, arguments).output().expect("it runs");
    let text = [stdout, stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (text, status.code())
}

/// `umbrail spg` with a problem.
fn spg(folder: &Path, verb: &str, moves: &str, fen: &str, more: &[&str]) -> (String, Option<i32>) {
    let words = ["spg", verb, "--threads", "2", "--moves", moves, "--fen", fen];
    run(folder, &words.into_iter().chain(more.iter().copied()).collect::<Vec<_>>())
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
    std::fs::write(folder.join(name), text).expect("written");
}

fn json(text: &str) -> Vec<Value> {
    let lines = text.lines().filter(|line| line.starts_with('{'));
    lines.map(|line| serde_json::from_str(line).expect(line)).collect()
}

#[test]
fn a_table_that_does_not_fit_is_smaller_and_reported() {
    let folder = folder("p1");
    for words in [["solve", "900000g"], ["explain", "900000g"]] {
        let strategy = "Sg1-f3, Pf2-f4, Pf7-f5";
        let text = if words[0] == "explain" { vec![strategy] } else { vec![] };
        let more: Vec<&str> = ["--memory", words[1]].into_iter().chain(text).collect();
        let (printed, status) = spg(&folder, words[0], "1.5", SHORT, &more);
        assert_eq!(status, Some(0), "{printed}");
        assert!(
            printed.contains("warning: a table of 921600000 MiB does not fit: ")
                && printed.contains("; using "),
            "{printed}"
        );
        assert!(!printed.contains("using 0 MiB"), "{printed}");
    }
    let (printed, _) = spg(&folder, "solve", "1.5", SHORT, &["--memory", "1m"]);
    assert!(!printed.contains("memory"), "{printed}");
}

#[test]
fn limits_are_kept_while_one_strategy_is_searched_and_while_enumerating() {
    let folder = folder("p2");
    let always = ["--retraction", "always"];
    let cases: &[(&str, &str, &str, &[&str])] = &[
        ("solve", "25.5", HARD, &[]),
        ("solve", "18.5", MANY, &["--collisions", "on"]),
        ("solve", "25.5", HARD, &always),
        ("bounds", "18.5", MANY, &[]),
        ("explain", "25.5", HARD, &[]),
    ];
    for (verb, moves, fen, more) in cases {
        let more: Vec<&str> = ["--time", "400"].into_iter().chain(more.iter().copied()).collect();
        let started = Instant::now();
        let (printed, _) = spg(&folder, verb, moves, fen, &more);
        // The machine may be busy; without the limit these take far longer.
        assert!(
            started.elapsed() < Duration::from_secs(4),
            "{verb}: {:?}\n{printed}",
            started.elapsed()
        );
    }
}

#[test]
fn only_lengths_that_were_tried_are_reported() {
    let folder = folder("p4");
    let least = |more: &[&str]| {
        let words = ["spg", "min", "--fen", SHORT];
        run(&folder, &words.into_iter().chain(more.iter().copied()).collect::<Vec<_>>())
    };
    let (printed, status) = least(&[]);
    assert!(
        printed.contains("the least length is 1.5 moves; no game in 0.0 to 1.0 moves"),
        "{printed}"
    );
    assert_eq!(status, Some(0));
    let (printed, _) = least(&["--from", "0.5"]);
    let reported = "a game in 1.5 moves; no game in 0.5 to 1.0 moves; shorter ones were not tried";
    assert!(printed.contains(reported), "{printed}");
    let (printed, _) = least(&["--from", "2.0"]);
    assert!(printed.contains("a game in 2.0 moves; shorter lengths were not tried"), "{printed}");
    let (printed, _) = least(&["--to", "1.0"]);
    assert!(printed.contains("no game in 0.0 to 1.0 moves"), "{printed}");
    let (printed, status) = least(&["--from", "5", "--to", "2"]);
    assert!(printed.contains("from expects at most 2.0, the value of to, got 5.0"), "{printed}");
    assert_eq!(status, Some(2));
}

#[test]
fn a_strategy_file_that_was_changed_proves_nothing() {
    let folder = folder("p5");
    let (printed, _) =
        spg(&folder, "solve", "1.5", SHORT, &["--histogram", "--strategies-out", "a.spgs"]);
    assert!(
        printed.contains("1 enumerated: 0 refuted by analysis, 1 left to be searched"),
        "{printed}"
    );
    let text = read(&folder, "a.spgs");
    assert!(!folder.join("a.spgs.partial").exists());
    let solved = |text: &str| {
        write(&folder, "b.spgs", text);
        spg(&folder, "solve", "1.5", SHORT, &["--strategies-in", "b.spgs"]).0
    };
    let printed = solved(&text);
    let sentence = "C+: exactly one proof game in 1.5 moves (given the strategy file with digest ";
    assert!(printed.contains(sentence), "{printed}");
    let line = text.lines().nth(5).unwrap().to_owned() + "\n";
    let printed = solved(&text.replace(&line, &line.repeat(2)).replace("end 1", "end 2"));
    assert!(
        printed.contains("b.spgs:7:1: the same strategy as in line 6; the line is left out"),
        "{printed}"
    );
    assert!(
        !printed.contains("cooked") && printed.contains("the verdict will be partial"),
        "{printed}"
    );
    let printed = solved(&text.replace(&line, "").replace("end 1", "end 0"));
    assert!(
        !printed.contains("no proof game in 1.5") && printed.contains("not fully tested"),
        "{printed}"
    );
}

/// An archive of a cook, and the arguments that made it.
fn archived(folder: &Path) -> String {
    let (printed, status) = spg(folder, "solve", "7.0", COOKED, &["--archive", "a.spga"]);
    assert_eq!(status, Some(0), "{printed}");
    read(folder, "a.spga")
}

#[test]
fn a_damaged_archive_keeps_every_good_line() {
    let folder = folder("p6");
    let whole = archived(&folder);
    let count = whole.lines().count();
    assert!(count > 20, "{count} lines");
    let (printed, status) = run(&folder, &["spg", "verify", "a.spga"]);
    assert!(printed.contains("a.spga: complete and undamaged; "), "{printed}");
    assert_eq!(status, Some(0));
    // Lines 5, 8 and 9 are damaged.
    let mut lines: Vec<String> = whole.lines().map(|line| format!("{line}\n")).collect();
    for line in [5, 8, 9] {
        lines[line - 1].insert(6, '9');
    }
    let damaged = lines.concat();
    write(&folder, "a.spga", &damaged);
    let (printed, status) = run(&folder, &["spg", "verify", "a.spga"]);
    assert!(
        printed.contains(&format!("a.spga: 3 of {count} lines are damaged, lines 5, 8 to 9\n")),
        "{printed}"
    );
    assert!(
        printed.contains("missing: 3 of ") && printed.contains("a.spga: damaged and not complete"),
        "{printed}"
    );
    assert_eq!(status, Some(4), "{printed}");
    let again = ["--archive", "a.spga", "--resume"];
    let (printed, status) = spg(&folder, "solve", "7.0", COOKED, &again);
    assert!(
        printed.contains("they are left out, and the file as it was is kept as a.spga.damaged"),
        "{printed}"
    );
    assert!(
        printed.contains(&format!("continuing after {} finished claims", count - 2 - 3)),
        "{printed}"
    );
    assert_eq!(status, Some(0));
    assert_eq!(read(&folder, "a.spga.damaged"), damaged);
    let (printed, _) = run(&folder, &["spg", "verify", "a.spga"]);
    assert!(printed.contains("complete and undamaged"), "{printed}");
}

#[test]
fn nothing_is_written_behind_half_a_line() {
    let folder = folder("p6-half");
    let whole = archived(&folder);
    let ends: Vec<usize> = whole.match_indices('\n').map(|(at, _)| at + 1).collect();
    // In the middle of a line, before its end, and at it.
    for cut in [ends[10] + 9, ends[10] - 1, ends[10]] {
        write(&folder, "a.spga", &whole[..cut]);
        let (printed, status) =
            spg(&folder, "solve", "7.0", COOKED, &["--archive", "a.spga", "--resume"]);
        assert_eq!(status, Some(0), "{printed}");
        assert!(printed.contains("continuing after 10 finished claims"), "{cut}: {printed}");
        let (printed, status) = run(&folder, &["spg", "verify", "a.spga"]);
        assert!(printed.contains("complete and undamaged"), "{cut}: {printed}");
        assert_eq!(status, Some(0));
    }
}

#[test]
fn an_archive_knows_its_question() {
    let folder = folder("p7");
    let condition = "Pe2xPd7 d4";
    let words = ["--conditions", condition, "--archive", "c.spga"];
    let (printed, _) = spg(&folder, "solve", "7.0", COOKED, &words);
    assert!(printed.contains(" 14 excluded by the condition"), "{printed}");
    let resume = |more: &[&str]| {
        let words = ["--archive", "c.spga", "--resume"].into_iter().chain(more.iter().copied());
        spg(&folder, "solve", "7.0", COOKED, &words.collect::<Vec<_>>())
    };
    for (more, field) in [
        (&[][..], "condition Pe2xPd7 d4, expected -"),
        (&["--conditions", "Pe2xPd7"], "condition Pe2xPd7 d4, expected Pe2xPd7"),
        (&["--conditions", condition, "--max-solutions", "3"], "games 2, expected 3"),
        (
            &["--conditions", condition, "--retraction", "always"],
            "retraction check, expected always",
        ),
    ] {
        let (printed, status) = resume(more);
        assert!(printed.contains(&format!("c.spga: the archive has {field}")), "{printed}");
        assert_eq!(status, Some(2));
    }
    // The same in another spelling.
    let (printed, _) = resume(&["--conditions", "(Pe2xPd7 d4)"]);
    assert!(printed.contains("continuing after"), "{printed}");
    let (printed, status) = run(&folder, &["spg", "verify", "c.spga"]);
    assert!(printed.contains("only strategies with Pe2xPd7 d4 were searched"), "{printed}");
    assert_eq!(status, Some(0), "{printed}");
    let header = read(&folder, "c.spga").lines().next().unwrap_or_default().to_owned();
    assert!(
        header.contains(" question=") && header.contains(" condition=Pe2xPd7 d4 #"),
        "{header}"
    );
}

#[test]
fn no_file_is_written_over_one_that_is_read() {
    let folder = folder("p8");
    let sheet = format!("{SHORT} 3\n");
    write(&folder, "a.txt", &sheet);
    for (key, path) in [
        ("--output", "a.txt"),
        ("--output", "./a.txt"),
        ("--pgn", "a.txt"),
        ("--html", "a_out.txt"),
    ] {
        let (printed, status) = run(&folder, &["spg", "solve", "a.txt", key, path]);
        assert!(
            printed.contains("are the same file, ") && status == Some(2),
            "{key} {path}: {printed}"
        );
        assert_eq!(read(&folder, "a.txt"), sheet);
    }
    let (printed, _) =
        spg(&folder, "solve", "1.5", SHORT, &["--archive", "x", "--strategies-out", "x"]);
    assert!(printed.contains("strategies-out and archive are the same file, x"), "{printed}");
    assert!(!folder.join("x").exists());
}

#[test]
fn of_many_cooks_the_first_few_are_listed() {
    let folder = folder("p11");
    write(&folder, "a.txt", format!("{COOKED} 14\n"));
    let (printed, _) = run(&folder, &["spg", "solve", "a.txt", "--pgn", "a.pgn"]);
    for text in [printed.clone(), read(&folder, "a_out.txt")] {
        assert_eq!(text.matches("\ncook ").count(), 1 + 5, "{text}");
        assert!(text.contains(" more cook strategies: all games are in a.pgn\n"), "{text}");
        assert!(text.contains(" more strategies with games: all games are in a.pgn\n"), "{text}");
    }
    assert!(printed.lines().count() < 250, "{} lines", printed.lines().count());
    let (plain, _) = run(&folder, &["spg", "solve", "a.txt", "--json"]);
    let found = json(&plain).into_iter().filter(|line| line["t"] == "solution").count();
    assert_eq!(read(&folder, "a.pgn").matches("[Event ").count(), found, "no game is lost");
    assert!(found > 20);
}

#[test]
fn the_result_file_has_settings_times_and_what_was_not_solved() {
    let folder = folder("p12");
    let sheet = format!(
        "# Of the file\n\nTitle: One\n{SHORT} 3\nIntended: 2\nRetraction: never\nStrategyConditions: Sg1-f3\n\n\
         Title: Two\n{SHORT} x\n\n"
    );
    write(&folder, "a.txt", &sheet);
    let (printed, status) = run(&folder, &["spg", "solve", "a.txt", "--length", "exact"]);
    assert_eq!(status, Some(2));
    assert!(printed.contains("2 solutions are intended; the verdict differs"), "{printed}");
    assert!(
        printed.contains("1 of 2 problems solved, 1 cannot be read, 0 not reached"),
        "{printed}"
    );
    let result = read(&folder, "a_out.txt");
    for line in [
        "# Of the file\n",
        "\nlength: 1.5 (exact)\n",
        "\nintended: 2 solutions are intended; the verdict differs\n",
        "\ncondition: Sg1-f3\n",
        "\nretraction: never\n",
        "\nfrom-strategy: 0\n",
        "\nstrategies: 1 enumerated: 0 refuted by analysis, 1 searched\n",
        "\ntime: elapsed 0.",
        ", processor time ",
        "\ndate: 20",
        " UTC\n",
        "\nTwo\nverdict: error, the problem cannot be read\na.txt:10:51: \"x\" is not understood",
    ] {
        assert!(result.contains(line), "{line}\n{result}");
    }
    // The second is not reached.
    write(&folder, "b.txt", format!("{HARD} 51\n\n{SHORT} 3\n"));
    let (_, status) = run(&folder, &["spg", "solve", "b.txt", "--time", "300"]);
    assert_eq!(status, Some(3));
    assert!(
        read(&folder, "b_out.txt").contains("\nverdict: partial, stopped before this problem\n")
    );
}

#[test]
fn lengths_and_problems_are_named_once() {
    let folder = folder("p15");
    write(&folder, "a.txt", format!("{SHORT} 3\n"));
    for (words, why) in [
        (
            &["--fen", SHORT, "--moves=-1.5"][..],
            "moves expects a length such as 23.0 or 22.5, got -1.5",
        ),
        (&["--fen", SHORT, "--moves", "1.5", "--plies", "4"], "expected moves or plies, got both"),
        (&["a.txt", "--fen", SHORT], "expected a file of problems or the key fen, got both"),
        (&["a.txt", "--moves", "1.5"], "expected a file of problems or the key moves, got both"),
        (&["--moves", "1.5"], "spg solve requires a diagram: umbrail spg solve FEN LENGTH"),
        (&[SHORT, "3"], "3 may be moves or half-moves"),
        (&[SHORT, "1.5", "--moves", "1.5"], "expected one length, got also 1.5"),
        (&["a.txt", "b.txt"], "expected one file of problems, got 2"),
        (&["nofile", "3"], "expected a FEN and a length, or one file of problems, got \"nofile\""),
        (&["rnbqkb1r/ppBppppp", "w", "2.5"], "got \"rnbqkb1r/ppBppppp\""),
    ] {
        let words: Vec<&str> = ["spg", "solve"].into_iter().chain(words.iter().copied()).collect();
        let (printed, status) = run(&folder, &words);
        assert!(printed.contains(why) && status == Some(2), "{words:?}: {printed}");
    }
    let (printed, status) = run(&folder, &["spg", "solve", "--moves", "1.50", "--fen", SHORT]);
    assert!(
        printed.contains("C+: exactly one proof game in 1.5 moves") && status == Some(0),
        "{printed}"
    );
}

#[test]
fn a_game_has_its_own_length_and_needs_no_quotes() {
    let here = folder("p16");
    let fen = "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR";
    let check = |game: &[&str]| run(&here, &[&["spg", "check", "--fen", fen], game].concat());
    for game in [
        &["--", "1.d4 Nf6 2.Bf4 Nd5 3.Bxc7"][..],
        &["1.d4", "Nf6", "2.Bf4", "Nd5", "3.Bxc7"],
        &["--moves", "2.5", "1.d4 Nf6 2.Bf4 Nd5 3.Bxc7"],
    ] {
        let (printed, status) = check(game);
        assert!(printed.starts_with("the game reaches the diagram;"), "{printed}");
        assert_eq!(status, Some(0));
    }
    let (printed, status) = check(&["1.d4 Nf6 2.Bf4 Nd5 3.Bxb7"]);
    assert!(printed.contains("half-move 5, 3.Bxb7: it is not legal here"), "{printed}");
    assert_eq!(status, Some(4));
    let (printed, status) = check(&["1.d4 Nf6 2.Bf4"]);
    assert!(printed.contains("the game ends in rnbqkb1r/pppppppp/5n2/8/3P1B2/"), "{printed}");
    assert_eq!(status, Some(4));
    let (printed, status) = check(&["--moves", "3.0", "1.d4 Nf6 2.Bf4 Nd5 3.Bxc7"]);
    assert!(printed.contains("the game has 5 half-moves, expected 6"), "{printed}");
    assert_eq!(status, Some(4));
    let (printed, status) =
        run(&here, &["spg", "explain", "--fen", fen, "1.d4 Nf6 2.Bf4 Nd5 3.Bxc7"]);
    assert!(printed.contains("exactly one game (5 moves)"), "{printed}");
    assert_eq!(status, Some(0));
}

#[test]
fn old_encodings_standard_input_and_devices() {
    let folder = folder("p19");
    write(&folder, "a.txt", [b"Title: H\xf8eg\n".as_slice(), SHORT.as_bytes(), b" 3\n"].concat());
    run(&folder, &["spg", "solve", "a.txt"]);
    assert!(read(&folder, "a_out.txt").starts_with("H\u{f8}eg\n"));
    for path in ["-", "/dev/stdin"] {
        if path != "-" && !Path::new(path).exists() {
            continue;
        }
        let mut child = command(&folder, &["spg", "solve", path]);
        let input = std::fs::File::open(folder.join("a.txt")).expect("the sheet");
        let output = child.stdin(input).output().expect("it runs");
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            printed.contains("C+: exactly one") && output.status.success(),
            "{path}: {printed}"
        );
        assert!(path != "-" || !printed.contains("wrote "), "{printed}");
    }
    let names: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn json_agrees_with_the_text() {
    let folder = folder("p21");
    let printed = |words: &[&str]| {
        let words: Vec<&str> = words.iter().copied().chain(["--json"]).collect();
        json(&run(&folder, &words).0)
    };
    let problem = ["--fen", SHORT, "--moves", "1.5"];
    let explained =
        printed(&[&["spg", "explain"][..], &problem, &["Sg1-f3, Pf2-f4, Pf7-f5"]].concat());
    let notes: Vec<&Value> = explained.iter().filter(|line| line["t"] == "note").collect();
    assert!(notes.len() > 3 && notes.iter().all(|note| note["text"].is_string()), "{explained:?}");
    let checked = printed(&[&["spg", "check"][..], &problem, &["1.f4 f5 2.Nh3"]].concat());
    let end = checked.last().unwrap();
    assert!(
        end["fits"] == false && end["text"].as_str().unwrap().starts_with("the game ends in "),
        "{end}"
    );
    let fen = format!("{SHORT} w - - 0 1");
    let warned = printed(&["spg", "solve", "--fen", &fen, "--moves", "1.5"]);
    let warning = warned.iter().find(|line| line["t"] == "warning").expect("a warning");
    assert!(warning["text"].as_str().unwrap().contains("white is to move"), "{warning}");
    write(&folder, "a.txt", format!("Title: One\n{SHORT} 3\n"));
    let solved = printed(&["spg", "solve", "a.txt"]);
    let end = solved.last().unwrap();
    assert_eq!(end["title"], "One", "{end}");
    for key in ["length", "retraction", "from_strategy", "intended", "elapsed_ms", "table_bytes"] {
        assert!(!end[key].is_null(), "{key}: {end}");
    }
    archived(&folder);
    let text = read(&folder, "a.spga");
    write(
        &folder,
        "b.spga",
        text.lines().take(9).map(|line| format!("{line}\n")).collect::<String>(),
    );
    let merged = printed(&["spg", "merge", "b.spga"]);
    let missing = merged.iter().find(|line| line["t"] == "missing").expect("something is missing");
    assert!(
        missing["text"].as_str().unwrap().contains("were not enumerated completely"),
        "{missing}"
    );
}

#[cfg(unix)]
#[test]
fn results_of_an_installed_program_stay_in_the_working_folder() {
    let folder = folder("p22");
    let (program, work) = (folder.join("bin"), folder.join("work"));
    [&program, &work].iter().for_each(|path| std::fs::create_dir_all(path).expect("a folder"));
    let umbrail = program.join("umbrail");
    std::fs::hard_link(env!("CARGO_BIN_EXE_umbrail"), &umbrail).expect("linked");
    write(&program, "problems.txt", format!("{SHORT} 3\n"));
    let mut child = Command::new(&umbrail);
    let output =
        child.args(["spg"]).current_dir(&work).stdin(Stdio::null()).output().expect("it runs");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("wrote problems_out.txt") && output.status.success(), "{printed}");
    assert!(work.join("problems_out.txt").exists() && !program.join("problems_out.txt").exists());
    for words in [&["--archive", "/dev/full"][..], &["--archive", "/dev/full", "--resume"]] {
        let (printed, status) = spg(&work, "solve", "1.5", SHORT, words);
        assert!(status == Some(2) && printed.contains("/dev/full"), "{printed}");
    }
    let (printed, status) = spg(&work, "solve", "1.5", SHORT, &["--pgn", "no/such.pgn"]);
    assert!(
        status == Some(2)
            && printed.contains("cannot write no/such.pgn")
            && !printed.contains("C+"),
        "{printed}"
    );
}

#[test]
fn a_result_file_that_cannot_be_written_is_an_error() {
    let folder = folder("p23");
    // A folder has the name of each result file.
    std::fs::create_dir_all(folder.join("one_out.txt")).expect("a folder");
    std::fs::create_dir_all(folder.join("two_out.txt")).expect("a folder");
    write(&folder, "one.txt", format!("{SHORT} 3\n"));
    write(&folder, "two.txt", format!("{SHORT} 3\n\n{SHORT} 3\n"));
    for (sheet, more) in [("one.txt", &[][..]), ("two.txt", &[]), ("two.txt", &["--json"])] {
        let output = command(&folder, &[&["spg", "solve", sheet], more].concat()).output();
        let output = output.expect("it runs");
        let why = format!("cannot write {}_out.txt: it is a folder", &sheet[..3]);
        let (printed, complained) = (common::printed(&output), common::complained(&output));
        assert!(complained.contains(&why), "{complained}");
        assert_eq!(printed.contains(&why), more == ["--json"], "{printed}");
        assert!(printed.contains("exactly one proof game in 1.5 moves"), "{printed}");
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn latex_is_a_document_and_html_is_one_page() {
    let folder = folder("p23");
    write(
        &folder,
        "a.txt",
        format!("# Heading\n\nTitle: One & two\n{SHORT} 3\n\nTitle: Again\n{SHORT} 3\n"),
    );
    let words = [
        "spg",
        "solve",
        "a.txt",
        "--latex",
        "a.tex",
        "--html",
        "a.html",
        "--notation",
        "short",
        "--knight",
        "N",
    ];
    let (printed, status) = run(&folder, &words);
    assert_eq!(status, Some(0), "{printed}");
    let latex = read(&folder, "a.tex");
    assert!(!latex.contains("\\author") && latex.contains("\\source{One \\& two}"), "{latex}");
    assert!(latex.contains("\\solution{1. f4 f5 2. Nf3}"), "{latex}");
    for part in ["\\documentclass", "\\usepackage{diagram}", "\\end{document}"] {
        assert_eq!(latex.matches(part).count(), 1, "{part}");
    }
    let html = read(&folder, "a.html");
    assert_eq!((html.matches("</html>").count(), html.matches("<p>Heading</p>").count()), (1, 1));
    let (heading, problem) =
        (html.find("<p>Heading</p>").unwrap(), html.find("One &amp; two").unwrap());
    assert!(heading < problem && html.contains("1. f4 f5 2. Nf3</small>"));
}
