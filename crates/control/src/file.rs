//! Atomic file writing: a file is complete or unchanged, never half-written.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Error of writing a file.
#[derive(Debug, thiserror::Error)]
#[error("{path} cannot be written: {source}")]
pub struct WriteError {
    /// File that was not written.
    pub path: PathBuf,
    /// Error of the operating system.
    pub source: io::Error,
}

/// Writes a file in one step: the content goes to a temporary file in the same folder, which is
/// flushed, synced and renamed. Temporary files that a killed process left beside this file are
/// removed first.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("umbrail-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// # let path = folder.join("games.txt");
/// umbrail_control::write_whole(&path, |out| out.write_all(b"1. e4 e5\n"))?;
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), umbrail_control::WriteError>(())
/// ```
///
/// # Errors
/// [`WriteError`] if `write` or the operating system fails; the file is then unchanged.
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    remove_leftovers(path);
    let temporary = temporary_path(path);
    let written = write_synced(&temporary, write);
    let moved = written.and_then(|()| std::fs::rename(&temporary, path));
    moved.map_err(|source| {
        // The first error is the one to report.
        let _ = std::fs::remove_file(&temporary);
        WriteError { path: path.to_owned(), source }
    })
}

fn write_synced(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    write(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

fn temporary_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".tmp{}", std::process::id()));
    PathBuf::from(name)
}

/// Removes the temporary files of terminated processes beside a file. Without a `/proc` that lists
/// the running processes nothing is removed.
pub fn remove_leftovers(path: &Path) {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|n| n.to_str()))
    else {
        return;
    };
    // The parent of a bare file name is the empty path.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let processes = Path::new("/proc");
    if !processes.join("self").exists() {
        return;
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let left = entry.file_name();
        let process = left.to_str().and_then(|left| left.strip_prefix(name)?.strip_prefix(".tmp"));
        let dead =
            |process: &str| process.parse::<u32>().is_ok() && !processes.join(process).exists();
        if process.is_some_and(dead) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::write_whole;
    use std::io;

    fn folder(name: &str) -> std::path::PathBuf {
        let folder =
            std::env::temp_dir().join(format!("umbrail-file-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn files(folder: &std::path::Path) -> usize {
        std::fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let folder = folder("whole");
        let path = folder.join("a.bin");
        for content in [b"first".as_slice(), b"second"] {
            write_whole(&path, |out| out.write_all(content)).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), content);
        }
        assert_eq!(files(&folder), 1);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_failed_write_leaves_the_original_and_names_the_file() {
        let folder = folder("failed");
        let path = folder.join("a.bin");
        write_whole(&path, |out| out.write_all(b"kept")).unwrap();
        let failed = write_whole(&path, |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("the disk is full"))
        });
        let message = failed.unwrap_err().to_string();
        assert!(message.contains("a.bin") && message.contains("the disk is full"), "{message}");
        assert_eq!(std::fs::read(&path).unwrap(), b"kept");
        assert_eq!(files(&folder), 1);
        assert!(write_whole(&folder.join("none/a.bin"), |_| Ok(())).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn temporary_files_of_processes_that_ended_are_removed() {
        let folder = folder("leftovers");
        let path = folder.join("a.bin");
        // No process has the number 0; process 1 is running.
        let (dead, running) = (folder.join("a.bin.tmp0"), folder.join("a.bin.tmp1"));
        std::fs::write(&dead, b"").unwrap();
        std::fs::write(&running, b"").unwrap();
        write_whole(&path, |out| out.write_all(b"x")).unwrap();
        assert!(!dead.exists() && running.exists());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
