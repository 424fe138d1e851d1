//! What counts as a win, and how its length is counted.

use std::fmt;

/// How the length of a win is counted; values are plies everywhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// Distance to mate.
    Dtm,
    /// Distance to conversion: plies to the first capture or promotion by either side, or to mate.
    #[default]
    Dtc,
    /// EGTgen's count: quiet moves of the winning side before its first conversion or royal
    /// capture; forced captures of the loser cost nothing. A loss in `2k` stands for label `10+k`.
    Level,
}

impl Metric {
    /// The name a user types: `dtm`, `dtc` or `level`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dtm => "dtm",
            Self::Dtc => "dtc",
            Self::Level => "level",
        }
    }

    /// The metric of this name, in any case.
    pub fn from_name(name: &str) -> Option<Self> {
        let known = [Self::Dtm, Self::Dtc, Self::Level];
        known.into_iter().find(|m| m.name().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What happens to a side that has no legal move and is not in check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stalemate {
    /// The game is drawn.
    #[default]
    Draw,
    /// The other side has won.
    Win,
    /// The side passes.
    Pass,
}

/// The rules of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rules {
    /// How wins are counted.
    pub metric: Metric,
    /// The losing side may pass unless it is stalemated or in check (EGTgen's `-0`).
    pub null_move: bool,
    /// What a stalemate is.
    pub stalemate: Stalemate,
    /// Letters of the pieces that a pawn may become, upper case; empty means `QRBN`.
    pub promotions: String,
}

impl Rules {
    /// Orthodox rules with this metric.
    pub fn orthodox(metric: Metric) -> Self {
        Self { metric, ..Self::default() }
    }

    /// EGTgen's switches: with `-s` its `-0` has no effect.
    pub fn egtgen(metric: Metric, null_move: bool, stalemate_wins: bool) -> Self {
        let stalemate = if stalemate_wins { Stalemate::Win } else { Stalemate::Draw };
        Self { metric, null_move: null_move && !stalemate_wins, stalemate, ..Self::default() }
    }

    /// The letters a pawn may become.
    pub fn promotion_letters(&self) -> &str {
        if self.promotions.is_empty() { "QRBN" } else { &self.promotions }
    }
}
