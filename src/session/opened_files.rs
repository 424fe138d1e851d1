//! What comes of opening the files that options name.

use super::piece_file::PieceFile;
use crate::search;

/// What comes of opening files.
#[derive(Clone, Debug)]
pub struct OpenedFiles {
    /// Everything that searches may look things up in.
    pub sources: search::Sources,
    /// The definitions of pieces.
    pub pieces: PieceFile,
    /// What cannot be used, and why.
    pub faults: Vec<String>,
}
