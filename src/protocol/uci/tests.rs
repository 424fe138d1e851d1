//! Tests of parsing and writing, and a comparison with vampirc where vampirc can be trusted.

use super::Uci;
use crate::geometry::Setup;
use crate::protocol::{Dialect, Mishearing};
use crate::session::event::{Best, Played, Thought};
use crate::session::{Base, Bound, Command, Event, Go, MODULES, Position, PvLine, Score, Show};
use proptest::prelude::*;
use std::time::Duration;
use vampirc_uci::{UciMessage, UciTimeControl, parse_one};

fn hear(line: &str) -> Result<Vec<Command>, Mishearing> {
    Uci::new(MODULES).hear(line)
}

fn hears(line: &str, expected: Command) {
    assert_eq!(hear(line), Ok(vec![expected]), "{line}");
}

fn refuses(line: &str, said: &str) {
    let mut out = String::new();
    let why = hear(line).expect_err(line);
    Uci::new(MODULES).complain(line, &why, &mut out);
    assert_eq!(out, format!("{said}\n"), "{line}");
}

fn says(event: &Event, expected: &str) {
    let mut out = String::new();
    Uci::new(MODULES).say(event, &mut out);
    assert_eq!(out, expected);
}

fn start(moves: &[&str]) -> Command {
    Command::Position { base: Base::Start, moves: moves.iter().map(ToString::to_string).collect() }
}

#[test]
fn fixed_commands_are_heard_with_anything_behind_them() {
    hears("uci", Command::Identify);
    hears("  isready  now ", Command::Ready);
    hears("ucinewgame", Command::NewGame);
    hears("stop", Command::Stop);
    hears("ponderhit", Command::PonderHit);
    hears("quit", Command::Quit);
    hears("debug\ton", Command::Debug(true));
    hears("debug off", Command::Debug(false));
    hears("d", Command::Show(Show::Board));
    assert_eq!(hear("register later"), Ok(vec![]));
    assert_eq!(hear(""), Ok(vec![]));
    assert_eq!(hear("# a comment"), Ok(vec![]));
}

#[test]
fn an_unknown_first_word_is_dropped_once() {
    hears("joho isready", Command::Ready);
    hears("joho debug on", Command::Debug(true));
    refuses("joho hoho isready", "info string unknown command: joho hoho isready");
    refuses("isreadyx", "info string unknown command: isreadyx");
}

#[test]
fn options_are_split_at_the_word_value() {
    let set = |name: &str, value: Option<&str>| Command::SetOption {
        name: name.to_owned(),
        value: value.map(str::to_owned),
    };
    hears("setoption name Hash value 64 ", set("Hash", Some("64")));
    hears("setoption name XP1  TimeClamp value true", set("XP1 TimeClamp", Some("true")));
    hears("setoption name Clear Hash", set("Clear Hash", None));
    hears("setoption name Log File value a  b.log", set("Log File", Some("a  b.log")));
    hears("setoption name Log File value", set("Log File", Some("")));
    hears("setoption name Evaluation Value x value 3", set("Evaluation Value x", Some("3")));
    let usage = "info string setoption wants: name NAME [value VALUE]";
    for line in ["setoption", "setoption name", "setoption name value 3", "setoption Hash 16"] {
        refuses(line, usage);
    }
}

#[test]
fn positions_are_heard_whole() {
    hears("position startpos", start(&[]));
    hears("position startpos moves", start(&[]));
    hears("position \t startpos   moves  e2e4\te7e5 ", start(&["e2e4", "e7e5"]));
    hears("position startpos moves e2e4 xxxx 0000", start(&["e2e4", "xxxx", "0000"]));
    hears("position startpos foo moves e2e4", start(&["e2e4"]));
    let missing = "info string position startpos expects moves, got";
    refuses("position startpos e2e4", &format!("{missing} \"e2e4\""));
    let fen: Setup = "8/8/8/3k4/3l4/8/8/KA6 b - -".parse().unwrap();
    hears(
        "position fen 8/8/8/3k4/3l4/8/8/KA6 b - - moves a1a2",
        Command::Position { base: Base::Setup(Ok(fen)), moves: vec!["a1a2".to_owned()] },
    );
    assert!(matches!(
        hear("position fen xyz").as_deref(),
        Ok([Command::Position { base: Base::Setup(Err(_)), .. }])
    ));
    refuses("position", "info string position wants startpos or fen, got \"\"");
    refuses("position foo", "info string position wants startpos or fen, got \"foo\"");
}

#[test]
fn operations_of_epd_belong_to_no_position() {
    let fen = "4k3/8/8/8/8/8/8/R5K1 w - -";
    let hears = |line: String, counters: &str, moves: usize| {
        let setup: Setup = format!("{fen} {counters}").parse().unwrap();
        match &hear(&line).unwrap()[..] {
            [Command::Position { base: Base::Setup(Ok(read)), moves: played }] => {
                let read = (read.to_string(), played.len());
                assert_eq!(read, (setup.to_string(), moves), "{line}");
            }
            other => panic!("{line}: {other:?}"),
        }
    };
    hears(format!("position fen {fen} bm Ra8+; id \"x\";"), "0 1", 0);
    hears(format!("position fen {fen} bm Ra8+"), "0 1", 0);
    hears(format!("position fen {fen} hmvc 7; fmvn 30;"), "7 30", 0);
    hears(format!("position fen {fen} 7 30 bm Ra8+;"), "7 30", 0);
    hears(format!("position fen {fen} c0 \"all moves win\"; moves a1a8"), "0 1", 1);
}

#[test]
fn every_limit_is_heard_in_any_order() {
    let hears = |line: &str, go: Go| hears(line, Command::Go(go));
    hears("go", Go::default());
    hears("go ", Go::default());
    hears("go infinite ", Go { infinite: true, ..Go::default() });
    hears("go  depth   2\t", Go { depth: Some(2), ..Go::default() });
    hears("go depth 999", Go { depth: Some(999), ..Go::default() });
    hears("go nodes 1234567890123", Go { nodes: Some(1_234_567_890_123), ..Go::default() });
    hears("go mate 300", Go { mate: Some(300), ..Go::default() });
    hears("go movetime 100", Go { movetime: Some(Duration::from_millis(100)), ..Go::default() });
    let clocks = Go { clocks: [Some(300), Some(400)], ..Go::default() };
    hears("go btime 400 wtime 300 ponder", Go { ponder: true, ..clocks.clone() });
    hears("go ponder wtime 300 btime 400", Go { ponder: true, ..clocks.clone() });
    hears(
        "go movestogo 300 winc 1 wtime 300 btime 400 binc 2",
        Go { increments: [Some(1), Some(2)], moves_to_go: Some(300), ..clocks },
    );
    hears("go wtime -50 btime 1000.5", Go { clocks: [Some(-50), Some(1000)], ..Go::default() });
    let searchmoves = Some(vec!["a2a3".to_owned(), "h2h4".to_owned()]);
    let searched = Go { depth: Some(4), search_moves: searchmoves, ..Go::default() };
    hears("go searchmoves a2a3 h2h4 depth 4", searched.clone());
    hears("go depth 4 searchmoves a2a3 h2h4", searched);
}

#[test]
fn what_go_does_not_know_has_no_influence() {
    for line in
        ["go foo bar", "go depth", "go depth x", "go movetime abc", "go searchmoves", "go wtime"]
    {
        hears(line, Command::Go(Go::default()));
    }
    hears(
        "go depth 5 foo 7 nodes 9",
        Command::Go(Go { depth: Some(5), nodes: Some(9), ..Go::default() }),
    );
    hears("go mate 0", Command::Go(Go { mate: Some(0), ..Go::default() }));
    hears("go depth -3", Command::Go(Go { depth: Some(1), ..Go::default() }));
    hears("go perft 5", Command::Perft(5));
    refuses("go perft x", "info string perft wants a depth from 0 to 30");
    refuses("bench depth 0", "info string bench depth wants a number above 0");
}

#[test]
fn rooms_that_are_not_built_in_say_so() {
    let why = Uci::new(&[]).hear("spg solve moves 23.0");
    let mut out = String::new();
    let why = why.expect_err("no module is built in");
    Uci::new(&[]).complain("spg solve moves 23.0", &why, &mut out);
    assert_eq!(
        out,
        "info string spg error text spg (shortest proof games) is not built into this version yet\n"
    );
    hears("spg stop", Command::Stop);
}

fn line() -> Thought {
    let root = Position::startpos();
    let mv = crate::chess::parse_uci(&root, "e2e4").unwrap();
    Thought {
        root,
        chess960: false,
        line: PvLine {
            depth: 12,
            seldepth: 20,
            multipv: 1,
            score: Score::Cp(31),
            bound: Bound::Exact,
            nodes: 2000,
            time: Duration::from_millis(500),
            hashfull: 7,
            tbhits: 0,
            pv: vec![mv],
        },
        wdl: None,
        several: false,
    }
}

#[test]
fn lines_are_said_as_gui_expects_them() {
    says(
        &Event::Thought(line()),
        "info depth 12 seldepth 20 multipv 1 score cp 31 nodes 2000 nps 4000 hashfull 7 tbhits 0 \
         time 500 pv e2e4\n",
    );
    let mut deep = line();
    (deep.line.depth, deep.line.score, deep.wdl) = (300, Score::Mate(-200), Some([0, 0, 1000]));
    deep.line.bound = Bound::Upper;
    says(
        &Event::Thought(deep),
        "info depth 300 seldepth 20 multipv 1 score mate -200 upperbound wdl 0 0 1000 nodes 2000 \
         nps 4000 hashfull 7 tbhits 0 time 500 pv e2e4\n",
    );
}

#[test]
fn a_move_is_said_with_its_promotion_and_none_as_none() {
    let before: Setup = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
    let before = Position::try_from(&before).unwrap();
    let best = |text: &str, chess960| {
        let mv = crate::chess::parse_uci(&before, text).unwrap();
        Event::Best(Best { best: Some(Played { before, mv, chess960 }), ponder: None })
    };
    says(&best("a7a8n", false), "bestmove a7a8n\n");
    says(&best("e1g1", false), "bestmove e1g1\n");
    says(&best("e1g1", true), "bestmove e1h1\n");
    says(&Event::Best(Best { best: None, ponder: None }), "bestmove (none)\n");
}

#[test]
fn empty_texts_are_offered_as_empty() {
    let mut out = String::new();
    let session = crate::session::Session::new(crate::session::Options::default());
    let mut session = session;
    for effect in session.command(Command::Identify, std::time::Instant::now()) {
        if let crate::session::Effect::Say(event) = effect {
            Uci::new(MODULES).say(&event, &mut out);
        }
    }
    assert!(out.starts_with("id name Umbrail "), "{out}");
    assert!(out.contains("\noption name Log File type string default <empty>\n"), "{out}");
    assert!(out.contains("\noption name Hash type spin default 16 min 1 max 65536\n"), "{out}");
    assert!(out.contains("\noption name Clear Hash type button\n"), "{out}");
    assert!(out.ends_with("\nuciok\n"), "{out}");
}

/// A `go` that vampirc parses correctly: a depth within its range, either clocks or one time
/// control.
fn go_line() -> impl Strategy<Value = String> {
    let limit = prop_oneof![
        Just(String::new()),
        Just("infinite ".to_owned()),
        Just("ponder ".to_owned()),
        (1..99_999u32).prop_map(|ms| format!("movetime {ms} ")),
        (0..99_999u32, 0..99_999u32, 0..999u32, 0..999u32, 1..200u8).prop_map(
            |(wtime, btime, winc, binc, moves)| {
                format!("wtime {wtime} btime {btime} winc {winc} binc {binc} movestogo {moves} ")
            }
        ),
    ];
    let depth = prop_oneof![
        Just(String::new()),
        (1..255u8).prop_map(|depth| format!("depth {depth} ")),
        (1..999_999_999u64).prop_map(|nodes| format!("nodes {nodes} ")),
    ];
    (limit, depth).prop_map(|(limit, depth)| format!("go {limit}{depth}").trim_end().to_owned())
}

proptest! {
    #[test]
    fn go_agrees_with_vampirc_where_vampirc_is_faithful(line in go_line()) {
        let heard = hear(&line);
        let Ok([Command::Go(ours)]) = heard.as_deref() else { panic!("not heard: {line}") };
        let UciMessage::Go { time_control, search_control } = parse_one(&line) else {
            panic!("vampirc does not read {line}")
        };
        let ms = |duration: Option<vampirc_uci::Duration>| duration.map(|d| d.num_milliseconds());
        let mut theirs = Go::default();
        match time_control {
            None => {}
            Some(UciTimeControl::Infinite) => theirs.infinite = true,
            Some(UciTimeControl::Ponder) => theirs.ponder = true,
            Some(UciTimeControl::MoveTime(time)) => {
                theirs.movetime = Some(Duration::from_millis(time.num_milliseconds() as u64));
            }
            Some(UciTimeControl::TimeLeft {
                white_time, black_time, white_increment, black_increment, moves_to_go,
            }) => {
                theirs.clocks = [ms(white_time), ms(black_time)];
                theirs.increments = [ms(white_increment), ms(black_increment)];
                theirs.moves_to_go = moves_to_go.map(u32::from);
            }
        }
        if let Some(search) = search_control {
            theirs.depth = search.depth.map(u32::from);
            theirs.nodes = search.nodes;
        }
        prop_assert_eq!(ours, &theirs);
    }

    #[test]
    fn position_agrees_with_vampirc_on_orthodox_lines(moves in proptest::collection::vec("[a-h][1-8][a-h][1-8][qrbn]?", 0..40)) {
        let tail = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        let line = format!("position fen {}{tail}", Setup::START_FEN);
        let UciMessage::Position { fen: Some(fen), moves: theirs, .. } = parse_one(&line) else {
            panic!("vampirc does not read {line}")
        };
        let theirs: Vec<_> = theirs.iter().map(ToString::to_string).collect();
        let base = Base::Setup(fen.as_str().parse());
        prop_assert_eq!(hear(&line), Ok(vec![Command::Position { base, moves: theirs }]));
    }
}
