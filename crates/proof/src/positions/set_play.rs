//! Set play: what would happen if the side that begins had made its moves already.
//!
//! The rules are Popeye's. In help play between two positions, the set play omits the first half-move, and the other side
//! begins. In series help play it is the last move alone, made by the other side (`ser-ha=>b2*`: `1...a2-a3`). A one-sided
//! series has no set play, since the other side does not move, and neither has a game from the initial position, where
//! White always begins.

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

/// Returns the title of the set play of a problem with this title.
pub(crate) fn set_play_title(title: Option<&str>) -> String {
    title.map_or_else(|| "set play".to_owned(), |title| format!("{title} (set play)"))
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
