//! Tables that are built on disk, and checked from their files.

use super::*;
use crate::{BuildOptions, BuildOutcome, BuildRequest, Statistics, solve};
use std::path::Path;

/// Builds an endgame into a folder within a memory limit.
fn counted(name: &str, folder: &Path, memory_bytes: u64) -> Result<Statistics, String> {
    let set = PieceSet::default();
    let material = Material::read(name, &set).unwrap();
    let request = BuildRequest::new(&material, &set, &Rules::orthodox(Metric::Dtm));
    let folder = Some(folder.to_owned());
    let options =
        BuildOptions { memory_bytes, folder, counts_only: true, ..BuildOptions::unlimited() };
    match with_control(|control| solve(&request, &options, control)) {
        BuildOutcome::Complete(mut table) => Ok(table.statistics().unwrap()),
        other => Err(format!("{other:?}")),
    }
}

#[test]
fn five_pieces_in_little_memory_give_the_same_files_and_statistics() {
    let (whole, paged) = (folder("five-whole"), folder("five-paged"));
    let right = counted("KNN.KN", &whole, u64::MAX).unwrap();
    // In memory it takes 227 MB.
    assert_eq!(counted("KNN.KN", &paged, 40 << 20).unwrap(), right);
    let mut files = 0;
    for entry in std::fs::read_dir(&whole).unwrap() {
        let name = entry.unwrap().file_name();
        let read = |folder: &Path| std::fs::read(folder.join(&name)).unwrap();
        assert!(read(&paged) == read(&whole), "{name:?}");
        files += 1;
    }
    assert_eq!(std::fs::read_dir(&paged).unwrap().count(), files);
    // The files are counted without another build.
    assert_eq!(counted("KNN.KN", &paged, 40 << 20).unwrap(), right);
    let refused = counted("KNN.KN", &paged, 1 << 20).unwrap_err();
    assert!(refused.contains("OutOfMemory"), "{refused}");
    for folder in [whole, paged] {
        let _ = std::fs::remove_dir_all(folder);
    }
}

/// Such a file system reports that no space is left, which is not the reason.
#[test]
#[cfg(target_os = "linux")]
fn a_folder_that_cannot_be_written_is_named() {
    let refused = counted("KNN.KN", Path::new("/proc/self"), 40 << 20).unwrap_err();
    assert!(refused.contains("/proc/self: ") && !refused.contains("disk space"), "{refused}");
}

#[test]
fn open_files_are_verified_and_their_damage_is_a_fault() {
    let folder = folder("verified");
    let mut built = build("KQ.K", Metric::Dtm);
    built.save(&folder, Compression::Working).unwrap();
    let verified = || {
        let mut mapped =
            Tablebase::empty(built.material(), built.rules(), built.piece_set()).unwrap();
        mapped.load(&folder, false, 1 << 16).unwrap();
        with_control(|control| mapped.verify(1, control)).unwrap()
    };
    let good = verified();
    // 10 slices of 64 words, 64 squares but those of the others, either side to move; the other
    // direction has no such words.
    assert!(good.checked > 10 * 60 * 60 * 2);
    assert_eq!(good.faults, [""; 0]);
    let path = folder.join("KQ.K.dtm.egt");
    let mut bytes = std::fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let bad = verified();
    let named = |fault: &String| fault.contains("KQ.K.dtm.egt is damaged");
    assert!(bad.fault_count > 1 && bad.faults.iter().any(named), "{:?}", bad.faults);
    let _ = std::fs::remove_dir_all(folder);
}
