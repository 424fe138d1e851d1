//! What a composer types: conditions and their misspellings, series, twins, Popeye files, letters.

use super::{HARD, folder, read, run, write};
use std::time::{Duration, Instant};

/// The array without a white pawn on e2, which stands on e4: one game in 0.5 moves.
const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";

#[test]
fn a_misspelt_condition_is_never_an_orthodox_problem() {
    let folder = folder("misspelt");
    for line in [
        "Circee",
        "Madrassi",
        "no chekcs",
        "no captures",
        "Strict Circe",
        "Maximummer",
        "only white pawns captures",
        "Black does not castle",
        "color pieces",
        "flying kings",
        "serdia 1",
        "never moves e9",
    ] {
        write(&folder, "a.txt", format!("{E4}\nPG in 0.5\n{line}\n\n{E4}\nPG in 0.5\n"));
        let (printed, status) = run(&folder, &["spg", "solve", "a.txt"]);
        assert_eq!(status, Some(2), "{line}: {printed}");
        assert!(printed.contains("a.txt:3:1: "), "{line}: {printed}");
        // The other problem is solved.
        assert_eq!(printed.matches("C+").count(), 1, "{line}: {printed}");
    }
    for line in ["Mirror Circe", "(Circe)", "Take and Make", "no check", "half duplex", "exact"] {
        write(&folder, "a.txt", format!("{E4}\nPG in 0.5\n{line}\n"));
        let (printed, status) = run(&folder, &["spg", "solve", "a.txt"]);
        assert_eq!(status, Some(0), "{line}: {printed}");
    }
    // Text above a diagram is listed beside the verdict.
    write(&folder, "a.txt", format!("A. Author\n{E4}\nPG in 0.5\n"));
    let (printed, status) = run(&folder, &["spg", "solve", "a.txt"]);
    assert_eq!(status, Some(0), "{printed}");
    assert!(printed.contains("taken as text") && printed.contains("\"A. Author\""), "{printed}");
}

#[test]
fn a_series_has_as_many_moves_as_its_length_says() {
    let folder = folder("series");
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/5N2/PPPP1PPP/RNBQKB1R";
    let count = |sheet: &str| {
        write(&folder, "a.txt", format!("{fen}\n{sheet}\n"));
        run(&folder, &["spg", "solve", "a.txt"])
    };
    for sheet in ["ser-dia 2", "PG in 2.0, series", "series PG in 2.0", "2.0\nseries"] {
        let (printed, status) = count(sheet);
        assert!(status == Some(0) && printed.contains("1.e2-e4 2.Sg1-f3"), "{sheet}: {printed}");
        assert!(!printed.contains("SeriesCapture"), "{sheet}: {printed}");
    }
    for length in [&["2.0"][..], &["--moves", "2"], &["--plies", "2"]] {
        let words = [&["spg", "solve", "--fen", fen, "--series"][..], length].concat();
        let words = match length {
            [length] => vec!["spg", "solve", fen, length, "--series"],
            _ => words,
        };
        let (printed, status) = run(&folder, &words);
        assert!(status == Some(0) && printed.contains("1.e2-e4 2.Sg1-f3"), "{words:?}: {printed}");
    }
    let (printed, status) = run(&folder, &["spg", "solve", fen, "1.5", "--series"]);
    assert!(status == Some(2) && printed.contains("whole number of moves"), "{printed}");
}

#[test]
fn chains_of_captures_keep_the_limit_of_time() {
    let folder = folder("chains");
    // Fifteen captures are due, so that no bound helps.
    let bare = "4k3/8/8/8/8/8/8/RNBQKBNR";
    for (fen, moves) in [("rnbqkbnr/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "2.0"), (bare, "4.0")] {
        let started = Instant::now();
        let words = ["spg", "solve", fen, moves, "--condition", "SeriesCapture", "--time", "1000"];
        let (printed, _) = run(&folder, &words);
        assert!(started.elapsed() < Duration::from_secs(6), "{:?}: {printed}", started.elapsed());
    }
}

#[test]
fn names_are_suggested_and_listed() {
    let folder = folder("names");
    for (words, expected) in [
        (&["--condition", "Circee"][..], "did you mean Circe?"),
        (&["--condition", "Circe, Madrasi"], "--condition \"Circe\" --condition \"Madrasi\""),
        (&["--condition", "Circe Madrasi"], "two conditions"),
        (&["--conditions", "Circe"], "--condition \"Circe\""),
        (&["--piece", "G=grashoper"], "did you mean grasshopper?"),
    ] {
        let all = [&["spg", "solve", E4, "0.5"][..], words].concat();
        let (printed, status) = run(&folder, &all);
        assert!(status == Some(2) && printed.contains(expected), "{words:?}: {printed}");
    }
    let (printed, status) = run(&folder, &["spg", "list"]);
    assert_eq!(status, Some(0), "{printed}");
    for word in ["Circe", "SpiegelCirce", "Grashüpfer", "Sauterelle", "NoChecks", "nightrider"] {
        assert!(printed.contains(word), "{word}: {printed}");
    }
    let (printed, _) = run(&folder, &["spg", "list", "pieces"]);
    assert!(printed.contains("grasshopper") && !printed.contains("Madrasi"), "{printed}");
}

#[test]
fn a_letter_without_a_meaning_is_no_argument_against_a_position() {
    let folder = folder("letter");
    let (printed, status) = run(&folder, &["spg", "legal", "4k3/8/8/8/4X3/8/8/4K3"]);
    assert_eq!(status, Some(2), "{printed}");
    assert!(printed.contains("'X' on e4") && !printed.contains("illegal"), "{printed}");
}

#[test]
fn popeye_files_from_one_position_to_another_have_both() {
    let folder = folder("a-to-b");
    let text = |before: &str, after: &str| {
        format!(
            "BeginProblem\n{before}stipulation a=>b1.0\n{after}option WhiteToPlay\nEndProblem\n"
        )
    };
    let (a, b) = ("pieces white Ke1 black Ke8\n", "pieces white Ke2 black Kd8\n");
    write(&folder, "a.inp", text(a, b));
    let (printed, status) = run(&folder, &["spg", "solve", "a.inp"]);
    assert!(status == Some(0) && printed.contains("1. Ke2 Kd8"), "{printed}");
    assert!(printed.contains("   A\n") && printed.contains("   B\n"), "{printed}");
    for (before, after) in [(a, ""), ("", b)] {
        write(&folder, "b.inp", text(before, after));
        let (printed, status) = run(&folder, &["spg", "solve", "b.inp"]);
        assert_eq!(status, Some(2), "{printed}");
        assert!(printed.contains("expected the pieces of A before the stipulation"), "{printed}");
    }
}

#[test]
fn games_with_conditions_are_replayed() {
    let folder = folder("check-conditions");
    let circe = ["--fen", "rnbqkbnr/pppppppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR", "--moves", "1.5"];
    let check = |more: &[&str]| run(&folder, &[&["spg", "check"], &circe[..], more].concat());
    for game in ["1.e4 d5 2.exd5", "1.e2-e4 d7-d5 2.e4*d5[+bPd7]", "e2e4 d7d5 e4d5"] {
        let (printed, status) = check(&["--condition", "Circe", game]);
        assert_eq!(status, Some(0), "{printed}");
        let whole = "the game reaches the diagram: 1.e2-e4 d7-d5 2.e4*d5[+bPd7]";
        assert!(printed.contains(whole), "{printed}");
        // Without the condition the pawn does not return.
        let (printed, status) = check(&[game]);
        assert!(status != Some(0) && !printed.contains("reaches the diagram"), "{printed}");
    }
    let (printed, status) = check(&["--condition", "Circe", "1.e4 d5 2.exd6"]);
    assert_eq!(status, Some(4), "{printed}");
    assert!(printed.contains("half-move 3, exd6: it is not legal here"), "{printed}");
    let (printed, _) = check(&["--condition", "Circee", "1.e4 d5 2.exd5"]);
    assert!(printed.contains("Circee"), "{printed}");
    // Another start is one of the same kind.
    let start = ["--start", "4k3/8/8/8/8/8/4P3/4K3 w - -", "--fen", "8/4k3/8/8/4P3/8/8/4K3"];
    let game = ["--moves", "1.0", "--json", "e4 Ke7"];
    let (printed, status) = run(&folder, &[&["spg", "check"], &start[..], &game[..]].concat());
    assert!(status == Some(0) && printed.contains("\"fits\":true"), "{printed}");
}

#[test]
fn problems_are_written_for_popeye_and_read_again() {
    let folder = folder("popeye-written");
    let circe =
        "rnbqkbnr/pppppppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR\n1.5\nTitle: One\nCondition: Circe\n";
    let series = "4k3/8/8/8/8/4P3/8/4K2R\nser-a=>b 2\nStart: 4k3/8/8/8/8/8/4P3/4K1R1 w - -\n";
    write(&folder, "a.txt", format!("{circe}\n{series}"));
    let (written, status) = run(&folder, &["spg", "popeye", "a.txt"]);
    assert_eq!(status, Some(0), "{written}");
    assert!(written.starts_with("BeginProblem\ntitle One\ncondition Circe\n"), "{written}");
    assert!(written.contains("\nNextProblem\n") && written.ends_with("EndProblem\n"), "{written}");
    write(&folder, "b.inp", &written);
    let (printed, status) = run(&folder, &["spg", "solve", "b.inp"]);
    assert_eq!(status, Some(0), "{printed}");
    assert!(printed.contains("exactly one proof game in 1.5 moves under Circe"), "{printed}");
    assert!(printed.contains("exactly 2 games in 2 moves"), "{printed}");
    write(&folder, "c.txt", format!("{E4}\nPG in 0.5\nno checks\n"));
    let (printed, status) = run(&folder, &["spg", "popeye", "c.txt"]);
    assert_eq!(status, Some(2), "{printed}");
    let reported = "c.txt:1: Popeye has no words for the condition NoChecks";
    assert!(printed.contains(reported), "{printed}");
}

#[test]
fn a_wrong_twin_leaves_the_others_and_has_a_suggestion() {
    let folder = folder("wrong-twin");
    let sheet = format!("{E4}\nPG in 0.5\nb) no cheks\nd) e4->e3\nc) e4->e3\n\n{E4}\nPG in 0.5\n");
    write(&folder, "a.txt", sheet);
    let (printed, status) = run(&folder, &["spg", "solve", "a.txt"]);
    assert_eq!(status, Some(2), "{printed}");
    assert!(printed.contains("a.txt:3:4: twin b): expected a change"), "{printed}");
    assert!(printed.contains("did you mean no checks?"), "{printed}");
    assert!(printed.contains("a.txt:4:2: expected the twin c), got d)"), "{printed}");
    assert_eq!(printed.matches("C+").count(), 3, "{printed}");
    assert!(printed.contains("3 of 5 problems solved, 2 cannot be read"), "{printed}");
    let words = ["spg", "solve", "--condition", "no cheks", "--fen", E4, "--moves", "0.5"];
    let (printed, _) = run(&folder, &words);
    let hint = "unknown condition \"no cheks\", did you mean no checks?";
    assert!(printed.contains(hint), "{printed}");
}

#[test]
fn each_problem_has_its_time() {
    let folder = folder("time-each");
    let begun = Instant::now();
    write(
        &folder,
        "a.txt",
        format!("{HARD} 51\nb) 2 solutions\n\n{HARD} 51\nTime: 200ms\n\n{E4} 1\n"),
    );
    let (printed, status) = run(&folder, &["spg", "solve", "a.txt", "--time-each", "0.3s"]);
    assert_eq!(status, Some(3), "{printed}");
    // Both twins and the other hard problem end early, and the last problem is reached.
    assert_eq!(printed.matches("not fully tested in ").count(), 3, "{printed}");
    assert!(printed.contains("C+: exactly one proof game in 0.5 moves"), "{printed}");
    let counts = "1 of 4 problems solved, 3 not fully tested, 0 cannot be read, 0 not reached";
    assert!(printed.contains(counts), "{printed}");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    // The time of the sheet ends that of its problems.
    let (printed, status) =
        run(&folder, &["spg", "solve", "a.txt", "--time-each", "1h", "--time", "300"]);
    assert!(status == Some(3) && printed.contains("3 not reached"), "{printed}");
    for (sheet, key, expected) in [
        ("Time: 5 days", "1s", "a.txt:2:7: time expects a time such as 500, in milliseconds"),
        ("", "soon", "time-each expects a time such as 500, in milliseconds"),
    ] {
        write(&folder, "a.txt", format!("{E4} 1\n{sheet}\n"));
        let (printed, status) = run(&folder, &["spg", "solve", "a.txt", "--time-each", key]);
        assert!(status == Some(2) && printed.contains(expected), "{printed}");
    }
}

#[test]
fn intended_solutions_may_lie_in_one_strategy() {
    let folder = folder("intended");
    let fen = "rnbqkb1r/pppppppp/5n2/8/4P3/5N2/PPPP1PPP/RNBQKB1R";
    for (solutions, expected, other) in [
        (1, "cooked: at least 2 proof games in 1.5 moves", "cook 0.0: 2 games"),
        (2, "C+: exactly 2 proof games in 1.5 moves, not all alone", "strategy 0.0: 2 games,"),
        (3, "strategies, but 3 solutions are intended", "strategy 0.0: 2 games,"),
    ] {
        for solver in ["strategies", "positions"] {
            write(&folder, "a.txt", format!("{fen} 1.5\n{solutions} solutions\n"));
            let (printed, _) = run(&folder, &["spg", "solve", "a.txt", "--solver", solver]);
            assert_eq!(printed.contains("C+"), solutions == 2, "{printed}");
            if solver == "strategies" {
                assert!(printed.contains(expected) && printed.contains(other), "{printed}");
            }
        }
    }
}

#[test]
fn an_illegal_move_comes_before_the_length() {
    let folder = folder("check-first");
    let chess = ["--fen", E4, "--moves", "0.5"];
    let series = [
        "--series",
        "--start",
        "4k3/8/8/8/8/8/4P3/4K1R1 w - -",
        "--fen",
        "4k3/8/8/8/8/4P3/8/4K2R",
        "--plies",
        "2",
    ];
    for (problem, game, expected) in [
        (&chess[..], "e4 Ke5 d4", "half-move 2, 1...Ke5: it is not legal here"),
        (&chess, "e4 e5", "the game has 2 half-moves, expected 1"),
        (&series, "e3 Rh1 Ke5", "half-move 3, Ke5: it is not legal here"),
        (&series, "e3 Rh1 Rg1", "the game has 3 half-moves, expected 2"),
    ] {
        let words = [&["spg", "check"][..], problem, &[game]].concat();
        let (printed, status) = run(&folder, &words);
        assert!(status == Some(4) && printed.contains(expected), "{game}: {printed}");
    }
}

#[test]
fn authors_are_the_players_white_of_pgn() {
    let folder = folder("authors");
    let sheet = format!(
        "# Author: B. Other\n\nTitle: One\nAuthor: A. Author\nSource: feenschach 1985\n{E4} 1\n\n{E4} 1\nDate: 3.5.1990\n"
    );
    write(&folder, "a.txt", sheet);
    let popeye = "BeginProblem\nauthor A. Author\norigin feenschach 1985\ntitle One\nforsyth \
        rsbqkbsr/pppppppp/8/8/4P3/8/PPPP1PPP/RSBQKBSR\nstipulation dia0.5\nEndProblem\n";
    write(&folder, "b.inp", popeye);
    let first = "[Event \"One\"]\n[Site \"?\"]\n[Date \"1985.??.??\"]\n[Round \"1\"]\n\
        [White \"A. Author\"]\n[Black \"?\"]\n[Result \"*\"]\n[Source \"feenschach 1985\"]\n";
    for file in ["a.txt", "b.inp"] {
        run(&folder, &["spg", "solve", file, "--pgn", "a.pgn"]);
        let pgn = read(&folder, "a.pgn");
        assert!(pgn.starts_with(first), "{file}: {pgn}");
        if file == "a.txt" {
            assert!(
                pgn.contains("[Date \"1990.05.03\"]\n[Round \"1\"]\n[White \"B. Other\"]"),
                "{pgn}"
            );
        }
    }
}
