//! Reading of files that a user names: problems, games, books, definitions of pieces, option files.
//!
//! One function serves all of them, with one size limit and one set of error messages. A pipe is a
//! legitimate file (`umbrail spg solve /dev/stdin`), and a network share may not respond, so
//! reading may block forever. Reading therefore runs on a separate thread, and the caller waits
//! until the file is read or until it should stop.

use super::fallibly;
use std::fs::File;
use std::io::{Error, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Largest size of a user's file, bytes. A larger one would be a mistake or an endless device.
pub const FILE_BYTES_MAX: u64 = 1 << 30;
/// Interval between two checks whether the caller of a slow read should stop.
const POLL_PERIOD: Duration = Duration::from_millis(20);

/// Error of reading a file; its text names the file and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot read {path}: {reason}")]
pub struct ReadError {
    /// File that was not read.
    pub path: PathBuf,
    /// Reason of the error.
    pub reason: Unreadable,
}

// XBoard takes some messages of the operating system for an engine that does not start, so they are
// not repeated.
/// Reasons why a file cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// The file does not exist.
    #[error("it does not exist")]
    Absent,
    /// The path is a link to a file that does not exist.
    #[error("it is a link to a file that does not exist")]
    Dangling,
    /// The operating system denies access.
    #[error("access is denied")]
    Forbidden,
    /// The path is a folder.
    #[error("it is a folder")]
    Folder,
    /// The file has more than this many bytes.
    #[error("it is larger than {} MiB", .0 >> 20)]
    TooLarge(u64),
    /// Reading was stopped before its end.
    #[error("stopped")]
    Stopped,
    /// The path is a pipe or a device, where a file is required.
    #[error("it is a pipe or a device, not a file")]
    Special,
    /// The operating system reports another error, with its number.
    #[error("{}", Error::from_raw_os_error(*.0))]
    System(i32),
    /// Another error.
    #[error("{0}")]
    Faulty(ErrorKind),
}

impl From<ReadError> for Error {
    fn from(error: ReadError) -> Self {
        let kind = match error.reason {
            Unreadable::Absent => ErrorKind::NotFound,
            _ => ErrorKind::Other,
        };
        Self::new(kind, error)
    }
}

/// Reads a whole file. `is_over` is called every 20 ms; reading is abandoned once it returns true.
///
/// # Errors
/// [`ReadError`] with the file and the reason.
pub fn read_file(path: &Path, is_over: &dyn Fn() -> bool) -> Result<Vec<u8>, ReadError> {
    let fail = |reason| ReadError { path: path.to_owned(), reason };
    let (send, receive) = channel();
    let owned = path.to_owned();
    // After an abandoned read there is no receiver.
    let read = move || {
        let _ = send.send(read_blocking(&owned));
    };
    let spawned = std::thread::Builder::new().name("file".to_owned()).spawn(read);
    spawned.map_err(|error| fail(Unreadable::of(&error)))?;
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

/// Returns the cause of an error of the operating system in words: the library's name, which
/// differs from the system's messages that XBoard takes for an engine that does not start, or the
/// system's message where the library has no name.
pub fn cause(error: &Error) -> String {
    match (error.kind().to_string(), error.raw_os_error()) {
        (name, Some(_)) if name.starts_with("uncategorized") => error.to_string(),
        (_, None) => error.to_string(),
        (name, _) => name,
    }
}

/// Reads a whole file as text.
///
/// # Errors
/// [`ReadError`], as for [`read_file`].
pub fn read_text(path: &Path, is_over: &dyn Fn() -> bool) -> Result<String, ReadError> {
    read_file(path, is_over).map(text_of)
}

/// Decodes the text of a file: UTF-16 if there is a byte order mark, otherwise UTF-8, otherwise
/// Latin-1, which is common in titles and comments of old problem files.
pub fn text_of(bytes: Vec<u8>) -> String {
    let words = |word: fn([u8; 2]) -> u16| -> String {
        let (pairs, _) = bytes[2..].as_chunks::<2>();
        char::decode_utf16(pairs.iter().map(|pair| word(*pair)))
            .map(|symbol| symbol.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect()
    };
    match bytes.get(..2) {
        Some([0xFF, 0xFE]) => words(u16::from_le_bytes),
        Some([0xFE, 0xFF]) => words(u16::from_be_bytes),
        _ => String::from_utf8(bytes).unwrap_or_else(|error| {
            error.as_bytes().iter().map(|&byte| char::from(byte)).collect()
        }),
    }
}

/// Reads a complete file that this program wrote, such as a saved state: a regular file of at most
/// `bytes_max` bytes. Pipes and devices, which may be endless or not answer, are refused.
///
/// # Errors
/// [`ReadError`] with the file and the reason.
pub fn read_own(path: &Path, bytes_max: u64) -> Result<Vec<u8>, ReadError> {
    let fail = |reason| ReadError { path: path.to_owned(), reason };
    let read = || {
        let data = std::fs::metadata(path).map_err(|error| Unreadable::at(path, &error))?;
        match () {
            () if data.is_dir() => return Err(Unreadable::Folder),
            () if !data.is_file() => return Err(Unreadable::Special),
            () if data.len() > bytes_max => return Err(Unreadable::TooLarge(bytes_max)),
            () => {}
        }
        let reason = |error: Error| Unreadable::of(&error);
        let mut bytes = vec![];
        // The file may grow meanwhile.
        let mut limited = File::open(path).map_err(reason)?.take(bytes_max);
        fallibly(|| limited.read_to_end(&mut bytes)).map_err(reason)?;
        Ok(bytes)
    };
    read().map_err(fail)
}

impl Unreadable {
    /// Returns the reason of an error of the operating system.
    fn of(error: &Error) -> Self {
        match (error.kind(), error.raw_os_error()) {
            (ErrorKind::NotFound, _) => Self::Absent,
            (ErrorKind::PermissionDenied, _) => Self::Forbidden,
            (ErrorKind::IsADirectory, _) => Self::Folder,
            (_, Some(number)) => Self::System(number),
            (kind, None) => Self::Faulty(kind),
        }
    }

    /// Returns the reason of an error at this path.
    fn at(path: &Path, error: &Error) -> Self {
        match Self::of(error) {
            Self::Absent if path.is_symlink() => Self::Dangling,
            reason => reason,
        }
    }
}

fn read_blocking(path: &Path) -> Result<Vec<u8>, Unreadable> {
    let reason = |error: Error| Unreadable::at(path, &error);
    let data = std::fs::metadata(path).map_err(reason)?;
    if data.is_dir() {
        return Err(Unreadable::Folder);
    }
    if data.len() > FILE_BYTES_MAX {
        return Err(Unreadable::TooLarge(FILE_BYTES_MAX));
    }
    let mut bytes = vec![];
    // The length of a device or a pipe is not known in advance.
    let mut limited = File::open(path).map_err(reason)?.take(FILE_BYTES_MAX + 1);
    fallibly(|| limited.read_to_end(&mut bytes)).map_err(reason)?;
    match bytes.len() as u64 > FILE_BYTES_MAX {
        true => Err(Unreadable::TooLarge(FILE_BYTES_MAX)),
        false => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::{Unreadable, cause, read_file, read_own, read_text};
    use std::path::Path;

    const NEVER: &dyn Fn() -> bool = &|| false;

    #[test]
    fn a_file_that_cannot_be_read_is_named_with_the_reason() {
        let absent = read_file(Path::new("no/such/file"), NEVER).unwrap_err();
        assert_eq!(absent.to_string(), "cannot read no/such/file: it does not exist");
        let folder = read_file(&std::env::temp_dir(), NEVER).unwrap_err();
        assert_eq!(folder.reason, Unreadable::Folder);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_of_the_program_is_regular_and_of_limited_size() {
        let refused = |path: &str| read_own(Path::new(path), 100).unwrap_err().reason;
        assert_eq!(refused("/dev/zero"), Unreadable::Special);
        assert_eq!(refused("/tmp"), Unreadable::Folder);
        let path = std::env::temp_dir().join(format!("umbrail-own-{}", std::process::id()));
        std::fs::write(&path, [0; 101]).unwrap();
        assert_eq!(read_own(&path, 100).unwrap_err().reason, Unreadable::TooLarge(100));
        assert_eq!(read_own(&path, 101).unwrap().len(), 101);
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("/nowhere/x", &path).unwrap();
        assert_eq!(read_own(&path, 100).unwrap_err().reason, Unreadable::Dangling);
        assert_eq!(read_file(&path, NEVER).unwrap_err().reason, Unreadable::Dangling);
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn an_error_without_a_name_in_the_library_is_described_by_the_system() {
        // EMFILE of Linux and macOS.
        #[cfg(unix)]
        assert!(Unreadable::System(24).to_string().starts_with("Too many open files"));
        let error = std::io::Error::from_raw_os_error(5);
        let text = Unreadable::of(&error).to_string();
        assert!(!text.contains("uncategorized"), "{text}");
        assert!(!cause(&error).contains("uncategorized"), "{}", cause(&error));
    }

    #[test]
    fn old_encodings_and_utf16_are_read() {
        let path = std::env::temp_dir().join(format!("umbrail-read-{}", std::process::id()));
        let text = "Niels H\u{f8}eg\n";
        let utf16 = |mark: [u8; 2], bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            mark.into_iter().chain(text.encode_utf16().flat_map(bytes)).collect()
        };
        let files = [
            b"Niels H\xf8eg\n".to_vec(),
            text.as_bytes().to_vec(),
            utf16([0xFF, 0xFE], u16::to_le_bytes),
            utf16([0xFE, 0xFF], u16::to_be_bytes),
        ];
        for bytes in files {
            std::fs::write(&path, &bytes).unwrap();
            assert_eq!(read_text(&path, NEVER).unwrap(), text, "{bytes:?}");
        }
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
