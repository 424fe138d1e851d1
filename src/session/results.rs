//! Writing the files that a user asked for: results, games, pages, statistics. They are written by jobs.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a result file. Where a file has been before, it stays until the new one is complete.
///
/// # Errors
/// Which file cannot be written, and why.
pub(super) fn write_result(path: &Path, contents: &[u8]) -> Result<(), String> {
    // A device or a pipe is written to, not replaced.
    let is_other = std::fs::metadata(path).is_ok_and(|data| !data.is_file());
    let written =
        if is_other { std::fs::write(path, contents) } else { write_whole(path, contents) };
    written.map_err(|error| format!("cannot write {}: {}", path.display(), error.kind()))
}

/// Writes a file under another name in the same folder and moves it to its place, so that it is never seen
/// half-written.
fn write_whole(path: &Path, contents: &[u8]) -> io::Result<()> {
    // A link stays one; what it leads to is replaced.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let beside = beside(&path);
    let mut file = File::create(&beside)?;
    let written = file.write_all(contents).and_then(|()| file.sync_all());
    drop(file);
    let moved = written.and_then(|()| std::fs::rename(&beside, &path));
    if moved.is_err() {
        // The first error is the one worth telling.
        let _ = std::fs::remove_file(&beside);
    }
    moved
}

/// The name under which a file is written: that of the file and of this process.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::write_result;

    #[test]
    fn a_result_file_is_replaced_as_a_whole_and_nothing_else_is_left() {
        let folder = std::env::temp_dir().join(format!("umbrail-results-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("result.txt");
        for text in ["first", "second"] {
            write_result(&path, text.as_bytes()).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        let why = write_result(&folder.join("no/such.txt"), b"").unwrap_err();
        assert!(why.starts_with("cannot write ") && why.contains("such.txt"), "{why}");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
