//! Result of opening the files that options name.

use super::piece_file::PieceFile;
use umbrail_search as search;

/// Result of opening files.
#[derive(Clone, Debug)]
pub struct OpenedFiles {
    /// Files that a search uses.
    pub sources: search::Sources,
    /// Definitions of pieces.
    pub pieces: PieceFile,
    /// Facts about the files for the user.
    pub notes: Vec<String>,
    /// Errors of files that cannot be used.
    pub faults: Vec<String>,
}
