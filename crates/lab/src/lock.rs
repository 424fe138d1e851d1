//! One run at a time in a laboratory's folder.

use super::error::LabError;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

/// Name of the file that is locked.
const FILE: &str = "lab.lock";

/// The folder belongs to this process until this is dropped; the system lets go of it when the process is killed.
#[derive(Debug)]
pub(super) struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Takes the folder, which is made when it is absent.
    ///
    /// # Errors
    /// Another run has it, or it cannot be written to.
    pub(super) fn take(folder: &Path) -> Result<Self, LabError> {
        std::fs::create_dir_all(folder).map_err(LabError::at(folder))?;
        let path = folder.join(FILE);
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path);
        let file = file.map_err(LabError::at(folder))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(LabError::Busy(folder.to_owned())),
            Err(TryLockError::Error(error)) => Err(LabError::at(folder)(error)),
        }
    }

    /// Whether a run works in this folder now.
    pub(super) fn is_taken(folder: &Path) -> bool {
        let file = OpenOptions::new().write(true).open(folder.join(FILE));
        file.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
    }
}

#[cfg(test)]
mod tests {
    use super::FolderLock;

    #[test]
    fn a_second_run_in_the_same_folder_is_refused() {
        let folder = std::env::temp_dir().join(format!("umbrail-lock-{}", std::process::id()));
        let first = FolderLock::take(&folder).unwrap();
        assert!(FolderLock::is_taken(&folder));
        assert!(FolderLock::take(&folder).unwrap_err().to_string().contains("another run"));
        drop(first);
        assert!(!FolderLock::is_taken(&folder));
        assert!(FolderLock::take(&folder).is_ok());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
