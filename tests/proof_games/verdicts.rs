//! Verdicts: every output states the same, and no more than was proved.

use super::{SHORT, folder, json, read, run, spg, write};
use serde_json::Value;

/// Its game has 2.5 moves.
const TWO_AND_A_HALF: &str = "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR";
/// The verdict on it in 3.5 moves.
const SHORTER: &str = "a game of 2.5 moves exists, so 3.5 is not the shortest length; exactly one proof game in 2.5 moves and \
                       none in 3.5";

#[test]
fn a_shorter_game_is_named_first_in_every_format() {
    let folder = folder("shorter");
    let files = ["a.txt", "a.pgn", "a.tex", "a.html"];
    let keys = ["--output", "--pgn", "--latex", "--html"];
    let words: Vec<&str> =
        keys.into_iter().zip(files).flat_map(|(key, file)| [key, file]).collect();
    let (printed, status) = spg(&folder, "solve", "3.5", TWO_AND_A_HALF, &words);
    assert_eq!(status, Some(0), "{printed}");
    for text in files.map(|file| read(&folder, file)).iter().chain([&printed]) {
        assert!(text.contains(SHORTER), "{text}");
        assert!(
            !text.contains("C+") && !text.contains("Co{+}") && !text.contains("agrees"),
            "{text}"
        );
    }
    let record = read(&folder, "a.txt");
    assert!(record.contains("\nverdict: shorter\n"), "{record}");
    assert!(
        record.contains("\nintended: 1 solution is intended; the verdict differs\n"),
        "{record}"
    );
    let pgn = read(&folder, "a.pgn");
    assert!(pgn.contains("[PlyCount \"5\"]\n[Stipulation \"PG in 2.5\"]\n"), "{pgn}");
    let end =
        json(&spg(&folder, "solve", "3.5", TWO_AND_A_HALF, &["--json"]).0).pop().expect("an end");
    assert_eq!((&end["verdict"], &end["text"]), (&"shorter".into(), &SHORTER.into()));
    assert_eq!((&end["shorter_plies"], &end["correct"]), (&5.into(), &false.into()));
    assert_eq!((&end["computer_tested"], &end["complete"]), (&false.into(), &true.into()));
    // The stated length is searched, too.
    let end =
        json(&spg(&folder, "solve", "2.5", TWO_AND_A_HALF, &["--json"]).0).pop().expect("an end");
    assert_eq!((&end["verdict"], &end["computer_tested"]), (&"unique".into(), &true.into()));
    assert_eq!((&end["shorter_plies"], &end["stipulation"]), (&Value::Null, &"PG in 2.5".into()));
}

#[test]
fn archives_and_shards_of_a_shorter_game_agree() {
    let folder = folder("shorter-archives");
    let solve = |more: &[&str]| spg(&folder, "solve", "3.5", TWO_AND_A_HALF, more).0;
    for words in [&["--archive", "a.spga"][..], &["--archive", "a.spga", "--resume"]] {
        assert!(solve(words).contains(SHORTER));
    }
    for (shard, file) in [("0/2", "0.spga"), ("1/2", "1.spga")] {
        let printed = solve(&["--shard", shard, "--archive", file]);
        assert!(printed.contains(&format!("; only shard {shard} was searched")), "{printed}");
        assert!(!printed.contains("C+") && !printed.contains("exactly one"), "{printed}");
    }
    for words in [&["verify", "a.spga"][..], &["merge", "a.spga"], &["merge", "0.spga", "1.spga"]] {
        let words: Vec<&str> = ["spg"].into_iter().chain(words.iter().copied()).collect();
        let (printed, status) = run(&folder, &words);
        assert!(
            printed.contains(SHORTER) && !printed.contains("C+") && status == Some(0),
            "{printed}"
        );
    }
    // A condition that leaves no strategy out leaves the verdict as it is; another one is named.
    assert!(solve(&["--conditions", "Sg8-d5"]).contains(SHORTER));
    let printed = solve(&["--conditions", "NOT Sg8-d5"]);
    assert!(printed.contains("; only strategies with NOT Sg8-d5 were searched"), "{printed}");
}

#[test]
fn several_lengths_and_intended_solutions_are_counted_apart() {
    let folder = folder("lengths");
    // 1.e4 e5 and 1.e3 e6 2.e4 e5 have one strategy.
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
    let (printed, _) = spg(&folder, "solve", "2.0", fen, &["--max-solutions", "100"]);
    let expected = "a game of 1.0 moves exists, so 2.0 is not the shortest length; cooked: one proof game in 1.0 moves and ";
    assert!(printed.contains(expected) && !printed.contains("C+"), "{printed}");
    // One game where two are intended.
    let (printed, _) = spg(&folder, "solve", "1.5", SHORT, &["--intended", "2"]);
    assert!(
        printed.contains("\nexactly one proof game in 1.5 moves, but 2 solutions are intended\n"),
        "{printed}"
    );
    assert!(!printed.contains("C+"), "{printed}");
    // Lengths that were tried before need no remark.
    let (printed, _) = run(&folder, &["spg", "min", TWO_AND_A_HALF]);
    assert!(printed.contains("\nC+: exactly one proof game in 2.5 moves\n"), "{printed}");
    let (printed, _) = run(&folder, &["spg", "min", TWO_AND_A_HALF, "--from", "2.5"]);
    let open =
        "\nC+: exactly one proof game in 2.5 moves (length exact: shorter games not searched)\n";
    assert!(printed.contains(open), "{printed}");
}

#[test]
fn latex_has_the_mark_and_the_stipulation_of_each_verdict() {
    let folder = folder("latex");
    let sheet = format!(
        "Title: one\n{SHORT} 3\n\nTitle: two\nrnb1kbnr/ppp2ppp/4P3/8/8/8/PP1qPPPP/RNBQKBNR 6\nIntended: 2\n\nTitle: cooked\n\
         rnbqkb1r/pppppppp/5n2/8/8/2N2N2/PPPPPPPP/R1BQKB1R 3\n\nTitle: none\n{SHORT} 1\n\n\
         Title: other\n{SHORT} 3\nIntended: 2\n"
    );
    write(&folder, "a.txt", &sheet);
    let words = ["spg", "solve", "a.txt", "--latex", "a.tex", "--html", "a.html", "--pgn", "a.pgn"];
    let (printed, status) = run(&folder, &words);
    assert_eq!(status, Some(0), "{printed}");
    let latex = read(&folder, "a.tex");
    let diagrams: Vec<&str> = latex.split("\\begin{diagram}").skip(1).collect();
    let tested =
        |at: usize| (diagrams[at].contains("\\Co{+}\n"), diagrams[at].contains("\\nocomputer\n"));
    assert_eq!(
        [0, 1, 2, 3, 4].map(tested),
        [(true, false), (true, false), (false, true), (false, true), (false, true)]
    );
    assert!(diagrams[1].contains("\\stipulation{PG in 3.0, 2 solutions}\n"), "{latex}");
    let two = "C+: exactly 2 proof games in 3.0 moves, each alone in its strategy, as intended";
    for text in [
        &latex,
        &printed,
        &read(&folder, "a_out.txt"),
        &read(&folder, "a.html"),
        &read(&folder, "a.pgn"),
    ] {
        assert!(text.contains(two), "{text}");
    }
    for file in ["a.html", "a.pgn"] {
        assert!(read(&folder, file).contains("PG in 3.0, 2 solutions"), "{file}");
    }
    // Rows are ragged, or the fourth diagram of one leaves the page.
    assert!(latex.contains("{\\raggedright\n\\begin{diagram}"), "{latex}");
    assert_eq!(latex.matches("\\end{diagram}\\hspace{0.8em}%\n").count(), 5);
}

#[test]
fn a_problem_that_cannot_be_read_is_an_error_and_keeps_its_title() {
    let folder = folder("unread");
    let sheet = format!(
        "Title: One\n{SHORT} 3\n\nTitle: Two\n{SHORT} x\n\nrnbqkbnr/ppppp1pp 3\n\nTitle: Four\n{SHORT} 3\nIntended: x\n\n\
         Title: Five\n{SHORT} 1\n"
    );
    write(&folder, "a.txt", &sheet);
    let words = ["spg", "solve", "a.txt", "--html", "a.html", "--latex", "a.tex"];
    let (printed, status) = run(&folder, &words);
    assert_eq!(status, Some(2), "{printed}");
    assert!(
        printed.contains("2 of 5 problems solved, 3 cannot be read, 0 not reached"),
        "{printed}"
    );
    let record = read(&folder, "a_out.txt");
    for (title, line) in [("Two", "5:51"), ("Nr 3", "7:1"), ("Four", "11:11")] {
        let start = format!("\n{title}\nverdict: error, the problem cannot be read\na.txt:{line}");
        assert!(record.contains(&start), "{start}\n{record}");
    }
    assert_eq!(record.matches("verdict: none\n").count(), 1, "{record}");
    for file in ["a.html", "a.tex"] {
        let text = read(&folder, file);
        assert_eq!(text.matches("the problem cannot be read: a.txt:").count(), 3, "{text}");
    }
    let (printed, _) = run(&folder, &[&words[..], &["--json"]].concat());
    let records = json(&printed);
    let end = records.last().expect("an end");
    assert_eq!(end["verdicts"], serde_json::json!(["unique", "error", "error", "error", "none"]));
    assert_eq!((&end["count"], &end["problems"]), (&2.into(), &5.into()));
    let of = |number: u64| {
        records
            .iter()
            .find(|line| line["t"] == "verdict" && line["number"] == number)
            .expect("a verdict")
    };
    assert_eq!((&of(2)["verdict"], &of(2)["title"]), (&"error".into(), &"Two".into()));
    assert_eq!((&of(2)["complete"], &of(2)["computer_tested"]), (&false.into(), &false.into()));
    // A sheet of one such problem has no archive, and no folder in its place.
    write(&folder, "b.txt", format!("{SHORT} x\n"));
    let (printed, status) = run(&folder, &["spg", "solve", "b.txt", "--archive", "b.spga"]);
    assert!(
        status == Some(2) && printed.contains("b.txt:1:51: \"x\" is not understood"),
        "{printed}"
    );
    assert!(!folder.join("b.spga").exists());
}

#[test]
fn a_line_that_is_not_understood_is_an_error_with_its_place() {
    let folder = folder("unclear");
    for line in ["Qd8->e8", "3.5", "PG in 3.5", "+Bf1", "\nQd8->e8", "PG 17¼"] {
        let at = if line.starts_with('\n') { 4 } else { 3 };
        write(
            &folder,
            "a.txt",
            format!("Title: One\n{SHORT} 3\n{line}\n\nTitle: Two\n{SHORT} 3\n"),
        );
        let (printed, status) = run(&folder, &["spg", "solve", "a.txt", "--latex", "a.tex"]);
        assert_eq!(status, Some(2), "{printed}");
        let error = format!("a.txt:{at}:1: \"{}\" looks like ", line.trim());
        assert!(printed.contains(&error), "{error}\n{printed}");
        assert!(
            printed.contains("1 of 2 problems solved, 1 cannot be read, 0 not reached"),
            "{printed}"
        );
        // The other problem is solved; nothing is reported about the first.
        assert_eq!(
            printed.matches("C+: exactly one proof game in 1.5 moves").count(),
            1,
            "{printed}"
        );
        let record = read(&folder, "a_out.txt");
        let (first, second) = record.split_once("\nTwo\n").expect("two records");
        assert!(first.starts_with("One\nverdict: error, the problem cannot be read\n"), "{record}");
        assert!(!first.contains("C+") && second.contains("C+"), "{record}");
        assert_eq!(read(&folder, "a.tex").matches("Co{+}").count(), 1);
        let (printed, status) = run(&folder, &["spg", "solve", "a.txt", "--json"]);
        let end = json(&printed).pop().expect("an end");
        assert_eq!((&end["verdicts"], status), (&serde_json::json!(["error", "unique"]), Some(2)));
        // A sheet of one problem says the same, and keeps no archive.
        write(&folder, "b.txt", format!("{SHORT} 3\n{line}\n"));
        let (printed, status) = run(&folder, &["spg", "solve", "b.txt", "--archive", "b.spga"]);
        assert!(
            status == Some(2) && !printed.contains("C+") && printed.contains("looks like"),
            "{printed}"
        );
    }
    // A comment says so.
    write(&folder, "c.txt", format!("{SHORT} 3\n# Qd8->e8\n"));
    let (printed, status) = run(&folder, &["spg", "solve", "c.txt"]);
    assert!(status == Some(0) && printed.contains("C+: exactly one"), "{printed}");
}

#[test]
fn twins_of_a_sheet_are_solved_one_by_one() {
    let folder = folder("twins");
    let sheet = format!(
        "Title: Four\n{SHORT} 3\nb) PG in 2.5\nc) ser-dia 3, Circe\n+d) -Pf5\n\n\
         8/3k4/8/7K/8/8/8/8\na=>b 5.5\nStart: 8/P1Pk1P2/8/3P3K/8/8/2p4p/8 b - - 0 1\n"
    );
    write(&folder, "a.txt", sheet);
    let (printed, status) =
        run(&folder, &["spg", "solve", "a.txt", "--max-solutions", "5000", "--json"]);
    let lines = json(&printed);
    let of = |name: &str| lines.iter().filter(|line| line["t"] == name).collect::<Vec<_>>();
    let verdicts = of("verdict");
    let titles: Vec<_> = verdicts.iter().map(|line| &line["title"]).collect();
    assert_eq!(
        titles,
        ["a) Four", "b) Four", "c) Four", "d) Four"]
            .map(serde_json::Value::from)
            .iter()
            .chain([&serde_json::Value::Null])
            .collect::<Vec<_>>(),
        "{printed}"
    );
    let solutions: Vec<_> = verdicts.iter().map(|line| line["solutions"].as_u64()).collect();
    // White alone cannot bring a black pawn to f5, nor capture it; the last one is by Geissler and Sick.
    assert_eq!(solutions, [Some(1), Some(2), Some(0), Some(0), Some(1)], "{printed}");
    assert_eq!(verdicts[2]["conditions"], serde_json::json!(["Circe"]));
    assert_eq!((of("end")[0]["problems"].as_u64(), status), (Some(5), Some(0)));
    let record = read(&folder, "a_out.txt");
    assert!(record.contains("fairy condition: Circe\nseries: true\n"), "{record}");
}

#[test]
fn keys_of_strategies_are_refused_for_other_problems_at_the_start() {
    let folder = folder("fairy-keys");
    let sheet = format!("{SHORT} 3\nCirce\n");
    write(&folder, "a.txt", sheet);
    for (arguments, key) in [
        (&["--strategies-out", "a.str"][..], "strategies-out"),
        (&["--solver", "strategies"], "strategies"),
    ] {
        let all = [&["spg", "solve", "a.txt"][..], arguments].concat();
        let (printed, status) = run(&folder, &all);
        assert!(status == Some(2) && printed.contains(key), "{printed}");
        assert!(printed.contains("Circe") && printed.contains("a.txt:1"), "{printed}");
    }
}
