//! Tests of the reader of Popeye's input: languages, twins, boards, and the places of faults.

use super::read;
use crate::positions::Turns;

fn error(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

#[test]
fn a_german_problem_with_a_start_is_read() {
    let twins = read(
        "AnfangProblem\nauto Norbert Geissler & Oliver Sick\nopti zugn\nstei weis kh5 ba7c7d5f7\n\
         schw kd7 bc2h2\nford a=>b5.5\nstei weis kh5\nschw kd7\nEndeProblem\n",
    )
    .unwrap();
    let [twin] = &twins[..] else { panic!("{twins:?}") };
    let start = twin.problem.start_setup().to_string();
    assert_eq!(start, "8/P1Pk1P2/8/3P3K/8/8/2p4p/8 b - - 0 1");
    assert_eq!((twin.problem.plies, twin.problem.target.len()), (11, 2));
    assert!(!twin.problem.start.turn.is_white());
}

#[test]
fn twins_change_the_first_problem() {
    let twins = read(
        "BeginProblem\nauthor A. Author\norigin feenschach 1985\nremark\ntitle Popeye\npieces white Ke1 black Kf7 Qd8\nstipulation dia2.5\n\
         twin move d8 e8 stipulation dia3\ntwin continued remove e8\nEndProblem",
    )
    .unwrap();
    let plies: Vec<u16> = twins.iter().map(|twin| twin.problem.plies).collect();
    assert_eq!(plies, [5, 6, 6]);
    let men: Vec<usize> = twins.iter().map(|twin| twin.problem.target.len()).collect();
    assert_eq!(men, [3, 3, 2]);
    assert_eq!(twins[1].title.as_deref(), Some("b) Popeye"));
    assert_eq!(twins[2].comments, ["Author: A. Author", "Source: feenschach 1985"]);
    assert!(twins[1].problem.target.iter().any(|man| man.square.to_string() == "e8"));
}

#[test]
fn the_positions_of_a_to_b_stand_before_and_after_the_stipulation() {
    let a = "pieces white Ke1 black Ke8 Pa7\n";
    let b = "pieces white Ke2 black Kd8 Pa6\n";
    let text = |before: &str, after: &str, twin: &str| {
        format!("BeginProblem\n{before}stipulation a=>b1.0\n{after}{twin}EndProblem")
    };
    let twins = read(&text(a, b, "twin move a6 a5\n")).unwrap();
    let starts: Vec<_> = twins.iter().map(|twin| twin.problem.start_setup().placement()).collect();
    assert_eq!(starts, ["4k3/p7/8/8/8/8/8/4K3"; 2]);
    let ends: Vec<_> = twins.iter().map(|twin| twin.problem.target_setup().placement()).collect();
    assert_eq!(ends, ["3k4/8/p7/8/8/8/4K3/8", "3k4/8/8/p7/8/8/4K3/8"]);
    for (before, after) in [(a, ""), ("", b), ("", "")] {
        for twin in ["", "twin move a7 a6\n"] {
            let refused = error(&text(before, after, twin));
            let is_named = refused.contains("expected the pieces of A before the stipulation");
            assert!(is_named || refused.contains("is empty"), "{refused}");
        }
    }
    let refused = error(&text(a, b, "twin stipulation a=>b2.0\n"));
    assert!(
        refused.starts_with("5:6: a twin of a=>b cannot have another stipulation"),
        "{refused}"
    );
    assert_eq!(
        error("AnfangProblem\nWeiterproblem"),
        "2:1: expected WeiteresProblem, got \"Weiterproblem\""
    );
}

#[test]
fn boards_conditions_and_forsyth_are_read() {
    let twins = read(
        "BeginProblem\nfors rsbqkbsr/pppppppp/1S6/24/PPPPPPPP/RSBQKB1R/\nstip ser-dia 3\n\
         cond circe rexinclusive madrasi\noption nowk upto 3:4\nEndProblem",
    )
    .unwrap();
    let problem = &twins[0].problem;
    assert_eq!((problem.turns, problem.plies, problem.target.len()), (Turns::Series, 3, 32));
    let names: Vec<String> = problem.conditions.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["Circe RexInclusive", "Madrasi"]);
    let twins = read(
        "BeginProblem\npieces white Ke1\npieces white AliceB Sf3\nblack Ke8\nstip dia1\nEndProblem",
    )
    .unwrap();
    assert_eq!(twins[0].problem.conditions[0].name, "AliceChess");
    assert_eq!(twins[0].problem.target.iter().filter(|man| man.on_b).count(), 1);
}

#[test]
fn faults_have_their_places() {
    assert_eq!(
        error("Problem"),
        "1:1: expected BeginProblem, AnfangProblem or DebutProbleme, got \"Problem\""
    );
    assert_eq!(
        error("BeginProblem\nstipulation h#3\nEndProblem"),
        "2:13: the stipulation h#3 is not supported"
    );
    assert_eq!(
        error("BeginProblem\npieces white Ke1 Xe2\nEndProblem"),
        "2:18: the piece Xe2 is not supported"
    );
    assert_eq!(
        error("BeginProblem\ncondition Circe Nonsense\nEndProblem"),
        "2:17: \"Nonsense\" is no variant of Circe"
    );
    assert_eq!(
        error("BeginProblem\npieces white Ke1\n"),
        "2:1: the file ends before the problem does"
    );
    assert_eq!(
        error("BeginProblem\noption Quodlibet\nEndProblem"),
        "2:8: the option Quodlibet is not supported"
    );
}

#[test]
fn set_play_is_a_problem_of_its_own() {
    let array = "rsbqkbsr/pppppppp/8/8/8/8/PPPPPPPP/RSBQKBSR";
    let text = |stipulation: &str| {
        format!(
            "BeginProblem\nforsyth {array}\nstipulation {stipulation}\nforsyth \
             rsbqkbsr/pppppppp/8/8/8/P7/1PPPPPPP/RSBQKBSR\noption SetPlay\nEndProblem"
        )
    };
    let all = |stipulation: &str| -> Vec<_> {
        let twins = read(&text(stipulation)).unwrap().into_iter();
        twins
            .map(|twin| {
                let problem = twin.problem;
                (twin.title, problem.plies, problem.turns, problem.start.turn.is_white())
            })
            .collect()
    };
    let set = Some("set play".to_owned());
    assert_eq!(
        all("ser-ha=>b2"),
        [(set.clone(), 1, Turns::Alternating, true), (None, 3, Turns::SeriesHelp, false)]
    );
    assert_eq!(
        all("a=>b2.5"),
        [(set, 4, Turns::Alternating, true), (None, 5, Turns::Alternating, false)]
    );
    for (stipulation, why) in
        [("ser-a=>b2", "a series has no set play"), ("a=>b0.5", "but the problem has only one")]
    {
        let found = error(&text(stipulation));
        assert!(found.contains("option SetPlay cannot be used here: "), "{found}");
        assert!(found.contains(why), "{found}");
    }
    let array =
        "BeginProblem\npieces white Ke1 black Kf7\nstipulation dia2.5\noption SetPlay\nEndProblem";
    assert!(error(array).contains("from the initial position"), "{}", error(array));
}

#[test]
fn whole_boards_change_and_a_duplex_has_two_problems() {
    let text = |change: &str| {
        format!(
            "BeginProblem\npieces white Ke1 Pa2 black Kf7\noption duplex\nstipulation dia2.5\n\
             twin {change}\nEndProblem"
        )
    };
    let twins = |change: &str| read(&text(change)).unwrap();
    for (change, placement) in [
        ("rotate 90", "1P6/8/8/8/K7/6k1/8/8"),
        ("mirror a1<-->h1", "8/2k5/8/8/8/8/7P/3K4"),
        ("shift a1 b1", "8/6k1/8/8/8/8/1P6/5K2"),
        ("polishtype", "8/5K2/8/8/8/8/p7/4k3"),
        ("substitute P S", "8/5k2/8/8/8/8/N7/4K3"),
    ] {
        let twins = twins(change);
        let turns: Vec<bool> =
            twins.iter().map(|twin| twin.problem.start.turn.is_white()).collect();
        assert_eq!(turns, [true, false, true, false], "{change}");
        assert_eq!(twins[2].problem.target_setup().placement(), placement, "{change}");
        assert_eq!(twins[3].title.as_deref(), Some("b) (duplex)"));
    }
    assert_eq!(error(&text("shift b1 a1")), "5:6: the piece on a2 would leave the board");
    assert_eq!(error(&text("remove e4")), "5:13: e4 is empty, expected the square of a piece");
}
