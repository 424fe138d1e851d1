//! Mapping from letters to pieces.

use super::piece::Piece;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Mapping from letters to pieces: the built-in ones, overlaid by the user's definitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceSet {
    pieces: BTreeMap<char, Arc<Piece>>,
}

impl PieceSet {
    /// Creates a set without pieces.
    pub(crate) fn empty() -> Self {
        Self { pieces: BTreeMap::new() }
    }

    /// Returns the piece of a letter. Case matters: EGTgen's `x` is a ferz and its `X` is not.
    pub fn get(&self, letter: char) -> Option<&Arc<Piece>> {
        self.pieces.get(&letter)
    }

    /// Adds a piece or replaces the one of the same letter.
    pub(crate) fn define(&mut self, piece: Piece) {
        self.pieces.insert(piece.letter, Arc::new(piece));
    }

    /// Returns the pieces that are not built in, one per line, as [`PieceSet::with_definitions`]
    /// reads them.
    pub fn definitions(&self) -> String {
        let built_in = Self::default();
        let own = self.pieces().filter(|piece| {
            built_in.get(piece.letter).is_none_or(|usual| !usual.moves_like(piece))
        });
        own.map(|piece| format!("{} = {}\n", piece.letter, piece.betza())).collect()
    }

    /// Iterates over every piece, by letter.
    pub fn pieces(&self) -> impl Iterator<Item = &Arc<Piece>> {
        self.pieces.values()
    }
}
