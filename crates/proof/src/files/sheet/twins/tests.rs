//! Twins of sheets: letters, changes, and what is refused.

use super::{TwinBase, split};
use crate::files::sheet::{SheetEntry, SheetError, read};
use crate::positions::{PieceName, Turns};

const DIAGRAM: &str = "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR";

/// The entries of a problem with these lines below its diagram and length.
fn entries(lines: &str) -> Vec<SheetEntry> {
    let found = read(&format!("{DIAGRAM} 1.0\n{lines}\n"));
    found.into_iter().map(|entry| entry.unwrap()).collect()
}

fn fault(lines: &str) -> String {
    let found = read(&format!("{DIAGRAM} 1.0\n{lines}\n"));
    found.into_iter().find_map(Result::err).expect("an error").to_string()
}

/// The placement of an entry.
fn placement(entry: &SheetEntry) -> String {
    let letter = |piece| match piece {
        PieceName::Standard(role) => role.letter(),
        _ => 'X',
    };
    let mut setup = umbrail_chess::geometry::Setup::default();
    for man in &entry.problem.target {
        setup.put(man.square, man.color, letter(man.piece));
    }
    setup.placement()
}

/// The placement of twin b).
fn twin_b(change: &str) -> String {
    let all = entries(&format!("b) {change}"));
    assert_eq!((all.len(), placement(&all[0]).as_str()), (2, DIAGRAM), "{change}");
    placement(&all[1])
}

#[test]
fn a_line_is_split_at_the_letters_of_its_twins() {
    let texts = |line| {
        let twins = split(line, 'b')?;
        let one =
            |twin: &super::TwinText<'_>| (twin.letter, twin.base, twin.changes.text.to_owned());
        Some(twins.iter().map(one).collect::<Vec<_>>())
    };
    let plain = |letter, text: &str| (letter, TwinBase::Diagram, text.to_owned());
    for (line, expected) in [
        ("b) Qd8->e8", vec![plain('b', "Qd8->e8")]),
        ("(b) Pa2 to a3", vec![plain('b', "Pa2 to a3")]),
        ("a) diagram b) wPa2-a3", vec![plain('a', "diagram"), plain('b', "wPa2-a3")]),
        (
            "a) Diagram, b) -Pa2; c) -Pb2",
            vec![plain('a', "Diagram"), plain('b', "-Pa2"), plain('c', "-Pb2")],
        ),
        ("diagram & b) Sg1 removed", vec![plain('b', "Sg1 removed")]),
        ("+b) Circe", vec![('b', TwinBase::Previous, "Circe".to_owned())]),
        ("c)=b) without Pa2", vec![('c', TwinBase::Letter('b'), "without Pa2".to_owned())]),
        ("c) continued, -Pa2", vec![('c', TwinBase::Previous, "continued, -Pa2".to_owned())]),
        ("b: 3.5", vec![plain('b', "3.5")]),
        ("Twin: Qd8 to e8", vec![plain('b', "Qd8 to e8")]),
        ("Zwilling b) 4.0", vec![plain('b', "4.0")]),
    ] {
        assert_eq!(texts(line), Some(expected), "{line}");
    }
    assert_eq!(texts("Qd8->e8"), None);
    assert_eq!(texts("remove Sg1"), None);
}

#[test]
fn pieces_move_come_go_and_change() {
    for (change, expected) in [
        ("Pd4->d3", "rnbqkbnr/ppp1pppp/8/3p4/8/3P4/PPP1PPPP/RNBQKBNR"),
        ("d4-d3", "rnbqkbnr/ppp1pppp/8/3p4/8/3P4/PPP1PPPP/RNBQKBNR"),
        ("wPd4 to d3", "rnbqkbnr/ppp1pppp/8/3p4/8/3P4/PPP1PPPP/RNBQKBNR"),
        ("move d4 to d3", "rnbqkbnr/ppp1pppp/8/3p4/8/3P4/PPP1PPPP/RNBQKBNR"),
        ("Sb1 <-> Bc1", "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RBNQKBNR"),
        ("exchange b1 and c1", "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RBNQKBNR"),
        ("-bPd5", "rnbqkbnr/ppp1pppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR"),
        ("without Pd5, Pd4", "rnbqkbnr/ppp1pppp/8/8/8/8/PPP1PPPP/RNBQKBNR"),
        ("Pd5 removed", "rnbqkbnr/ppp1pppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR"),
        ("+bSe4", "rnbqkbnr/ppp1pppp/8/3p4/3Pn3/8/PPP1PPPP/RNBQKBNR"),
        ("add black Qe4, +wPe5", "rnbqkbnr/ppp1pppp/8/3pP3/3Pq3/8/PPP1PPPP/RNBQKBNR"),
        ("Qd8=R", "rnbrkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR"),
        ("Qd8=wR", "rnbRkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR"),
        ("Pd4->Se4", "rnbqkbnr/ppp1pppp/8/3p4/4N3/8/PPP1PPPP/RNBQKBNR"),
        ("Pd4->d3 & -d5", "rnbqkbnr/ppp1pppp/8/8/8/3P4/PPP1PPPP/RNBQKBNR"),
        ("mirror a1<->h1", "rnbkqbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBKQBNR"),
        ("rotate 180", "RNBKQBNR/PPPP1PPP/8/4P3/4p3/8/pppp1ppp/rnbkqbnr"),
        ("polishtype", "RNBQKBNR/PPP1PPPP/8/3P4/3p4/8/ppp1pppp/rnbqkbnr"),
    ] {
        assert_eq!(twin_b(change), expected, "{change}");
    }
}

#[test]
fn twins_have_other_lengths_conditions_and_kinds() {
    let all = entries("b) PG in 1.5, 2 solutions\nc) Circe\n+d) -Pd5, Madrasi\ne) ser-dia 3");
    assert_eq!(all.iter().map(|one| one.problem.plies).collect::<Vec<_>>(), [2, 3, 2, 2, 3]);
    assert_eq!(all[1].intended, Some(2));
    let names = |at: usize| {
        let names = all[at].problem.conditions.iter();
        names.map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        (names(2), names(3), names(4)),
        (vec!["Circe".into()], vec!["Madrasi".into()], vec![])
    );
    assert_eq!(all[4].problem.turns, Turns::Series);
    let titles: Vec<_> = all.iter().map(|one| one.title.as_deref().unwrap()).collect();
    assert_eq!(titles, ["a)", "b)", "c)", "d)", "e)"]);
}

#[test]
fn a_zeroposition_is_no_problem_and_a_duplex_two() {
    let all = entries("zeroposition\na) -Pd5\nb) -Pd4");
    assert_eq!(all.len(), 2);
    assert!(placement(&all[1]).contains("3p4/8/8"), "{}", placement(&all[1]));
    assert_eq!(all[1].title.as_deref(), Some("zeroposition b)"));
    let all = entries("duplex");
    let turns: Vec<bool> = all.iter().map(|one| one.problem.start.turn.is_white()).collect();
    assert_eq!((turns, all[1].title.as_deref()), (vec![true, false], Some("duplex")));
    assert!(fault("zeroposition").contains("requires twins"));
}

#[test]
fn starts_pieces_and_conditions_belong_to_the_problem() {
    let text = "4k3/8/8/8/8/6G1/8/4K3\nser-a=>b 2\nPiece: G=grasshopper\nStart: 4k3/8/8/8/8/8/6P1/4K1G1 w - -\n\
        Condition: Circe\nb) start: Gg1->h1\n";
    let all: Vec<SheetEntry> = read(text).into_iter().map(|entry| entry.unwrap()).collect();
    assert_eq!(all.len(), 2);
    let on = |at: usize| {
        let men = all[at].problem.start.men.as_ref().unwrap();
        let found = men.iter().find(|man| man.piece == PieceName::Fairy("grasshopper"));
        found.map(|man| man.square.to_string())
    };
    assert_eq!((on(0).as_deref(), on(1).as_deref()), (Some("g1"), Some("h1")));
    assert_eq!(all[0].problem.turns, Turns::Series);
    assert!(read("4k3/8/8/8/8/8/8/4K3\na=>b 2.0\n").remove(0).is_err_and(|error| {
        error.to_string() == "1:1: a=>b requires a line Start: with the first position"
    }));
}

/// Title and length, or the error, of each problem with these lines below its diagram.
fn listed(lines: &str) -> Vec<String> {
    let found = read(&format!("{DIAGRAM} 1.0\nTitle: T\n{lines}\n"));
    let one = |entry: Result<SheetEntry, _>| match entry {
        Ok(SheetEntry { title, problem, .. }) => {
            format!("{} {}", title.unwrap_or_default(), problem.plies)
        }
        Err(SheetError { title, line, column, what }) => {
            format!("{} {line}:{column}: {what}", title.unwrap_or_default())
        }
    };
    found.into_iter().map(one).collect()
}

#[test]
fn a_wrong_twin_leaves_the_others() {
    for (lines, expected) in [
        ("b) 1.5\nc) move x9 e4\nd) 2.0", ["a) T 2", "b) T 3", "c) T 4:4: twin c)", "d) T 4"]),
        // Letters out of order; those after them continue either order.
        (
            "b) 1.5\nd) 2.0\nc) 2.5",
            ["a) T 2", "b) T 3", "d) T 4:2: expected the twin c)", "c) T 5"],
        ),
        (
            "b) 1.5\nd) 2.0\ne) 2.5",
            ["a) T 2", "b) T 3", "d) T 4:2: expected the twin c)", "e) T 5"],
        ),
        (
            "b) 1.5\nb) 2.0\nc) 2.5",
            ["a) T 2", "b) T 3", "b) T 4:2: expected the twin c)", "c) T 5"],
        ),
        (
            "c) 1.5\nb) 2.0\nc) 2.5",
            ["a) T 2", "c) T 3:2: expected the twin b)", "b) T 4", "c) T 5"],
        ),
        // Letters without their bracket, or missing.
        (
            "b) 1.5\nc 2.0\nd) 2.5",
            ["a) T 2", "b) T 3", "c) T 4:1: expected a twin with a", "d) T 5"],
        ),
        (
            "b. 1.5\nc) 2.0\nd) 2.5",
            ["a) T 2", "b) T 3:1: expected a twin with a", "c) T 4", "d) T 5"],
        ),
        ("b) 1.5\nmove d4 to d3\nd) 2.5", ["a) T 2", "b) T 3", "c) T 4:1: \"move d4", "d) T 5"]),
        // An unknown line is an error of the twin above it.
        (
            "b) 1.5\nwobble\nc) 2.0\nd) 2.5",
            ["a) T 2", "b) T 4:1: \"wobble\" is not", "c) T 4", "d) T 5"],
        ),
        // A twin that changes a wrong one.
        (
            "b) -Pe5\n+c) -Pd4\nd)=b) 2.0",
            ["a) T 2", "b) T 3:4:", "c) T 4:5: twin b), which", "d) T 5:7: twin b), which"],
        ),
        (
            "b) 1.5\nb) 2.0\nc)=b) 2.5",
            ["a) T 2", "b) T 3", "b) T 4:2:", "c) T 5:7: twin b), which"],
        ),
        // Twins after an empty line.
        (
            "b) 1.5\nc) 2.0\n\nd) 2.5",
            ["a) T 2", "b) T 3", "c) T 4", "d) T 6:1: \"d) 2.5\" looks like"],
        ),
    ] {
        let found = listed(lines);
        let fits = |(one, start): (&String, &str)| {
            one.starts_with(start) && (start.contains(':') || one == start)
        };
        assert!(
            found.len() == 4 && found.iter().zip(expected).all(fits),
            "{lines}: {found:#?}, expected {expected:#?}"
        );
    }
    // A mistyped clause would change every twin.
    let found = listed("b) 1.5\nCircee\nc) 2.0");
    assert!(found.len() == 1 && found[0].contains("did you mean Circe?"), "{found:?}");
}

#[test]
fn set_play_comes_before_its_problem() {
    let start = "Start: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq -";
    let sheet = format!(
        "rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR\nser-ha=>b 2\n{start}\nset play\nb) a=>b 2.0\nc) ser-a=>b 2\n"
    );
    let found: Vec<String> = read(&sheet)
        .into_iter()
        .map(|entry| match entry {
            Ok(entry) => {
                let first = entry.problem.start.turn;
                format!("{} {} {first}", entry.title.unwrap_or_default(), entry.problem.plies)
            }
            Err(error) => error.to_string(),
        })
        .collect();
    assert_eq!(
        found,
        [
            "a) (set play) 1 white",
            "a) 3 black",
            "b) (set play) 3 white",
            "b) 4 black",
            "6:1: a series has no set play: the other side has no last move",
            "c) 2 black",
        ]
    );
    assert!(fault("set play").contains("from the initial position"));
}

#[test]
fn mistyped_changes_have_a_suggestion() {
    for (change, hint) in [
        ("no cheks", "did you mean no checks?"),
        ("movee d5 to d6", "did you mean move?"),
        ("exchnage b1 and c1", "did you mean exchange?"),
        ("2 soluitons", "did you mean solutions?"),
        ("duplx", "did you mean duplex?"),
        ("PF in 2.5", "did you mean PG in 2.5?"),
        ("polishtyp", "did you mean polishtype?"),
        ("mirorr a1<->h1", "did you mean mirror?"),
        ("rotaet 90", "did you mean rotate?"),
        ("Circe RexInclusve", "no variant of Circe, did you mean RexInclusive"),
    ] {
        let found = fault(&format!("b) {change}"));
        assert!(found.starts_with("2:4: twin b): ") && found.contains(hint), "{change}: {found}");
    }
}

#[test]
fn what_does_not_fit_is_named_with_its_place() {
    for (lines, expected) in [
        ("b) Qd8->e8", "2:4: twin b): e8 is occupied, expected an empty square"),
        ("b) Qe4->e5", "2:4: twin b): e4 is empty, expected the square of a piece"),
        (
            "b) Rd8->d6",
            "2:4: twin b): \"Rd8\" names another piece than the one on its square, a black queen",
        ),
        ("b) +Pe4", "2:4: twin b): expected a color before the piece"),
        ("b) -Pd5, nonsense", "2:10: twin b): expected a change such as"),
        ("c) -Pd5", "2:2: expected the twin b), got c)"),
        ("b) -Pd5\nb) -Pd4", "3:2: expected the twin c), got b)"),
        ("b) start: a1->a2", "2:4: twin b): a1 is empty"),
        ("b) ser-dia 2, Circe Nonsense", "2:15: twin b): expected a change such as"),
        ("Piece: G=gryphonx", "2:8: the piece gryphonx is not known"),
        ("Condition: Circe Nonsense", "2:12: \"Nonsense\" is no variant of Circe"),
        ("Condition: Circe, PWC", "2:19: the conditions Circe and PWC are not supported together"),
        ("Qd8->e8", "2:1: \"Qd8->e8\" looks like a twin without its letter"),
    ] {
        let found = fault(lines);
        assert!(found.starts_with(expected), "{lines}: {found}");
    }
}
