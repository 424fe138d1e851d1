//! Damaged table files: they are refused, or every probe answers.

#![no_main]

#[path = "../edits.rs"]
mod edits;

use libfuzzer_sys::fuzz_target;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Instant;
use umbrail::chess::geometry::Color;
use umbrail::control::{Cancel, Clock, Control, Pool, Progress};
use umbrail::fairy::PieceSet;
use umbrail::tables::{BuildEvent, Compression, Material, Metric, Rules, Tablebase};

const TABLE: &str = "KQ.K";

fn empty() -> Tablebase {
    let pieces = PieceSet::default();
    let material = Material::read(TABLE, &pieces).expect("an endgame");
    Tablebase::empty(&material, &Rules::orthodox(Metric::Dtm), &pieces).expect("a table")
}

/// A folder with the saved table, the path of its largest file, and that file.
static SAVED: LazyLock<(PathBuf, PathBuf, Vec<u8>)> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("umbrail-fuzz-table-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    let (pool, quiet) = (Pool::new(1).expect("a thread"), |_: BuildEvent| {});
    let control = Control::new(Cancel::default(), &clock, &progress, &pool, &quiet);
    empty().build_into(&folder, Compression::Working, 1 << 30, &control).expect("a saved table");
    let files = std::fs::read_dir(&folder).expect("a folder").flatten().map(|file| file.path());
    let size = |path: &PathBuf| std::fs::metadata(path).map_or(0, |file| file.len());
    let path = files.max_by_key(size).expect("a file");
    let bytes = std::fs::read(&path).expect("a file");
    (folder, path, bytes)
});

fuzz_target!(|input: &[u8]| {
    let (folder, path, valid) = &*SAVED;
    std::fs::write(path, edits::edited(valid, input)).expect("written");
    for into_memory in [true, false] {
        let mut table = empty();
        if table.load(folder, into_memory, 1 << 20).is_ok() {
            let _ = table.hardest(Color::White, true, 3);
        }
    }
});
