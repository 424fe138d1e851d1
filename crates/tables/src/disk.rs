//! Space on a disk.

use std::path::Path;

/// Returns the bytes that this process may still write into a folder; none where the system does
/// not tell.
#[cfg(unix)]
pub(crate) fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    disk.f_bavail.checked_mul(disk.f_frsize)
}

/// Returns the bytes that this process may still write into a folder; none where the system does
/// not tell.
#[cfg(not(unix))]
pub(crate) fn free_bytes(_: &Path) -> Option<u64> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::free_bytes;
    use std::path::Path;

    #[test]
    fn a_folder_has_space_and_no_folder_has_none() {
        assert!(free_bytes(&std::env::temp_dir()).is_some());
        assert_eq!(free_bytes(Path::new("/no such folder")), None);
    }
}
