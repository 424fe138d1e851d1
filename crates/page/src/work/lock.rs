//! Lock of a run: only one process writes to its folder.

use super::start_error::StartError;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

/// Name of the lock file.
const FILE: &str = "lock";

/// Exclusive ownership of a run's folder by this process, until this value is dropped. The system
/// releases the lock when the process is killed.
#[derive(Debug)]
pub(super) struct RunLock {
    _file: File,
}

impl RunLock {
    /// Locks the folder of a run.
    ///
    /// # Errors
    /// Another process holds the lock, or the folder cannot be written to.
    pub(super) fn take(folder: &Path) -> Result<Self, StartError> {
        let fail = |source| StartError::Io { path: folder.to_owned(), source };
        let mut options = OpenOptions::new();
        let file = options.create(true).truncate(false).write(true).open(folder.join(FILE));
        let file = file.map_err(fail)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(StartError::Locked),
            Err(TryLockError::Error(error)) => Err(fail(error)),
        }
    }

    /// Returns true if a process works on the run now.
    pub(super) fn is_taken(folder: &Path) -> bool {
        let file = OpenOptions::new().write(true).open(folder.join(FILE));
        file.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
    }
}
