//! Commands that wait: after `stop`, after bounded work, and at the end of input.

use super::{Talk, answer};
use crate::job::Report;
use crate::opened_files::OpenedFiles;
use crate::piece_file::PieceFile;
use crate::{Answer, Base, BenchRequest, Command, Go, Options, Play, Show};
use std::time::{Duration, Instant};
use umbrail_search as search;

fn game(first: &str) -> Command {
    Command::Position { base: Base::Start, moves: vec![first.to_owned()] }
}

fn depth(depth: u32) -> Command {
    Command::Go(Go { depth: Some(depth), ..Go::default() })
}

fn clocked() -> Command {
    Command::Go(Go { clocks: [Some(60_000); 2], ..Go::default() })
}

fn infinite() -> Command {
    Command::Go(Go { infinite: true, ..Go::default() })
}

fn ponder() -> Command {
    Command::Go(Go { ponder: true, clocks: [Some(1000); 2], ..Go::default() })
}

fn mv(text: &str) -> Play {
    Play::Move(text.to_owned())
}

impl Talk {
    /// Sends a command that was received so long ago.
    fn received_before(&mut self, command: Command, ago: Duration) -> &mut Self {
        let at = Instant::now().checked_sub(ago).expect("a moment");
        let effects = self.session.command(command, at);
        self.take(effects)
    }

    /// Lets perft answer.
    fn counts(&mut self, nodes: u64) -> &mut Self {
        let id = self.job().id;
        self.report(id, Report::Answer(Answer::Perft { nodes, complete: true }))
    }

    /// Checks the first move of the game that is searched now.
    fn searched_after(&self, first: &str) {
        let start = umbrail_chess::Position::startpos();
        let first = umbrail_chess::parse_uci(&start, first).unwrap();
        assert_eq!(self.request().position, start.after(first));
    }
}

#[test]
fn a_ponder_miss_is_answered_twice_in_order() {
    let mut talk = Talk::new();
    talk.command(game("e2e4")).command(ponder()).expects(&["start search"]);
    talk.command(Command::Stop).command(game("d2d4")).command(clocked()).expects(&[]);
    talk.searched_after("e2e4");
    talk.answers("e7e5").expects(&["best e7e5 ponder none", "start search"]);
    talk.searched_after("d2d4");
    assert!(!talk.job().cancel.is_raised());
    talk.answers("d7d5").expects(&["best d7d5 ponder none"]);
}

#[test]
fn positions_behind_a_waiting_go_wait_too() {
    let mut talk = Talk::new();
    talk.command(infinite()).command(Command::Stop);
    talk.command(game("e2e4")).command(depth(1)).command(game("d2d4")).command(depth(2));
    talk.answers("e2e4").expects(&["start search", "best e2e4 ponder none", "start search"]);
    talk.searched_after("e2e4");
    talk.answers("e7e5").expects(&["best e7e5 ponder none", "start search"]);
    talk.searched_after("d2d4");
}

#[test]
fn the_clock_of_a_go_after_stop_runs_from_its_arrival() {
    let mut talk = Talk::new();
    let ago = Duration::from_secs(5);
    talk.command(infinite()).command(Command::Stop).received_before(clocked(), ago);
    talk.answers("e2e4");
    assert!(talk.job().clock.elapsed() >= ago);
}

#[test]
fn the_clock_of_a_go_after_bounded_work_runs_from_its_start() {
    let mut talk = Talk::new();
    let ago = Duration::from_secs(5);
    talk.command(depth(9)).received_before(clocked(), ago).received_before(clocked(), ago);
    talk.answers("e2e4");
    assert!(talk.job().clock.elapsed() < ago);
    talk.answers("e2e4");
    assert!(talk.job().clock.elapsed() < ago);
}

#[test]
fn a_hit_behind_a_waiting_ponder_search_belongs_to_it() {
    let mut talk = Talk::new();
    talk.command(infinite()).command(Command::Stop).command(ponder()).command(Command::PonderHit);
    talk.answers("e2e4").expects(&["start search", "best e2e4 ponder none", "start search"]);
    assert!(talk.job().clock.is_running());
    talk.answers("e2e4").expects(&["best e2e4 ponder none"]);
}

#[test]
fn stop_ends_what_waits_as_well_and_each_go_has_its_answer() {
    let mut talk = Talk::new();
    talk.command(depth(30)).command(depth(31)).command(infinite()).command(Command::Stop);
    talk.command(depth(32));
    for _ in 0..3 {
        assert!(talk.job().cancel.is_raised());
        talk.answers("e2e4");
    }
    assert!(!talk.job().cancel.is_raised());
    talk.answers("e2e4");
    let bests = talk.received.iter().filter(|given| given.starts_with("best ")).count();
    assert_eq!(bests, 4);
}

#[test]
fn four_searches_in_a_row_are_answered_in_order() {
    let mut talk = Talk::new();
    let firsts = ["e2e4", "d2d4", "c2c4", "g1f3"];
    for first in firsts {
        talk.command(game(first)).command(depth(8));
    }
    talk.expects(&["start search"]);
    for first in firsts {
        talk.searched_after(first);
        talk.answers("b8c6");
    }
    assert!(!talk.session.is_busy());
}

#[test]
fn options_behind_a_waiting_go_are_for_the_next() {
    let mut talk = Talk::new();
    let set = Command::SetOption { name: "MultiPV".to_owned(), value: Some("3".to_owned()) };
    talk.command(depth(1)).command(depth(2)).command(set).command(depth(3));
    talk.answers("e2e4");
    assert_eq!(talk.request().multipv, 1);
    talk.answers("e2e4");
    assert_eq!(talk.request().multipv, 3);
}

#[test]
fn perft_and_bench_hold_back_all_but_stop() {
    let mut talk = Talk::new();
    talk.command(Command::Perft(5)).command(Command::Ready).command(Command::Show(Show::Board));
    talk.expects(&["start perft"]);
    talk.counts(20).expects(&["counted 20 complete true", "ready", "page of 22 lines"]);
    talk.command(Command::Bench(BenchRequest::default())).command(Command::Stop);
    assert!(talk.job().cancel.is_raised());
}

#[test]
fn isready_is_answered_during_a_search_though_commands_wait() {
    let mut talk = Talk::new();
    talk.command(depth(20)).command(depth(21)).command(Command::Ready);
    talk.expects(&["start search", "ready"]);
    // `isready` waits while sequences are counted.
    talk.command(Command::Perft(2)).command(Command::Ready).expects(&[]);
    talk.answers("e2e4").answers("e2e4").counts(400);
    assert_eq!(
        talk.received[2..],
        ["best e2e4 ponder none", "start perft", "counted 400 complete true", "ready"]
    );
}

#[test]
fn quit_waits_for_perft_and_a_second_quit_does_not() {
    let mut talk = Talk::new();
    talk.command(Command::Perft(5)).command(Command::Quit).command(Command::End);
    talk.expects(&["start perft"]);
    talk.counts(20).expects(&["counted 20 complete true", "quit 0"]);
    let mut talk = Talk::new();
    talk.command(Command::Perft(9)).command(Command::Quit).command(Command::Quit);
    talk.expects(&["start perft", "quit 0"]);
    assert!(talk.job().cancel.is_raised());
    let mut talk = Talk::new();
    talk.command(Command::Perft(9)).command(Command::Exit).expects(&["start perft", "quit 0"]);
}

#[test]
fn quit_ends_the_last_of_several_searches() {
    let mut talk = Talk::new();
    talk.command(depth(8)).command(depth(9)).command(Command::Quit).expects(&["start search"]);
    talk.answers("e2e4").expects(&["best e2e4 ponder none", "start search", "quit 0"]);
    assert!(talk.job().cancel.is_raised());
    talk.answers("e2e4").expects(&["best e2e4 ponder none"]);
}

#[test]
fn the_end_of_input_finishes_bounded_work() {
    let mut talk = Talk::new();
    talk.command(depth(8)).command(clocked()).command(Command::End).expects(&["start search"]);
    talk.answers("e2e4").expects(&["best e2e4 ponder none", "start search"]);
    assert!(!talk.job().cancel.is_raised());
    talk.answers("e2e4").expects(&["best e2e4 ponder none", "quit 0"]);
}

#[test]
fn the_end_of_input_ends_unbounded_work_at_once() {
    for endless in [infinite(), ponder(), Command::Go(Go::default())] {
        let mut talk = Talk::new();
        talk.command(endless).command(Command::End).expects(&["start search", "quit 0"]);
        assert!(talk.job().cancel.is_raised());
        talk.answers("e2e4").expects(&["best e2e4 ponder none"]);
    }
    let mut talk = Talk::new();
    talk.command(infinite()).answers("e2e4").command(Command::End);
    talk.expects(&["start search", "best e2e4 ponder none", "quit 0"]);
    Talk::new().command(Command::End).expects(&["quit 0"]);
}

#[test]
fn behind_move_now_the_next_move_waits_for_the_reply() {
    let mut talk = Talk::new();
    talk.play(Play::New).play(mv("e2e4")).play(Play::MoveNow).play(mv("d2d4")).play(Play::Ping(1));
    talk.expects(&["start search"]);
    assert!(talk.job().cancel.is_raised());
    talk.answers("e7e5").expects(&["move e7e5", "start search"]);
    assert!(!talk.job().cancel.is_raised());
    talk.answers("e5d4").expects(&["move e5d4", "pong 1"]);
    // The board editor and `force` still drop a move that is due.
    talk.play(mv("g1f3")).play(Play::Force).play(Play::Ping(2));
    talk.expects(&["start search", "pong 2"]);
}

#[test]
fn a_game_ends_with_the_input_and_the_move_that_is_due_is_made_at_once() {
    let mut talk = Talk::with(Options { ponder: true, ..Options::default() }, &[]);
    talk.play(Play::New).play(mv("e2e4")).command(Command::End).expects(&["start search"]);
    assert!(talk.job().cancel.is_raised());
    let best = talk.mv("e7e5");
    let ponder = umbrail_chess::parse_uci(&talk.request().position.after(best), "g1f3").ok();
    let ended = search::Ended::Stopped;
    let id = talk.job().id;
    let made = search::SearchAnswer { best: Some(best), ponder, line: None, ended };
    talk.report(id, Report::Answer(Answer::Search(made)));
    talk.expects(&["move e7e5", "start search", "quit 0"]);
    // XBoard's quit does not wait for it.
    let mut talk = Talk::new();
    talk.play(Play::New)
        .play(mv("e2e4"))
        .command(Command::Exit)
        .expects(&["start search", "quit 0"]);
    let id = talk.job().id;
    talk.report(id, Report::Answer(answer(None))).expects(&[]);
}

fn book(path: &str) -> Command {
    Command::SetOption { name: "Book File".to_owned(), value: Some(path.to_owned()) }
}

impl Talk {
    /// Lets the newest job open all files.
    fn opens(&mut self, faults: &[&str]) -> &mut Self {
        let faults = faults.iter().map(|&fault| fault.to_owned()).collect();
        let opened = OpenedFiles {
            sources: search::Sources::default(),
            pieces: PieceFile::default(),
            notes: vec![],
            faults,
        };
        let id = self.job().id;
        self.report(id, Report::Answer(Answer::Opened(opened)))
    }

    fn pulses(&mut self, count: usize) -> &mut Self {
        for _ in 0..count {
            let effects = self.session.pulse();
            self.take(effects);
        }
        self
    }
}

#[test]
fn a_search_waits_until_the_book_is_open_and_its_clock_runs() {
    let mut talk = Talk::new();
    talk.command(book("book.bin")).expects(&[]);
    talk.received_before(clocked(), Duration::from_secs(3)).expects(&["start files"]);
    talk.command(Command::Ready).expects(&[]);
    talk.opens(&["bad"]).expects(&["trouble: bad", "start search", "ready"]);
    assert!(talk.job().clock.elapsed() >= Duration::from_secs(3));
    // A book is opened only once.
    talk.answers("e2e4").expects(&["best e2e4 ponder none"]);
    talk.command(depth(3)).expects(&["start search"]);
}

/// Regression: `isready` was answered at once, and the first search paid for the files.
#[test]
fn isready_waits_for_files_unless_a_search_runs() {
    let mut talk = Talk::new();
    talk.command(book("book.bin")).command(Command::Ready).expects(&["start files"]);
    talk.opens(&[]).expects(&["ready"]);
    talk.command(Command::Ready).expects(&["ready"]);
    talk.command(book("slow.bin")).command(Command::Ready).expects(&["start files"]);
    talk.pulses(8).expects(&["note: still reading slow.bin, going on without it", "ready"]);
    talk.opens(&[]).command(depth(3)).expects(&["start search"]);
    talk.command(book("other.bin")).command(Command::Ready).expects(&["start files", "ready"]);
    talk.command(Command::Quit).expects(&["quit 0"]);
}

#[test]
fn a_search_does_without_a_book_that_does_not_answer() {
    let mut talk = Talk::new();
    talk.command(book("slow.bin")).command(depth(3)).expects(&["start files"]);
    talk.pulses(7).expects(&[]);
    let note = "note: still reading slow.bin, going on without it";
    talk.pulses(1).expects(&[note, "start search"]);
    talk.answers("e2e4").expects(&["best e2e4 ponder none"]);
    // The book is not requested again, and used when it arrives.
    talk.command(depth(3)).expects(&["start search"]).answers("e2e4");
}

#[test]
fn stop_ends_the_wait_for_a_book() {
    let mut talk = Talk::new();
    talk.command(book("slow.bin")).command(depth(3)).expects(&["start files"]);
    talk.command(Command::Stop).expects(&["start search"]);
    assert!(talk.job().cancel.is_raised());
}

#[test]
fn another_book_takes_the_place_of_one_that_is_being_opened() {
    let mut talk = Talk::new();
    talk.command(book("slow.bin")).command(Command::NewGame).expects(&["start files"]);
    let slow = talk.job().id;
    talk.command(book("")).command(depth(3)).expects(&["start files"]);
    let opened = OpenedFiles {
        sources: search::Sources::default(),
        pieces: PieceFile::default(),
        notes: vec![],
        faults: vec!["too late".to_owned()],
    };
    talk.report(slow, Report::Answer(Answer::Opened(opened))).expects(&[]);
    talk.opens(&[]).expects(&["start search"]);
}

#[test]
fn boards_wait_for_the_pieces_that_stand_on_them() {
    let mut talk = Talk::new();
    let pieces = Command::SetOption {
        name: "EGT Piece File".to_owned(),
        value: Some("piecedef.ini".to_owned()),
    };
    talk.command(pieces).play(Play::New).expects(&["start files"]);
    talk.play(Play::Ping(1)).expects(&[]);
    talk.opens(&[]).expects(&["pong 1"]);
}
