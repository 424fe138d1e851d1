//! Paged builds against builds in memory, byte for byte, also after kills and damage.

use super::{Halt, PagedJob, PagedRun, Plan, solve};
use crate::fairy::PieceSet;
use crate::material_key::MaterialKey;
use crate::store::{Compression, Store, Streamed, Unwritten};
use crate::tests::build_with;
use crate::tests::reference::random_movement;
use crate::{Metric, Rules, Stalemate, Tablebase};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use umbrail_chess::SplitMix64;
use umbrail_control::{Stopped, lock};

/// A table that is whole in memory, and a folder for the files of paged builds of it.
struct Pair {
    table: Tablebase,
    folder: PathBuf,
}

/// What a build did.
struct Built {
    bytes: Vec<u8>,
    unusable: Vec<String>,
}

impl Pair {
    fn new(name: &str, definitions: &str, rules: &Rules) -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir();
        let folder = folder.join(format!("umbrail-paged-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let set = PieceSet::with_definitions(definitions).unwrap();
        Self { table: build_with(name, rules, &set), folder }
    }

    fn keys(&mut self) -> Vec<MaterialKey> {
        let mut keys = self.table.keys().to_vec();
        keys.dedup();
        keys.retain(|key| !self.table.table_set.catalog.never_wins(key));
        keys
    }

    fn store(&self) -> Store<'_> {
        Store { catalog: &self.table.table_set.catalog, folder: &self.folder }
    }

    /// Returns the bytes of the file of the table in memory.
    fn right(&self, key: &MaterialKey, effort: Compression) -> Vec<u8> {
        self.table.table_set.save(key, &self.folder, effort).unwrap();
        let path = self.store().path(key);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        bytes
    }

    /// Builds the paged table, or goes on with it, as long as `goes_on` returns true for the number
    /// of checks and of plies so far.
    fn build(
        &self,
        key: &MaterialKey,
        plan: &Plan,
        effort: Compression,
        goes_on: &(dyn Fn(usize, usize) -> bool + Sync),
    ) -> Result<Built, Halt> {
        let catalog = &self.table.table_set.catalog;
        let endgame = self.table.table_set.endgame(key, catalog.layout(key), &[]);
        let (checks, plies) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let check = || {
            let checks = checks.fetch_add(1, Ordering::Relaxed);
            if goes_on(checks, plies.load(Ordering::Relaxed)) { Ok(()) } else { Err(Stopped) }
        };
        let path = self.store().path(key);
        let unusable = Mutex::new(Vec::new());
        let count = |_| {
            plies.fetch_add(1, Ordering::Relaxed);
        };
        let note = |why| lock(&unusable).push(why);
        let mut run: PagedRun<'_> = solve(PagedJob {
            endgame: &endgame,
            plan: plan.clone(),
            path: &path,
            identity: self.store().identity(key),
            check: &check,
            notify: &count,
            notify_part: &|_| (),
            unusable: &note,
        })?;
        let table = run.count()?;
        let whole = self.table.table_set.whole(key).unwrap();
        assert_eq!(table.reciprocal, whole.reciprocal);
        let first = |longest: &[u64], depths: &Option<crate::depths::Depths>| {
            depths.as_ref()?.first(longest.iter().rposition(|&count| count > 0)?)
        };
        let longest = [
            first(&whole.outcomes.won_in, &whole.won_in),
            first(&whole.outcomes.lost_in, &whole.lost_in),
        ];
        assert_eq!(table.longest, longest);
        let streamed = Streamed { catalog, key, table: &table, log: &run, check: &check };
        match streamed.write(&path, effort) {
            Ok(_) => {}
            Err(Unwritten::Stopped) => return Err(Halt::Stopped),
            Err(Unwritten::Store(error)) => panic!("{error}"),
        }
        run.remove();
        let bytes = std::fs::read(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        // Nothing of the build is left.
        assert_eq!(std::fs::read_dir(&self.folder).unwrap().count(), 0);
        Ok(Built { bytes, unusable: unusable.into_inner().unwrap() })
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn plan(workers: usize, residents: usize, window: usize, cells: u64) -> Plan {
    Plan { workers, residents, window, cells }
}

/// Builds with no set, some sets and all sets in memory, in windows of several sizes.
fn agrees(name: &str, definitions: &str, rules: &Rules, plans: &[(Plan, Compression)]) {
    let mut pair = Pair::new(name, definitions, rules);
    for key in pair.keys() {
        for (plan, effort) in plans {
            let right = pair.right(&key, *effort);
            let built = pair.build(&key, plan, *effort, &|_, _| true).unwrap();
            assert!(built.bytes == right, "{name} {definitions} {rules:?} {plan:?}");
            assert!(built.unusable.is_empty());
        }
    }
}

#[test]
fn paged_tables_are_those_of_the_memory() {
    use Compression::{Shipping, Working};
    let rules =
        |metric, null_move, stalemate| Rules { metric, null_move, stalemate, ..Rules::default() };
    let all = [
        (plan(2, 0, 1024, 1 << 20), Working),
        (plan(1, 3, 64, 4 << 20), Shipping),
        (plan(2, 14, 320, 1 << 30), Working),
        (plan(2, 99, 1 << 16, 1 << 18), Working),
    ];
    let cases = [
        ("KQ.KR", Metric::Dtm, false, Stalemate::Draw),
        ("KBN.K", Metric::Dtc, true, Stalemate::Win),
        ("KBB.K", Metric::Dtm, false, Stalemate::Win),
        ("KR.KN", Metric::Dtz, true, Stalemate::Draw),
        ("KNN.K", Metric::Dtm, true, Stalemate::Win),
    ];
    for (name, metric, null_move, stalemate) in cases {
        agrees(name, "", &rules(metric, null_move, stalemate), &all);
    }
}

/// Random pieces: hoppers, lame, bent, locusts; also as royals.
#[test]
fn paged_tables_of_random_pieces_are_those_of_the_memory() {
    let mut numbers = SplitMix64::new(11);
    let plans = [(plan(2, 5, 1024, 1 << 20), Compression::Working)];
    for (round, name) in ["KX.KY", "KXY.K", "KY.KX", "X.KY", "KX.Y", "XY.K", "KXX.K", "KX.KX"]
        .into_iter()
        .enumerate()
    {
        let [x, y] = [0, 1].map(|_| random_movement(&mut numbers));
        let metric = [Metric::Dtm, Metric::Dtc][round % 2];
        let null_move = round % 3 == 1;
        let stalemate = if round % 4 == 3 { Stalemate::Win } else { Stalemate::Draw };
        let rules = Rules { metric, null_move, stalemate, ..Rules::default() };
        agrees(name, &format!("X = {x}\nY = {y}"), &rules, &plans);
    }
}

#[test]
fn a_build_killed_after_every_step_ends_with_the_same_file() {
    let mut pair = Pair::new("KQ.KR", "", &Rules::orthodox(Metric::Dtm));
    for key in pair.keys() {
        let right = pair.right(&key, Compression::Working);
        for plan in [plan(1, 0, 1024, 1 << 20), plan(2, 20, 4096, 1 << 30)] {
            let mut stops = 0;
            let built = loop {
                // First after a few windows of the preparation, then after each ply.
                let goes_on = |checks: usize, plies: usize| {
                    if stops < 5 { checks < 7 } else { plies < 2 }
                };
                let all = |_: usize, _: usize| true;
                let goes_on: &(dyn Fn(usize, usize) -> bool + Sync) =
                    if stops < 60 { &goes_on } else { &all };
                match pair.build(&key, &plan, Compression::Working, goes_on) {
                    Ok(built) => break built,
                    Err(Halt::Stopped) => stops += 1,
                    Err(Halt::Files(error)) => panic!("{error}"),
                }
                // A killed build may have written more than its manifest says.
                let log = super::log_path(&pair.store().path(&key));
                let mut bytes = std::fs::read(&log).unwrap();
                bytes.extend([7; 1000]);
                std::fs::write(&log, bytes).unwrap();
            };
            assert!(stops > 20, "{stops}");
            assert!(built.bytes == right && built.unusable.is_empty());
        }
    }
}

#[test]
fn damaged_and_foreign_files_are_refused_by_name() {
    let mut pair = Pair::new("KQ.KR", "", &Rules::orthodox(Metric::Dtm));
    let key = pair.keys().remove(0);
    let right = pair.right(&key, Compression::Working);
    let plan = plan(2, 0, 1024, 1 << 30);
    let path = pair.store().path(&key);
    let (manifest, log) = (super::manifest_path(&path), super::log_path(&path));
    let flip = |file: &Path, at: usize| {
        let mut bytes = std::fs::read(file).unwrap();
        bytes[at] ^= 4;
        std::fs::write(file, bytes).unwrap();
    };
    let stopped = || {
        let built = pair.build(&key, &plan, Compression::Working, &|_, plies| plies < 12);
        assert!(matches!(built, Err(Halt::Stopped)));
    };
    let goes_on = || pair.build(&key, &plan, Compression::Working, &|_, _| true);
    // A manifest or an index that is not whole: the build starts over.
    stopped();
    flip(&manifest, 30);
    let built = goes_on().unwrap();
    assert!(built.bytes == right && built.unusable[0].contains(".egt.run is damaged"));
    stopped();
    // The last index is the end of the valid part of the log.
    let bytes = std::fs::read(&manifest).unwrap();
    let length = bytes[..bytes.len() - 8].last_chunk::<8>().unwrap();
    flip(&log, u64::from_le_bytes(*length) as usize - 3);
    let built = goes_on().unwrap();
    assert!(built.bytes == right && built.unusable[0].contains(".egt.log is damaged"));
    stopped();
    std::fs::OpenOptions::new().write(true).open(&log).unwrap().set_len(100).unwrap();
    assert!(goes_on().unwrap().unusable[0].contains("shorter"));
    // Files of another build are kept: another version, other windows, a build that is running.
    stopped();
    let before = std::fs::read(&log).unwrap();
    let refused = |built: Result<Built, Halt>, why: &str| match built {
        Err(Halt::Files(error)) => assert!(error.to_string().contains(why), "{error}"),
        _ => panic!("files of another build were used"),
    };
    flip(&manifest, 6);
    refused(goes_on(), "another version");
    flip(&manifest, 6);
    let other = Plan { window: 2048, ..plan.clone() };
    let built = pair.build(&key, &other, Compression::Working, &|_, _| true);
    refused(built, "other pieces, rules or windows");
    let running = std::fs::File::open(&log).unwrap();
    running.lock().unwrap();
    refused(goes_on(), "in use by another build");
    drop(running);
    assert!(std::fs::read(&log).unwrap() == before);
    let built = goes_on().unwrap();
    assert!(built.bytes == right && built.unusable.is_empty());
    // A block: its values are never used.
    stopped();
    // The last index follows the last block.
    let bytes = std::fs::read(&manifest).unwrap();
    let index = bytes[..bytes.len() - 32].last_chunk::<8>().unwrap();
    flip(&log, u64::from_le_bytes(*index) as usize - 3);
    match goes_on() {
        Err(Halt::Files(error)) => {
            assert!(error.to_string().contains(".egt.log is damaged"), "{error}");
        }
        _ => panic!("a damaged block was used"),
    }
}
