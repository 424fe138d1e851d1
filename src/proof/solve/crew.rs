//! Who has time, and whom to help: workers without a strategy of their own play along with those whose
//! strategy takes long.

use super::verdict::Number;
use crate::proof::play::Call;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A strategy that takes long, and its number.
#[derive(Clone, Debug)]
pub(super) struct Open {
    pub(super) number: Number,
    pub(super) call: Arc<Call>,
}

/// The players of a part.
#[derive(Debug)]
pub(super) struct Crew {
    open: Mutex<Vec<Open>>,
    /// Players that have not run out of strategies. Only these can call others.
    busy: AtomicUsize,
}

impl Crew {
    /// So many players, all at work.
    pub(super) fn new(players: usize) -> Self {
        Self { open: Mutex::default(), busy: AtomicUsize::new(players) }
    }

    fn with<R>(&self, look: impl FnOnce(&mut Vec<Open>) -> R) -> R {
        look(&mut self.open.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A strategy takes long.
    pub(super) fn announce(&self, open: Open) {
        self.with(|calls| {
            calls.retain(|one| !one.call.is_answered());
            calls.push(open);
        });
    }

    /// The strategy with the fewest players that still wants some.
    pub(super) fn call(&self) -> Option<Open> {
        self.with(|calls| {
            calls.retain(|one| !one.call.is_answered());
            calls.iter().min_by_key(|one| one.call.joined()).cloned()
        })
    }

    /// A strategy that somebody has played alone for a while.
    pub(super) fn lonely(&self, age: Duration) -> Option<Open> {
        self.call().filter(|open| open.call.joined() < 2 && open.call.age() >= age)
    }

    /// A player has run out of strategies; it may still help.
    pub(super) fn rest(&self) {
        // The counter alone tells when all may go home; calls are behind their lock.
        self.busy.fetch_sub(1, Ordering::AcqRel);
    }

    /// Whether nobody can call any more.
    pub(super) fn is_at_rest(&self) -> bool {
        self.busy.load(Ordering::Acquire) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Cancel;
    use crate::proof::play::{Options, Player, Table, play_together};
    use crate::proof::{Length, Problem, game_of, project};

    #[test]
    fn whoever_has_played_alone_for_a_while_is_lonely() {
        let game = game_of("Nf3 Nf6 Nc3 Nc6 Ng1 Ng8").unwrap();
        let strategy = project(&game).unwrap();
        let diagram = strategy.diagram().unwrap();
        let problem = Problem { diagram, plies: 6, length: Length::Exact };
        let options = Options { trial_max: 20, games_max: usize::MAX, ..Options::default() };
        let player = || Player::new(&problem, Arc::new(Table::new(1)), options);
        let crew = Crew::new(1);
        assert!(crew.lonely(Duration::ZERO).is_none(), "nobody has called");
        let announce = |call: &Arc<Call>| {
            let number = Number { retraction: 0, claim: 0, index: 0 };
            crew.announce(Open { number, call: Arc::clone(call) });
            assert!(crew.lonely(Duration::from_secs(3600)).is_none(), "it is too early");
            assert!(crew.lonely(Duration::ZERO).is_some());
        };
        let cancel = Cancel::default();
        play_together(&mut [player()], &strategy, 0, &cancel, &announce);
        assert!(crew.lonely(Duration::ZERO).is_none(), "that is over");
        let announce = |call: &Arc<Call>| {
            let number = Number { retraction: 0, claim: 0, index: 1 };
            crew.announce(Open { number, call: Arc::clone(call) });
            std::thread::scope(|scope| {
                (0..2).for_each(|_| drop(scope.spawn(|| call.join(&mut player()))));
            });
            assert_eq!(call.joined(), 2);
            assert!(crew.lonely(Duration::ZERO).is_none(), "two are company");
        };
        play_together(&mut [player()], &strategy, 1, &cancel, &announce);
    }
}
