//! Explicitly requested searches, and options.

use super::{Talk, answer, fen, line};
use crate::job::Report;
use crate::job_context::JobReport;
use crate::{Base, BenchRequest, Command, Go, Options};
use std::time::{Duration, Instant};
use umbrail_search as search;

const MATED: &str = "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1";

fn position(text: &str) -> Command {
    Command::Position { base: Base::Setup(fen(text).into()), moves: vec![] }
}

fn moves(texts: &[&str]) -> Command {
    Command::Position { base: Base::Start, moves: texts.iter().map(ToString::to_string).collect() }
}

fn depth(depth: u32) -> Command {
    Command::Go(Go { depth: Some(depth), ..Go::default() })
}

fn infinite() -> Command {
    Command::Go(Go { infinite: true, ..Go::default() })
}

fn ponder() -> Command {
    Command::Go(Go { ponder: true, clocks: [Some(1000); 2], ..Go::default() })
}

#[test]
fn a_search_starts_and_answers_once() {
    let mut talk = Talk::new();
    talk.command(depth(5)).expects(&["start search"]);
    assert_eq!(talk.request().limits.depth, Some(5));
    assert!(talk.job().clock.is_running());
    talk.answers("e2e4").expects(&["best e2e4 ponder none"]);
    talk.answers("e2e4").expects(&[]);
    assert!(!talk.session.is_busy());
}

#[test]
fn the_last_line_precedes_the_move() {
    let mut talk = Talk::new();
    talk.command(depth(3)).expects(&["start search"]);
    let best = talk.mv("d2d4");
    let last = Some(line(vec![best]));
    let answer = search::SearchAnswer {
        best: Some(best),
        ponder: None,
        line: last,
        ended: search::Ended::Complete,
    };
    let id = talk.job().id;
    talk.report(id, Report::Answer(crate::Answer::Search(answer)))
        .expects(&["depth 3 Cp(0)", "best d2d4 ponder none"]);
}

#[test]
fn a_second_go_while_searching_is_refused() {
    let mut talk = Talk::new();
    talk.command(infinite()).command(depth(1));
    talk.expects(&["start search", "note: busy with a search, send stop first"]);
    talk.command(Command::Stop).answers("e2e4").expects(&["best e2e4 ponder none"]);
}

#[test]
fn an_infinite_search_holds_its_answer_back_until_stop() {
    let mut talk = Talk::new();
    talk.command(infinite()).answers("e2e4").expects(&["start search"]);
    assert!(talk.session.is_busy());
    talk.command(Command::Stop).expects(&["best e2e4 ponder none"]);
    talk.command(Command::Stop).expects(&[]);
}

#[test]
fn stop_raises_the_signal_and_the_answer_follows() {
    let mut talk = Talk::new();
    talk.command(infinite()).command(Command::Stop).expects(&["start search"]);
    assert!(talk.job().cancel.is_raised());
    talk.answers("g1f3").expects(&["best g1f3 ponder none"]);
}

#[test]
fn a_ponder_search_waits_for_the_hit_and_its_clock_stands_until_then() {
    let mut talk = Talk::new();
    talk.command(ponder()).expects(&["start search"]);
    assert!(!talk.job().clock.is_running());
    assert!(!talk.request().limits.infinite);
    talk.answers("e2e4").expects(&[]);
    talk.command(Command::PonderHit).expects(&["best e2e4 ponder none"]);
    assert!(talk.job().clock.is_running());
}

#[test]
fn a_ponder_search_that_is_hit_early_goes_on() {
    let mut talk = Talk::new();
    talk.command(ponder()).command(Command::PonderHit).expects(&["start search"]);
    assert!(talk.job().clock.is_running() && !talk.job().cancel.is_raised());
    talk.answers("e2e4").expects(&["best e2e4 ponder none"]);
}

#[test]
fn stop_and_ponderhit_while_idle_mean_nothing() {
    Talk::new().command(Command::Stop).command(Command::PonderHit).expects(&[]);
}

#[test]
fn without_a_legal_move_there_is_one_answer_without_a_move() {
    let mut talk = Talk::new();
    talk.command(position(MATED)).command(depth(5));
    talk.expects(&["depth 0 Mate(0)", "best none ponder none"]);
    talk.command(infinite()).expects(&["depth 0 Mate(0)"]);
    talk.command(Command::Stop).expects(&["best none ponder none"]);
}

#[test]
fn an_unusable_position_is_explained_and_a_go_on_it_is_answered() {
    let mut talk = Talk::new();
    talk.command(position("8/8/8/8/8/8/8/4K3 w - - 0 1"));
    talk.expects(&["trouble: illegal position: black has no king"]);
    talk.command(depth(2)).expects(&["best none ponder none"]);
    assert_eq!(talk.session.exit_status(), 2);
    talk.command(moves(&[])).command(depth(2)).expects(&["start search"]);
}

#[test]
fn the_rest_of_a_move_list_is_ignored_behind_an_illegal_move() {
    let mut talk = Talk::new();
    talk.command(moves(&["e2e4", "e7e5", "e4e5", "g1f3"])).command(depth(1));
    let why = "the piece cannot reach that square";
    talk.expects(&[
        &format!("trouble: illegal move e4e5 ({why}) is ignored, and what follows it"),
        "start search",
    ]);
    assert_eq!(talk.request().history.len(), 2);
}

#[test]
fn root_moves_are_restricted_to_the_legal_ones_named() {
    let mut talk = Talk::new();
    let search_moves = Some(["a2a3", "a2a5", "h2h4"].map(str::to_owned).to_vec());
    talk.command(Command::Go(Go { depth: Some(1), search_moves, ..Go::default() }));
    assert_eq!(talk.received.len(), 2);
    let named = talk.request().root_moves.clone().unwrap();
    assert_eq!(named, [talk.mv("a2a3"), talk.mv("h2h4")]);
}

#[test]
fn searching_none_of_the_moves_finds_none() {
    let search_moves = Some(vec!["0000".to_owned()]);
    let mut talk = Talk::new();
    talk.command(Command::Go(Go { depth: Some(1), search_moves, ..Go::default() }));
    assert_eq!(talk.received.last().unwrap(), "best none ponder none");
}

#[test]
fn the_clock_of_the_side_to_move_counts_and_the_other_one_in_need() {
    let clocks = |talk: &mut Talk, clocks| {
        talk.command(Command::Go(Go { clocks, increments: [Some(1), Some(2)], ..Go::default() }));
        let clock = talk.request().limits.clock.unwrap();
        talk.answers_any();
        (clock.left.as_millis(), clock.increment.as_millis())
    };
    let mut talk = Talk::new();
    assert_eq!(clocks(&mut talk, [Some(100), Some(200)]), (100, 1));
    assert_eq!(clocks(&mut talk, [Some(-5), Some(200)]), (0, 1));
    assert_eq!(clocks(&mut talk, [None, Some(200)]), (200, 1));
    talk.command(moves(&["e2e4"]));
    assert_eq!(clocks(&mut talk, [Some(100), Some(200)]), (200, 2));
}

impl Talk {
    /// Lets the newest job answer without a move: any legal move is then given.
    fn answers_any(&mut self) {
        let id = self.job().id;
        self.report(id, Report::Answer(answer(None)));
    }
}

#[test]
fn a_search_that_answers_nothing_still_moves() {
    let mut talk = Talk::new();
    talk.command(depth(1));
    let seen = talk.mv("c2c4");
    talk.fact(JobReport::Search(search::SearchInfo::Depth(line(vec![seen]))));
    talk.answers_any();
    assert_eq!(talk.received.last().unwrap(), "best c2c4 ponder none");
}

#[test]
fn a_panic_is_reported_and_a_legal_move_is_played() {
    let mut talk = Talk::new();
    talk.command(depth(1)).expects(&["start search"]);
    let id = talk.job().id;
    talk.report(id, Report::Failed("index out of bounds".to_owned()));
    assert_eq!(talk.received[0], "trouble: internal error, please report it: index out of bounds");
    assert!(talk.received[1].starts_with("best ") && !talk.received[1].starts_with("best none"));
    assert_eq!(talk.session.exit_status(), 70);
}

#[test]
fn the_reply_expected_is_named_only_when_pondering_is_on() {
    for (on, expected) in [(false, "best e2e4 ponder none"), (true, "best e2e4 ponder e7e5")] {
        let mut talk = Talk::with(Options { ponder: on, ..Options::default() }, &[]);
        talk.command(depth(1)).expects(&["start search"]);
        let best = talk.mv("e2e4");
        let ponder = umbrail_chess::parse_uci(&talk.request().position.after(best), "e7e5").ok();
        let answer = search::SearchAnswer {
            best: Some(best),
            ponder,
            line: None,
            ended: search::Ended::Complete,
        };
        let id = talk.job().id;
        talk.report(id, Report::Answer(crate::Answer::Search(answer))).expects(&[expected]);
    }
}

#[test]
fn the_current_root_move_is_reported_late_or_at_once_in_analysis_mode() {
    for (analyse, expected) in [(false, vec![]), (true, vec!["at work a2a3"])] {
        let mut talk = Talk::with(Options { analyse, ..Options::default() }, &[]);
        talk.command(infinite()).expects(&["start search"]);
        let mv = talk.mv("a2a3");
        talk.fact(JobReport::Search(search::SearchInfo::CurrentMove { depth: 1, mv, number: 1 }))
            .expects(&expected);
    }
}

#[test]
fn options_take_effect_in_the_next_job() {
    let mut talk = Talk::new();
    let set = |name: &str, value: &str| Command::SetOption {
        name: name.to_owned(),
        value: Some(value.to_owned()),
    };
    talk.command(infinite());
    talk.command(set("Threads", "3")).command(set("MultiPV", "2")).command(set("Hash", "2"));
    assert_eq!((talk.job().threads, talk.request().multipv), (1, 1));
    talk.command(Command::Stop).answers("e2e4").command(infinite());
    assert_eq!((talk.job().threads, talk.request().multipv), (3, 2));
    match &talk.job().job {
        crate::Job::Search { engine, params, .. } => {
            assert_eq!((engine.hash_mib(), params.hash_mib), (2, 2));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn refused_options_are_named_and_the_log_follows_its_option() {
    let mut talk = Talk::new();
    let set = |name: &str, value: &str| Command::SetOption {
        name: name.to_owned(),
        value: Some(value.to_owned()),
    };
    talk.command(set("Hash", "0")).expects(&["refused: Hash must be 1..1048576, got 0"]);
    talk.command(set("Log File", "x.log")).expects(&["log Some(\"x.log\")"]);
    talk.command(set("Log File", "x.log")).expects(&[]);
    talk.command(set("Log File", "<empty>")).expects(&["log None"]);
}

#[test]
fn what_is_offered_is_what_the_conversation_began_with() {
    let mut talk = Talk::new();
    let set = Command::SetOption { name: "Hash".to_owned(), value: Some("99".to_owned()) };
    let effects = talk.session.command(Command::Identify, Instant::now());
    talk.command(set);
    let again = talk.session.command(Command::Identify, Instant::now());
    assert_eq!(format!("{effects:?}"), format!("{again:?}"));
}

#[test]
fn perft_and_bench_end_with_their_sums() {
    use crate::Answer;
    let mut talk = Talk::new();
    talk.command(Command::Perft(1)).expects(&["start perft"]);
    let id = talk.job().id;
    let mv = umbrail_chess::parse_uci(&umbrail_chess::Position::startpos(), "e2e4").unwrap();
    talk.fact(JobReport::Branch(mv, 1)).expects(&["branch e2e4 1"]);
    talk.report(id, Report::Answer(Answer::Perft { nodes: 20, complete: true }));
    talk.expects(&["counted 20 complete true"]);
    assert_eq!(talk.session.exit_status(), 0);
    talk.command(Command::Bench(BenchRequest { threads: Some(2), ..BenchRequest::default() }));
    assert_eq!(talk.job().threads, 2);
    talk.command(Command::Stop);
    assert!(talk.job().cancel.is_raised());
    let id = talk.job().id;
    let keys = umbrail_search::SearchStatistics::default();
    talk.report(id, Report::Answer(Answer::Bench { nodes: 7, keys, complete: false }));
    talk.expects(&["start bench", "bench 7 complete false"]);
    assert_eq!(talk.session.exit_status(), 3);
}

#[test]
fn quit_stops_the_running_job_first() {
    let mut talk = Talk::new();
    talk.command(infinite()).command(Command::Quit).expects(&["start search", "quit 0"]);
    assert!(talk.job().cancel.is_raised());
    talk.answers("e2e4").expects(&["best e2e4 ponder none"]);
}

#[test]
fn flipping_twice_gives_the_same_board() {
    let mut talk = Talk::new();
    let kiwi = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    talk.command(position(kiwi)).command(Command::Flip);
    assert_eq!(
        talk.session.game.setup().to_string(),
        "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1"
    );
    talk.command(Command::Flip);
    assert_eq!(talk.session.game.setup().to_string(), kiwi);
}

#[test]
fn pulses_of_a_search_come_once_a_second_after_the_first_second() {
    for (ago, expected) in [(0, vec![]), (2, vec!["pulse", "pulse"])] {
        let mut talk = Talk::new();
        let at = Instant::now().checked_sub(Duration::from_secs(ago)).unwrap();
        let effects = talk.session.command(infinite(), at);
        talk.take(effects).expects(&["start search"]);
        for _ in 0..8 {
            let effects = talk.session.pulse();
            talk.take(effects);
        }
        talk.expects(&expected);
    }
}

#[test]
fn a_viewer_gets_every_sample_of_a_search() {
    let mut talk = Talk::new();
    talk.session.want_samples();
    let effects = talk.session.command(infinite(), Instant::now());
    talk.take(effects).expects(&["start search"]);
    for _ in 0..3 {
        let effects = talk.session.pulse();
        talk.take(effects);
    }
    talk.expects(&["pulse"; 3]);
}

#[test]
fn debug_announces_every_job() {
    let mut talk = Talk::new();
    talk.command(Command::Debug(true)).command(Command::Perft(3));
    talk.expects(&["note: perft 3 with 1 thread", "start perft"]);
}
