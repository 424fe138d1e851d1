//! Draw offers and resignation in a game against the user (XBoard).
//!
//! The engine decides by the scores of its own last moves. A draw is worth the option `Contempt`.

use umbrail_search::Score;

/// First move number at which the engine takes a draw without being behind: before, openings decide nothing.
const EARLY: u32 = 20;
/// Score behind a draw at which the engine takes a draw at any time, in centipawns.
const BEHIND: i32 = 100;
/// Distance from a draw within which the engine offers one, in centipawns.
const EVEN: i32 = 10;
/// First move number at which the engine offers a draw.
const LATE: u32 = 40;
/// Number of even scores in a row before the engine offers a draw.
const EVEN_MOVES: u32 = 8;
/// Score at which a game counts as lost, in centipawns.
const LOST: i32 = -600;
/// Number of lost scores in a row before the engine resigns.
const LOST_MOVES: u32 = 4;
/// Score that stands for a mate, in centipawns.
const MATE: i32 = 100_000;

/// What accompanies the engine's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gesture {
    /// Nothing.
    None,
    /// The user's draw offer is accepted.
    Accept,
    /// The engine offers a draw.
    Offer,
    /// The engine resigns in place of its move.
    Resign,
}

/// State of the negotiation in a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Negotiation {
    /// The user offers a draw, which stands until the engine's next move.
    is_offered: bool,
    /// Score of the engine's last move, relative to a draw, in centipawns.
    last: Option<i32>,
    /// Number of the engine's last moves with an even score.
    even: u32,
    /// Number of the engine's last moves with a lost score.
    lost: u32,
}

impl Negotiation {
    /// Takes the score of the engine's move, with `contempt` as the penalty of a draw.
    pub(super) fn scored(&mut self, score: Score, contempt: i32, move_number: u32) -> Gesture {
        let cp = match score {
            Score::Cp(cp) => cp,
            Score::Mate(moves) if moves > 0 => MATE,
            Score::Mate(_) => -MATE,
        };
        let value = cp + contempt;
        let count = |is_so: bool, before: u32| if is_so { before + 1 } else { 0 };
        self.even = count(value.abs() <= EVEN, self.even);
        self.lost = count(cp <= LOST, self.lost);
        self.last = Some(value);
        let is_offered = std::mem::take(&mut self.is_offered);
        match () {
            () if self.lost >= LOST_MOVES => Gesture::Resign,
            () if is_offered && accepts(value, move_number) => Gesture::Accept,
            () if self.even >= EVEN_MOVES && move_number >= LATE => {
                self.even = 0;
                Gesture::Offer
            }
            () => Gesture::None,
        }
    }

    /// Takes an offer of the user; returns true if it is accepted at once. Otherwise it stands until the engine's next move.
    pub(super) fn offered(&mut self, move_number: u32) -> bool {
        let accepted = self.last.is_some_and(|value| accepts(value, move_number));
        self.is_offered = !accepted;
        accepted
    }
}

fn accepts(value: i32, move_number: u32) -> bool {
    value <= -BEHIND || value <= 0 && move_number >= EARLY
}

#[cfg(test)]
mod tests {
    use super::{Gesture, Negotiation};
    use umbrail_search::Score;

    #[test]
    fn a_draw_is_taken_by_the_side_that_is_not_ahead() {
        let mut negotiation = Negotiation::default();
        assert!(!negotiation.offered(30), "no score is known");
        assert_eq!(negotiation.scored(Score::Cp(50), 0, 30), Gesture::None);
        assert!(!negotiation.offered(30));
        assert_eq!(negotiation.scored(Score::Cp(-5), 0, 31), Gesture::Accept, "the offer stands");
        assert!(negotiation.offered(31));
        assert!(!negotiation.offered(8), "an opening decides nothing");
        negotiation.scored(Score::Mate(-7), 0, 8);
        assert!(negotiation.offered(8));
        negotiation.scored(Score::Cp(-40), 50, 32);
        assert!(!negotiation.offered(32), "a draw is worth less");
    }

    #[test]
    fn even_games_are_offered_and_lost_games_resigned_after_some_moves() {
        let mut negotiation = Negotiation::default();
        let even: Vec<_> = (36..50).map(|at| negotiation.scored(Score::Cp(3), 0, at)).collect();
        let offers = even.iter().filter(|gesture| **gesture == Gesture::Offer).count();
        assert_eq!((offers, even[7]), (1, Gesture::Offer));
        let scores = [-950, -1000, -400, -950, -950, -950, -950];
        let lost = scores.map(|cp| negotiation.scored(Score::Cp(cp), 0, 50));
        assert_eq!(lost.iter().position(|gesture| *gesture == Gesture::Resign), Some(6));
    }
}
