//! Units of work that may be done anywhere: in this process, in a shard of a batch system, or on other machines.
//!
//! A unit is a line of text that says everything about it, so it is the same unit wherever it is read, and doing it twice
//! gives the same result. A source hands units out and takes results back. It may give a unit out again when its worker
//! disappears; so a result must not depend on how often its unit was begun. This module does no input or output.

use xxhash_rust::xxh3::xxh3_128;

/// The name of a unit within a run: a digest of both, so equal units have equal names on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId(u128);

impl UnitId {
    /// Its bits, by which units can be divided evenly.
    pub const fn number(self) -> u128 {
        self.0
    }

    /// The name of the unit with this text in this run.
    pub fn of(run: &str, text: &str) -> Self {
        Self(xxh3_128(format!("{run}\n{text}").as_bytes()))
    }
}

impl std::fmt::Display for UnitId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// A unit in the hands of a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeasedUnit {
    /// What is to be done.
    pub text: String,
    /// By which the source knows it again; 0 for a unit that its worker keeps without a lease.
    pub lease: u64,
    /// How often the source has given it out, this time included.
    pub attempt: u64,
}

impl LeasedUnit {
    /// A unit that a worker does itself, since there was no room for it.
    pub fn kept(text: String) -> Self {
        Self { text, lease: 0, attempt: 1 }
    }
}

/// What a worker gets from a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextUnit {
    /// A unit.
    Unit(LeasedUnit),
    /// Nothing at the moment.
    Later,
    /// Nothing any more.
    Never,
}

/// How the work on a unit ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnitEnd {
    /// Its result.
    Done(String),
    /// The worker failed, with this reason. Another attempt may succeed.
    Failed(String),
    /// The worker was stopped before the end; it is to be given out again.
    HandedBack,
}

/// The answer to a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskAnswer {
    /// The number of the task.
    pub number: u64,
    /// Who did it.
    pub worker: String,
    /// The answer; none when the worker cannot do it.
    pub bytes: Option<Vec<u8>>,
}

/// How far a unit has come of which others do tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TaskStage {
    /// Half-moves of the stage at hand: the next one begins when all of its tasks are done.
    pub half_moves: u16,
    /// Half-moves at the end.
    pub of: u16,
    /// Tasks of the stage, those of the unit's own worker included.
    pub tasks: u64,
    /// Of these, done.
    pub done: u64,
}

impl std::fmt::Display for TaskStage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { half_moves, of, tasks, done } = self;
        write!(f, "in layers, half-move {half_moves} of {of}, {done} of {tasks} tasks done")
    }
}

/// Where the worker of a unit lets others do *tasks* of it. Tasks and answers are bytes that say everything; both may be lost, and a
/// task may be done twice. What is still there when the board is dropped is withdrawn.
pub trait TaskBoard {
    /// How many other workers may take tasks, as far as is known.
    fn helpers(&self) -> usize;

    /// Offers a task to other workers. False when there is no room; then it is to be done by the worker of the unit.
    fn offer(&self, number: u64, task: &[u8]) -> bool;

    /// The answers that have come. Waits at most this long for the first one.
    fn answers(&self, wait: std::time::Duration) -> Vec<TaskAnswer>;

    /// Notes how far the unit has come, which pages and status lines show. Nothing else depends on it.
    fn note(&self, _stage: TaskStage) {}
}

/// A task of another worker's unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedTask {
    /// What is to be done.
    pub bytes: Vec<u8>,
    /// Where the answer goes, in the source's own words.
    pub reply: String,
    /// Its number there.
    pub number: u64,
}

/// Hands out units and takes their results. All calls may come from several threads.
pub trait UnitSource: Sync {
    /// The next unit for a worker; waits a moment for one.
    fn next(&self, worker: usize) -> NextUnit;

    /// Queues another unit. False when there is no room: then the worker does it itself.
    fn offer(&self, text: &str) -> bool;

    /// Whether other workers wait for units, so that a long one should be divided.
    fn is_hungry(&self) -> bool;

    /// Workers that wait for units, when some do.
    fn waiting(&self) -> usize {
        usize::from(self.is_hungry())
    }

    /// Whether boards can be opened now. A strategy that is to be searched in layers without one would take longer.
    fn keeps_tasks(&self) -> bool {
        self.has_boards()
    }

    /// Says to workers that wait that there will be tasks soon. It may be lost.
    fn call(&self) {}

    /// Passes on what a worker has learned. It may be lost, and nothing may depend on it.
    fn share(&self, _fact: &str) {}

    /// What other workers have learned since the last call.
    fn learned(&self) -> Vec<String> {
        vec![]
    }

    /// A board for tasks of this unit; none when this source has no boards.
    fn board(&self, _unit: &LeasedUnit) -> Option<Box<dyn TaskBoard + '_>> {
        None
    }

    /// Whether there are boards.
    fn has_boards(&self) -> bool {
        false
    }

    /// A task of another worker's unit; waits a moment for one.
    fn task(&self) -> Option<OfferedTask> {
        None
    }

    /// The answer to a task; none when this worker cannot do it.
    fn answer(&self, _task: &OfferedTask, _answer: Option<Vec<u8>>) {}

    /// Takes a unit back. Units that its result names were offered before.
    fn finish(&self, unit: LeasedUnit, end: UnitEnd);
}
