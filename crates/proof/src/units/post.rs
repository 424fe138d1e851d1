//! What a worker is at, so that another thread can give away what it will not begin soon.
//!
//! A strategy may take minutes. Meanwhile the rest of its unit would wait, and so would the cases of the strategy
//! that no player of this process searches. When other workers wait for units, both become units of their own.

use crate::enumerate::TreePlace;
use crate::run::record::StrategyNumber;
use crate::run::team::Team;
use crate::search::LeftCase;
use crate::units::unit::Unit;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A strategy that is searched, and the unit that it belongs to.
#[derive(Clone, Debug)]
pub(super) struct PlayedStrategy {
    /// The strategy.
    pub(super) number: StrategyNumber,
    /// A place at the strategy or before it.
    pub(super) place: TreePlace,
    /// The place of its claim.
    pub(super) claim_place: TreePlace,
    /// The claim behind the last one of the unit.
    pub(super) claims_end: u64,
    /// Index behind the last strategy that the unit has of this claim.
    pub(super) strategies_end: u32,
    /// Whether the unit goes on behind it.
    pub(super) goes_on: bool,
}

impl PlayedStrategy {
    /// The units behind this strategy.
    fn rest(&self) -> Vec<String> {
        let (part, place, number) = (self.number.retraction, &self.place, self.number);
        let (claim, from) = (number.claim, number.index + 1);
        let mut rest = vec![];
        if !self.goes_on {
            return rest;
        }
        if from < self.strategies_end {
            let (place, until) = (place.clone(), self.strategies_end);
            rest.push(Unit::Piece { part, place, claim, from, until }.to_string());
        }
        if claim + 1 < self.claims_end {
            let (place, until) = (self.claim_place.clone(), self.claims_end);
            rest.push(Unit::Claims { part, place, from: claim + 1, until }.to_string());
        }
        rest
    }

    /// The unit of one of its cases.
    pub(super) fn case(&self, case: LeftCase) -> String {
        let StrategyNumber { retraction: part, claim, index } = self.number;
        Unit::Case { part, place: self.place.clone(), claim, index, case }.to_string()
    }
}

/// The post of one worker.
#[derive(Debug, Default)]
pub(super) struct WorkerPost(Mutex<Option<PostState>>);

#[derive(Debug)]
struct PostState {
    strategy: PlayedStrategy,
    since: Instant,
    /// The units behind it, once they were given away.
    given: Vec<String>,
}

impl WorkerPost {
    fn state(&self) -> MutexGuard<'_, Option<PostState>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The search of a strategy begins.
    pub(super) fn begin(&self, strategy: PlayedStrategy) {
        *self.state() = Some(PostState { strategy, since: Instant::now(), given: vec![] });
    }

    /// It has ended. Gives the units behind it, if they were given away; then the unit of the worker ends here.
    pub(super) fn end(&self) -> Vec<String> {
        self.state().take().map(|state| state.given).unwrap_or_default()
    }

    /// Whether the strategy has been searched for this long.
    pub(super) fn takes_longer_than(&self, time: Duration) -> bool {
        self.state().as_ref().is_some_and(|state| state.since.elapsed() >= time)
    }

    /// Gives away what others could do, if the strategy has been searched for some time.
    pub(super) fn give_away(&self, patience: Duration, team: &Team, offer: &dyn Fn(&str)) {
        let mut state = self.state();
        let Some(state) = state.as_mut().filter(|state| state.since.elapsed() >= patience) else {
            return;
        };
        if state.given.is_empty() {
            state.given = state.strategy.rest();
            state.given.iter().for_each(|unit| offer(unit));
        }
        if let Some(search) = team.search_of(state.strategy.number) {
            let strategy = &state.strategy;
            search.leave().into_iter().for_each(|case| offer(&strategy.case(case)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    fn played(index: u32, strategies_end: u32) -> PlayedStrategy {
        let number = StrategyNumber { retraction: 0, claim: 5, index };
        let (place, claim_place) = ("1.2.3@5+2:0".parse().unwrap(), "1@5:0".parse().unwrap());
        PlayedStrategy { number, place, claim_place, claims_end: 9, strategies_end, goes_on: true }
    }

    #[test]
    fn the_rest_of_a_unit_is_given_away_once_and_its_worker_ends_there() {
        let (post, team) = (WorkerPost::default(), Team::new(1));
        let offered = RefCell::new(vec![]);
        let offer = |unit: &str| offered.borrow_mut().push(unit.to_owned());
        post.give_away(Duration::ZERO, &team, &offer);
        post.begin(played(2, u32::MAX));
        post.give_away(Duration::from_secs(60), &team, &offer);
        assert!(offered.borrow().is_empty(), "nothing is searched, or not for long");
        post.give_away(Duration::ZERO, &team, &offer);
        post.give_away(Duration::ZERO, &team, &offer);
        let rest = [
            "piece 0 1.2.3@5+2:0000000000000000 5 3 4294967295",
            "claims 0 1@5:0000000000000000 6 9",
        ];
        assert_eq!(*offered.borrow(), rest);
        assert_eq!(post.end(), rest);
        assert!(post.end().is_empty());
        post.begin(PlayedStrategy { goes_on: false, ..played(2, 9) });
        post.give_away(Duration::ZERO, &team, &offer);
        assert!(post.end().is_empty(), "the unit has nothing behind it");
        post.begin(played(2, 3));
        post.give_away(Duration::ZERO, &team, &offer);
        assert_eq!(post.end(), rest[1..], "the last strategy that the unit has of the claim");
    }
}
