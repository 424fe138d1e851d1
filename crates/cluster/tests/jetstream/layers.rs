//! A strategy that is searched in layers, while the server is killed.

use crate::{Nats, PATIENCE, collect, ordinary, params, run_of, same, with_workers_of};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use umbrail_chess::geometry::Setup;
use umbrail_cluster::{Collector, Presence, UnitReport, WorkerSource, WorkersHeard};
use umbrail_control::{
    Cancel, LeasedUnit, NextUnit, OfferedTask, TaskAnswer, TaskBoard, TaskStage, UnitEnd,
    UnitSource,
};
use umbrail_proof::units::{RunSpec, UnitBudget};
use umbrail_proof::{Diagram, Length, Problem};

/// A problem with two strategies, of which one takes long.
const HARD: (&str, u16) = ("rn1q1bn1/ppp1p1pQ/3pb3/3r1p1p/5N2/P1P4P/1PkPPPP1/RNB1K2R", 38);

/// Tasks that other workers do before the server is killed.
const TASKS: usize = 4;

/// Tasks of all workers, and whether the server was killed meanwhile.
#[derive(Default)]
pub(crate) struct TaskCounts {
    offered: AtomicUsize,
    answered: AtomicUsize,
    /// Whether others have heard how far a unit is.
    heard: AtomicBool,
    killed: AtomicBool,
}

impl TaskCounts {
    fn answered(&self) -> usize {
        self.answered.load(Ordering::SeqCst)
    }
}

/// A source whose queue looks empty and whose boards wait until others have done tasks, so that a test does not depend on
/// how fast each thread is.
pub(crate) struct CountedSource<'s> {
    pub(crate) source: &'s WorkerSource<'s>,
    pub(crate) tasks: &'s TaskCounts,
}

impl UnitSource for CountedSource<'_> {
    fn next(&self, worker: usize) -> NextUnit {
        self.source.next(worker)
    }

    fn offer(&self, text: &str) -> bool {
        self.source.offer(text)
    }

    fn is_hungry(&self) -> bool {
        true
    }

    fn waiting(&self) -> usize {
        4
    }

    fn board(&self, unit: &LeasedUnit) -> Option<Box<dyn TaskBoard + '_>> {
        let board = self.source.board(unit)?;
        Some(Box::new(PatientBoard { board, tasks: self.tasks }))
    }

    fn call(&self) {
        self.source.call();
    }

    fn keeps_tasks(&self) -> bool {
        self.source.keeps_tasks()
    }

    fn has_boards(&self) -> bool {
        self.source.has_boards()
    }

    fn task(&self) -> Option<OfferedTask> {
        self.source.task()
    }

    fn answer(&self, task: &OfferedTask, answer: Option<Vec<u8>>) {
        self.source.answer(task, answer);
        let began = Instant::now();
        if self.tasks.answered.fetch_add(1, Ordering::SeqCst) + 1 >= TASKS {
            while !self.tasks.killed.load(Ordering::SeqCst) {
                assert!(began.elapsed() < PATIENCE, "the server is not killed");
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }

    fn finish(&self, unit: LeasedUnit, end: UnitEnd) {
        self.source.finish(unit, end);
    }
}

struct PatientBoard<'b> {
    board: Box<dyn TaskBoard + 'b>,
    tasks: &'b TaskCounts,
}

impl TaskBoard for PatientBoard<'_> {
    fn helpers(&self) -> usize {
        self.board.helpers()
    }

    fn offer(&self, number: u64, task: &[u8]) -> bool {
        let offered = self.board.offer(number, task);
        self.tasks.offered.fetch_add(usize::from(offered), Ordering::SeqCst);
        offered
    }

    fn answers(&self, wait: Duration) -> Vec<TaskAnswer> {
        let (mut answers, began) = (self.board.answers(wait), Instant::now());
        while self.tasks.answered() < TASKS.min(self.tasks.offered.load(Ordering::SeqCst)) {
            assert!(began.elapsed() < PATIENCE, "tasks are not done");
            answers.extend(self.board.answers(Duration::from_millis(20)));
        }
        answers
    }

    fn note(&self, stage: TaskStage) {
        self.board.note(stage);
        let began = Instant::now();
        while !self.tasks.heard.load(Ordering::SeqCst) {
            assert!(began.elapsed() < PATIENCE, "it is not heard how far the unit is");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

#[test]
fn a_strategy_that_takes_long_is_searched_in_layers_though_the_server_is_killed() {
    let Some(mut nats) = Nats::start("layers") else { return };
    let diagram = Diagram::from_setup(&HARD.0.parse::<Setup>().unwrap()).unwrap();
    let problem = Problem { diagram, plies: HARD.1, length: Length::Exact };
    let expected = ordinary(&problem);
    let mut spec = RunSpec::new(&problem, &params(), &BTreeMap::new());
    spec.params.trial_max = 1_000;
    let run = run_of(&spec, "layers", 5_000, 64);
    let budget = UnitBudget {
        while_others_wait: Duration::from_millis(20),
        layers: (Duration::from_millis(20), 1),
        ..UnitBudget::default()
    };
    let (server, tasks) = (nats.connect(), TaskCounts::default());
    let (connections, heard) = (nats.connections(4), WorkersHeard::listen(&server));
    let mut stage = None;
    let ledger = with_workers_of(&connections, &run, budget, 1_000, Some(&tasks), |_| {
        collect(&server, &spec, &run, |_, _| {
            let workers = heard.workers();
            let mut stages = workers.iter().flat_map(|one| &one.at).filter_map(UnitReport::stage);
            stage = stage.or_else(|| stages.next());
            tasks.heard.fetch_or(stage.is_some(), Ordering::SeqCst);
            if tasks.answered() >= TASKS && !tasks.killed.load(Ordering::SeqCst) {
                nats.kill_and_restart();
                tasks.killed.store(true, Ordering::SeqCst);
            }
        })
    });
    same(&expected, &ledger.report(), HARD.0);
    let stage = stage.expect("a stage was heard of");
    assert!(stage.half_moves < HARD.1 && stage.of == HARD.1, "{stage}");
    assert!(stage.tasks > 1 && stage.done < stage.tasks, "{stage}");
    let killed = tasks.killed.load(Ordering::SeqCst);
    assert!(tasks.answered() >= TASKS && killed, "{} tasks, {killed}", tasks.answered());
}

#[test]
fn tasks_wait_in_files_where_the_server_has_little_memory_and_nowhere_without_room() {
    let gib = "max_file_store: 1GB";
    let limits =
        [("plenty", "max_memory_store: 1GB", gib), ("some", "max_memory_store: 64MB", gib)];
    let little = [("little", "max_memory_store: 1MB", gib)];
    let none = [("none", "max_memory_store: 1MB", "max_file_store: 16MB")];
    for (name, memory, files) in limits.into_iter().chain(little).chain(none) {
        let limits = format!("{memory}, {files}");
        let Some(nats) = Nats::limited(&format!("room-{name}"), Some(&limits)) else { return };
        let diagram = Diagram::from_setup(&HARD.0.parse::<Setup>().unwrap()).unwrap();
        let problem = Problem { diagram, plies: HARD.1, length: Length::Exact };
        let spec = RunSpec::new(&problem, &params(), &BTreeMap::new());
        let run = run_of(&spec, "room", 5_000, 64);
        let (server, other, cancel) = (nats.connect(), nats.connect(), Cancel::default());
        let _collector = Collector::open(&server, &run, &|| false).unwrap();
        let [one, two] = [(&server, "one"), (&other, "two")]
            .map(|(server, name)| Presence::begin(server, name, 1));
        let owner = WorkerSource::open(&server, &run, &one, &cancel).unwrap();
        let helper = WorkerSource::open(&other, &run, &two, &cancel).unwrap();
        let board = owner.board(&LeasedUnit::kept("a unit".to_owned()));
        assert_eq!(
            (owner.keeps_tasks(), board.is_some()),
            (name != "none", name != "none"),
            "{name}"
        );
        let Some(board) = board else { continue };
        assert!(board.offer(7, b"a task"), "{name}");
        let began = Instant::now();
        let task = loop {
            assert!(began.elapsed() < PATIENCE, "{name}: no task");
            if let Some(task) = helper.task() {
                break task;
            }
        };
        assert_eq!((task.bytes.as_slice(), task.number), (&b"a task"[..], 7));
        helper.answer(&task, Some(b"done".to_vec()));
        let answers = board.answers(PATIENCE);
        let answers: Vec<_> = answers.into_iter().map(|one| (one.number, one.bytes)).collect();
        assert_eq!(answers, [(7, Some(b"done".to_vec()))], "{name}");
    }
}
