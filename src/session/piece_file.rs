//! Definitions of pieces that an option or a key names by file.

use crate::fairy::PieceSet;

/// Reads a text file that the user named, or says why that is impossible.
pub(super) type ReadText<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// The pieces that a file defines, once it is read.
#[derive(Clone, Debug, Default)]
pub struct PieceFile {
    path: String,
    pieces: Option<Result<PieceSet, String>>,
}

impl PieceFile {
    /// Reads a file; without a path the built-in pieces are meant.
    pub(super) fn read(path: &str, read: ReadText<'_>) -> Self {
        let pieces = match path {
            "" => Ok(PieceSet::default()),
            _ => read(path).map_err(|why| format!("Piece File: {why}")).and_then(|text| {
                PieceSet::with_definitions(&text).map_err(|errors| {
                    let each = errors.iter().map(|error| format!("{path}: {error}"));
                    each.collect::<Vec<_>>().join("; ")
                })
            }),
        };
        Self { path: path.to_owned(), pieces: Some(pieces) }
    }

    /// The pieces of the file with this path, if it is the one that was read.
    ///
    /// # Errors
    /// What is wrong with the file, or that it is not read yet.
    pub(super) fn of(&self, path: &str) -> Result<PieceSet, String> {
        match &self.pieces {
            _ if path.is_empty() => Ok(PieceSet::default()),
            Some(pieces) if self.path == path => pieces.clone(),
            _ => Err(format!("Piece File: {path} is still being read")),
        }
    }
}
