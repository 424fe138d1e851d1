//! Neutral pieces of a problem, and what is combined with them.

use super::conditions::{Anda, Neutral};
use super::fairy_problem::{FairyError, FairyProblem, PieceName, PlacedMan};
use umbrail_chess::Role;

/// Conditions that only forbid moves by their squares or by their order, and go with neutral pieces.
const TOGETHER: [&str; 11] = [
    "Anda",
    "AndaInverse",
    "MonochromChess",
    "BichromChess",
    "GridChess",
    "AlphabeticChess",
    "WhiteAlphabeticChess",
    "BlackAlphabeticChess",
    "NoCapture",
    "NoWhiteCapture",
    "NoBlackCapture",
];

impl FairyProblem {
    /// Returns the condition that neutral pieces are, if the problem has any or makes some.
    ///
    /// # Errors
    /// What is not combined with neutral pieces.
    pub(super) fn neutral(&self, anda: Option<Anda>) -> Result<Option<Neutral>, FairyError> {
        let start = self.start.men.as_deref().unwrap_or_default();
        let squares = |men: &[PlacedMan]| {
            men.iter().filter(|man| man.piece.is_neutral()).map(|man| man.square).collect()
        };
        let neutral = Neutral { start: squares(start), target: squares(&self.target), anda };
        if anda.is_none() && (neutral.start | neutral.target).is_empty() {
            return Ok(None);
        }
        let mut men = start.iter().chain(&self.target);
        if men.any(|man| man.piece == PieceName::Neutral(Role::King)) {
            return Err(FairyError::NeutralKing);
        }
        let is_open = |man: &PlacedMan| matches!(man.piece, PieceName::Any | PieceName::Anything);
        if self.uncolored || !self.added.is_empty() || self.target.iter().any(is_open) {
            return Err(FairyError::Neutral("a diagram that leaves pieces open".to_owned()));
        }
        let other = self.conditions.iter().find(|one| !TOGETHER.contains(&one.name));
        match other {
            Some(other) => Err(FairyError::Neutral(other.to_string())),
            None => Ok(Some(neutral)),
        }
    }
}
