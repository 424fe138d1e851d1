//! All moves of a piece.

use super::bent::{self, BentMove};
use super::movement::{self, MoveAtom};

/// Movement of a piece: its steps, and the moves that no step expresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Movement {
    pub(crate) steps: Vec<MoveAtom>,
    pub(crate) bent: Vec<BentMove>,
}

impl Movement {
    /// Sorts the moves, and drops repeated and contained ones.
    pub(super) fn tidy(mut self) -> Self {
        movement::tidy(&mut self.steps);
        bent::tidy(&mut self.bent);
        self
    }
}

impl From<Vec<MoveAtom>> for Movement {
    fn from(steps: Vec<MoveAtom>) -> Self {
        Self { steps, bent: vec![] }
    }
}
