//! Orders of turns: alternating, and the series of problem chess.
//!
//! The length of a problem is counted in *units*: plies where the sides alternate, otherwise moves of
//! the series, and one more for the last move of the other side in a series helpgame. A reply to a
//! check in a parry series takes no unit, so a reply has the units of the move after it.

use umbrail_chess::geometry::Color;

/// Order of turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Turns {
    /// The sides move in turn.
    #[default]
    Alternating,
    /// One side makes all moves, and gives check with the last one at most (series movers).
    Series,
    /// The same, and then the other side makes one move (series helpgames). The last unit is that move.
    SeriesHelp,
    /// One side moves, and may give check; the other side replies to each check, but not after the
    /// last move (parry series).
    Parry,
    /// The same, and at the end the other side makes one move in any case. The last unit is that move.
    ParryHelp,
}

/// What follows a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NextTurn {
    /// The side to move.
    pub turn: Color,
    /// Units that are left.
    pub units: u16,
}

impl Turns {
    /// Returns true if one side makes all moves, or all but replies and the last one.
    pub fn is_series(self) -> bool {
        self != Self::Alternating
    }

    /// Returns true if the other side makes the last move.
    pub fn has_help(self) -> bool {
        matches!(self, Self::SeriesHelp | Self::ParryHelp)
    }

    /// Returns the words before `PG`, with a blank.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Alternating => "",
            Self::Series => "series ",
            Self::SeriesHelp => "series help ",
            Self::Parry => "parry series ",
            Self::ParryHelp => "parry series help ",
        }
    }

    /// Returns true if checks within the series are answered.
    pub(crate) fn parries(self) -> bool {
        matches!(self, Self::Parry | Self::ParryHelp)
    }

    /// Returns the number of moves that White and Black have left, at most. `mover` makes the series.
    #[inline]
    pub(crate) const fn moves_left(self, mover: Color, turn: Color, units: u16) -> [u16; 2] {
        let replies =
            !matches!((turn, mover), (Color::White, Color::White) | (Color::Black, Color::Black));
        let (own, others) = match self {
            Self::Alternating => {
                return match turn {
                    Color::White => [units.div_ceil(2), units / 2],
                    Color::Black => [units / 2, units.div_ceil(2)],
                };
            }
            Self::Series => (units, 0),
            Self::SeriesHelp => (units.saturating_sub(1), if units > 0 { 1 } else { 0 }),
            // A reply follows each move but the last one, and one may be due now.
            Self::Parry if replies => (units, units),
            Self::Parry => (units, units.saturating_sub(1)),
            Self::ParryHelp if replies && units > 1 => (units - 1, units),
            Self::ParryHelp => (units.saturating_sub(1), if units > 1 { units - 1 } else { units }),
        };
        match mover {
            Color::White => [own, others],
            Color::Black => [others, own],
        }
    }

    /// Returns what follows a move of the side `turn` with these units left before it. `gives_check`
    /// is asked only where the answer matters. `None` if the move gives a check that it may not give.
    #[inline]
    pub(crate) fn after(
        self,
        mover: Color,
        turn: Color,
        units: u16,
        gives_check: impl Fn() -> bool,
    ) -> Option<NextTurn> {
        let left = units - 1;
        let next = |turn, units| Some(NextTurn { turn, units });
        match self {
            Self::Alternating => next(!turn, left),
            Self::Series if left > 0 && gives_check() => None,
            Self::Series => next(turn, left),
            // The help move.
            Self::SeriesHelp | Self::ParryHelp if left <= 1 && turn == mover => next(!turn, left),
            Self::SeriesHelp | Self::ParryHelp if left == 0 => next(!turn, left),
            Self::SeriesHelp if gives_check() => None,
            Self::SeriesHelp => next(turn, left),
            // A reply.
            Self::Parry | Self::ParryHelp if turn != mover => next(mover, units),
            Self::Parry | Self::ParryHelp if left > 0 && gives_check() => next(!turn, left),
            Self::Parry | Self::ParryHelp => next(mover, left),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    #[test]
    fn the_side_to_move_has_the_odd_ply() {
        assert_eq!(Turns::Alternating.moves_left(White, White, 5), [3, 2]);
        assert_eq!(Turns::Alternating.moves_left(White, Black, 5), [2, 3]);
        assert_eq!(Turns::Series.moves_left(Black, Black, 5), [0, 5]);
    }

    /// Plays all orders of turns, with checks wherever they are possible, and returns the largest numbers of moves.
    fn most(turns: Turns, turn: Color, units: u16, depth: u32) -> [u16; 2] {
        assert!(depth < 100, "{turns:?} goes on for ever");
        if units == 0 {
            return [0, 0];
        }
        let mut most_left = [0, 0];
        for checks in [false, true] {
            let Some(next) = turns.after(White, turn, units, || checks) else { continue };
            let mut left = most(turns, next.turn, next.units, depth + 1);
            left[turn.index()] += 1;
            for (most, left) in most_left.iter_mut().zip(left) {
                *most = left.max(*most);
            }
        }
        most_left
    }

    #[test]
    fn no_order_of_turns_has_more_moves_than_stated() {
        use Turns::{Alternating, Parry, ParryHelp, Series, SeriesHelp};
        for turns in [Alternating, Series, SeriesHelp, Parry, ParryHelp] {
            for units in 1..=6 {
                // In a helpgame the last unit is that of the other side.
                let begins = turns.has_help() && units == 1;
                let turn = if begins { Black } else { White };
                assert_eq!(
                    most(turns, turn, units, 0),
                    turns.moves_left(White, turn, units),
                    "{turns:?} {units}"
                );
                if turns.parries() && !begins {
                    let replies = turns.moves_left(White, Black, units);
                    assert_eq!(most(turns, Black, units, 0), replies, "{turns:?} {units}");
                }
            }
        }
    }
}
