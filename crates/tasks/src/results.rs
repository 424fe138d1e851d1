//! Writing of result files that a user requested: results, games, pages, statistics. Jobs call it.

use std::io;
use std::path::{Path, PathBuf};
use umbrail_control::{cause, write_whole};
use umbrail_session::task_error::TaskError;

/// Error of writing a result file.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {path}: {}", cause(source))]
pub(super) struct ResultFileError {
    path: PathBuf,
    source: io::Error,
}

impl From<ResultFileError> for TaskError {
    fn from(error: ResultFileError) -> Self {
        Self::of(error)
    }
}

/// Writes a result file. An existing file stays until the new one is complete.
///
/// # Errors
/// The file that cannot be written, with the reason.
pub(super) fn write_result(path: &Path, contents: &[u8]) -> Result<(), ResultFileError> {
    // A device or a pipe is written to, not replaced.
    let is_other = std::fs::metadata(path).is_ok_and(|data| !data.is_file());
    // A symbolic link stays; its target is replaced.
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let written = match is_other {
        true => std::fs::write(path, contents),
        false => write_whole(&target, |out| out.write_all(contents)).map_err(|error| error.source),
    };
    written.map_err(|source| ResultFileError { path: path.to_owned(), source })
}

/// Checks before long work that a result file can be written, and changes nothing.
///
/// # Errors
/// The file that cannot be written, with the reason.
pub(super) fn check_writable(path: &Path) -> Result<(), ResultFileError> {
    let fail = |source| ResultFileError { path: path.to_owned(), source };
    match std::fs::metadata(path) {
        Ok(data) if data.is_dir() => return Err(fail(io::Error::other("it is a folder"))),
        Ok(data) if !data.is_file() => return Ok(()),
        _ => {}
    }
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut probe = target.into_os_string();
    // Name of a temporary file of this process, which is removed later if it is left over.
    probe.push(format!(".tmp{}", std::process::id()));
    std::fs::File::create(&probe).and_then(|_| std::fs::remove_file(&probe)).map_err(fail)
}

#[cfg(test)]
mod tests {
    use super::{Path, check_writable, write_result};

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
        let why = write_result(&folder.join("no/such.txt"), b"").unwrap_err().to_string();
        assert!(why.starts_with("cannot write ") && why.contains("such.txt"), "{why}");
        let refused = |path: &Path| check_writable(path).unwrap_err().to_string();
        assert_eq!(refused(&folder.join("no/such.txt")), why);
        assert!(refused(&folder).ends_with(": it is a folder"));
        check_writable(&path).unwrap();
        check_writable(&folder.join("new.txt")).unwrap();
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
