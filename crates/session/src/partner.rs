//! The engine as an opponent: its side, its time control and its clock.

use super::negotiation::Negotiation;
use std::time::Duration;
use umbrail_chess::Move;
use umbrail_chess::geometry::Color;
use umbrail_search as search;

/// Role of the engine in the current position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// None: moves are only recorded.
    Force,
    /// Plays this side.
    Plays(Color),
    /// Searches the current position.
    Analysis,
}

/// Time control.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pace {
    /// Moves (0: all) per session of this length, and an increment per move.
    Level { moves: u32, base: Duration, increment: Duration },
    /// A fixed time per move.
    PerMove(Duration),
}

/// State of the engine as an opponent.
#[derive(Clone, Debug)]
pub(super) struct Partner {
    pub(super) mode: Mode,
    pub(super) pace: Pace,
    pub(super) depth: Option<u32>,
    /// Positions that count as one second; 0 for real time.
    pub(super) rate: u64,
    /// Time on the engine's clock.
    pub(super) left: Duration,
    /// Moves of the engine in this game, for sessions of a fixed number of moves.
    pub(super) moves_made: u32,
    /// Root moves not to be searched, only for the current position.
    pub(super) excluded: Vec<Move>,
    /// Pings that wait for the engine's move.
    pub(super) pings: Vec<u64>,
    /// The reason why the position cannot be played has been reported.
    pub(super) explained: bool,
    /// Expected reply of the user in the position with this key.
    pub(super) expected: Option<(u64, Move)>,
    /// A move is due as soon as the running task is done.
    pub(super) owes_move: bool,
    /// Draw offers and resignation.
    pub(super) negotiation: Negotiation,
}

impl Default for Partner {
    fn default() -> Self {
        let base = Duration::from_secs(300);
        Self {
            mode: Mode::Plays(Color::Black),
            pace: Pace::Level { moves: 40, base, increment: Duration::ZERO },
            depth: None,
            rate: 0,
            left: base,
            moves_made: 0,
            excluded: vec![],
            pings: vec![],
            explained: false,
            expected: None,
            owes_move: false,
            negotiation: Negotiation::default(),
        }
    }
}

impl Partner {
    /// Starts a new game: the engine has Black, the clock is full, the depth limit is removed.
    pub(super) fn new_game(&mut self) {
        (self.mode, self.depth, self.moves_made) = (Mode::Plays(Color::Black), None, 0);
        (self.owes_move, self.expected) = (false, None);
        self.negotiation = Negotiation::default();
        self.new_position();
        self.fill_clock();
    }

    /// Resets the state that belongs to the previous position.
    pub(super) fn new_position(&mut self) {
        self.excluded.clear();
        self.explained = false;
    }

    /// Sets the clock to a full session.
    pub(super) fn fill_clock(&mut self) {
        if let Pace::Level { base, .. } = self.pace {
            self.left = base;
        }
    }

    /// Subtracts the time of an engine move from the clock, until the GUI sends the real time.
    pub(super) fn moved(&mut self, took: Duration) {
        self.moves_made += 1;
        if let Pace::Level { moves, base, increment } = self.pace {
            self.left = self.left.saturating_sub(took) + increment;
            if moves > 0 && self.moves_made.is_multiple_of(moves) {
                self.left += base;
            }
        }
    }

    /// Returns the limits of the search for the next move.
    pub(super) fn limits(&self) -> search::Limits {
        let mut limits = search::Limits { depth: self.depth, ..search::Limits::default() };
        match self.pace {
            Pace::PerMove(time) if self.rate > 0 => {
                let nodes = u128::from(self.rate) * time.as_millis() / 1000;
                limits.nodes = Some(u64::try_from(nodes).unwrap_or(u64::MAX).max(1));
            }
            Pace::PerMove(time) => limits.movetime = Some(time),
            Pace::Level { moves, increment, .. } => {
                let moves_to_go = (moves > 0).then(|| moves - self.moves_made % moves);
                let left = self.left;
                let clock = search::GameClock { left, base: left, increment, moves_to_go };
                limits.clock = Some(clock);
            }
        }
        limits
    }
}

#[cfg(test)]
mod tests {
    use super::{Pace, Partner};
    use std::time::Duration;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn the_clock_is_filled_up_after_a_session_of_moves() {
        let pace = Pace::Level { moves: 2, base: 60 * SECOND, increment: SECOND };
        let mut partner = Partner { pace, ..Partner::default() };
        partner.new_game();
        let clock = |partner: &Partner| partner.limits().clock.unwrap();
        assert_eq!(clock(&partner).moves_to_go, Some(2));
        partner.moved(10 * SECOND);
        assert_eq!((clock(&partner).left, clock(&partner).moves_to_go), (51 * SECOND, Some(1)));
        partner.moved(10 * SECOND);
        assert_eq!((clock(&partner).left, clock(&partner).moves_to_go), (102 * SECOND, Some(2)));
    }

    #[test]
    fn positions_can_stand_for_seconds() {
        let pace = Pace::PerMove(SECOND / 2);
        let partner = Partner { pace, rate: 10_000, ..Partner::default() };
        assert_eq!(partner.limits().nodes, Some(5000));
        assert_eq!(partner.limits().movetime, None);
    }
}
