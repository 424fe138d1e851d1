//! Piece definitions given to a page, in separate files: tables read them as `piecedef.ini`.

use super::super::page_error::DefinitionError;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use umbrail_control::write_whole;
use umbrail_tables::fairy::PieceSet;
use umbrail_tables::fairy::piecedef::PieceDefError;

/// Maximum size of definitions, in bytes.
const BYTES_MAX: usize = 4_000;
/// Maximum number of files with definitions: each definition that somebody types may become one.
const FILES_MAX: usize = 50;

/// Locations of the definitions and of tables with these pieces.
pub(super) struct PieceFile {
    /// File of the definitions; `None` for the built-in pieces.
    pub(super) path: Option<PathBuf>,
    pub(super) tables: PathBuf,
    pub(super) set: PieceSet,
}

/// Parses definitions.
///
/// # Errors
/// The error in the definitions.
pub(super) fn read(text: &str) -> Result<PieceSet, DefinitionError> {
    if text.len() > BYTES_MAX {
        return Err(DefinitionError::Size(BYTES_MAX));
    }
    PieceSet::with_definitions(text).map_err(|errors| match errors.into_iter().next() {
        Some(PieceDefError { line: 1, fault }) => DefinitionError::FirstLine(fault),
        Some(error) => DefinitionError::Line(error),
        None => DefinitionError::Size(BYTES_MAX),
    })
}

/// Returns a name for definitions: a number that is stable between versions of the program
/// (FNV-1a).
fn name(text: &str) -> String {
    struct Fnv(u64);
    impl Hasher for Fnv {
        fn finish(&self) -> u64 {
            self.0
        }
        fn write(&mut self, bytes: &[u8]) {
            for byte in bytes {
                self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    hash.write(text.as_bytes());
    format!("{:016x}", hash.finish())
}

impl PieceFile {
    /// Returns the file of these definitions below the folder of the page; writes it if it is
    /// missing.
    ///
    /// # Errors
    /// The error in the definitions, or the reason why the file cannot be written.
    pub(super) fn of(folder: &Path, text: &str) -> Result<Self, DefinitionError> {
        let text = text.trim();
        let tables = folder.join("tables");
        if text.is_empty() {
            let tables = tables.join("usual");
            return Ok(Self { path: None, tables, set: PieceSet::default() });
        }
        let set = read(text)?;
        let name = name(text);
        let pieces = folder.join("pieces");
        let path = pieces.join(format!("{name}.ini"));
        if !path.exists() {
            let written = std::fs::create_dir_all(&pieces).and_then(|()| {
                write_whole(&path, |out| writeln!(out, "{text}")).map_err(|error| error.source)
            });
            if let Err(source) = written {
                return Err(DefinitionError::File { path, source });
            }
            forget_oldest(&pieces);
        }
        Ok(Self { path: Some(path), tables: tables.join(name), set })
    }
}

/// Removes the oldest definitions beyond the maximum number. Runs write theirs again.
fn forget_oldest(pieces: &Path) {
    let entries = std::fs::read_dir(pieces).into_iter().flatten().filter_map(Result::ok);
    let dated = entries.filter_map(|entry| {
        let made = entry.metadata().and_then(|data| data.modified()).ok()?;
        Some((made, entry.path()))
    });
    let mut files: Vec<_> = dated.collect();
    files.sort();
    let more = files.len().saturating_sub(FILES_MAX);
    for (_, path) in files.into_iter().take(more) {
        // A file that stays is removed with the next definition.
        let _ = std::fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::{FILES_MAX, PieceFile, name, read};

    #[test]
    fn the_number_of_files_is_bounded() {
        let folder = std::env::temp_dir().join(format!("umbrail-pieces-{}", std::process::id()));
        for right in 0..FILES_MAX + 5 {
            PieceFile::of(&folder, &format!("X = ({},{})", right / 7, right % 7 + 1)).unwrap();
        }
        let left = std::fs::read_dir(folder.join("pieces")).unwrap().count();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(left, FILES_MAX);
    }

    #[test]
    fn definitions_are_checked_and_named_by_their_moves() {
        assert!(read("X = (1,3)").unwrap().get('X').is_some());
        assert!(read("X = q").unwrap_err().to_string().contains("Betza"));
        assert!(read(&"; \n".repeat(2_000)).is_err());
        assert_eq!(name(""), "cbf29ce484222325");
        assert_ne!(name("X = N"), name("X = NN"));
    }
}
