//! Reading files that a user names: problems, games, books, definitions of pieces, option files.
//!
//! There is one function for all of them, with one size limit and one wording of what went wrong. A pipe is a
//! legitimate file (`umbrail spg solve /dev/stdin`), and a network share may not answer, so reading may block for
//! ever. It therefore runs on a thread of its own, and the caller waits until the file is read or until it is told
//! to stop.

use std::fmt;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// A file of the user may have this many bytes. More would be a mistake, or an endless device.
pub const FILE_BYTES_MAX: u64 = 1 << 30;
/// How often the caller of a slow read is asked whether to go on.
const POLL_PERIOD: Duration = Duration::from_millis(20);

/// Why a file was not read; the text names the file and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The file.
    pub path: PathBuf,
    /// Why it was not read.
    pub reason: Unreadable,
}

/// The reasons for which a file is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// There is no such file.
    Absent,
    /// The system does not permit it.
    Forbidden,
    /// It is a folder.
    Folder,
    /// It has more than [`FILE_BYTES_MAX`] bytes.
    TooLarge,
    /// Reading was stopped before the file had answered.
    Stopped,
    /// The system reports some other fault.
    Faulty(ErrorKind),
}

impl fmt::Display for ReadError {
    // XBoard takes some of the system's own words for an engine that does not start, so they are not repeated.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read {}: ", self.path.display())?;
        match self.reason {
            Unreadable::Absent => f.write_str("it does not exist"),
            Unreadable::Forbidden => f.write_str("access is denied"),
            Unreadable::Folder => f.write_str("it is a folder"),
            Unreadable::TooLarge => write!(f, "it is larger than {} MiB", FILE_BYTES_MAX >> 20),
            Unreadable::Stopped => f.write_str("stopped"),
            Unreadable::Faulty(kind) => write!(f, "{kind}"),
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads a whole file. `is_over` is asked every few milliseconds; when it says true, reading is given up.
///
/// # Errors
/// [`ReadError`] names the file and the reason.
pub fn read_file(path: &Path, is_over: &dyn Fn() -> bool) -> Result<Vec<u8>, ReadError> {
    let fail = |reason| ReadError { path: path.to_owned(), reason };
    let (send, receive) = channel();
    let owned = path.to_owned();
    // Nobody receives when reading was given up.
    let read = move || {
        let _ = send.send(read_blocking(&owned));
    };
    let spawned = std::thread::Builder::new().name("file".to_owned()).spawn(read);
    spawned.map_err(|error| fail(Unreadable::Faulty(error.kind())))?;
    loop {
        match receive.recv_timeout(POLL_PERIOD) {
            Ok(result) => return result.map_err(fail),
            Err(RecvTimeoutError::Timeout) if is_over() => return Err(fail(Unreadable::Stopped)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(fail(Unreadable::Faulty(ErrorKind::Other)));
            }
        }
    }
}

/// The same as text. Bytes that are not UTF-8 become U+FFFD: titles and comments of old problem files are
/// often written in other encodings, and moves and diagrams never need them.
///
/// # Errors
/// As those of [`read_file`].
pub fn read_text(path: &Path, is_over: &dyn Fn() -> bool) -> Result<String, ReadError> {
    let bytes = read_file(path, is_over)?;
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

fn read_blocking(path: &Path) -> Result<Vec<u8>, Unreadable> {
    let reason = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => Unreadable::Absent,
        ErrorKind::PermissionDenied => Unreadable::Forbidden,
        ErrorKind::IsADirectory => Unreadable::Folder,
        kind => Unreadable::Faulty(kind),
    };
    let data = std::fs::metadata(path).map_err(reason)?;
    if data.is_dir() {
        return Err(Unreadable::Folder);
    }
    if data.len() > FILE_BYTES_MAX {
        return Err(Unreadable::TooLarge);
    }
    let mut bytes = vec![];
    // A device or a pipe does not say beforehand how much there is.
    let mut limited = File::open(path).map_err(reason)?.take(FILE_BYTES_MAX + 1);
    limited.read_to_end(&mut bytes).map_err(reason)?;
    match bytes.len() as u64 > FILE_BYTES_MAX {
        true => Err(Unreadable::TooLarge),
        false => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::{Unreadable, read_file, read_text};
    use std::path::Path;

    const NEVER: &dyn Fn() -> bool = &|| false;

    #[test]
    fn a_file_that_cannot_be_read_is_named_with_the_reason() {
        let absent = read_file(Path::new("no/such/file"), NEVER).unwrap_err();
        assert_eq!(absent.to_string(), "cannot read no/such/file: it does not exist");
        let folder = read_file(&std::env::temp_dir(), NEVER).unwrap_err();
        assert_eq!(folder.reason, Unreadable::Folder);
    }

    #[test]
    fn bytes_that_are_not_utf8_are_replaced() {
        let path = std::env::temp_dir().join(format!("umbrail-read-{}", std::process::id()));
        std::fs::write(&path, b"Niels H\xf8eg\n").unwrap();
        assert_eq!(read_text(&path, NEVER).unwrap(), "Niels H\u{fffd}eg\n");
        std::fs::remove_file(path).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn reading_a_pipe_without_a_writer_can_be_stopped() {
        let path = std::env::temp_dir().join(format!("umbrail-pipe-{}", std::process::id()));
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        let stopped = read_file(&path, &|| true).unwrap_err();
        assert_eq!(stopped.reason, Unreadable::Stopped);
        std::fs::remove_file(path).unwrap();
    }
}
