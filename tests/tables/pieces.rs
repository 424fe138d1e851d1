//! Defined pieces: their files, names, promotions and diagrams.

use super::*;

#[test]
fn an_unusual_royal_piece_is_named() {
    let here = folder("t1c");
    let output = run(&["egt", "stats", "QK.KR"], &here, "");
    assert!(complained(&output).contains("Q is white's royal piece"), "{}", complained(&output));
    assert!(!printed(&output).contains("royal piece"), "{}", printed(&output));
    let output = run(&["egt", "stats", "KK.K"], &here, "");
    assert!(complained(&output).contains("another K is an ordinary"), "{}", complained(&output));
}

#[test]
fn every_command_uses_and_reports_the_same_piece_file() {
    let here = folder("t2");
    // Instead of the built-in X, a man that mates.
    std::fs::write(here.join("piecedef.ini"), "X: 1,0,s*\n").expect("a file");
    let reported = "pieces are read from piecedef.ini: X is W0, not the built-in bede DF0";
    let dialogue = run(&["3men", "-m", "KX.K"], &here, "quit\n");
    assert!(printed(&dialogue).contains(reported), "{}", printed(&dialogue));
    assert!(printed(&dialogue).contains("longest win 31 plies"), "{}", printed(&dialogue));
    let stats = ["egt", "stats", "KX.K", "--metric", "dtm"];
    let counted = run(&stats, &here, "");
    assert!(printed(&counted).contains("longest 31 plies"), "{}", printed(&counted));
    assert!(complained(&counted).contains(reported), "{}", complained(&counted));
    let session = run(&["uci"], &here, "egt stats KX.K metric dtm\n");
    assert!(printed(&session).contains("wtm_win 31") && printed(&session).contains(reported));
    // A file that is named has the last word, and so has none at all.
    std::fs::write(here.join("other.ini"), "X: 1,0,s* 1,1,s*\n").expect("a file");
    let counted = run(&[&stats[..], &["--pieces", "other.ini"]].concat(), &here, "");
    assert!(printed(&counted).contains("longest 19 plies"), "{}", printed(&counted));
    assert!(complained(&counted).contains("from other.ini: X is F0W0"), "{}", complained(&counted));
    let counted = run(&[&["--set", "EGT Piece File="], &stats[..]].concat(), &here, "");
    assert!(printed(&counted).contains("white never wins;"), "{}", printed(&counted));
    assert!(!complained(&counted).contains("piecedef"), "{}", complained(&counted));
}

#[test]
fn seeds_and_promotions_out_of_range_are_refused() {
    let here = folder("t12");
    std::fs::write(here.join("seeds"), "b3e3d2a1 999\n").expect("a file");
    let output = run(&["egt", "stats", "KQ.KR", "--seed", "seeds"], &here, "");
    assert_eq!(output.status.code(), Some(2));
    assert!(complained(&output).contains("line 1: value 999"), "{}", complained(&output));
    // The manual's own file.
    std::fs::write(here.join("seeds"), "b3e3d2a1 127\nb3e3d2b1 10\nb3b2**b1 10\n").expect("a file");
    let output = run(&["egt", "stats", "KQ.KR", "-f", "seeds"], &here, "");
    assert_eq!(output.status.code(), Some(0), "{}", complained(&output));
    let output = run(&["egt", "stats", "KP.K", "--promote", ""], &here, "");
    assert_eq!(output.status.code(), Some(2));
    assert!(complained(&output).contains("promote expects letters"), "{}", complained(&output));
}

#[test]
fn a_defined_pawn_promotes_and_promote_is_never_ignored() {
    let here = folder("pawns");
    let counted = |definition: &str, promote: &[&str]| {
        std::fs::write(here.join("piecedef.ini"), format!("{definition}\nF = F\n"))
            .expect("a file");
        run(&[&["egt", "stats", "KP.K", "--metric", "dtm"], promote].concat(), &here, "")
    };
    // The pawn of Shatranj: no double step.
    let queens = counted("P: 1,0,n 1,1,c 1,-1,c", &[]);
    assert!(printed(&queens).contains("white to move wins"), "{}", printed(&queens));
    let reported = "P is fcFfmW (a pawn without double step), not the built-in pawn fmWfceFifmnD";
    assert!(complained(&queens).contains(reported), "{}", complained(&queens));
    let ferzes = counted("P = fmWfcF", &["--promote", "F"]);
    assert!(printed(&ferzes).contains("white never wins"), "{}", printed(&ferzes));
    // A rook that is called P.
    let rook = counted("P = R", &[]);
    assert!(printed(&rook).contains("longest 31 plies"), "{}", printed(&rook));
    let reported = "P is W0 (no pawn: it does not promote), not the built-in pawn";
    assert!(complained(&rook).contains(reported), "{}", complained(&rook));
    let refused = counted("P = R", &["--promote", "Q"]);
    assert_eq!(refused.status.code(), Some(2));
    let why = "promote has no effect: KP.K has no pawn; P is W0, no pawn";
    assert!(complained(&refused).contains(why), "{}", complained(&refused));
    std::fs::remove_file(here.join("piecedef.ini")).expect("it is there");
    for (verb, what, why) in [
        ("stats", "KQ.KR", "KQ.KR has no pawn"),
        ("survey", "K?.K", "none of the endgames has a pawn"),
        ("probe", QUEEN_AND_ROOK, "KQ.KR has no pawn"),
    ] {
        let key: &[&str] = if verb == "probe" { &["--fen"] } else { &[] };
        let refused = run(&[&["egt", verb], key, &[what, "--promote", "QN"]].concat(), &here, "");
        assert_eq!(refused.status.code(), Some(2), "{verb}");
        let why = format!("promote has no effect: {why}");
        assert!(complained(&refused).contains(&why), "{}", complained(&refused));
    }
}

#[test]
fn a_gui_plays_hoppers_and_captures_on_the_way() {
    let here = folder("bent-xboard");
    let definitions = "G = gQ\nX = KNADcaKmcabK\nM = fmW\n";
    std::fs::write(here.join("piecedef.ini"), definitions).expect("a file");
    let play = |endgame: &str, commands: &str| {
        let lines = format!("xboard\nprotover 2\nvariant fairy\n{commands}\n");
        printed(&run(&["xboard", endgame], &here, &lines))
    };
    let place = "setboard 8/8/8/3k4/8/8/6g1/1K5R w - - 0 1\nlevel 0 0:10 0\n";
    let output = play("KR.KG", &format!("{place}go"));
    assert!(output.contains("\npiece G& gQ\n"), "{output}");
    assert!(output.lines().any(|line| line.starts_with("move ")), "{output}");
    // The grasshopper has no hurdle on the file, and one on the rank.
    let place = "setboard 8/8/8/3k4/8/8/R5g1/1K6 w - - 0 1\nforce\n";
    let moves = "usermove b1b2\nusermove g2g4\nusermove g2a2";
    let output = play("KR.KG", &format!("{place}{moves}"));
    assert!(output.contains("Illegal move (the G on g2 cannot go there): g2g4"), "{output}");
    assert!(!output.contains("): g2a2"), "{output}");
    let place = "setboard k7/8/8/8/8/8/2m5/1X2K3 w - - 0 1\nforce\n";
    let moves = "usermove b1c2,c2d3\nusermove a8a7\nusermove d3d3";
    let output = play("KX.KM", &format!("{place}{moves}"));
    assert!(!output.contains("c2d3"), "{output}");
    assert!(output.contains("): d3d3"), "{output}");
}

#[test]
fn a_piece_is_drawn_or_refused_by_column() {
    let here = folder("piece");
    let drawn = printed(&run(&["egt", "piece", "X", "=", "gQ", "--from", "a1"], &here, ""));
    assert!(drawn.contains("a1 to c1: piece on b1"), "{drawn}");
    let record = printed(&run(&["egt", "piece", "mRcpR", "--json"], &here, ""));
    assert!(record.contains("\"t\":\"piece_moves\""), "{record}");
    let refused = run(&["egt", "piece", "WiN"], &here, "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(complained(&refused).contains("\"i\" at column 2"), "{}", complained(&refused));
    std::fs::write(here.join("piecedef.ini"), "G = gQ").expect("a file");
    // A letter is a piece of the file, then a movement, then a built-in piece.
    for (word, betza) in [("G", "G = gQ"), ("N", "X = N"), ("Y", "Y = ZN")] {
        let drawn = printed(&run(&["egt", "piece", word], &here, ""));
        assert!(drawn.starts_with(betza), "{drawn}");
    }
    let steps = printed(&run(&["egt", "piece", "2,0,*", "1,1,*"], &here, ""));
    assert!(steps.starts_with("X = "), "{steps}");
    let report = run(&["egt", "rep2", "KG.K"], &here, "");
    assert!(complained(&report).contains("no piece like G (gQ)"), "{}", complained(&report));
}

#[test]
fn pieces_of_a_file_are_named_on_every_board() {
    let here = folder("named-pieces");
    std::fs::write(here.join("own.ini"), "E = gQ\n").expect("a file");
    for board in [&[][..], &["--board", "5x5"]] {
        let words = [&["egt", "stats", "KE.K", "--pieces", "own.ini"], board].concat();
        let why = complained(&run(&words, &here, ""));
        assert!(why.contains("pieces are read from own.ini: E is gQ, not the built-in"), "{why}");
    }
}
