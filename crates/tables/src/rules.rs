//! Rules of a table: definition of a win, and the metric of its length.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Metric of the length of a win; values are plies everywhere.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// Distance to mate.
    Dtm,
    /// Distance to conversion: plies to the first capture or promotion by either side, or to mate.
    #[default]
    Dtc,
    /// EGTgen's count: quiet moves of the winning side before its first conversion or royal
    /// capture; forced captures of the loser count nothing. A loss in `2k` corresponds to label
    /// `10+k`.
    Level,
    /// Distance to zeroing under the fifty-move rule: plies to the first capture, pawn move or mate.
    /// A distance over [`FIFTY_MOVES`] belongs to a win that the rule draws.
    Dtz,
}

/// Number of plies without a capture or pawn move after which the fifty-move rule draws.
pub const FIFTY_MOVES: usize = 100;

impl Metric {
    const ALL: [Self; 4] = [Self::Dtm, Self::Dtc, Self::Level, Self::Dtz];

    /// Returns the name typed by users: `dtm`, `dtc`, `level` or `dtz`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dtm => "dtm",
            Self::Dtc => "dtc",
            Self::Level => "level",
            Self::Dtz => "dtz",
        }
    }

    /// Returns the distance of a conversion to a position lost, or won, in this number of plies.
    /// Under DTZ, a win that the fifty-move rule draws after the conversion also counts as drawn by
    /// the rule before it.
    #[inline]
    pub(crate) const fn through(self, plies: usize) -> usize {
        match self {
            Self::Dtm => plies + 1,
            Self::Dtc => 1,
            Self::Level => 0,
            Self::Dtz if plies > FIFTY_MOVES => FIFTY_MOVES + 1,
            Self::Dtz => 1,
        }
    }

    /// Returns true when the distance after a conversion enters its value.
    pub(crate) const fn looks_through(self) -> bool {
        matches!(self, Self::Dtm | Self::Dtz)
    }

    /// Returns true when the metric counts to this move only. `converts` is a capture or promotion,
    /// `pawn` any move of a pawn.
    pub(crate) const fn ends(self, converts: bool, pawn: bool) -> bool {
        match self {
            Self::Dtm => false,
            Self::Dtc | Self::Level => converts,
            Self::Dtz => converts || pawn,
        }
    }

    /// Returns the metric of this name, in upper or lower case.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.name().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Result for a side that has no legal move and is not in check.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Stalemate {
    /// The game is drawn.
    #[default]
    Draw,
    /// The other side has won.
    Win,
    /// The side passes.
    Pass,
}

/// Rules of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Metric of wins.
    pub metric: Metric,
    /// The losing side may pass unless it is stalemated or in check (EGTgen's `-0`).
    pub null_move: bool,
    /// Result of a stalemate.
    pub stalemate: Stalemate,
    /// A side whose last piece besides its royal is captured has lost at once.
    pub bare_loses: bool,
    /// Letters of the promotion pieces, upper case; empty means `QRBN`.
    pub promotions: String,
}

impl Rules {
    /// Returns true when a stalemated side passes.
    pub(crate) fn passes_in_stalemate(&self) -> bool {
        self.stalemate == Stalemate::Pass
    }

    /// Returns orthodox rules with this metric.
    pub fn orthodox(metric: Metric) -> Self {
        Self { metric, ..Self::default() }
    }

    /// Returns the rules of EGTgen's switches: with `-s` its `-0` has no effect.
    pub fn egtgen(metric: Metric, null_move: bool, stalemate_wins: bool) -> Self {
        let stalemate = if stalemate_wins { Stalemate::Win } else { Stalemate::Draw };
        Self { metric, null_move: null_move && !stalemate_wins, stalemate, ..Self::default() }
    }

    /// Returns the letters a pawn can promote to.
    pub fn promotion_letters(&self) -> &str {
        if self.promotions.is_empty() { "QRBN" } else { &self.promotions }
    }
}
