//! What a player shows of itself while it plays, for whoever watches it.

use crate::strategy::waypoints::Waypoints;
use std::sync::{Mutex, PoisonError};
use umbrail_chess::Move;

/// How many moves of the path are shown.
pub const PATH_SHOWN_MAX: usize = 6;

/// What is seen of a player. It may be a few hundred moves old.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerSnapshot {
    /// Moves made with the present strategy.
    pub moves: u64,
    /// The first moves of the path at that time.
    pub path: Vec<Move>,
    /// Least number of moves of each man, once the strategy has been thought about.
    pub needed: Option<[u8; 32]>,
    /// Moves that no man needs, by color.
    pub free: [i16; 2],
    /// Squares by which men must go.
    pub waypoints: Waypoints,
    /// Which of the cases into which the strategy was parted is played, from 1; 0 for the whole strategy.
    pub case: u64,
}

/// A window on a player. The player writes when it looks up anyway, every few hundred moves.
#[derive(Debug, Default)]
pub struct PlayerView(Mutex<ViewState>);

#[derive(Debug, Default)]
struct ViewState {
    seen: PlayerSnapshot,
    /// Moves of attempts that are over.
    before: u64,
}

impl PlayerView {
    fn with<R>(&self, look: impl FnOnce(&mut ViewState) -> R) -> R {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What was last written.
    pub fn seen(&self) -> PlayerSnapshot {
        self.with(|shown| shown.seen.clone())
    }

    /// Another strategy begins.
    pub fn clear(&self) {
        self.with(|shown| *shown = ViewState::default());
    }

    /// One of the cases of the strategy is taken, from 1, or the whole of it with 0.
    pub(crate) fn case(&self, case: u64) {
        self.with(|shown| shown.seen.case = case);
    }

    /// An attempt at the strategy begins with these needs.
    pub(crate) fn attempt(&self, needed: [u8; 32], free: [i16; 2], waypoints: &Waypoints) {
        self.with(|shown| {
            shown.before = shown.seen.moves;
            (shown.seen.needed, shown.seen.free) = (Some(needed), free);
            shown.seen.waypoints.clone_from(waypoints);
        });
    }

    /// The attempt has made so many moves and is on this path.
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
    fn attempts_add_up_and_the_path_is_cut() {
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
