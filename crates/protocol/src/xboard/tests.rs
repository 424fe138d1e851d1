//! Tests of parsing and writing.

use super::Xboard;
use crate::{Dialect, ParseError};
use std::time::Duration;
use umbrail_chess::geometry::{Color, Square};
use umbrail_session::domain::Domain;
use umbrail_session::event::{Claim, Played, Thought};
use umbrail_session::message::Kind;
use umbrail_session::{
    Bound, Command, Edit, Event, Message, OptionError, Play, Position, PvLine, Score,
};
use umbrail_tasks::MODULES;

fn parse(line: &str) -> Result<Vec<Command>, ParseError> {
    Xboard::new(MODULES).parse(line)
}

fn expects(line: &str, expected: Play) {
    assert_eq!(parse(line), Ok(vec![Command::Play(expected)]), "{line}");
}

fn refuses(line: &str, printed: &str) {
    let mut out = String::new();
    let why = parse(line).expect_err(line);
    Xboard::new(MODULES).complain(line, &why, &mut out);
    assert_eq!(out.lines().next(), Some(printed), "{line}");
}

fn printed(event: &Event) -> String {
    let mut out = String::new();
    Xboard::new(MODULES).write(event, &mut out);
    out
}

#[test]
fn a_game_is_parsed() {
    expects("new", Play::New);
    expects("usermove e2e4", Play::Move("e2e4".to_owned()));
    expects("e7e8q", Play::Move("e7e8q".to_owned()));
    expects("O-O", Play::Move("O-O".to_owned()));
    expects("@@@@", Play::Move("@@@@".to_owned()));
    expects("?", Play::MoveNow);
    expects("ping 2147483647", Play::Ping(2_147_483_647));
    expects("result 1-0 {White mates}", Play::Result);
    expects("draw", Play::Draw);
    expects("analyze", Play::Analyze);
    expects(".", Play::Status);
    expects("exclude all", Play::Exclude(None));
    expects("include e2e4", Play::Include(Some("e2e4".to_owned())));
    expects("variant fairy", Play::Variant("fairy".to_owned()));
    expects(
        "egtpath syzygy a b/c",
        Play::TablePath { kind: "syzygy".to_owned(), path: "a b/c".to_owned() },
    );
    assert_eq!(parse("quit"), Ok(vec![Command::Exit]));
    assert_eq!(parse("protover 2"), Ok(vec![Command::Identify]));
    for line in ["xboard", "accepted san", "random", "computer", "rating 1 2", "", "# x"] {
        assert_eq!(parse(line), Ok(vec![]), "{line}");
    }
}

#[test]
fn times_are_parsed_as_every_gui_writes_them() {
    let level = |moves, seconds, increment_ms| Play::Level {
        moves,
        base: Duration::from_secs(seconds),
        increment: Duration::from_millis(increment_ms),
    };
    expects("level 40 5 0", level(40, 300, 0));
    expects("level 0 0:30 0", level(0, 30, 0));
    expects("level 0 2 12", level(0, 120, 12_000));
    expects("level 0 1:00 0.5", level(0, 60, 500));
    expects("level 40 25+5 0", level(40, 1500, 0));
    expects("level 40 5", level(40, 300, 0));
    expects("st 0.05", Play::PerMove(Duration::from_millis(50)));
    expects("st 86400", Play::PerMove(Duration::from_secs(86_400)));
    expects("time 30000", Play::Clock(Duration::from_secs(300)));
    expects("time -20", Play::Clock(Duration::ZERO));
    expects("sd 0", Play::Depth(1));
    refuses("level x", "Error (bad arguments): level x");
    refuses("st", "Error (bad arguments): st");
}

#[test]
fn options_are_split_at_the_first_equals_sign() {
    let set = |name: &str, value: Option<&str>| {
        Ok(vec![Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) }])
    };
    assert_eq!(parse("option XP1 TimeClamp=1"), set("XP1 TimeClamp", Some("1")));
    assert_eq!(parse("option a=b=c"), set("a", Some("b=c")));
    assert_eq!(parse("option Clear Hash"), set("Clear Hash", None));
    assert_eq!(parse("cores 4"), set("Threads", Some("4")));
    assert_eq!(parse("hard"), set("Ponder", Some("true")));
    refuses("option", "Error (bad arguments): option");
    refuses("option =", "Error (bad arguments): option =");
}

#[test]
fn the_board_editor_gathers_until_the_dot_or_another_command() {
    let mut xboard = Xboard::new(MODULES);
    for line in ["edit", "#", "Ke1", "c", "Ke8", "xd4"] {
        assert_eq!(xboard.parse(line), Ok(vec![]), "{line}");
    }
    let edits = vec![
        Edit::Clear,
        Edit::Put(Color::White, 'K', Square::E1),
        Edit::Put(Color::Black, 'K', Square::E8),
        Edit::Remove(Square::D4),
    ];
    assert_eq!(xboard.parse("."), Ok(vec![Command::Play(Play::Edit(edits))]));
    assert_eq!(xboard.parse("."), Ok(vec![Command::Play(Play::Status)]));
    xboard.parse("edit").unwrap();
    let expected = vec![Command::Play(Play::Edit(vec![])), Command::Exit];
    assert_eq!(xboard.parse("quit"), Ok(expected), "quit is obeyed also here");
}

#[test]
fn what_is_not_understood_is_quoted_and_nothing_else() {
    refuses("frobnicate 12", "Error (unknown command): frobnicate 12");
    refuses("variant shogi", "Error (bad arguments): variant shogi");
    refuses("usermove", "Error (bad arguments): usermove");
    refuses("uci", "Error (unknown command): uci");
    refuses("x: No such file", "Error (unknown command): x: no such file");
    let long = "z".repeat(500);
    refuses(&long, &format!("Error (unknown command): {}...", "z".repeat(100)));
}

fn thought(score: Score, depth: u32) -> Event {
    let root = Position::startpos();
    let mv = umbrail_chess::parse_uci(&root, "g1f3").unwrap();
    let line = PvLine {
        depth,
        seldepth: 9,
        multipv: 1,
        score,
        bound: Bound::Exact,
        nodes: 2000,
        time: Duration::from_millis(500),
        hashfull: 0,
        tbhits: 3,
        pv: vec![mv],
    };
    Event::Thought(Thought { root, chess960: false, line, wdl: None, several: false })
}

#[test]
fn thinking_output_counts_centiseconds_and_mates_from_a_hundred_thousand() {
    assert_eq!(printed(&thought(Score::Cp(-31), 5)), "5 -31 50 2000 9 4000 3\tNf3\n");
    assert_eq!(printed(&thought(Score::Mate(2), 5)), "5 100002 50 2000 9 4000 3\tNf3\n");
    assert_eq!(printed(&thought(Score::Mate(-2), 5)), "5 -100002 50 2000 9 4000 3\tNf3\n");
    assert_eq!(printed(&thought(Score::Cp(0), 0)), "");
    let mut xboard = Xboard::new(MODULES);
    xboard.parse("nopost").unwrap();
    let mut out = String::new();
    xboard.write(&thought(Score::Cp(0), 5), &mut out);
    assert_eq!(out, "");
}

#[test]
fn moves_claims_and_refusals_are_printed() {
    let before: umbrail_chess::geometry::Setup = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
    let before = Position::try_from(&before).unwrap();
    let mv = umbrail_chess::parse_uci(&before, "e1g1").unwrap();
    let played = |chess960| Event::Moved(Played { before, mv, chess960 });
    assert_eq!(printed(&played(false)), "move e1g1\n");
    assert_eq!(printed(&played(true)), "move O-O\n");
    let claim = Claim { result: "1/2-1/2", reason: "Stalemate" };
    assert_eq!(printed(&Event::Over(claim)), "1/2-1/2 {Stalemate}\n");
    let illegal = Event::Illegal { given: "e2e5".to_owned(), why: "too far".to_owned() };
    assert_eq!(printed(&illegal), "Illegal move (too far): e2e5\n");
    let refused = Event::OptionRefused {
        name: "Hash".to_owned(),
        value: Some("0".to_owned()),
        error: OptionError::Value { name: "Hash", expects: "1..2".to_owned(), got: "0".to_owned() },
    };
    assert_eq!(printed(&refused), "Error (bad value): option Hash=0\n# Hash must be 1..2, got 0\n");
    assert_eq!(printed(&Event::Book(vec![])), " no book\n\n");
}

#[test]
fn news_scrolls_by_while_the_gui_shows_it_and_hides_behind_a_hash_otherwise() {
    let message = Message::new(Domain::Egt, Kind::Progress).with("time", 500).with("nodes", 77);
    let event = Event::Message(message);
    assert_eq!(printed(&event), "# egt progress time 500 nodes 77\n");
    let mut xboard = Xboard::new(MODULES);
    xboard.parse("analyze").unwrap();
    let mut out = String::new();
    xboard.write(&event, &mut out);
    assert_eq!(out, "2 0 50 77\tegt progress time 500 nodes 77\n");
    assert_eq!(
        printed(&Event::Message(Message::error(Domain::Egt, "busy"))),
        "telluser egt error text busy\n"
    );
}

#[test]
fn features_begin_and_end_as_the_protocol_requires() {
    let mut session = umbrail_tasks::session(umbrail_session::Options::default());
    let mut out = String::new();
    for effect in session.command(Command::Identify, std::time::Instant::now()) {
        if let umbrail_session::Effect::Write(event) = effect {
            out += &printed(&event);
        }
    }
    assert!(out.starts_with("feature done=0\n") && out.ends_with("feature done=1\n"), "{out}");
    assert!(out.contains("\nfeature option=\"Hash -spin 16 1 1048576\"\n"), "{out}");
    assert!(out.contains("\nfeature option=\"Resign -check 0\"\n"), "{out}");
    assert!(!out.contains("Ponder"), "hard and easy take its place: {out}");
    assert!(out.contains("\nfeature option=\"Clear Hash -button\"\n"), "{out}");
    assert!(out.contains("variants=\"normal,fischerandom,fairy,"), "{out}");
}
