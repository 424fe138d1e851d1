//! Building a table on a job's thread, with its rows of statistics.

use super::kit::Kit;
use crate::session::job::{Stage, Status};
use crate::tables::{
    Answer, Effort, Fact, Material, Params, Request, Statistics, Table, Uncounted, Unsaved, solve,
};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A row of building statistics.
#[derive(Clone, Debug)]
pub(in super::super) struct Row {
    /// Time since the build began.
    pub(in super::super) time: Duration,
    /// Positions settled so far.
    pub(in super::super) settled: u64,
    /// `12.` lost, won and time, with tabs between; or the name of the table that is begun.
    pub(in super::super) text: String,
}

/// Why there is no table.
#[derive(Clone, Debug)]
pub(in super::super) struct Failure {
    pub(in super::super) status: Status,
    pub(in super::super) why: String,
}

impl Failure {
    pub(super) fn refused(why: impl Into<String>) -> Self {
        Self { status: Status::Refused, why: why.into() }
    }

    fn stopped() -> Self {
        Self { status: Status::Stopped, why: "stopped".to_owned() }
    }
}

struct Count {
    settled: u64,
}

/// Counts a material and keeps nothing that could be looked up: that takes a fraction of the memory.
pub(super) fn count(
    kit: &Kit,
    material: &Material,
    stage: &Stage<'_>,
    tell: &(dyn Fn(Row) + Sync),
) -> Result<Table, Failure> {
    run(kit, material, true, stage, tell)
}

/// Counts many materials; `row` gets the statistics of each in order.
pub(super) fn count_each(
    kit: &Kit,
    materials: &[Material],
    stage: &Stage<'_>,
    row: &mut (dyn FnMut(&Statistics) + Send),
) -> Result<(), Failure> {
    let tell = |_: Fact| {};
    let (control, params) = (stage.control(&tell), Params::default());
    let counted =
        crate::tables::count_each(materials, &kit.rules, &kit.armoury, &params, &control, row);
    counted.map_err(|why| match why {
        Uncounted::Stopped => Failure::stopped(),
        Uncounted::OutOfMemory(error) => Failure::refused(error.to_string()),
        Uncounted::Refused(error) => Failure::refused(error.to_string()),
    })
}

/// Builds a material into the files of a folder and keeps nothing; returns their names and bytes.
pub(super) fn save(
    kit: &Kit,
    material: &Material,
    (folder, effort): (&Path, Effort),
    stage: &Stage<'_>,
    tell: &(dyn Fn(Row) + Sync),
) -> Result<Vec<(String, u64)>, Failure> {
    let seeds = kit.seeds(material).map_err(Failure::refused)?;
    let mut table = Table::empty(material, &kit.rules, &kit.armoury)
        .map_err(|error| Failure::refused(error.to_string()))?;
    table.sow(seeds);
    if let Some(kept) = &kit.folder {
        table.keep_in(kept);
    }
    let since = Instant::now();
    let count = Mutex::new(Count { settled: 0 });
    let tell = |fact: Fact| tell(row(fact, since, &count, stage));
    let memory = Params::default().memory_bytes;
    table.build_into(folder, effort, memory, &stage.control(&tell)).map_err(|why| match why {
        Unsaved::Stopped => Failure::stopped(),
        Unsaved::OutOfMemory(error) => Failure::refused(format!("{material}: {error}")),
        Unsaved::Store(error) => Failure::refused(error.to_string()),
    })
}

/// Builds a material with all its sub-endings; `tell` receives the rows.
pub(in super::super) fn build(
    kit: &Kit,
    material: &Material,
    stage: &Stage<'_>,
    tell: &(dyn Fn(Row) + Sync),
) -> Result<Table, Failure> {
    run(kit, material, false, stage, tell)
}

fn run(
    kit: &Kit,
    material: &Material,
    counts_only: bool,
    stage: &Stage<'_>,
    tell: &(dyn Fn(Row) + Sync),
) -> Result<Table, Failure> {
    let seeds = kit.seeds(material).map_err(Failure::refused)?;
    let request = Request {
        material: material.clone(),
        armoury: kit.armoury.clone(),
        rules: kit.rules.clone(),
        seeds,
    };
    let since = Instant::now();
    let count = Mutex::new(Count { settled: 0 });
    let tell = |fact: Fact| tell(row(fact, since, &count, stage));
    let control = stage.control(&tell);
    let params = Params { folder: kit.folder.clone(), counts_only, ..Params::default() };
    match solve(&request, &params, &control) {
        Answer::Complete(table) => Ok(*table),
        Answer::Stopped => Err(Failure::stopped()),
        Answer::OutOfMemory(error) => Err(Failure::refused(format!("{material}: {error}"))),
        Answer::Refused(error) => Err(Failure::refused(error.to_string())),
    }
}

/// Builds a material beside what a table has.
pub(super) fn build_also(
    table: &mut Table,
    material: &Material,
    stage: &Stage<'_>,
) -> Result<(), Failure> {
    let tell = |_: Fact| {};
    table.build_also(material, &stage.control(&tell)).map_err(|_| Failure::stopped())
}

fn row(fact: Fact, since: Instant, count: &Mutex<Count>, stage: &Stage<'_>) -> Row {
    let time = since.elapsed();
    let mut settled = count.lock().map_or(0, |count| count.settled);
    let text = match fact {
        Fact::Begun { name, cells } => format!("{name}: {cells} positions a side"),
        Fact::Ply(level) => {
            settled += level.lost + level.won;
            stage.progress.nodes.add(level.lost + level.won);
            if let Ok(mut count) = count.lock() {
                count.settled = settled;
            }
            let seconds = time.as_secs_f64();
            format!("{}.\t{}\t{}\t{seconds:.2}", level.ply, level.lost, level.won)
        }
        Fact::Done { name, longest } => format!("{name} complete: longest win {longest} plies"),
    };
    Row { time, settled, text }
}
