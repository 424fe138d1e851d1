//! Options of play: time of a move, levels, contempt, resignation.

use super::*;

#[test]
fn lost_games_are_resigned_only_on_request() {
    let game = |resign: &str| {
        let mut talk = Inline::new(Box::new(Xboard::new(MODULES)));
        talk.prints(&["new", resign, "sd 4", "setboard 4k3/8/8/8/8/8/8/R2QK3 w Q - 0 1"]);
        let moves = ["e1e2", "e2e1", "e1e2", "e2e1"];
        moves.map(|mv| talk.prints(&[&format!("usermove {mv}")])).concat()
    };
    let moves = |printed: &[String]| printed.iter().filter(|l| l.starts_with("move ")).count();
    let resigned = game("option Resign=1");
    assert_eq!((moves(&resigned), resigned.iter().any(|line| line == "resign")), (3, true));
    let played = game("option Resign=0");
    assert_eq!((moves(&played), played.iter().any(|line| line == "resign")), (4, false));
}

#[test]
fn ponder_names_the_reply() {
    let mut talk = Inline::uci();
    let answer = |printed: Vec<String>| printed.last().cloned().unwrap_or_default();
    assert!(!answer(talk.prints(&["go depth 4"])).contains("ponder"));
    assert!(
        answer(talk.prints(&["setoption name Ponder value true", "go depth 4"]))
            .contains(" ponder ")
    );
}

#[test]
fn move_overhead_is_kept_back_from_the_time() {
    // The clock is counted in nodes, a hundred for each millisecond, so that no other process matters.
    let nodes = |overhead: u64| {
        let mut talk = Inline::uci();
        talk.prints(&["setoption name nodestime value 100", KIWI]);
        talk.prints(&[&format!("setoption name Move Overhead value {overhead}")]);
        last(&talk.prints(&["go wtime 1000 btime 1000 movestogo 1"]), "nodes")
    };
    assert!(nodes(500) < nodes(0), "{} of {} nodes", nodes(500), nodes(0));
}

#[test]
fn time_clamp_never_thinks_for_less_than_its_floor() {
    let nodes = |on: bool| {
        // A hundred positions stand for a millisecond, so 3000 are the floor.
        let clamp = format!("XP1 TimeClamp value {on}");
        nodes_by_clock(&[&clamp, "nodestime value 100"], "wtime 300 btime 300")
    };
    assert!(nodes(false) < 3_000 && nodes(true) >= 3_000);
}

/// The nodes of the first move of a game that is played with these options, positions standing for time.
fn nodes_by_clock(options: &[&str], clock: &str) -> u64 {
    let mut talk = Inline::uci();
    talk.prints(&["setoption name nodestime value 20"]);
    for option in options {
        talk.prints(&[&format!("setoption name {option}")]);
    }
    last(&talk.prints(&[KIWI, &format!("go {clock}")]), "nodes")
}

#[test]
fn nodestime_counts_positions_instead_of_time() {
    let mut talk = Inline::uci();
    talk.prints(&["setoption name nodestime value 1"]);
    let mut nodes = || last(&talk.prints(&[KIWI, "go wtime 30000 btime 30000"]), "nodes");
    let first = nodes();
    assert!(first > 300 && first < 30_000, "{first}");
    let rest: u64 = (0..40).map(|_| nodes()).sum();
    assert!(first + rest <= 30_000, "the purse of one game holds 30000, spent {first} + {rest}");
    let again = last(&talk.prints(&["ucinewgame", KIWI, "go wtime 30000 btime 30000"]), "nodes");
    assert_eq!(again, first, "whatever the machine is busy with");
    assert!(last(&talk.prints(&["go movetime 500"]), "nodes") <= 500);
}

#[test]
fn slow_mover_changes_the_share_of_a_move() {
    let nodes = |share: u32| nodes_by_clock(&[&format!("Slow Mover value {share}")], "wtime 60000");
    assert!(3 * nodes(20) < nodes(300));
}

#[test]
fn blitz_slow_mover_saves_time_in_short_games_only() {
    let spent = |on: bool, clocks: [u32; 6]| -> u64 {
        let option = format!("Blitz Slow Mover value {on}");
        let few = "nodestime value 8";
        clocks.map(|ms| nodes_by_clock(&[&option, few], &format!("wtime {ms}"))).iter().sum()
    };
    let short = [10_000, 20_000, 30_000, 40_000, 50_000, 60_000];
    assert!(spent(true, short) < spent(false, short));
    let long = short.map(|ms| 600_000 + ms);
    assert_eq!(spent(true, long), spent(false, long));
}

#[test]
fn contempt_is_what_a_draw_costs() {
    let score = |contempt: i32| {
        let option = format!("Contempt value {contempt}");
        let perpetual = "6k1/6p1/8/7Q/8/8/rq4PP/7K w - - 0 1";
        let mut talk = Inline::uci();
        let printed = talk.prints(&[
            &format!("setoption name {option}"),
            &format!("position fen {perpetual}"),
            "go depth 9",
        ]);
        printed
            .iter()
            .rev()
            .find_map(|line| Some(line.split(" score ").nth(1)?.to_owned()))
            .unwrap()
    };
    assert!(score(0).starts_with("cp 0 "));
    // Shown in pawns that are even chances to win.
    let reported =
        |contempt| score(contempt)[3..].split(' ').next().unwrap().parse::<i32>().unwrap();
    assert!((-60..=-20).contains(&reported(40)) && reported(80) < reported(40), "{}", score(40));
}

#[test]
fn weaker_levels_look_at_less() {
    let nodes = |options: &[&str]| {
        let mut talk = Inline::uci();
        for option in options {
            talk.prints(&[&format!("setoption name {option}")]);
        }
        last(&talk.prints(&["position startpos", "go depth 10"]), "nodes")
    };
    let full = nodes(&[]);
    let skill = |level: u32| nodes(&[&format!("Skill Level value {level}")]);
    assert!(skill(8) < full && skill(0) < skill(8), "{full}");
    assert_eq!(skill(20), full);
    let elo = |elo: u32| nodes(&["UCI_LimitStrength value true", &format!("UCI_Elo value {elo}")]);
    assert!(elo(1_000) < elo(1_500) && elo(1_500) < full);
    assert_eq!(nodes(&["UCI_Elo value 1000"]), full, "only UCI_LimitStrength makes it count");
    assert_eq!(nodes(&["Skill Level value 0", "UCI_AnalyseMode value true"]), full);
}
