//! How long the tasks of searches in layers take: what `scripts/cluster-simulate --layers` plays with any number of workers.
//!
//! `cargo run --release -p umbrail-proof --example layer_trace -- PLACEMENT PLIES [AFTER [WORKERS [CONDITION]]]`
//!
//! A strategy that fulfils the condition (as of `umbrail spg solve --conditions`) and takes longer than AFTER seconds (10) is
//! searched in layers; WORKERS (four) of one thread share the work, or processes of several threads (`25x4`). Lines:
//!
//! - `begin CASE`: a case is searched in layers from here on.
//! - `layer CASE PLY MICROSECONDS ALONE`: a layer of which tasks are made, the processor time of the worker whose case it is until
//!   then, and how much of that came after the last answer of the layer before.
//! - `task CASE PLY MICROSECONDS IN OUT REST LEFT`: a task, its processor time, its bytes and those of its answer, whether it is the rest
//!   of another one, and whether it left a rest itself (1 or 0).
//! - `end CASE MICROSECONDS`: the end, and the processor time of that worker.
//!
//! The last line has the verdict and the processor time of all.

use cpu_time::{ProcessTime, ThreadTime};
use std::cell::RefCell;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use umbrail_control::{
    Cancel, Clock, Control, LeasedUnit, NextUnit, OfferedTask, Pool, Progress, TaskAnswer,
    TaskBoard, UnitEnd, UnitSource, lock,
};
use umbrail_proof::files::archive::Archive;
use umbrail_proof::report::Verdict;
use umbrail_proof::run::{ClaimRecord, Journal, Params, RunControl};
use umbrail_proof::units::{LocalUnits, RunSpec, UnitBudget, work};
use umbrail_proof::{Diagram, Length, Problem};

struct NoJournal;

impl Journal for NoJournal {
    fn claim(&self, _: &ClaimRecord) {}

    fn part(&self, _: u16, _: u64, _: u64) {}
}

thread_local! {
    /// When the task at hand was begun.
    static BEGUN: RefCell<Option<ThreadTime>> = const { RefCell::new(None) };
}

/// A word of the text of a task or an answer.
fn word_of(bytes: &[u8], number: usize) -> String {
    let length = bytes.first_chunk().map_or(0, |length| u32::from_le_bytes(*length)) as usize;
    let text = bytes.get(4..).unwrap_or_default();
    let text = String::from_utf8_lossy(text.get(..length).unwrap_or(text)).into_owned();
    let line = text.lines().next().unwrap_or_default();
    line.split(' ').nth(number).unwrap_or_default().to_owned()
}

/// Half-moves played in the positions of a task: the seventh word of its text.
fn ply_of(task: &[u8]) -> u64 {
    word_of(task, 6).parse().unwrap_or_default()
}

/// A board that seems to have many helpers.
struct TracedBoard<'b> {
    board: Box<dyn TaskBoard + 'b>,
    case: u64,
    /// The ply of the layer at hand.
    layer: RefCell<Option<u64>>,
    began: ThreadTime,
    /// The processor time of the worker when the last answer had come.
    answered: RefCell<Duration>,
}

impl TaskBoard for TracedBoard<'_> {
    // A number above that of all tasks, so that each of them is offered.
    fn helpers(&self) -> usize {
        1 << 20
    }

    fn offer(&self, number: u64, task: &[u8]) -> bool {
        let ply = ply_of(task);
        if self.layer.replace(Some(ply)) != Some(ply) {
            let spent = self.began.elapsed();
            let alone = spent.saturating_sub(*self.answered.borrow());
            println!("layer {} {ply} {} {}", self.case, spent.as_micros(), alone.as_micros());
        }
        self.board.offer(number, task)
    }

    fn answers(&self, wait: Duration) -> Vec<TaskAnswer> {
        let answers = self.board.answers(wait);
        if !answers.is_empty() {
            self.answered.replace(self.began.elapsed());
        }
        answers
    }
}

impl Drop for TracedBoard<'_> {
    fn drop(&mut self) {
        println!("end {} {}", self.case, self.began.elapsed().as_micros());
    }
}

struct TracedTasks<'a> {
    units: LocalUnits<'a>,
    /// Cases that were searched in layers.
    cases: Mutex<u64>,
}

impl UnitSource for TracedTasks<'_> {
    fn next(&self, worker: usize) -> NextUnit {
        self.units.next(worker)
    }

    fn offer(&self, text: &str) -> bool {
        self.units.offer(text)
    }

    fn is_hungry(&self) -> bool {
        true
    }

    fn waiting(&self) -> usize {
        1
    }

    fn board(&self, unit: &LeasedUnit) -> Option<Box<dyn TaskBoard + '_>> {
        let board = self.units.board(unit)?;
        let mut cases = lock(&self.cases);
        *cases += 1;
        println!("begin {cases}");
        let (case, layer, began) = (*cases, RefCell::default(), ThreadTime::now());
        Some(Box::new(TracedBoard { board, case, layer, began, answered: RefCell::default() }))
    }

    fn has_boards(&self) -> bool {
        true
    }

    fn task(&self) -> Option<OfferedTask> {
        let task = self.units.task();
        BEGUN.set(Some(ThreadTime::now()));
        task
    }

    fn answer(&self, task: &OfferedTask, answer: Option<Vec<u8>>) {
        let spent = BEGUN.take().map_or(Duration::ZERO, |begun| begun.elapsed());
        let bytes = answer.as_ref().map_or(0, Vec::len);
        let (case, ply) = (&task.reply, ply_of(&task.bytes));
        let is_rest = u8::from(word_of(&task.bytes, 12) != "0");
        let is_left = u8::from(!word_of(answer.as_deref().unwrap_or_default(), 5).is_empty());
        let (spent, length) = (spent.as_micros(), task.bytes.len());
        println!("task {case} {ply} {spent} {length} {bytes} {is_rest} {is_left}");
        self.units.answer(task, answer);
    }

    fn finish(&self, unit: LeasedUnit, end: UnitEnd) {
        self.units.finish(unit, end);
    }
}

// Others always wait, so that all strategies that take long are searched in layers.
fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let setup = words.first().and_then(|word| word.replace(['S', 's'], "n").parse().ok());
    let diagram = setup.and_then(|setup| Diagram::from_setup(&setup).ok());
    let plies = words.get(1).and_then(|word| word.parse().ok());
    let (Some(diagram), Some(plies)) = (diagram, plies) else {
        println!("expected a placement and a number of plies");
        return ExitCode::FAILURE;
    };
    let after: f64 = words.get(2).and_then(|word| word.parse().ok()).unwrap_or(10.0);
    let problem = Problem { diagram, plies, length: Length::Exact };
    let layers = (Duration::from_secs_f64(after), 1);
    let budget = UnitBudget { layers, ..UnitBudget::default() };
    let condition = match words.get(4).map(|word| word.parse()).transpose() {
        Ok(condition) => condition,
        Err(error) => {
            println!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let workers = words.get(3).map_or("4", String::as_str);
    let (workers, threads) = workers.split_once('x').unwrap_or((workers, "1"));
    let number = |word: &str| word.parse::<usize>().ok().filter(|&number| number > 0);
    let (Some(workers), Some(threads)) = (number(workers), number(threads)) else {
        println!("expected a number of workers, or of processes and their threads");
        return ExitCode::FAILURE;
    };
    // As much as eight workers have by themselves, so that many fit into the memory.
    let table_bytes = (2 << 30) / workers.max(8) as u64;
    let params = Params { table_bytes, condition, ..Params::default() };
    let done = Archive::default().claims;
    let spec = RunSpec::new(&problem, &params, &done);
    let units = LocalUnits::new(&spec, done, &NoJournal, (0, 1), usize::MAX).with_boards();
    let source = TracedTasks { units, cases: Mutex::default() };
    let began = ProcessTime::now();
    // As many processes, which share nothing but units and tasks.
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let Ok(pool) = Pool::new(threads) else { return };
                let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
                let control = Control::new(Cancel::default(), &clock, &progress, &pool, &|_| {});
                work(&spec, &budget, &source, &RunControl::default(), &control);
            });
        }
    });
    let report = source.units.report();
    let spent = began.elapsed().as_secs_f64();
    let word = Verdict::of(&problem, &params, &report).word;
    println!("# {} in {plies}: {word}, {spent:.3} s", words[0]);
    ExitCode::SUCCESS
}
