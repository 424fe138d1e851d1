//! How a player searches a strategy.

use crate::analyse::Assumptions;
use crate::rules::Rules;

/// Options of a player.
#[derive(Clone, Copy, Debug)]
pub struct PlayerOptions {
    /// The deductions in use.
    pub rules: Rules,
    /// Games of one strategy after which its search ends.
    pub games_max: usize,
    /// Moves of one strategy after which its search ends, incomplete.
    pub moves_max: u64,
    /// Moves after which a strategy is analysed deeply and its search begins again.
    pub trial_max: u64,
    /// Only the games that fulfil these assumptions.
    pub assumptions: Assumptions,
    /// Cases into which a strategy is split by two-way legs before it is searched; 1 for no split.
    pub cases_max: usize,
    /// Half-move before which members of a team avoid each other's positions; 0 for all.
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
