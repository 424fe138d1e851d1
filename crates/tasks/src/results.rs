//! Writing of result files that a user requested: results, games, pages, statistics. Jobs call it.

use std::path::Path;
use umbrail_control::{cause, write_whole};

/// Writes a result file. An existing file stays until the new one is complete.
///
/// # Errors
/// The file that cannot be written, with the reason.
pub(super) fn write_result(path: &Path, contents: &[u8]) -> Result<(), String> {
    // A device or a pipe is written to, not replaced.
    let is_other = std::fs::metadata(path).is_ok_and(|data| !data.is_file());
    // A symbolic link stays; its target is replaced.
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let written = match is_other {
        true => std::fs::write(path, contents),
        false => write_whole(&target, |out| out.write_all(contents)).map_err(|error| error.source),
    };
    written.map_err(|error| format!("cannot write {}: {}", path.display(), cause(&error)))
}

/// Checks before long work that a result file can be written, and changes nothing.
///
/// # Errors
/// The file that cannot be written, with the reason.
pub(super) fn check_writable(path: &Path) -> Result<(), String> {
    let fail = |why: &dyn std::fmt::Display| Err(format!("cannot write {}: {why}", path.display()));
    match std::fs::metadata(path) {
        Ok(data) if data.is_dir() => return fail(&"it is a folder"),
        Ok(data) if !data.is_file() => return Ok(()),
        _ => {}
    }
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut probe = target.into_os_string();
    // Name of a temporary file of this process, which is removed later if it is left over.
    probe.push(format!(".tmp{}", std::process::id()));
    match std::fs::File::create(&probe).and_then(|_| std::fs::remove_file(&probe)) {
        Ok(()) => Ok(()),
        Err(error) => fail(&cause(&error)),
    }
}

#[cfg(test)]
mod tests {
    use super::{check_writable, write_result};

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
        assert_eq!(check_writable(&folder.join("no/such.txt")), Err(why));
        assert!(check_writable(&folder).is_err());
        assert_eq!(
            (check_writable(&path), check_writable(&folder.join("new.txt"))),
            (Ok(()), Ok(()))
        );
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
