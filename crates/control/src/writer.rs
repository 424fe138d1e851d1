//! Exclusive writer of a growing file.

use std::fs::File;

/// Makes this process the only writer of a file until the file is closed or the process ends for
/// any reason. Returns `false` if another process is the writer. Always returns `true` if the file
/// system has no locks, and on Windows, whose locks would also block readers.
pub fn claim_for_writing(file: &File) -> bool {
    #[cfg(unix)]
    return !matches!(file.try_lock(), Err(std::fs::TryLockError::WouldBlock));
    #[cfg(not(unix))]
    {
        let _ = file;
        true
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::claim_for_writing;
    use std::fs::File;

    #[test]
    fn the_second_writer_is_refused_until_the_first_one_is_done_and_readers_never() {
        let path = std::env::temp_dir().join(format!("umbrail-writer-{}", std::process::id()));
        std::fs::write(&path, "text").unwrap();
        let [first, second] = [0, 1].map(|_| File::options().append(true).open(&path).unwrap());
        assert!(claim_for_writing(&first) && !claim_for_writing(&second));
        assert_eq!(std::fs::read(&path).unwrap(), b"text");
        drop(first);
        assert!(claim_for_writing(&second));
        std::fs::remove_file(path).unwrap();
    }
}
