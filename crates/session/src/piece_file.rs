//! Piece definitions in a file that an option or a key names.

use umbrail_control::ReadError;
use umbrail_tables::fairy::PieceSet;
use umbrail_tables::fairy::piecedef::PieceDefError;

/// Maximum number of faulty lines of a file that are reported one by one.
const FAULTS_SHOWN: usize = 5;

/// Reads a text file that the user named, or returns the error.
pub type ReadText<'a> = &'a dyn Fn(&str) -> Result<String, ReadError>;

/// Reason why a file defines no pieces.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PieceFileError {
    /// The file cannot be read.
    #[error("EGT Piece File: {0}")]
    Read(ReadError),
    /// The file has faulty lines.
    #[error("{}", shown(path, errors))]
    Faulty {
        /// File.
        path: String,
        /// Faults, one for each line.
        errors: Vec<PieceDefError>,
    },
    /// The file is not read yet.
    #[error("EGT Piece File: {0} is still being read")]
    Unread(String),
}

/// Lists the first faulty lines.
fn shown(path: &str, errors: &[PieceDefError]) -> String {
    let each = errors.iter().take(FAULTS_SHOWN).map(|error| format!("{path}: {error}"));
    let mut shown = each.collect::<Vec<_>>().join("; ");
    if let Some(more @ 1..) = errors.len().checked_sub(FAULTS_SHOWN) {
        shown.push_str(&format!("; and {more} more faulty lines"));
    }
    shown
}

/// Pieces that a file defines, once it is read.
#[derive(Clone, Debug, Default)]
pub struct PieceFile {
    path: String,
    pieces: Option<Result<PieceSet, PieceFileError>>,
}

impl PieceFile {
    /// Reads a file; an empty path stands for the built-in pieces.
    pub fn read(path: &str, read: ReadText<'_>) -> Self {
        let pieces = match path {
            "" => Ok(PieceSet::default()),
            _ => read(path).map_err(PieceFileError::Read).and_then(|text| {
                let path = path.to_owned();
                PieceSet::with_definitions(&text)
                    .map_err(|errors| PieceFileError::Faulty { path, errors })
            }),
        };
        Self { path: path.to_owned(), pieces: Some(pieces) }
    }

    /// Describes the pieces of an endgame that a file defines: those that move differently from the
    /// built-in pieces of the same letter.
    pub fn reported(path: &str, pieces: &PieceSet, endgame: &str) -> String {
        let built_in = PieceSet::default();
        let other = pieces.pieces().filter(|piece| endgame.contains(piece.letter));
        let other = other.filter_map(|piece| match built_in.get(piece.letter) {
            Some(usual) if usual.moves_like(piece) => None,
            Some(usual) => {
                let (name, betza) = (&usual.name, usual.betza());
                let kind = match (usual.pawn, piece.pawn) {
                    (true, true) => " (a pawn without double step)",
                    (true, false) => " (no pawn: it does not promote)",
                    _ => "",
                };
                Some(format!(
                    "{} is {}{kind}, not the built-in {name} {betza}",
                    piece.letter,
                    piece.betza()
                ))
            }
            None => Some(format!("{} is {}", piece.letter, piece.betza())),
        });
        let other: Vec<_> = other.collect();
        let colon = if other.is_empty() { "" } else { ": " };
        format!("pieces are read from {path}{colon}{}", other.join("; "))
    }

    /// Returns the pieces of the file with this path, if it was the file read.
    ///
    /// # Errors
    /// The error in the file, or that the file is not read yet.
    pub fn of(&self, path: &str) -> Result<PieceSet, PieceFileError> {
        match &self.pieces {
            _ if path.is_empty() => Ok(PieceSet::default()),
            Some(pieces) if self.path == path => pieces.clone(),
            _ => Err(PieceFileError::Unread(path.to_owned())),
        }
    }
}
