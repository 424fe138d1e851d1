//! Value of a position to the side to move.

use super::rules::{FIFTY_MOVES, Metric};
use std::cmp::Ordering;

/// Won, drawn or lost, with the distance in plies under the table's metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableValue {
    /// The side to move loses in this number of plies; 0 when it is mated.
    Loss(usize),
    /// Neither side can force a win.
    Draw,
    /// The side to move wins in this number of plies.
    Win(usize),
}

impl TableValue {
    /// Returns 1, 0 or -1.
    pub const fn wdl(self) -> i32 {
        match self {
            Self::Loss(_) => -1,
            Self::Draw => 0,
            Self::Win(_) => 1,
        }
    }

    /// Returns the distance with the sign of the result; none for a draw.
    pub fn signed_plies(self) -> Option<i64> {
        match self {
            Self::Loss(plies) => Some(-(plies as i64)),
            Self::Draw => None,
            Self::Win(plies) => Some(plies as i64),
        }
    }

    /// Returns the value of a move to the side that makes it, from the value of the resulting
    /// position; `ends` when the metric counts to this move only ([`Metric::ends`]).
    pub(crate) const fn before(self, metric: Metric, ends: bool) -> Self {
        let (Self::Loss(plies) | Self::Win(plies)) = self else { return Self::Draw };
        let plies = match metric {
            Metric::Dtz if ends => metric.through(plies),
            _ if ends => 1,
            _ => plies + 1,
        };
        if matches!(self, Self::Loss(_)) { Self::Win(plies) } else { Self::Loss(plies) }
    }

    /// Returns the result under the fifty-move rule for a distance to zeroing, after this number of
    /// plies without a capture or pawn move: 2 for a win, 1 for a win drawn by the rule, 0 for a
    /// draw, and the negatives.
    pub const fn wdl50(self, halfmoves: usize) -> i32 {
        match self {
            Self::Draw => 0,
            Self::Win(plies) if plies + halfmoves > FIFTY_MOVES => 1,
            Self::Win(_) => 2,
            // A mated side has lost, however many moves it took.
            Self::Loss(plies) if plies > 0 && plies + halfmoves > FIFTY_MOVES => -1,
            Self::Loss(_) => -2,
        }
    }
}

impl Ord for TableValue {
    /// Orders by preference of the side to move: quick wins first, then draws, then slow losses.
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Win(a), Self::Win(b)) => b.cmp(a),
            (Self::Loss(a), Self::Loss(b)) => a.cmp(b),
            _ => self.wdl().cmp(&other.wdl()),
        }
    }
}

impl PartialOrd for TableValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
