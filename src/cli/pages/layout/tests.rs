//! Pages as they look, letter by letter.

use super::*;
use std::time::Duration;
use umbrail::session::snapshot::{SeekStep, SeekerPage};

const BOARD_23: [&str; 8] = [
    "  RR    ", "rsbakbsr", "pgppppgp", "B    FSB", "Q  P    ", " PP  PP ", " S K    ", "        ",
];

fn pieces(rows: &[&str]) -> Vec<String> {
    let mut all: Vec<String> = rows.iter().map(|row| (*row).to_owned()).collect();
    all.resize(16, "   P".to_owned());
    all
}

fn snapshot() -> Snapshot {
    let white = pieces(&[" 1 Ke1-d1", " 2 Qd1-a3", " 4 Ra1-d8"]);
    let black = pieces(&[" 2 Ke8-e6", " 1 Qd8-d6", " 3 Bc8xPe2 e4-c6"]);
    let player = PlayerPage {
        name: "1".to_owned(),
        matchings: ["{P,P,P,P,P,P,P,P} (1/1)".to_owned(), "{S,P,P,P,WB,P,P,P} (22/22)".to_owned()],
        free: Some("2+0".to_owned()),
        path: ["Pc4", "Pa5", "Qb3", "Pg5", "Qb6", "Bg7"].map(str::to_owned).into(),
        taken: 24,
        case: 0,
        moves: 2_600_000,
        pieces: [white.clone(), black.clone()],
    };
    let step =
        |seconds, kind, text: &str, below| SeekStep { seconds, kind, text: text.into(), below };
    let seeker = SeekerPage {
        name: "2".to_owned(),
        running: true,
        matchings: ["{P,Q,P,P,Q,P,BB,P} (2/9)".into(), "{-,R,P,-,P,P,R,-} (100/3770)".into()],
        kept: 3,
        found: 50_400,
        nodes: 3_040_000,
        percent: 12.34,
        steps: vec![
            step(156, "Pawn matching", "{P,Q,P,P,Q,P,BB,P} (2/9)", false),
            step(43, "Pawn capture", "wPg2x[bPh7]h5 (7/15)", false),
            step(0, "Assassin", "bRh8x[wBf1]g2 (4/15)", true),
        ],
    };
    Snapshot {
        board: BOARD_23.map(str::to_owned).into(),
        pieces: [14, 16],
        length: "23.0".to_owned(),
        problem: (1, 3),
        time: Duration::from_secs(3_725),
        queued: 993,
        cache: (54_900_000, 167_000_000),
        taken: 24,
        moves: 243_000_000,
        histogram: vec![("3+6".into(), 1), ("2+0".into(), 12_345), ("1+0".into(), 88)],
        players: vec![player.clone(), PlayerPage { name: "2".into(), ..PlayerPage::default() }],
        seekers: vec![SeekerPage { name: "1".into(), ..SeekerPage::default() }, seeker],
        found: vec![FoundStrategy {
            pieces: [white, black],
            free: "2+0".into(),
            paths: ["Ke1-d1, Qd1-a3, Ra1-d8".into(), "Ke8-e6, Qd8-d6".into()],
            games: vec!["1.Pe2-e4 Ph7-h5 2.Bf1-b5 Rh8-h6 3.Pe4-e5 Rh6-b6 4.Pa2-a3 Bf8xa3".into()],
        }],
        solutions: 1,
        ..Snapshot::default()
    }
}

fn plain(lines: &[Line]) -> Vec<String> {
    lines
        .iter()
        .map(|line| {
            let text: String = line.0.iter().map(|(_, text)| text.as_str()).collect();
            text.trim_end().to_owned()
        })
        .collect()
}

fn shown(snapshot: &Snapshot, page: usize, view: usize, size: (usize, usize)) -> Vec<String> {
    plain(&super::page(snapshot, Turn { page, view, touched: false }, size))
}

#[test]
fn the_page_of_a_player() {
    let lines = shown(&snapshot(), 0, 0, (80, 24));
    let expected = "    R R           14+16   Umbrail VERSION, shortest proof games
r s b a k b s r   23.0    Player 1/2      Nr: 1/3                       01:02:05
p g p p p p g p                                                       1 solution
B         F S B   {S,P,P,P,WB,P,P,P} (22/22)
Q     P           {P,P,P,P,P,P,P,P} (1/1)
  P P     P P                                            Pc4 Pa5 Qb3 Pg5 Qb6 Bg7
  S   K           Queued: 993                                           54m/167m
                  2+0                                              24/24/2m/0.2g
 1 Ke1-d1                            2 Ke8-e6                         3+6
 2 Qd1-a3                            1 Qd8-d6                         1
 4 Ra1-d8                            3 Bc8xPe2 e4-c6                  2+0
   P                                   P                              12k
   P                                   P                              1+0
   P                                   P                              88";
    let expected = expected.replace("VERSION", env!("CARGO_PKG_VERSION"));
    assert_eq!(lines[..14].join("\n"), expected);
    assert_eq!(lines.len(), 24, "the men fill an ordinary terminal to the last row");
    let mut parted = snapshot();
    parted.players[0].case = 3;
    assert!(shown(&parted, 0, 0, (80, 24))[7].ends_with(" 24/24.3/2m/0.2g"));
}

#[test]
fn the_page_of_a_seeker() {
    let lines = shown(&snapshot(), 3, 0, (80, 24));
    assert_eq!(lines[1].replace("  ", " ").matches("Seeker 2/2").count(), 1);
    let expected = "B         F S B   {-,R,P,-,P,P,R,-} (100/3770)
Q     P           {P,Q,P,P,Q,P,BB,P} (2/9)
  P P     P P               about 12.3 % of the tree, assuming branches of equal size
  S   K           Queued: 993                                           54m/167m
                                                                  3/50k/0m/0.0g
156     Pawn matching         {P,Q,P,P,Q,P,BB,P} (2/9)                        3m
43      Pawn capture          wPg2x[bPh7]h5 (7/15)
0       Assassin              bRh8x[wBf1]g2 (4/15)";
    let same = |text: &str| {
        text.lines().map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
    };
    assert_eq!(same(&lines[3..11].join("\n")), same(expected));
    let styled = super::page(&snapshot(), Turn { page: 3, ..Turn::default() }, (80, 24));
    let style = |row: usize| styled[row].0.last().map(|(style, _)| *style);
    assert_eq!(style(9), Some(Style::Violet));
    assert_eq!(style(10), Some(Style::Dim), "below the depth where seekers part");
    assert_eq!(style(3), Some(Style::Green));
}

#[test]
fn a_solution_is_shown_below_its_paths() {
    let lines = shown(&snapshot(), 0, 1, (60, 24));
    assert_eq!(
        lines[8..13],
        [
            "w: Ke1-d1, Qd1-a3, Ra1-d8",
            "b: Ke8-e6, Qd8-d6",
            "",
            "1.Pe2-e4 Ph7-h5 2.Bf1-b5 Rh8-h6 3.Pe4-e5 Rh6-b6 4.Pa2-a3",
            "Bf8xa3",
        ]
    );
    let strategy = shown(&snapshot(), 0, 2, (80, 24));
    assert_eq!(strategy[8].split_whitespace().next_back(), Some("3+6"));
    assert!(strategy[10].starts_with(" 4 Ra1-d8"));
}

#[test]
fn the_histogram_has_all_classes_and_their_sum() {
    let lines = shown(&snapshot(), 3, 1, (80, 24));
    assert_eq!(lines[8], "free moves   strategies");
    assert_eq!(lines[9].split_whitespace().collect::<Vec<_>>(), ["3+6", "1"]);
    assert_eq!(lines[12].split_whitespace().collect::<Vec<_>>(), ["all", "12434"]);
}

#[test]
fn the_end_is_reported_with_its_counts() {
    let mut snapshot = snapshot();
    snapshot.verdict = Some("C+".into());
    assert!(shown(&snapshot, 0, 0, (80, 24))[5].ends_with("Done. Found 1 solution"));
    snapshot.found[0].games.push("1.Pe2-e3".into());
    snapshot.cooks = 1;
    assert!(shown(&snapshot, 0, 0, (80, 24))[5].ends_with("Done. Found 1 cook"));
    snapshot.found.clear();
    snapshot.cooks = 0;
    assert!(shown(&snapshot, 0, 0, (80, 24))[5].ends_with("Done. Found no solution"));
    snapshot.retracted = Some(("Qd8-h4".into(), 2, 4));
    assert!(shown(&snapshot, 0, 0, (80, 24))[2].ends_with("Retracted: Qd8-h4 (2/4)"));
}

#[test]
fn the_end_names_a_shorter_game_and_what_is_open() {
    let mut snapshot = snapshot();
    snapshot.verdict = Some("a game of 2.5 moves exists".into());
    snapshot.shorter = Some("2.5".into());
    let reported = |snapshot: &Snapshot| shown(snapshot, 0, 0, (80, 24))[5].clone();
    assert!(
        reported(&snapshot).ends_with("Done. Found 1 solution, shortest 2.5"),
        "{}",
        reported(&snapshot)
    );
    (snapshot.shorter, snapshot.partial) = (None, true);
    assert!(reported(&snapshot).ends_with("Partial. Found 1 solution"), "{}", reported(&snapshot));
    snapshot.found.clear();
    assert!(reported(&snapshot).ends_with("Partial. Found no solution"), "{}", reported(&snapshot));
    snapshot.counting = true;
    assert!(
        reported(&snapshot).ends_with("Partial. Counted strategies only"),
        "{}",
        reported(&snapshot)
    );
}

#[test]
fn slaves_have_pages_of_their_own_and_size_never_breaks_a_page() {
    let mut snapshot = snapshot();
    snapshot.players = ["1.1", "1.2", "2.1", "2.2"]
        .map(|name| PlayerPage { name: name.into(), ..snapshot.players[0].clone() })
        .into();
    assert!(shown(&snapshot, 3, 0, (80, 24))[1].contains("Player 2.2/2"));
    for size in [(0, 0), (10, 3), (80, 8), (200, 60)] {
        let lines = shown(&snapshot, 0, 0, size);
        assert!(lines.len() <= size.1.max(1) && lines.iter().all(|l| l.len() <= size.0.max(60)));
    }
    let tall = shown(&snapshot, 0, 0, (80, 30));
    assert!(tall.len() == 30 && tall[29].starts_with("left/right: pages"));
    assert!(!shown(&Snapshot::default(), 0, 0, (80, 24)).is_empty());
}
