//! Build of a table on a job's thread, with its rows of statistics.

use super::kept::{cache_bytes, notify, notify_damage, open, open_also};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use umbrail_control::{Budget, OutOfMemory, available, lock};
use umbrail_session::build_progress::BuildRow;
use umbrail_session::domain::Domain;
use umbrail_session::job_context::JobContext;
use umbrail_session::message::{Kind, Message};
use umbrail_session::status::Status;
use umbrail_session::table_store::TableCache;
use umbrail_session::table_store::TableConfig;
use umbrail_tables::{
    BuildError, BuildEvent, BuildOptions, BuildOutcome, BuildRequest, Compression, CountError,
    Material, PartDone, SaveError, Statistics, Tablebase, solve,
};

/// Beginning of the row of a table that could not be written.
const UNSAVED: &str = "cannot write ";

/// Reason why there is no table.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) status: Status,
    pub(super) why: String,
}

impl Failure {
    pub(super) fn refused(why: impl ToString) -> Self {
        Self { status: Status::Refused, why: why.to_string() }
    }

    /// Reports that the tables of one or several endgames do not fit into memory.
    pub(super) fn too_large(what: &str, error: OutOfMemory) -> Self {
        let mib = |bytes: u64| bytes.div_ceil(1 << 20);
        let (wanted, limit) = (mib(error.wanted), error.left >> 20);
        let needs = format!("{what} needs about {wanted} MiB of memory");
        // The narrower limit is named.
        Self::refused(match available() {
            Some(left) if error.wanted > left.for_blocks() => {
                format!("{needs}; tables may take {limit} MiB, and {left}")
            }
            _ => format!(
                "{needs}, and the limit is {limit} MiB; \
                 memory {wanted}m, or the option EGT Memory, raises it"
            ),
        })
    }

    /// Adds that the memory suffices if the tables are built in the files of a folder.
    fn or_on_disk(mut self, config: &TableConfig, material: &Material, memory_bytes: u64) -> Self {
        let table = Tablebase::empty(material, &config.rules, &config.piece_set);
        let bytes = table.ok().and_then(|mut table| table.needs().paged_bytes);
        if let Some(bytes) = bytes.filter(|&bytes| bytes <= memory_bytes)
            && config.files().is_none()
        {
            let mib = bytes.div_ceil(1 << 20);
            self.why +=
                &format!("; {mib} MiB suffice with a folder for files, the option EGT Folder");
        }
        self
    }

    pub(super) fn stopped() -> Self {
        Self { status: Status::Stopped, why: "stopped".to_owned() }
    }
}

/// Environment of a build: the job, the tables that may be dropped for it, and the callback for its
/// statistics.
#[derive(Clone, Copy)]
pub(super) struct BuildContext<'a> {
    pub(super) job: &'a JobContext<'a>,
    pub(super) cache: &'a TableCache,
    /// Takes the rows.
    pub(super) notify: &'a (dyn Fn(BuildRow) + Sync),
}

impl BuildContext<'_> {
    /// Calls `work` with the receiver of a builder's facts.
    fn watch<T>(
        &self,
        config: &TableConfig,
        work: impl FnOnce(&(dyn Fn(BuildEvent) + Sync)) -> T,
    ) -> T {
        let (since, settled) = (Instant::now(), AtomicU64::new(0));
        work(&|fact| {
            let trouble = matches!(
                fact,
                BuildEvent::Unusable(_)
                    | BuildEvent::Unsaved(_)
                    | BuildEvent::Kept(..)
                    | BuildEvent::Unkept(_)
            );
            let row = self.row(fact, config, since.elapsed(), &settled);
            if trouble {
                // Build rows are shown on request only; this warning is always shown.
                self.job.message(Message::new(Domain::Egt, Kind::Note).printing(row.text.as_str()));
            }
            (self.notify)(row);
        })
    }

    fn row(
        &self,
        fact: BuildEvent,
        config: &TableConfig,
        time: Duration,
        settled: &AtomicU64,
    ) -> BuildRow {
        let text = match fact {
            BuildEvent::Planned { bytes } => {
                let limit = config.granted_bytes(self.cache.held_bytes());
                let gone = self.cache.make_room(bytes, limit);
                let mib = |bytes: u64| bytes.div_ceil(1 << 20);
                let (bytes, limit) = (mib(bytes), limit >> 20);
                let gone = if gone.is_empty() {
                    String::new()
                } else {
                    format!(", discarding {}", gone.join(", "))
                };
                format!("about {bytes} MiB of {limit} MiB needed{gone}")
            }
            BuildEvent::Started { name, cells } => format!("{name}: {cells} positions a side"),
            BuildEvent::Ply(level) => {
                self.job.progress.nodes.add(level.lost + level.won);
                // Relaxed ordering suffices: the count guards no other data.
                settled.fetch_add(level.lost + level.won, Ordering::Relaxed);
                let seconds = time.as_secs_f64();
                format!("{}.\t{}\t{}\t{seconds:.2}", level.ply, level.lost, level.won)
            }
            BuildEvent::Part(part) => part_row(part),
            BuildEvent::Done { name, longest } => {
                format!("{name} complete: longest win {longest} plies")
            }
            BuildEvent::Unusable(why) => format!("{why}; it is built again"),
            BuildEvent::Unsaved(why) => format!("{UNSAVED}{why}"),
            BuildEvent::Kept(name, file) => {
                format!("{name} is unfinished; the same command goes on with {file}.log")
            }
            BuildEvent::Unkept(why) => {
                format!("cannot keep the unfinished table, so a stopped build starts over: {why}")
            }
        };
        BuildRow { time, settled: settled.load(Ordering::Relaxed), text }
    }
}

/// Describes the progress of a build on disk.
fn part_row(part: PartDone) -> String {
    let PartDone { ply, done, total, disk_bytes } = part;
    let step = ply.map_or_else(|| "reading the files".to_owned(), |ply| format!("ply {ply}"));
    let mib = disk_bytes.div_ceil(1 << 20);
    format!("{step}: {done} of {total} parts done, {mib} MiB on disk")
}

/// Counts a material without keeping a table for lookups, which takes a fraction of the memory.
pub(super) fn count(
    config: &TableConfig,
    material: &Material,
    site: BuildContext<'_>,
) -> Result<Tablebase, Failure> {
    run(config, material, true, site)
}

/// Counts many materials; `row` takes the statistics of each in order.
pub(super) fn count_each(
    config: &TableConfig,
    materials: &[Material],
    site: BuildContext<'_>,
    row: &mut (dyn FnMut(&Statistics) + Send),
) -> Result<(), Failure> {
    let memory_bytes = config.granted_bytes(site.cache.held_bytes());
    let params = BuildOptions { memory_bytes, ..BuildOptions::default() };
    let counted = site.watch(config, |notify| {
        let control = site.job.control(notify);
        umbrail_tables::count_each(
            materials,
            &config.rules,
            &config.piece_set,
            &params,
            &control,
            row,
        )
    });
    counted.map_err(|why| match why {
        CountError::Stopped => Failure::stopped(),
        CountError::OutOfMemory(error) => {
            let what = match materials {
                [one] => one.to_string(),
                all => format!("counting {} endgames", all.len()),
            };
            Failure::too_large(&what, error)
        }
        CountError::Files(why) => Failure::refused(why),
        CountError::Refused(error) => Failure::refused(error.to_string()),
    })
}

/// Builds a material into the files of a folder and keeps no table; returns the names and sizes in
/// bytes.
pub(super) fn save(
    config: &TableConfig,
    material: &Material,
    (folder, effort): (&Path, Compression),
    site: BuildContext<'_>,
) -> Result<Vec<(String, u64)>, Failure> {
    let seeds =
        config.seeds(material, &|path| site.job.read_text(path)).map_err(Failure::refused)?;
    let request =
        BuildRequest { seeds, ..BuildRequest::new(material, &config.piece_set, &config.rules) };
    let options = BuildOptions { folder: config.folder.clone(), ..BuildOptions::unlimited() };
    let mut table =
        Tablebase::new(request, options).map_err(|error| Failure::refused(error.to_string()))?;
    let memory_bytes = config.granted_bytes(site.cache.held_bytes());
    let built = site.watch(config, |notify| {
        table.build_into(folder, effort, memory_bytes, &site.job.control(notify))
    });
    built.map_err(|why| match why {
        SaveError::Stopped => Failure::stopped(),
        SaveError::OutOfMemory(error) => Failure::too_large(&material.to_string(), error),
        SaveError::Store(error) => Failure::refused(error.to_string()),
    })
}

/// Builds a material with all its sub-endings.
pub(super) fn build(
    config: &TableConfig,
    material: &Material,
    site: BuildContext<'_>,
) -> Result<Tablebase, Failure> {
    run(config, material, false, site)
}

fn run(
    config: &TableConfig,
    material: &Material,
    counts_only: bool,
    site: BuildContext<'_>,
) -> Result<Tablebase, Failure> {
    let seeds =
        config.seeds(material, &|path| site.job.read_text(path)).map_err(Failure::refused)?;
    let request =
        BuildRequest { seeds, ..BuildRequest::new(material, &config.piece_set, &config.rules) };
    let memory_bytes = config.granted_bytes(site.cache.held_bytes());
    let folder = config.folder.clone();
    let params = BuildOptions { memory_bytes, folder, counts_only, ..BuildOptions::default() };
    match site.watch(config, |notify| solve(&request, &params, &site.job.control(notify))) {
        BuildOutcome::Complete(table) => Ok(*table),
        BuildOutcome::Stopped => Err(Failure::stopped()),
        BuildOutcome::OutOfMemory(error) => {
            let failure = Failure::too_large(&material.to_string(), error);
            Err(failure.or_on_disk(config, material, memory_bytes))
        }
        BuildOutcome::Files(why) => Err(Failure::refused(why)),
        BuildOutcome::Refused(error) => Err(Failure::refused(error.to_string())),
    }
}

/// Builds a material into the files of the config's folder and opens them; returns the statistics.
/// Each table is dropped as soon as no later table needs it.
///
/// # Errors
/// Also when the folder cannot be written.
pub(super) fn build_into_folder(
    config: &TableConfig,
    material: &Material,
    folder: &Path,
    site: BuildContext<'_>,
) -> Result<(Tablebase, Option<Statistics>), Failure> {
    let unwritten = |why: String| {
        Failure::refused(format!("cannot keep {material} in {}: {why}", folder.display()))
    };
    let made = std::fs::create_dir_all(folder);
    made.map_err(|error| unwritten(format!("cannot create the folder: {error}")))?;
    let unsaved = Mutex::new(None);
    let notify = |row: BuildRow| {
        if let Some(why) = row.text.strip_prefix(UNSAVED) {
            lock(&unsaved).get_or_insert_with(|| why.to_owned());
        }
        (site.notify)(row);
    };
    let statistics =
        run(config, material, true, BuildContext { notify: &notify, ..site })?.statistics();
    if let Some(why) = lock(&unsaved).take() {
        return Err(unwritten(format!("{UNSAVED}{why}")));
    }
    let table = open(config, material, folder);
    table.map(|table| (table, statistics)).map_err(|error| unwritten(error.to_string()))
}

/// Returns the bytes that all these tables hold.
fn held_bytes(tables: &[Tablebase]) -> u64 {
    tables.iter().map(Tablebase::held_bytes).sum()
}

/// Opens a material from the files of the folder, beside the contents of some tables, into one of
/// them. Missing files are built. If the tables leave too little memory, all of them are emptied
/// first.
pub(super) fn build_also(
    tables: &mut [Tablebase],
    number: usize,
    material: &Material,
    config: &TableConfig,
    job: &JobContext<'_>,
) -> Result<(), Failure> {
    if let Some(folder) = config.files() {
        let held = held_bytes(tables);
        if held.saturating_add(cache_bytes(config)) > config.granted_bytes(held) {
            tables.iter_mut().for_each(Tablebase::forget_all);
        }
        if let Some(why) = tables[number].damage() {
            let (metric, why) = (tables[number].rules().metric.name(), why.to_owned());
            tables[number].close_damaged();
            notify_damage(&why, &format!("{material} ({metric})"), job);
            return build_beside(tables, number, material, config, job);
        }
        let opened = open_also(&mut tables[number], material, folder, config);
        let metric = tables[number].rules().metric;
        notify(opened.as_ref().map(|_| ()), (material, metric), folder, job);
        if opened.is_ok() {
            return Ok(());
        }
    }
    build_beside(tables, number, material, config, job)
}

/// Builds a material beside the contents of a table; only the builder reads the folder.
fn build_beside(
    tables: &mut [Tablebase],
    number: usize,
    material: &Material,
    config: &TableConfig,
    job: &JobContext<'_>,
) -> Result<(), Failure> {
    let mut others = held_bytes(tables) - tables[number].held_bytes();
    let too_large = |error| Failure::too_large(&material.to_string(), error);
    let granted = config.granted_bytes(held_bytes(tables));
    if others + tables[number].estimate_also(material) > granted {
        tables.iter_mut().for_each(Tablebase::forget_all);
        others = 0;
        let needs = tables[number].estimate_also(material);
        Budget::new(granted).take(needs).map_err(too_large)?;
    }
    let (table, notify) = (&mut tables[number], |_: BuildEvent| {});
    let memory_bytes = granted.saturating_sub(others);
    table.build_also(material, memory_bytes, &job.control(&notify)).map_err(|why| match why {
        BuildError::Stopped => Failure::stopped(),
        BuildError::OutOfMemory(error) => too_large(error),
        BuildError::Files(why) => Failure::refused(why),
    })
}
