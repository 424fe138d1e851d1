//! Results of searching a strategy.

use crate::analyse::{StrategyPlan, StrategyRefutation, waypoints};
use crate::distance::cache::DistanceCache;
use crate::search::residual_case::ResidualCase;
use crate::strategy::waypoints::Waypoints;
use umbrail_chess::Move;

/// Result of searching one strategy.
#[derive(Clone, Debug, Default)]
pub struct PlayResult {
    /// Different games, at most `games_max`.
    pub games: Vec<Vec<Move>>,
    /// True if these are all games of the strategy, except those of the cases in `left`.
    pub complete: bool,
    /// True when the search ended because `games_max` games were found.
    pub enough: bool,
    /// Moves made.
    pub moves: u64,
    /// Reason why the strategy has no game, if analysis refuted it.
    pub(crate) refused: Option<StrategyRefutation>,
    /// Moves that no piece needs, by color, before the strategy is split into cases.
    pub free: [i16; 2],
    /// Least number of moves of each piece, in the case that has games if there is one.
    pub(crate) needed: [u8; 32],
    /// Squares that pieces must pass, in that case.
    pub(crate) waypoints: Waypoints,
    /// Cases that were left to other workers.
    pub(crate) left: Vec<ResidualCase>,
}

impl PlayResult {
    /// Returns the facts that analysis knows of a strategy before it is searched.
    pub(super) fn before(plan: &StrategyPlan, distances: &DistanceCache) -> Self {
        let mut played = Self { free: plan.free, ..Self::default() };
        for sequence in &plan.sequences {
            played.needed[sequence.piece.index()] = sequence.needed;
        }
        played.waypoints = waypoints(plan, distances);
        played
    }
}

/// Least move counts of a strategy that analysis does not refute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MoveCounts {
    /// Moves that no piece needs, by color.
    pub free: [i16; 2],
    /// Least number of moves of each piece.
    pub needed: [u8; 32],
}
