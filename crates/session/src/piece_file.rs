//! Piece definitions in a file that an option or a key names.

use umbrail_tables::fairy::PieceSet;

/// Maximum number of faulty lines of a file that are reported one by one.
const FAULTS_SHOWN: usize = 5;

/// Reads a text file that the user named, or returns the error.
pub type ReadText<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// Pieces that a file defines, once it is read.
#[derive(Clone, Debug, Default)]
pub struct PieceFile {
    path: String,
    pieces: Option<Result<PieceSet, String>>,
}

impl PieceFile {
    /// Reads a file; an empty path stands for the built-in pieces.
    pub fn read(path: &str, read: ReadText<'_>) -> Self {
        let pieces = match path {
            "" => Ok(PieceSet::default()),
            _ => read(path).map_err(|why| format!("Piece File: {why}")).and_then(|text| {
                PieceSet::with_definitions(&text).map_err(|errors| {
                    let each =
                        errors.iter().take(FAULTS_SHOWN).map(|error| format!("{path}: {error}"));
                    let mut shown = each.collect::<Vec<_>>().join("; ");
                    if let Some(more @ 1..) = errors.len().checked_sub(FAULTS_SHOWN) {
                        shown.push_str(&format!("; and {more} more faulty lines"));
                    }
                    shown
                })
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
    pub fn of(&self, path: &str) -> Result<PieceSet, String> {
        match &self.pieces {
            _ if path.is_empty() => Ok(PieceSet::default()),
            Some(pieces) if self.path == path => pieces.clone(),
            _ => Err(format!("Piece File: {path} is still being read")),
        }
    }
}
