//! Problem sheets: what is read, and what is refused.

use super::*;
use crate::problem::diagram::Diagram;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

#[test]
fn lengths_are_read_as_problemists_write_them() {
    for (text, plies) in [
        ("65", Some(65)),
        ("32.5", Some(65)),
        ("23.0", Some(46)),
        ("22,5", Some(45)),
        ("PG in 23.0", Some(46)),
        ("SPG in 23.0 moves", Some(46)),
        ("PG in 23", Some(46)),
        ("dia23.0", Some(46)),
        ("exact-dia6.5", Some(13)),
        ("23.0.", Some(46)),
        ("23 moves", Some(46)),
        ("46 plies", Some(46)),
        ("0", Some(0)),
        ("1.50", Some(3)),
        ("2.00", Some(4)),
        ("PG - 23.0", Some(46)),
        ("-3", None),
        ("- 3", None),
        ("PG -3", None),
        ("-1.5", None),
        ("\u{2212}3", None),
        ("1.55", None),
        ("1.05", None),
        ("1. Prize", None),
        ("Probleemblad 1998", None),
        ("23.3", None),
        ("99999", None),
        ("none", None),
    ] {
        assert_eq!(length_of(text), plies, "{text}");
    }
}

#[test]
fn the_sheet_of_the_manual() {
    let text = "\u{feff}1nbq4/ppk1p3/Rp5p/3npr2/R3P3/2br1B1P/PP2P2P/1NBQNK2\r\n65\r\n\
        StrategyConditions: Pc2-c8=B-e6<.Pf7: AND Ra1-a4<.a\r\n";
    let entries = read(text);
    assert_eq!(entries.len(), 1);
    let entry = entries[0].clone().unwrap();
    assert_eq!((entry.line, entry.problem.plies), (1, 65));
    assert_eq!(entry.conditions.unwrap().0, "Pc2-c8=B-e6<.Pf7: AND Ra1-a4<.a");
}

#[test]
fn several_problems_comments_and_both_layouts() {
    let text = format!(
        "Unto Heinonen\n\nTitle first\n{START} 4\n% a remark\nLength: exact\n\n\
         {} w KQkq - 0 1\ndia2.0\n{START} b - - 3\nTitle: three",
        START.replace('n', "s")
    );
    let entries: Vec<SheetEntry> = read(&text).into_iter().map(Result::unwrap).collect();
    assert_eq!(entries.iter().map(|entry| entry.problem.plies).collect::<Vec<_>>(), [4, 4, 3]);
    assert_eq!(heading(&text), ["Unto Heinonen"]);
    assert_eq!(entries[0].comments, ["Title first", "% a remark"]);
    let setting = SheetSetting { name: "length", value: "exact".to_owned(), at: (6, 9) };
    assert_eq!(entries[0].settings, [setting]);
    let (chess, start) = entries[1].problem.orthodox().expect("chess");
    assert_eq!(chess.diagram, Diagram::initial());
    assert!(start.is_same(&umbrail_chess::Position::startpos()));
    assert_eq!(entries[2].title.as_deref(), Some("three"));
    let above = read(&format!("Title: above\n{START} 4"));
    assert_eq!(above[0].as_ref().unwrap().title.as_deref(), Some("above"));
    assert!(entries[2].warnings.is_empty());
    let entries = read(&format!("{START} w - - 0 1 7"));
    let warning = &entries[0].as_ref().unwrap().warnings[0];
    assert_eq!(warning, "the FEN says that white is to move, but after 7 half-moves it is black");
}

#[test]
fn comments_at_the_top_belong_to_the_file() {
    let text = format!("# Three problems\r\n# by A. Author\r\n\r\n% first\r\n{START} 4\r\n");
    assert_eq!(heading(&text), ["# Three problems", "# by A. Author"]);
    let entries = read(&text);
    let entry = entries[0].as_ref().unwrap();
    assert_eq!((entry.line, entry.comments.as_slice()), (5, &["% first".to_owned()][..]));
    // Those right above a diagram, or without anything below, belong to no file.
    for text in [format!("# mine\n{START} 4\n"), format!("Title: x\n\n{START} 4"), "# x".to_owned()]
    {
        assert_eq!(heading(&text), [""; 0], "{text}");
    }
}

#[test]
fn a_line_that_is_a_number_but_no_length_is_reported() {
    for wrong in ["-3", "1.3", "+5", "-1.5"] {
        let reported = read(&format!("{START}\n{wrong}\n")).remove(0).unwrap_err().to_string();
        let expected = "expected a number of half-moves such as 46, or moves such as 23.0, got";
        assert_eq!(reported, format!("2:1: {expected} {wrong}"));
    }
}

#[test]
fn a_broken_problem_is_reported_and_the_others_are_read() {
    let text = format!(
        "rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\n4\n\n{START}\n\n  rnbqkbnr/pppppppp/8/8/4x3/8/8/8 3\n\
         {START} 4\nStrategyConditions: Sb1 OR\n{START} 300\n{START} 5\n{START} 5\nStrategyCondition: Sb1"
    );
    let reported: Vec<String> = read(&text)
        .into_iter()
        .map(|entry| {
            entry.map_or_else(|error| error.to_string(), |entry| entry.problem.plies.to_string())
        })
        .collect();
    assert_eq!(
        reported,
        [
            "1:10: rank 7 of the FEN (\"ppppppp\") fills 7 squares, expected 8",
            "4:1: no length, expected a number of half-moves such as 46, or moves such as 23.0",
            "6:26: 'x' on e4 is not a chess piece, expected one of KQRBNSP (kqrbnsp); a line Piece: X=NAME below the diagram gives it a meaning",
            "8:27: StrategyConditions: expected a man by its first square (Sb1, Pa2, Kg1 for a king that castles), fm:, cc:, ml:, NOT or a bracket",
            "9:45: 300 half-moves are too many, at most 240 are possible",
            "5",
            "12:1: \"strategycondition:\" is no keyword, expected StrategyConditions:",
        ]
    );
}

#[test]
fn titles_above_diagrams_need_no_empty_lines() {
    let sheet = format!("Title: one\n{START} 4\nTitle: two\n{START} 5\nTitle: three\n{START} 6");
    let titles: Vec<_> = read(&sheet).into_iter().map(|entry| entry.unwrap().title).collect();
    assert_eq!(titles.iter().flatten().collect::<Vec<_>>(), ["one", "two", "three"]);
    // A title below the diagram of a problem without one is its own.
    let titles = read(&format!("{START} 4\nTitle: one\n{START} 5\nTitle: two"));
    let titles: Vec<_> = titles.into_iter().map(|entry| entry.unwrap().title).collect();
    assert_eq!(titles.iter().flatten().collect::<Vec<_>>(), ["one", "two"]);
}

#[test]
fn titles_without_a_problem_and_diagrams_that_were_cut_are_named() {
    let text = format!(
        "Title: lost\n\nTitle: cut\nrnbqkb1r/ppB 5\nIntended: 2\n\n{START} 0\n\nand/or 1/2 1-0/0-1\n\nTitle: last\n"
    );
    let found = read(&text);
    let given = |at: usize| found[at].as_ref().map_err(|error| error.to_string());
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(
        given(0)
            .is_err_and(|why| why == "1:1: no diagram below the title \"lost\", expected a FEN")
    );
    assert!(given(1).is_err_and(|why| why.starts_with("4:")), "{:?}", found[1]);
    let problem = given(2).expect("a problem");
    assert_eq!(problem.title, None, "the title of the broken problem is not the next one's");
    assert!(
        given(3).is_err_and(|why| why.starts_with("11:1: no diagram below the title \"last\""))
    );
}

/// What is wrong with each problem of a sheet; nothing for one that can be read.
fn faults(text: &str) -> Vec<String> {
    let reported = |entry: &Result<SheetEntry, SheetError>| {
        entry.as_ref().map_or_else(ToString::to_string, |_| String::new())
    };
    read(text).iter().map(reported).collect()
}

#[test]
fn a_change_or_a_second_length_below_a_problem_is_named_with_its_line() {
    for (line, looks) in [
        ("Qd8->e8", "a twin"),
        ("+Bf1", "a condition"),
        ("3.5", "another length"),
        ("PG in 3.5", "another length"),
        ("PG 17¼", "a stipulation"),
    ] {
        // In the problem, behind an empty line, at the end of the sheet, and between two problems.
        for (between, at) in [("", 3), ("# by A. Author\n", 4), ("\n", 4), ("\n\n", 5)] {
            for after in
                ["", "\n", "\n\nTitle: next\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR 4\n"]
            {
                let reported = faults(&format!("Title: first\n{START} 4\n{between}{line}{after}"));
                let expected = format!("{at}:1: \"{line}\" looks like {looks}");
                assert!(reported[0].starts_with(&expected), "{reported:?}");
                let others = usize::from(after.contains("next"));
                assert_eq!(
                    (reported.len(), reported[1..].concat()),
                    (1 + others, String::new()),
                    "{reported:?}"
                );
            }
        }
        let broken = read(&format!("Title: first\n{START} 4\n{line}\n")).remove(0).unwrap_err();
        assert_eq!(broken.title.as_deref(), Some("first"));
    }
    // In the line of the diagram.
    let reported = faults(&format!("{START} 4 b) Qd8->e8\n"));
    assert_eq!((reported.len(), reported[0].as_str()), (2, ""));
    assert!(reported[1].starts_with("1:50: twin b): e8 is occupied"), "{reported:?}");
}

#[test]
fn lines_above_a_diagram_belong_to_it() {
    for (above, fault) in [
        ("7", ""),
        ("Nr 7", ""),
        ("PG in 2.0", ""),
        ("1998", ""),
        ("# PG in 2.5", ""),
        ("PG in 2.5", "4:1: \"PG in 2.5\" looks like another length"),
        ("7\nb) Pa2->a3", "5:1: \"b) Pa2->a3\" looks like a twin"),
        ("b) Pa2->a3", "4:1: \"b) Pa2->a3\" looks like a twin"),
        ("Intended: 2", "4:1: \"Intended: 2\" looks like a keyword without a diagram"),
    ] {
        let reported = faults(&format!("{START} 4\n\nby A. Author\n{above}\n{START} 4\n"));
        assert_eq!((reported.len(), reported[0].as_str()), (2, ""), "{reported:?}");
        assert!(
            reported[1].starts_with(fault) && (fault.is_empty() == reported[1].is_empty()),
            "{reported:?}"
        );
    }
    // A diagram that is not the first word of its line is no heading of the file.
    let reported = faults(&format!("a) {START} 4\nb) {START} 5\n\n{START} 4\n"));
    assert!(
        reported[0].starts_with("1:1: ")
            && reported[0].contains("looks like a diagram behind other words"),
        "{reported:?}"
    );
    assert_eq!((reported.len(), reported[1].as_str()), (2, ""));
}

#[test]
fn comments_and_both_notations_of_a_length_are_no_error() {
    let text = format!(
        "{START} 46\nPG in 23.0\nAuthor: A. Author, BP 2010\nDate: 1998\n# b) Qd8->e8\n% 2 solutions\n1.e4 e5 2.Nf3\n\n\
         A comment (see b) below the problem\n"
    );
    let entries = read(&text);
    let entry = entries[0].as_ref().unwrap();
    assert_eq!((entries.len(), entry.problem.plies, entry.comments.len()), (1, 46, 5));
}

#[test]
fn a_start_belongs_to_its_problem() {
    let start = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
    let text = format!("4k3/8/8/8/8/8/4P3/4K3 b\nStart: {start}\n2\n");
    let entry = read(&text).remove(0).unwrap();
    let given = entry.problem.start_setup().to_string();
    assert_eq!((given.as_str(), entry.problem.plies), (start, 2));
    // Black begins, so Black is to move after two half-moves.
    assert_eq!(entry.warnings, [""; 0]);
    let text = text.replacen(" b\n", " w\n", 1);
    assert_eq!(read(&text).remove(0).unwrap().warnings.len(), 1);
}

/// A diagram without a piece that could be misread, and a length.
fn below(line: &str) -> Vec<String> {
    faults(&format!("{START}\nPG in 1.0\n{line}\n"))
}

#[test]
fn no_line_below_a_diagram_is_silently_a_comment() {
    for (line, hint) in [
        ("Circee", "did you mean Circe?"),
        ("Madrassi", "did you mean Madrasi?"),
        ("no chekcs", "did you mean no checks"),
        ("no captures", "3:1: "),
        ("Strict Circe", "3:1: "),
        ("Maximummer", "3:1: "),
        ("only white pawns captures", "did you mean only white pawns capture?"),
        ("Black does not castle", "3:1: "),
        ("color pieces", "3:1: "),
        ("flying kings", "3:1: \"flying kings\" is not understood"),
        ("by A. Author", "stands behind Author:"),
        ("never moves e9", "3:1: NeverMoves expects squares a1 to h8"),
        ("never moves", "got none"),
        ("last move e4-e9", "got \"e9\""),
        ("serdia 3", "did you mean ser-dia 3?"),
        ("Conditon: Circe", "expected Condition:"),
        ("Circe, flying kings", "3:8: \"flying kings\" is not understood, expected a condition"),
        ("Conditions: Circee", "Condition:, or conditions on strategies"),
        ("Piece: G=grashoper", "did you mean grasshopper?"),
        ("dai1.5", "did you mean dia1.5?"),
        ("exat-dia 1.5", "did you mean exact-dia 1.5?"),
        ("sre-dia3", "did you mean ser-dia3?"),
        ("PF in 1.5", "did you mean PG in 1.5?"),
        ("Beweispatrie in 1,5", "did you mean Beweispartie in 1,5?"),
        ("2 soluitons", "did you mean solutions?"),
        ("add a blakc queen", "did you mean add a black queen?"),
        ("last mvoe e4", "did you mean last move?"),
        ("Circe RexInclusve", "no variant of Circe, did you mean RexInclusive"),
        ("Condition: no cheks", "3:12: unknown condition \"no cheks\", did you mean no checks?"),
        ("Stipulation: dai1.5", "did you mean dia1.5?"),
        ("Stipulation: no cheks", "did you mean no checks?"),
    ] {
        let found = below(line);
        assert!(found.len() == 1 && found[0].contains(hint), "{line}: {found:?}");
        assert!(found[0].starts_with("3:"), "{line}: {found:?}");
    }
    for (line, words) in [
        ("Mirror Circe", "MirrorCirce"),
        ("(Circe)", "Circe"),
        ("no check", "NoChecks"),
        ("no white check", "NoWhiteChecks"),
        ("Take and Make", "Take&MakeChess"),
        ("Königsdynastie", "RoyalDynasty"),
        ("series", ""),
        ("exact", ""),
        ("# Circee", ""),
        ("Author: Circee", ""),
        ("1.e4 e5", ""),
    ] {
        let found = read(&format!("{START}\nPG in 1.0\n{line}\n")).remove(0).unwrap();
        let names: Vec<String> = found.problem.conditions.iter().map(ToString::to_string).collect();
        assert_eq!(names.concat(), words, "{line}");
        assert_eq!(found.is_exact, line == "exact");
        let series = found.problem.turns == crate::positions::Turns::Series;
        assert_eq!((series, found.problem.plies), (line == "series", 2 - u16::from(series)));
    }
}

#[test]
fn clauses_on_the_line_of_the_length_are_read_or_named_at_their_place() {
    let first = |text: &str| read(&format!("{START}\n{text}\n")).remove(0);
    for (text, fault) in [
        ("PG in 1.0, flying kings", "2:12: \"flying kings\" is not understood"),
        ("PG in 1.0 Circee", "2:11: \"Circee\" is not understood, did you mean Circe?"),
        ("PG in 1.25", "2:1: \"PG in 1.25\" is no length"),
        ("1.25", "2:1: "),
        ("PG in 2.5, series", "1:1: a series has a whole number of moves"),
        ("PG in 1.0, series of captures", "2:12: "),
    ] {
        let found = first(text).map(|entry| entry.title).unwrap_err().to_string();
        assert!(found.starts_with(fault), "{text}: {found}");
    }
    let entry = first("PG in 1.0 Circe").unwrap();
    assert_eq!((entry.problem.plies, entry.problem.conditions.len()), (2, 1));
    // `series` is a kind of game, not the beginning of SeriesCapture; its length counts its moves in every notation.
    for text in [
        "PG in 6.0, series",
        "series PG in 6.0",
        "ser-dia 6",
        "ser-dia 6.0",
        "6\nseries",
        "6.0\nseries",
    ] {
        let problem = first(text).unwrap().problem;
        assert_eq!((problem.plies, problem.turns), (6, crate::positions::Turns::Series), "{text}");
        assert_eq!(problem.conditions, []);
    }
    assert!(first("PG in 1.0, exact").unwrap().is_exact);
}

#[test]
fn text_without_a_sign_is_listed() {
    let warnings = |text: &str| {
        let entries = read(text).into_iter().map(Result::unwrap);
        entries.map(|entry| entry.warnings).collect::<Vec<_>>()
    };
    let found =
        warnings(&format!("Unto Heinonen\n\n# a\nSchwalbe 1998\n{START} 4\n\nlast words\n"));
    assert_eq!(found[0].len(), 2, "{found:?}");
    assert!(found[0][0].ends_with("\"Unto Heinonen\", \"Schwalbe 1998\""), "{found:?}");
    assert!(found[0][1].ends_with("\"last words\""), "{found:?}");
    assert_eq!(warnings(&format!("# a\n\nAuthor: b\n7\n{START} 4\n1.e4 e5\n")), [vec![""; 0]]);
    // Conditions above a diagram are no titles.
    for text in ["Circe", "no chekcs", "Madrassi"] {
        for gap in ["", "\n"] {
            let found = faults(&format!("{text}\n{gap}{START} 4\n"));
            assert!(found.iter().any(|why| why.contains("looks like a condition")), "{found:?}");
        }
    }
}

#[test]
fn an_error_in_one_twin_leaves_the_others() {
    let found =
        faults(&format!("Title: T\n{START} 4\nb) Qe4->e5\n+c) -Pa2\nd) -Pb2\ne)=d) -Pc2\n"));
    assert_eq!(found.len(), 5, "{found:?}");
    assert!(found[1].starts_with("3:4: twin b): e4 is empty"), "{found:?}");
    assert!(found[2].contains("twin b), which it changes, cannot be read"), "{found:?}");
    assert_eq!([&found[0], &found[3], &found[4]], ["", "", ""]);
    let twins = read(&format!("Title: T\n{START} 4\nb) Ke1=Q, Circe Nonsense\n"));
    assert_eq!(twins[1].as_ref().unwrap_err().title.as_deref(), Some("b) T"));
    let found = faults(&format!("{START} 4\nCirce\nMadrasi\nPWC\n"));
    assert_eq!(found, ["4:1: the conditions Circe and PWC are not supported together"]);
}

#[test]
fn the_sheet_of_the_guide_can_be_read() {
    let guide = include_str!("../../../../../docs/proof-guide.md");
    let (_, rest) = guide.split_once("## A complete sheet\n\n```\n").unwrap();
    let (sheet, _) = rest.split_once("```").unwrap();
    let entries: Vec<SheetEntry> = read(sheet).into_iter().map(Result::unwrap).collect();
    let titles: Vec<_> = entries.iter().filter_map(|entry| entry.title.as_deref()).collect();
    assert_eq!(
        titles[..5].iter().map(|title| &title[..2]).collect::<Vec<_>>(),
        ["a)", "b)", "c)", "a)", "b)"]
    );
    assert_eq!((entries.len(), titles.len()), (9, 9));
    assert!(entries.iter().all(|entry| entry.warnings.is_empty()));
}

#[test]
fn a_title_right_above_a_diagram_is_that_of_its_problem() {
    let fen = "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR 2.5";
    let titles = |text: &str| -> Vec<Option<String>> {
        read(text).into_iter().map(|entry| entry.expect("a problem").title).collect()
    };
    let above = format!("{fen}\nTitle: second\n{fen}\n");
    assert_eq!(titles(&above), [None, Some("second".to_owned())]);
    let third = format!("{fen}\n{fen}\nTitle: third\n{fen}\n");
    assert_eq!(titles(&third), [None, None, Some("third".to_owned())]);
    let below = format!("{fen}\nTitle: first\n\n{fen}\n");
    assert_eq!(titles(&below), [Some("first".to_owned()), None]);
}
