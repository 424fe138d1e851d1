//! Endgame tables at the shell and in the older program's dialogue: exit status, files, and what is said.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tables").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Runs the program in a folder with this input.
fn run(arguments: &[&str], folder: &Path, input: &str) -> Output {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_umbrail"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("UMBRAIL_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that refuses its arguments does not read.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("it ends")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn complained(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn t1_black_pawns_are_counted_for_rep2() {
    let here = folder("t1");
    let output = run(&["4men", "KB.KP"], &here, "");
    assert_eq!(output.status.code(), Some(0), "{}", complained(&output));
    let text = std::fs::read_to_string(here.join("rep2.txt")).expect("rep2.txt");
    assert!(text.starts_with("\nKB_KP\n") && text.contains("W check"), "{text}");
    assert_eq!(run(&["egt", "rep2", "KP.KP"], &here, "").status.code(), Some(0));
}

#[test]
fn t2_the_same_piece_file_counts_everywhere_and_is_said() {
    let here = folder("t2");
    // Instead of the built-in X, a man that mates.
    std::fs::write(here.join("piecedef.ini"), "X: 1,0,s*\n").expect("a file");
    let told = "pieces are read from piecedef.ini: X is W0, not the built-in bede DF0";
    let dialogue = run(&["3men", "-m", "KX.K"], &here, "quit\n");
    assert!(said(&dialogue).contains(told), "{}", said(&dialogue));
    assert!(said(&dialogue).contains("longest win 31 plies"), "{}", said(&dialogue));
    let stats = ["egt", "stats", "KX.K", "--metric", "dtm"];
    let counted = run(&stats, &here, "");
    assert!(said(&counted).contains("longest 31 plies"), "{}", said(&counted));
    assert!(complained(&counted).contains(told), "{}", complained(&counted));
    let session = run(&["uci"], &here, "egt stats KX.K metric dtm\n");
    assert!(said(&session).contains("wtm_win 31") && said(&session).contains(told));
    // A file that is named has the last word, and so has none at all.
    std::fs::write(here.join("other.ini"), "X: 1,0,s* 1,1,s*\n").expect("a file");
    let counted = run(&[&stats[..], &["--pieces", "other.ini"]].concat(), &here, "");
    assert!(said(&counted).contains("longest 19 plies"), "{}", said(&counted));
    assert!(complained(&counted).contains("from other.ini: X is F0W0"), "{}", complained(&counted));
    let counted = run(&[&["--set", "Piece File="], &stats[..]].concat(), &here, "");
    assert!(said(&counted).contains("longest 0 plies"), "{}", said(&counted));
    assert!(!complained(&counted).contains("piecedef"), "{}", complained(&counted));
}

#[test]
fn t5_a_folder_that_cannot_be_written_is_named() {
    let here = folder("t5");
    // A folder of that name cannot be replaced, not even by root.
    std::fs::create_dir_all(here.join("rep2.txt/inside")).expect("a folder");
    let output = run(&["3men", "KR.K"], &here, "");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("rep2.txt"), "{}", said(&output));
    assert_eq!(said(&output).matches("cannot write").count(), 1, "{}", said(&output));
}

#[test]
fn t14_words_that_are_not_known_are_refused_and_named() {
    let here = folder("t14");
    for (arguments, word) in [
        (&["egt", "stats", "KQ.KR", "metric", "dtm"][..], "metric"),
        (&["egt", "build", "KR.K", "now"], "now"),
        (&["egt", "drop", "KR.K", "KQ.K"], "KQ.K"),
        (&["egt", "compare", "KR.K", "KQ.K", "KB.K"], "KB.K"),
        (&["egt", "list", "one", "two"], "two"),
        (&["spg", "verify", "one.spg", "length"], "length"),
        (&["steno", "marks", "one.pgn", "three.pgn"], "three.pgn"),
        (&["steno", "compose", "one.pgn", "two.pgn"], "two.pgn"),
    ] {
        let output = run(arguments, &here, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", said(&output));
        let why = complained(&output);
        assert!(why.contains(&format!("\"{word}\"")), "{arguments:?}: {why}");
        // In a session, too, where keys stand without dashes.
        let line = arguments.join(" ");
        let output = run(&["uci"], &here, &format!("{line} {word}\n"));
        let why = said(&output);
        let refused = why.contains(&format!("\"{word}\"")) || why.contains("wants a value");
        assert!(refused && why.contains("error") && !why.contains("done"), "{line}: {why}");
    }
    // Spelled as at the shell it is understood in a session; other words are not.
    let output = run(&["uci"], &here, "egt stats KQ.KR --metric dtm\n");
    assert!(
        said(&output).contains("metric dtm wtm_win 69") || said(&output).contains("wtm_win 69")
    );
    let output = run(&["uci"], &here, "egt stats KQ.KR --metrik dtm\n");
    assert!(said(&output).contains("got \"--metrik\""), "{}", said(&output));
}
