//! What a composer types: conditions and their misspellings, series, twins, Popeye files, letters.

use super::{folder, run, write};
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
        "b. move e4 e3",
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
