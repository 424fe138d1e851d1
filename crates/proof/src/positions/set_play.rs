//! Set play: what would happen if the side that begins had made its moves already.
//!
//! As Popeye has it, for games between two positions: the games of help play without their first half-move, begun by the
//! other side, and in series help play the last move alone, which the other side makes (`ser-ha=>b2*`: `1...a2-a3`). A
//! series of one side has no move of the other, and from the initial position White always begins, so neither has set play.

use super::fairy_problem::FairyProblem;
use super::turns::Turns;

/// Reason why a problem has no set play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSetPlay {
    /// The games begin from the initial position.
    #[error(
        "set play belongs to a=>b and ser-ha=>b: from the initial position, no game begins with a move of Black"
    )]
    FromArray,
    /// One side makes all moves, or answers come only to checks.
    #[error("a series has no set play: the other side has no last move")]
    Series,
    /// No move is left.
    #[error("set play begins with the second half-move, but the problem has only one")]
    Short,
}

impl FairyProblem {
    /// Returns the problem of the set play.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn set_play(&self) -> Result<Self, NoSetPlay> {
        if self.start.men.is_none() {
            return Err(NoSetPlay::FromArray);
        }
        let plies = match self.turns {
            Turns::Series | Turns::Parry => return Err(NoSetPlay::Series),
            Turns::SeriesHelp | Turns::ParryHelp => 1,
            Turns::Alternating if self.plies < 2 => return Err(NoSetPlay::Short),
            Turns::Alternating => self.plies - 1,
        };
        let mut set = Self { plies, turns: Turns::Alternating, ..self.clone() };
        (set.start.turn, set.start.en_passant) = (!self.start.turn, None);
        Ok(set)
    }
}
