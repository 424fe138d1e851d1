//! Tests of parsing and writing, and a comparison with vampirc where vampirc can be trusted.

use super::Uci;
use crate::{Dialect, ParseError};
use proptest::prelude::*;
use std::time::Duration;
use umbrail_chess::geometry::Setup;
use umbrail_session::event::{Best, Played, Thought};
use umbrail_session::{Base, Bound, Command, Diagram, Event, Go, Position, PvLine, Score, Show};
use umbrail_tasks::MODULES;
use vampirc_uci::{UciMessage, UciTimeControl, parse_one};

fn parse(line: &str) -> Result<Vec<Command>, ParseError> {
    Uci::new(MODULES).parse(line)
}

fn expects(line: &str, expected: Command) {
    assert_eq!(parse(line), Ok(vec![expected]), "{line}");
}

fn refuses(line: &str, printed: &str) {
    let mut out = String::new();
    let why = parse(line).expect_err(line);
    Uci::new(MODULES).complain(line, &why, &mut out);
    assert_eq!(out, format!("{printed}\n"), "{line}");
}

fn prints(event: &Event, expected: &str) {
    let mut out = String::new();
    Uci::new(MODULES).write(event, &mut out);
    assert_eq!(out, expected);
}

fn start(moves: &[&str]) -> Command {
    Command::Position { base: Base::Start, moves: moves.iter().map(ToString::to_string).collect() }
}

#[test]
fn fixed_commands_ignore_trailing_words() {
    expects("uci", Command::Identify);
    expects("  isready  now ", Command::Ready);
    expects("ucinewgame", Command::NewGame);
    expects("stop", Command::Stop);
    expects("ponderhit", Command::PonderHit);
    expects("quit", Command::Quit);
    expects("debug\ton", Command::Debug(true));
    expects("debug off", Command::Debug(false));
    expects("d", Command::Show(Show::Board));
    assert_eq!(parse("register later"), Ok(vec![]));
    assert_eq!(parse(""), Ok(vec![]));
    assert_eq!(parse("# a comment"), Ok(vec![]));
}

#[test]
fn an_unknown_first_word_is_dropped_once() {
    expects("joho isready", Command::Ready);
    expects("joho debug on", Command::Debug(true));
    refuses("joho hoho isready", "info string unknown command: joho hoho isready");
    refuses("isreadyx", "info string unknown command: isreadyx");
}

#[test]
fn options_are_split_at_the_word_value() {
    let set = |name: &str, value: Option<&str>| Command::SetOption {
        name: name.to_owned(),
        value: value.map(str::to_owned),
    };
    expects("setoption name Hash value 64 ", set("Hash", Some("64")));
    expects("setoption name XP1  TimeClamp value true", set("XP1 TimeClamp", Some("true")));
    expects("setoption name Clear Hash", set("Clear Hash", None));
    expects("setoption name Log File value a  b.log", set("Log File", Some("a  b.log")));
    expects("setoption name Log File value", set("Log File", Some("")));
    expects("setoption name Evaluation Value x value 3", set("Evaluation Value x", Some("3")));
    let usage = "info string setoption expects: name NAME [value VALUE]";
    for line in ["setoption", "setoption name", "setoption name value 3", "setoption Hash 16"] {
        refuses(line, usage);
    }
}

#[test]
fn positions_are_parsed_whole() {
    expects("position startpos", start(&[]));
    expects("position startpos moves", start(&[]));
    expects("position \t startpos   moves  e2e4\te7e5 ", start(&["e2e4", "e7e5"]));
    expects("position startpos moves e2e4 xxxx 0000", start(&["e2e4", "xxxx", "0000"]));
    expects("position startpos foo moves e2e4", start(&["e2e4"]));
    let missing = "info string position startpos expects moves, got";
    refuses("position startpos e2e4", &format!("{missing} \"e2e4\""));
    let diagram = Diagram::of_fen("8/8/8/3k4/3l4/8/8/KA6 b - -");
    expects(
        "position fen 8/8/8/3k4/3l4/8/8/KA6 b - - moves a1a2",
        Command::Position { base: Base::Setup(diagram), moves: vec!["a1a2".to_owned()] },
    );
    assert!(matches!(
        parse("position fen xyz").as_deref(),
        Ok([Command::Position { base: Base::Setup(Diagram { setup: Err(_), .. }), .. }])
    ));
    refuses("position", "info string position expects startpos or fen, got \"\"");
    refuses("position foo", "info string position expects startpos or fen, got \"foo\"");
}

#[test]
fn operations_of_epd_belong_to_no_position() {
    let fen = "4k3/8/8/8/8/8/8/R5K1 w - -";
    let expects = |line: String, counters: &str, moves: usize| {
        let setup: Setup = format!("{fen} {counters}").parse().unwrap();
        match &parse(&line).unwrap()[..] {
            [
                Command::Position {
                    base: Base::Setup(Diagram { setup: Ok(read), .. }),
                    moves: played,
                },
            ] => {
                let read = (read.to_string(), played.len());
                assert_eq!(read, (setup.to_string(), moves), "{line}");
            }
            other => panic!("{line}: {other:?}"),
        }
    };
    expects(format!("position fen {fen} bm Ra8+; id \"x\";"), "0 1", 0);
    expects(format!("position fen {fen} bm Ra8+"), "0 1", 0);
    expects(format!("position fen {fen} hmvc 7; fmvn 30;"), "7 30", 0);
    expects(format!("position fen {fen} 7 30 bm Ra8+;"), "7 30", 0);
    expects(format!("position fen {fen} c0 \"all moves win\"; moves a1a8"), "0 1", 1);
}

#[test]
fn limits_are_parsed_in_any_order() {
    let expects = |line: &str, go: Go| expects(line, Command::Go(go));
    expects("go", Go::default());
    expects("go ", Go::default());
    expects("go infinite ", Go { infinite: true, ..Go::default() });
    expects("go  depth   2\t", Go { depth: Some(2), ..Go::default() });
    expects("go depth 999", Go { depth: Some(999), ..Go::default() });
    expects("go nodes 1234567890123", Go { nodes: Some(1_234_567_890_123), ..Go::default() });
    expects("go mate 300", Go { mate: Some(300), ..Go::default() });
    expects("go movetime 100", Go { movetime: Some(Duration::from_millis(100)), ..Go::default() });
    let clocks = Go { clocks: [Some(300), Some(400)], ..Go::default() };
    expects("go btime 400 wtime 300 ponder", Go { ponder: true, ..clocks.clone() });
    expects("go ponder wtime 300 btime 400", Go { ponder: true, ..clocks.clone() });
    expects(
        "go movestogo 300 winc 1 wtime 300 btime 400 binc 2",
        Go { increments: [Some(1), Some(2)], moves_to_go: Some(300), ..clocks },
    );
    expects("go wtime -50 btime 1000.5", Go { clocks: [Some(-50), Some(1000)], ..Go::default() });
    let searchmoves = Some(vec!["a2a3".to_owned(), "h2h4".to_owned()]);
    let searched = Go { depth: Some(4), search_moves: searchmoves, ..Go::default() };
    expects("go searchmoves a2a3 h2h4 depth 4", searched.clone());
    expects("go depth 4 searchmoves a2a3 h2h4", searched);
}

#[test]
fn what_go_does_not_know_has_no_influence() {
    for line in
        ["go foo bar", "go depth", "go depth x", "go movetime abc", "go searchmoves", "go wtime"]
    {
        expects(line, Command::Go(Go::default()));
    }
    expects(
        "go depth 5 foo 7 nodes 9",
        Command::Go(Go { depth: Some(5), nodes: Some(9), ..Go::default() }),
    );
    expects("go mate 0", Command::Go(Go { mate: Some(0), ..Go::default() }));
    expects("go depth -3", Command::Go(Go { depth: Some(1), ..Go::default() }));
    expects("go perft 5", Command::Perft(5));
    refuses("go perft x", "info string perft expects a depth from 0 to 30");
    refuses("bench depth 0", "info string bench depth expects a number above 0");
}

#[test]
fn a_module_that_is_not_built_in_is_reported() {
    let why = Uci::new(&[]).parse("spg solve moves 23.0");
    let mut out = String::new();
    let why = why.expect_err("no module is built in");
    Uci::new(&[]).complain("spg solve moves 23.0", &why, &mut out);
    assert_eq!(
        out,
        "info string spg error text spg (shortest proof games) is not built into this version yet\n"
    );
    expects("spg stop", Command::Stop);
}

fn line() -> Thought {
    let root = Position::startpos();
    let mv = umbrail_chess::parse_uci(&root, "e2e4").unwrap();
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
fn lines_are_printed_as_gui_expects_them() {
    prints(
        &Event::Thought(line()),
        "info depth 12 seldepth 20 multipv 1 score cp 31 nodes 2000 nps 4000 hashfull 7 tbhits 0 \
         time 500 pv e2e4\n",
    );
    let mut deep = line();
    (deep.line.depth, deep.line.score, deep.wdl) = (300, Score::Mate(-200), Some([0, 0, 1000]));
    deep.line.bound = Bound::Upper;
    prints(
        &Event::Thought(deep),
        "info depth 300 seldepth 20 multipv 1 score mate -200 upperbound wdl 0 0 1000 nodes 2000 \
         nps 4000 hashfull 7 tbhits 0 time 500 pv e2e4\n",
    );
}

#[test]
fn a_move_is_printed_with_its_promotion() {
    let before: Setup = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
    let before = Position::try_from(&before).unwrap();
    let best = |text: &str, chess960| {
        let mv = umbrail_chess::parse_uci(&before, text).unwrap();
        Event::Best(Best { best: Some(Played { before, mv, chess960 }), ponder: None })
    };
    prints(&best("a7a8n", false), "bestmove a7a8n\n");
    prints(&best("e1g1", false), "bestmove e1g1\n");
    prints(&best("e1g1", true), "bestmove e1h1\n");
    prints(&Event::Best(Best { best: None, ponder: None }), "bestmove (none)\n");
}

#[test]
fn empty_texts_are_offered_as_empty() {
    let mut out = String::new();
    let session = umbrail_tasks::session(umbrail_session::Options::default());
    let mut session = session;
    for effect in session.command(Command::Identify, std::time::Instant::now()) {
        if let umbrail_session::Effect::Write(event) = effect {
            Uci::new(MODULES).write(&event, &mut out);
        }
    }
    assert!(out.starts_with("id name Umbrail "), "{out}");
    assert!(out.contains("\noption name Log File type string default <empty>\n"), "{out}");
    assert!(out.contains("\noption name Hash type spin default 16 min 1 max 1048576\n"), "{out}");
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
        let received = parse(&line);
        let Ok([Command::Go(ours)]) = received.as_deref() else { panic!("not heard: {line}") };
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
        let base = Base::Setup(Diagram::of_fen(fen.as_str()));
        prop_assert_eq!(parse(&line), Ok(vec![Command::Position { base, moves: theirs }]));
    }
}
