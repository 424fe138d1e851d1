//! Games against the user: sides, clocks, pondering, analysis, claims.

use super::{Talk, fen, line};
use crate::job::Report;
use crate::job_context::JobReport;
use crate::{Answer, Edit, Options, Play};
use std::time::Duration;
use umbrail_search as search;

fn mv(text: &str) -> Play {
    Play::Move(text.to_owned())
}

fn setup(text: &str) -> Play {
    Play::Setup(fen(text).into())
}

/// Lets the newest search answer with a move and an expected reply.
fn answers_expecting(talk: &mut Talk, best: &str, reply: &str) {
    let best = talk.mv(best);
    let ponder = umbrail_chess::parse_uci(&talk.request().position.after(best), reply).ok();
    let answer = search::SearchAnswer {
        best: Some(best),
        ponder,
        line: None,
        ended: search::Ended::Complete,
    };
    let id = talk.job().id;
    talk.report(id, Report::Answer(Answer::Search(answer)));
}

#[test]
fn after_new_the_engine_has_black_and_answers_a_move() {
    let mut talk = Talk::new();
    talk.play(Play::New).play(mv("e2e4")).expects(&["start search"]);
    talk.answers("e7e5").expects(&["move e7e5"]);
    talk.play(mv("Nf3")).expects(&["start search"]);
}

#[test]
fn in_force_mode_moves_are_taken_down_in_silence_and_go_plays_the_side_to_move() {
    let mut talk = Talk::new();
    talk.play(Play::New).play(Play::Force).play(mv("e2e4")).play(mv("e7e5")).expects(&[]);
    talk.play(Play::Go).expects(&["start search"]);
    assert_eq!(talk.request().history.len(), 2);
    assert!(talk.request().position.turn().is_white());
}

#[test]
fn playother_waits_for_the_other_side() {
    let mut talk = Talk::new();
    talk.play(Play::New).play(Play::Force).play(mv("d2d4")).play(Play::Other).expects(&[]);
    talk.play(mv("d7d5")).expects(&["start search"]);
}

#[test]
fn force_drops_the_search_and_its_late_output() {
    let mut talk = Talk::new();
    talk.play(Play::New).play(Play::Go).expects(&["start search"]);
    let (id, best) = (talk.job().id, talk.mv("e2e4"));
    talk.play(Play::Ping(1)).play(Play::Force).expects(&["pong 1"]);
    assert!(talk.job().cancel.is_raised());
    let late = Report::Answer(super::answer(Some(best)));
    talk.report(id, late).expects(&[]);
}

#[test]
fn a_ping_waits_for_the_move_that_is_due_and_for_nothing_else() {
    let mut talk = Talk::new();
    talk.play(Play::New).play(Play::Ping(7)).expects(&["pong 7"]);
    talk.play(Play::Go).play(Play::Ping(8)).expects(&["start search"]);
    talk.answers("e2e4").expects(&["move e2e4", "pong 8"]);
    talk.play(Play::Force).play(Play::Analyze).play(Play::Ping(9));
    talk.expects(&["start search", "pong 9"]);
}

#[test]
fn illegal_moves_are_refused_and_change_nothing() {
    let mut talk = Talk::new();
    talk.play(Play::New).play(Play::Force).play(mv("e2e5")).play(mv("nonsense"));
    talk.expects(&[
        "illegal e2e5: the piece cannot reach that square",
        "illegal nonsense: expected a move such as e2e4 or e7e8q",
    ]);
    talk.play(Play::Go);
    assert_eq!(talk.request().position, umbrail_chess::Position::startpos());
}

#[test]
fn an_unusable_board_is_accepted_silently_and_explained_once_when_it_matters() {
    let mut talk = Talk::new();
    let broken = "kk6/8/8/8/8/8/8/KK6 w - - 0 1";
    talk.play(Play::New).play(Play::Force).play(setup(broken)).expects(&[]);
    talk.play(Play::Go);
    let why = "trouble: Illegal position: white has 2 kings, expected one; black has 2 kings, expected one";
    talk.expects(&[why]);
    talk.play(Play::Go).play(Play::Analyze).expects(&[]);
    talk.play(mv("a1a2")).expects(&["illegal a1a2: the position cannot be used"]);
    talk.play(Play::New).play(Play::Go).expects(&["start search"]);
}

#[test]
fn mate_is_claimed_for_either_side() {
    let mate_in_one = "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1";
    let mut talk = Talk::new();
    talk.play(Play::New).play(Play::Force).play(setup(mate_in_one)).play(Play::Go);
    talk.answers("e1e8").expects(&["start search", "move e1e8", "1-0 White mates"]);
    talk.play(Play::New).play(Play::Force).play(setup(mate_in_one)).play(Play::Other);
    talk.play(mv("e1e8")).expects(&["1-0 White mates"]);
    talk.play(Play::Go).expects(&["1-0 White mates"]);
}

#[test]
fn stalemate_and_repetition_are_claimed() {
    let mut talk = Talk::new();
    talk.play(Play::New).play(Play::Force).play(setup("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"));
    talk.play(Play::Other).play(mv("f1f7")).expects(&["1/2-1/2 Stalemate"]);
    talk.play(Play::New).play(Play::Force);
    for text in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"] {
        talk.play(mv(text));
    }
    talk.expects(&[]).play(Play::Go);
    talk.answers("f6g8").expects(&["start search", "move f6g8", "1/2-1/2 Threefold repetition"]);
}

#[test]
fn undo_takes_one_ply_and_remove_two() {
    let mut talk = Talk::new();
    talk.play(Play::New).play(mv("e2e4")).answers("e7e5").play(Play::Remove);
    talk.expects(&["start search", "move e7e5"]);
    talk.play(mv("d2d4")).expects(&["start search"]);
    assert_eq!(talk.request().history.len(), 1);
    talk.play(Play::Force).play(Play::Undo).play(Play::Go);
    assert!(talk.request().history.is_empty());
}

#[test]
fn an_edited_board_keeps_the_turn() {
    let mut talk = Talk::new();
    let put = |color, letter, square: &str| Edit::Put(color, letter, square.parse().unwrap());
    let (white, black) =
        (umbrail_chess::geometry::Color::White, umbrail_chess::geometry::Color::Black);
    talk.play(Play::New).play(Play::Force).play(mv("a2a3"));
    let edits =
        vec![Edit::Clear, put(white, 'K', "e1"), put(white, 'Q', "d1"), put(black, 'K', "e8")];
    talk.play(Play::Edit(edits)).play(Play::Go).expects(&["start search"]);
    assert_eq!(talk.request().position.to_string(), "4k3/8/8/8/8/8/8/3QK3 b - - 0 1");
}

#[test]
fn limits_follow_the_last_pace() {
    let second = Duration::from_secs(1);
    let mut talk = Talk::new();
    let level = Play::Level { moves: 40, base: 300 * second, increment: Duration::ZERO };
    talk.play(Play::New).play(level.clone()).play(Play::Clock(30 * second)).play(Play::Go);
    let clock = talk.request().limits.clock.unwrap();
    assert_eq!((clock.left, clock.moves_to_go), (30 * second, Some(40)));
    talk.play(Play::Force).play(Play::PerMove(second)).play(Play::Depth(4)).play(Play::Go);
    let limits = talk.request().limits.clone();
    assert_eq!((limits.movetime, limits.depth), (Some(second), Some(4)));
    assert!(limits.clock.is_none());
    talk.play(Play::New).play(level).play(Play::Go);
    assert_eq!(talk.request().limits.depth, None, "new takes the depth limit away");
}

#[test]
fn the_expected_reply_is_pondered_on_and_a_hit_keeps_the_search() {
    let mut talk = Talk::with(Options { ponder: true, ..Options::default() }, &[]);
    talk.play(Play::New).play(mv("e2e4"));
    answers_expecting(&mut talk, "e7e5", "g1f3");
    talk.expects(&["start search", "move e7e5", "start search"]);
    assert!(!talk.job().clock.is_running());
    talk.play(Play::Ping(3)).play(Play::Hint).expects(&["pong 3", "hint g1f3"]);
    let first = talk.mv("b8c6");
    talk.fact(JobReport::Search(search::SearchInfo::Depth(line(vec![first])))).expects(&[]);
    talk.play(mv("g1f3")).expects(&["depth 3 Cp(0)"]);
    assert!(talk.job().clock.is_running() && !talk.job().cancel.is_raised());
    talk.answers("b8c6").expects(&["move b8c6"]);
}

#[test]
fn another_reply_or_a_shorter_clock_starts_the_search_anew() {
    let mut talk = Talk::with(Options { ponder: true, ..Options::default() }, &[]);
    talk.play(Play::New).play(mv("e2e4"));
    answers_expecting(&mut talk, "e7e5", "g1f3");
    talk.received.clear();
    talk.play(mv("b1c3")).expects(&["start search"]);
    assert!(talk.job().clock.is_running());
    assert!(talk.jobs[talk.jobs.len() - 2].cancel.is_raised());
    answers_expecting(&mut talk, "b8c6", "g1f3");
    talk.received.clear();
    talk.play(Play::Clock(Duration::from_secs(1))).play(mv("g1f3")).expects(&["start search"]);
    assert_eq!(talk.request().limits.clock.unwrap().left, Duration::from_secs(1));
}

#[test]
fn an_answer_pondered_to_its_end_is_played_at_the_hit() {
    let mut talk = Talk::with(Options { ponder: true, ..Options::default() }, &[]);
    talk.play(Play::New).play(mv("e2e4"));
    answers_expecting(&mut talk, "e7e5", "g1f3");
    talk.answers("b8c6");
    talk.received.clear();
    talk.play(mv("g1f3")).expects(&["move b8c6"]);
}

#[test]
fn easy_ends_pondering() {
    let mut talk = Talk::with(Options { ponder: true, ..Options::default() }, &[]);
    talk.play(Play::New).play(mv("e2e4"));
    answers_expecting(&mut talk, "e7e5", "g1f3");
    let value = Some("false".to_owned());
    talk.command(crate::Command::SetOption { name: "ponder".to_owned(), value });
    assert!(talk.job().cancel.is_raised() && !talk.session.is_busy());
}

#[test]
fn analysis_follows_the_board_and_never_moves() {
    let mut talk = Talk::new();
    talk.play(Play::New).play(Play::Force).play(Play::Analyze).expects(&["start search"]);
    assert!(talk.request().limits.infinite);
    talk.answers("e2e4").expects(&[]);
    talk.play(Play::Status).expects(&["status 0 of 20"]);
    talk.play(mv("e2e4")).expects(&["start search"]);
    talk.play(Play::Undo).expects(&["start search"]);
    talk.play(mv("@@@@")).expects(&["start search"]);
    assert!(!talk.request().position.turn().is_white());
    talk.play(setup("8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1")).expects(&["start search"]);
    talk.play(Play::Leave).expects(&[]);
    assert!(!talk.session.is_busy());
}

#[test]
fn excluded_moves_are_not_searched() {
    let mut talk = Talk::new();
    talk.play(Play::New).play(Play::Force).play(Play::Exclude(None));
    talk.play(Play::Include(Some("a2a3".to_owned())))
        .play(Play::Analyze)
        .expects(&["start search"]);
    assert_eq!(talk.request().root_moves, Some(vec![talk.mv("a2a3")]));
    talk.play(Play::Include(None)).expects(&["start search"]);
    assert_eq!(talk.request().root_moves, None);
    talk.play(Play::Exclude(Some("e2e4".to_owned()))).expects(&["start search"]);
    assert_eq!(talk.request().root_moves.as_ref().map(Vec::len), Some(19));
    talk.play(mv("d2d4")).expects(&["start search"]);
    assert_eq!(talk.request().root_moves, None, "exclusions are for one position");
}

#[test]
fn new_clears_the_game_and_keeps_the_paths_of_tables() {
    let mut talk = Talk::new();
    talk.play(Play::TablePath { kind: "syzygy".to_owned(), path: "a b".to_owned() });
    talk.play(Play::Variant("fischerandom".to_owned())).play(Play::New);
    assert_eq!(talk.session.game.table_paths, [("syzygy".to_owned(), "a b".to_owned())]);
    assert!(!talk.session.game.castling_mode().is_chess960());
}

#[test]
fn memory_is_for_everything_and_leaves_the_table_what_remains() {
    let mut talk = Talk::new();
    talk.play(Play::Memory(68));
    assert_eq!(talk.session.options.search.hash_mib, 60);
    talk.play(Play::Memory(1));
    assert_eq!(talk.session.options.search.hash_mib, 1);
}

#[test]
fn move_now_stops_the_search_for_a_move() {
    let mut talk = Talk::new();
    talk.play(Play::New).play(Play::MoveNow).expects(&[]);
    talk.play(Play::Go).play(Play::MoveNow);
    assert!(talk.job().cancel.is_raised());
    talk.answers("e2e4").expects(&["start search", "move e2e4"]);
}
