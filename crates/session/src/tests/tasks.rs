//! Tasks: `start` before, `done` after, one at a time; and `go` handed to a solver.

use super::{Talk, fen};
use crate::domain::{Domain, Key, Reach, Task};
use crate::job::{Answer, Report};
use crate::message::{Completion, Kind, Message};
use crate::module::{Context, Prepared, SolverModule, Steps, Verb};
use crate::status::Status;
use crate::{Base, Command, Go, Job, Options, Play, TaskError};

const COUNT: Verb = Verb {
    name: "count",
    help: "counts the men on the board",
    subject: None,
    text: None,
    input: false,
    background: false,
    keys: &[&[Key { name: "of", aliases: &[], reach: Reach::Word, help: "which letter" }]],
    prepare: count,
};

/// A module that counts pieces, to check that tasks run as declared.
const COUNTING: &[SolverModule] = &[SolverModule {
    domain: Domain::Egt,
    verbs: &[COUNT, Verb { name: "build", background: true, ..COUNT }],
    from_board: |_| Ok(task(&[])),
    table_for_play: None,
    game_for_play: None,
}];

fn count(task: &Task, context: &Context) -> Result<Prepared, TaskError> {
    let letter = task.key("of").map(|text| text.chars().next().filter(char::is_ascii_uppercase));
    if letter == Some(None) {
        return Err(TaskError::expects("of", "an upper-case letter"));
    }
    let pieces = context
        .game
        .setup()
        .pieces()
        .filter(|(_, _, l)| letter.flatten().is_none_or(|x| x == *l))
        .count();
    Ok(Prepared::work(move |job| {
        job.message(Message::new(Domain::Egt, Kind::Result).with("men", pieces as u64));
        let done = Message::new(Domain::Egt, Kind::Done).with("count", 1);
        Completion { done, status: Status::Complete }
    }))
}

fn task(keys: &[(&'static str, &str)]) -> Task {
    let keys = keys.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
    Task { domain: Domain::Egt, verb: "count", subject: vec![], keys, text: None }
}

fn talk() -> Talk {
    Talk::with(Options::default(), COUNTING)
}

fn completion(status: Status) -> Report {
    let done = Message::new(Domain::Egt, Kind::Done).with("count", 1);
    Report::Answer(Answer::Task(Completion { done, status }))
}

/// Checks the events, without the numbers that depend on the machine.
fn expects(talk: &mut Talk, expected: &[&str]) {
    let received: Vec<_> = std::mem::take(&mut talk.received);
    let stripped: Vec<_> =
        received.iter().map(|given| given.split(" time ").next().unwrap_or("")).collect();
    assert_eq!(stripped, expected);
}

#[test]
fn a_task_starts_reports_and_ends_once() {
    let mut talk = talk();
    talk.command(Command::Task(task(&[("of", "Q")])));
    expects(&mut talk, &["egt start id 1", "start egt"]);
    let start = talk.jobs.pop().unwrap();
    let Job::Task { steps: Steps::Work(work), .. } = start.job else { panic!("expected a task") };
    let reported = std::sync::Mutex::new(vec![]);
    let pool = umbrail_control::Pool::new(1).unwrap();
    let notify = |fact| reported.lock().unwrap().push(fact);
    let job = crate::JobContext {
        cancel: start.cancel,
        clock: &start.clock,
        progress: &start.progress,
        pool: &pool,
        skips: &start.skips,
        notify: &notify,
    };
    let completion = work(&job);
    for fact in reported.into_inner().unwrap() {
        talk.report(start.id, Report::Progress(fact));
    }
    talk.report(start.id, Report::Answer(Answer::Task(completion)));
    expects(&mut talk, &["egt result men 2", "egt done id 1 status complete count 1"]);
    assert!(!talk.session.is_busy());
}

#[test]
fn tasks_run_one_after_the_other_and_a_search_behind_them() {
    let mut talk = talk();
    talk.command(Command::Task(task(&[]))).command(Command::Task(task(&[])));
    talk.command(Command::Go(Go::default()));
    expects(&mut talk, &["egt start id 1", "start egt"]);
    let id = talk.job().id;
    talk.report(id, completion(Status::Complete));
    let second = ["egt done id 1 status complete count 1", "egt start id 2", "start egt"];
    expects(&mut talk, &second);
    let id = talk.job().id;
    talk.report(id, completion(Status::Complete));
    expects(&mut talk, &["egt done id 2 status complete count 1", "start search"]);
    assert!(!talk.job().cancel.is_raised());
}

#[test]
fn what_follows_a_stopped_task_waits_for_its_end() {
    let mut talk = talk();
    talk.command(Command::Task(task(&[]))).command(Command::Stop);
    talk.command(Command::Task(task(&[])));
    expects(&mut talk, &["egt start id 1", "start egt"]);
    let id = talk.job().id;
    talk.report(id, completion(Status::Stopped));
    let second = ["egt done id 1 status stopped count 1", "egt start id 2", "start egt"];
    expects(&mut talk, &second);
    assert!(!talk.job().cancel.is_raised());
}

#[test]
fn a_task_behind_a_search_without_end_is_refused() {
    let mut talk = talk();
    talk.command(Command::Go(Go::default())).command(Command::Task(task(&[])));
    expects(&mut talk, &["start search", "egt error text busy"]);
}

#[test]
fn the_end_of_input_finishes_an_task_and_quit_ends_it() {
    let mut talk = talk();
    talk.command(Command::Task(task(&[]))).command(Command::End);
    expects(&mut talk, &["egt start id 1", "start egt"]);
    let id = talk.job().id;
    talk.report(id, completion(Status::Complete));
    expects(&mut talk, &["egt done id 1 status complete count 1", "quit 0"]);
    let mut talk = self::talk();
    talk.command(Command::Task(task(&[]))).command(Command::Quit);
    expects(&mut talk, &["egt start id 1", "start egt", "quit 0"]);
    assert!(talk.job().cancel.is_raised());
}

#[test]
fn in_xboard_a_second_task_for_the_solver_waits_for_the_first() {
    let options = Options { solver: Some(Domain::Egt), ..Options::default() };
    let mut talk = Talk::with(options, COUNTING);
    talk.play(Play::New).play(Play::Go).play(Play::Force).play(Play::Go);
    expects(&mut talk, &["egt start id 1", "start egt"]);
    let id = talk.job().id;
    talk.report(id, completion(Status::Stopped));
    let second = ["egt done id 1 status stopped count 1", "egt start id 2", "start egt"];
    expects(&mut talk, &second);
}

#[test]
fn what_cannot_be_prepared_is_refused_with_its_reason() {
    let mut talk = talk();
    talk.command(Command::Task(task(&[("of", "q")])));
    expects(&mut talk, &["egt error text of expects an upper-case letter"]);
    talk.command(Command::Task(task(&[("threads", "0")])));
    expects(&mut talk, &["egt error text threads expects 1..1024, got 0"]);
    assert_eq!(talk.session.exit_status(), 2);
    let spg = Task { domain: Domain::Spg, ..task(&[]) };
    talk.command(Command::Task(spg));
    expects(
        &mut talk,
        &["spg error text spg (shortest proof games) is not built into this version yet"],
    );
}

#[test]
fn stop_and_skip_reach_the_task() {
    let mut talk = talk();
    talk.command(Command::Skip(Domain::Egt));
    talk.command(Command::Task(task(&[("threads", "3"), ("time", "50")])));
    assert_eq!(talk.job().threads, 3);
    talk.received.clear();
    talk.command(Command::Skip(Domain::Egt)).command(Command::Skip(Domain::Spg));
    expects(&mut talk, &["spg error text nothing runs that could skip a part"]);
    assert_eq!(talk.job().skips.load(std::sync::atomic::Ordering::Relaxed), 1);
    assert!(!talk.job().cancel.is_raised());
    talk.command(Command::Stop);
    assert!(talk.job().cancel.is_raised());
    let id = talk.job().id;
    talk.report(id, completion(Status::Stopped));
    expects(&mut talk, &["egt done id 1 status stopped count 1"]);
    assert_eq!(talk.session.exit_status(), 3);
}

#[test]
fn progress_is_reported_twice_a_second() {
    let mut talk = talk();
    talk.command(Command::Task(task(&[])));
    talk.received.clear();
    talk.job().progress.total.set(9);
    for _ in 0..4 {
        let effects = talk.session.pulse();
        talk.take(effects);
    }
    expects(&mut talk, &["egt progress", "egt progress"]);
}

#[test]
fn a_panic_in_a_module_ends_its_task() {
    let mut talk = talk();
    talk.command(Command::Task(task(&[])));
    talk.received.clear();
    let id = talk.job().id;
    talk.report(id, Report::Failed("oops".to_owned()));
    expects(
        &mut talk,
        &["trouble: internal error, please report it: oops", "egt done id 1 status error"],
    );
    assert_eq!(talk.session.exit_status(), 70);
}

#[test]
fn go_runs_the_chosen_solver_on_the_board_and_ends_with_one_best_move() {
    let options = Options { solver: Some(Domain::Egt), ..Options::default() };
    let mut talk = Talk::with(options, COUNTING);
    let diagram = Base::Setup(fen("8/8/8/3k4/8/8/8/KQ6 w - - 0 1").into());
    talk.command(Command::Position { base: diagram, moves: vec![] });
    talk.command(Command::Go(Go { depth: Some(1), ..Go::default() }));
    expects(&mut talk, &["egt start id 1", "start egt"]);
    let id = talk.job().id;
    talk.report(id, completion(Status::Complete));
    expects(&mut talk, &["egt done id 1 status complete count 1", "best none ponder none"]);
    assert!(!talk.session.is_busy());
}

#[test]
fn an_infinite_go_with_a_solver_waits_for_stop() {
    let options = Options { solver: Some(Domain::Egt), ..Options::default() };
    let mut talk = Talk::with(options, COUNTING);
    talk.command(Command::Go(Go { infinite: true, ..Go::default() }));
    let id = talk.job().id;
    talk.report(id, completion(Status::Complete));
    expects(&mut talk, &["egt start id 1", "start egt", "egt done id 1 status complete count 1"]);
    talk.command(Command::Stop);
    expects(&mut talk, &["best none ponder none"]);
}

#[test]
fn a_solver_that_is_not_built_in_still_owes_go_its_answer() {
    // The modules of this session are those of the tests, not those of the program.
    let options = Options { solver: Some(Domain::Steno), ..Options::default() };
    let mut talk = Talk::with(options, COUNTING);
    talk.command(Command::Go(Go { depth: Some(1), ..Go::default() }));
    expects(
        &mut talk,
        &[
            "steno error text steno (Steno-Chess) is not built into this version yet",
            "best none ponder none",
        ],
    );
}

#[test]
fn a_move_that_falls_due_during_a_task_comes_after_it() {
    let mut talk = talk();
    talk.play(Play::New).command(Command::Task(task(&[])));
    let id = talk.job().id;
    talk.play(Play::Move("e2e4".to_owned()));
    talk.received.clear();
    assert!(talk.job().cancel.is_raised(), "a game goes before a task");
    talk.report(id, completion(Status::Stopped));
    expects(&mut talk, &["egt done id 1 status stopped count 1", "start search"]);
}

#[test]
fn a_task_in_the_background_goes_on_while_games_begin_and_the_move_waits_for_it() {
    let mut talk = talk();
    let build = Task { verb: "build", ..task(&[]) };
    talk.play(Play::New).command(Command::Task(build));
    let id = talk.job().id;
    talk.play(Play::New).play(Play::Force).play(Play::Ping(1)).play(Play::Go);
    assert!(!talk.job().cancel.is_raised());
    talk.report(id, completion(Status::Complete));
    expects(
        &mut talk,
        &[
            "egt start id 1",
            "start egt",
            "pong 1",
            "egt done id 1 status complete count 1",
            "start search",
        ],
    );
}

fn reply_to_e4() -> crate::Move {
    let start = umbrail_chess::Position::startpos();
    let first = umbrail_chess::parse_uci(&start, "e2e4").unwrap();
    umbrail_chess::parse_uci(&start.after(first), "e7e5").unwrap()
}

#[test]
fn commands_that_end_a_search_overtake_the_tasks_that_wait_for_it() {
    let mv = |text: &str| Play::Move(text.to_owned());
    let counting = || Command::Task(task(&[]));
    let board = Play::Setup(fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").into());
    for end in [Play::Force, Play::New, Play::Result, board, Play::Undo, Play::Remove] {
        let mut talk = talk();
        talk.play(Play::New).play(mv("e2e4")).command(counting()).command(counting());
        expects(&mut talk, &["start search"]);
        let search = talk.job().id;
        talk.play(end.clone());
        expects(&mut talk, &["egt start id 2", "start egt"]);
        assert!(talk.jobs[0].cancel.is_raised() && !talk.job().cancel.is_raised(), "{end:?}");
        // The search has found its move already.
        let best = reply_to_e4();
        talk.report(search, Report::Answer(super::answer(Some(best))));
        expects(&mut talk, &[]);
        let id = talk.job().id;
        talk.report(id, completion(Status::Complete));
        expects(
            &mut talk,
            &["egt done id 2 status complete count 1", "egt start id 3", "start egt"],
        );
    }
}

#[test]
fn no_move_follows_force_whatever_waits_between_them() {
    let mv = |text: &str| Play::Move(text.to_owned());
    let counting = || Command::Task(task(&[]));
    // A move of the user waits, too.
    let mut talk = talk();
    talk.play(Play::New).play(mv("e2e4")).command(counting()).play(mv("d2d4")).play(Play::Force);
    assert!(talk.jobs[0].cancel.is_raised());
    talk.play(Play::Ping(1));
    assert!(talk.received.iter().all(|given| !given.starts_with("move ")), "{:?}", talk.received);
    // A task runs, and the move is due after it.
    let mut talk = self::talk();
    talk.play(Play::New).command(counting()).play(mv("e2e4")).command(counting());
    talk.play(Play::Force);
    let id = talk.job().id;
    talk.report(id, completion(Status::Stopped));
    assert!(talk.received.iter().all(|given| given != "start search"), "{:?}", talk.received);
}
