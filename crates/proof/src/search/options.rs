//! How a player searches a strategy.

use crate::analyse::Assumptions;
use crate::rules::Rules;

/// How to play.
#[derive(Clone, Copy, Debug)]
pub struct PlayerOptions {
    /// Which deductions are used.
    pub rules: Rules,
    /// After so many games of one strategy playing ends.
    pub games_max: usize,
    /// After so many moves of one strategy playing ends, incomplete.
    pub moves_max: u64,
    /// After so many moves a strategy is thought about deeply and begun again.
    pub trial_max: u64,
    /// Only the games in which idle men do as supposed.
    pub assumptions: Assumptions,
    /// Into at most so many cases a strategy is parted before it is played, by the ways of legs of two
    /// moves; 1 parts nothing.
    pub cases_max: usize,
    /// Players of the same case make way for each other only before this half-move; 0 for all.
    pub sync_plies: u16,
}

impl Default for PlayerOptions {
    fn default() -> Self {
        Self {
            rules: Rules::default(),
            games_max: 2,
            moves_max: u64::MAX,
            trial_max: 50_000,
            assumptions: Assumptions::default(),
            cases_max: 1,
            sync_plies: 0,
        }
    }
}
