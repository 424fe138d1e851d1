//! Options of a player's search.

use crate::analyse::Assumptions;
use crate::rules::Rules;

/// Options of a player.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions {
    /// Enabled deductions.
    pub rules: Rules,
    /// Number of games of one strategy after which its search ends.
    pub games_max: usize,
    /// Number of moves of one strategy after which its search ends, incomplete.
    pub moves_max: u64,
    /// Number of moves after which a strategy is analysed deeply and its search restarts.
    pub trial_max: u64,
    /// Restricts the search to games that fulfil these assumptions.
    pub assumptions: Assumptions,
    /// Maximum number of cases that two-way legs split a strategy into before the search; 1 for no
    /// split.
    pub cases_max: usize,
    /// Half-move before which members of a team avoid each other's positions; 0 for all half-moves.
    pub sync_plies: u16,
}

impl Default for SearchOptions {
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
