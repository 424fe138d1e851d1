//! Display state of a player during a search.

use crate::strategy::waypoints::Waypoints;
use std::sync::Mutex;
use umbrail_chess::Move;
use umbrail_control::lock;

/// Maximum number of moves of the path that are shown.
pub(crate) const PATH_SHOWN_MAX: usize = 6;

/// A snapshot of a player, which may be a few hundred moves old.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerSnapshot {
    /// Moves made with the current strategy.
    pub moves: u64,
    /// First moves of the path at that time.
    pub path: Vec<Move>,
    /// Least number of moves of each piece, once the strategy is analysed.
    pub needed: Option<[u8; 32]>,
    /// Moves that no piece needs, by color.
    pub free: [i16; 2],
    /// Squares that pieces must pass.
    pub waypoints: Waypoints,
    /// Number of the current case, from 1; 0 for the whole strategy.
    pub case: u64,
}

/// Display state of a player, which writes it every few hundred moves when it polls.
#[derive(Debug, Default)]
pub struct PlayerView(Mutex<ViewState>);

#[derive(Debug, Default)]
struct ViewState {
    seen: PlayerSnapshot,
    /// Moves of finished attempts.
    before: u64,
}

impl PlayerView {
    fn with<R>(&self, look: impl FnOnce(&mut ViewState) -> R) -> R {
        look(&mut lock(&self.0))
    }

    /// Returns the last snapshot.
    pub fn seen(&self) -> PlayerSnapshot {
        self.with(|shown| shown.seen.clone())
    }

    /// Resets the state for another strategy.
    pub(crate) fn clear(&self) {
        self.with(|shown| *shown = ViewState::default());
    }

    /// Records the current case, from 1; 0 for the whole strategy.
    pub(crate) fn case(&self, case: u64) {
        self.with(|shown| shown.seen.case = case);
    }

    /// Records the start of an attempt at the strategy with these needs.
    pub(crate) fn attempt(&self, needed: [u8; 32], free: [i16; 2], waypoints: &Waypoints) {
        self.with(|shown| {
            shown.before = shown.seen.moves;
            (shown.seen.needed, shown.seen.free) = (Some(needed), free);
            shown.seen.waypoints.clone_from(waypoints);
        });
    }

    /// Records the moves made by the attempt and its current path.
    pub(crate) fn note(&self, moves: u64, path: &[Move]) {
        self.with(|shown| {
            shown.seen.moves = shown.before + moves;
            shown.seen.path.clear();
            shown.seen.path.extend(path.iter().take(PATH_SHOWN_MAX));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use umbrail_chess::geometry::Square;

    #[test]
    fn attempts_add_up_and_the_path_is_truncated() {
        let view = PlayerView::default();
        let path = vec![Move::new(Square::E2, Square::E4); 9];
        view.attempt([1; 32], [2, 0], Waypoints::NONE);
        view.note(5000, &path);
        view.case(3);
        view.attempt([2; 32], [1, 0], Waypoints::NONE);
        view.note(4096, &path[..1]);
        let seen = view.seen();
        assert_eq!((seen.moves, seen.path.len(), seen.case), (9096, 1, 3));
        assert_eq!((seen.needed, seen.free), (Some([2; 32]), [1, 0]));
        view.note(4097, &path);
        assert_eq!(view.seen().path.len(), PATH_SHOWN_MAX);
        view.clear();
        assert_eq!(view.seen(), PlayerSnapshot::default());
    }
}
