//! Current work of a worker, so that another thread can reassign the part not yet started.
//!
//! A strategy may take minutes. In this time the rest of its unit would wait, as would the cases of
//! the strategy that no player of this process searches. When other workers wait, both become
//! units.

use crate::enumerate::{ClaimPlace, TreePlace};
use crate::run::record::StrategyNumber;
use crate::run::team::Team;
use crate::search::ResidualCase;
use crate::units::division::size_of_units;
use crate::units::unit::Unit;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};
use umbrail_control::lock;

/// A strategy being searched, and its unit.
#[derive(Clone, Debug)]
pub(super) struct PlayedStrategy {
    /// Number of the strategy, counted from the start of the unit in its claim.
    pub(super) number: StrategyNumber,
    /// Place of the strategy in the claim.
    pub(super) at: ClaimPlace,
    /// Place of the claim.
    pub(super) claim_place: TreePlace,
    /// One past the last claim of the unit.
    pub(super) claims_end: u64,
    /// Start of the unit in the claim.
    pub(super) from: ClaimPlace,
    /// End of the unit in the claim; `None` for the end of the claim.
    pub(super) until: Option<ClaimPlace>,
    /// Time when the unit began the claim.
    pub(super) began: Instant,
    /// True if the unit continues after the strategy.
    pub(super) goes_on: bool,
}

/// Units after a strategy that were given away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GivenAway {
    /// Texts of the units.
    pub(super) units: Vec<String>,
    /// Start of the first of these units in the claim of the strategy; `None` if all are after that
    /// claim.
    pub(super) cut: Option<ClaimPlace>,
}

impl PlayedStrategy {
    /// Returns the units after this strategy, given the start time of its search. The worker that
    /// takes the rest of the claim divides it into units of about `aim` each.
    fn rest(&self, since: Instant, aim: Duration) -> GivenAway {
        let (part, claim) = (self.number.retraction, self.number.claim);
        let mut rest = GivenAway::default();
        if !self.goes_on {
            return rest;
        }
        let behind = self.at.behind();
        rest.cut = behind.filter(|at| !at.left_by_depth(self.until.as_ref()).is_empty());
        if let Some(from) = rest.cut.clone() {
            let spent = since.saturating_duration_since(self.began);
            let size = size_of_units(self.number.index, spent, aim);
            let (place, until) = (self.claim_place.clone(), self.until.clone());
            rest.units.push(Unit::Chunk { part, place, from, until, size }.to_string());
        }
        if claim + 1 < self.claims_end {
            let (place, until) = (self.claim_place.clone(), self.claims_end);
            rest.units.push(Unit::Claims { part, place, from: claim + 1, until }.to_string());
        }
        rest
    }

    /// Returns the unit of one case of the strategy.
    pub(super) fn case(&self, case: ResidualCase) -> String {
        let (part, index) = (self.number.retraction, self.number.index);
        let place = self.claim_place.clone();
        let (base, at) = (self.from.clone(), self.at.clone());
        Unit::Case { part, place, base, at, index, case }.to_string()
    }
}

/// Current work of one worker.
#[derive(Debug, Default)]
pub(super) struct WorkerState(Mutex<Option<WorkerPhase>>);

#[derive(Debug)]
struct WorkerPhase {
    strategy: PlayedStrategy,
    since: Instant,
    /// Units after the strategy, once they were given away.
    given: Option<GivenAway>,
}

impl WorkerState {
    fn state(&self) -> MutexGuard<'_, Option<WorkerPhase>> {
        lock(&self.0)
    }

    /// Registers the start of the search of a strategy.
    pub(super) fn begin(&self, strategy: PlayedStrategy) {
        *self.state() = Some(WorkerPhase { strategy, since: Instant::now(), given: None });
    }

    /// Registers the end of the search. Returns the units after the strategy if they were given
    /// away; the unit of the worker then ends here.
    pub(super) fn end(&self) -> Option<GivenAway> {
        self.state().take()?.given
    }

    /// Returns true if the strategy has been searched for at least `time`.
    pub(super) fn takes_longer_than(&self, time: Duration) -> bool {
        self.state().as_ref().is_some_and(|state| state.since.elapsed() >= time)
    }

    /// Gives away work that others can do, if this strategy has been searched for at least
    /// `patience`.
    pub(super) fn give_away(
        &self,
        worker: usize,
        patience: Duration,
        team: &Team,
        offer: &dyn Fn(&str),
    ) {
        let mut state = self.state();
        let Some(state) = state.as_mut().filter(|state| state.since.elapsed() >= patience) else {
            return;
        };
        if state.given.is_none() {
            let rest = state.strategy.rest(state.since, patience);
            rest.units.iter().for_each(|unit| offer(unit));
            state.given = Some(rest).filter(|rest| !rest.units.is_empty());
        }
        if let Some(search) = team.search_of(worker, state.strategy.number) {
            let strategy = &state.strategy;
            search.leave().into_iter().for_each(|case| offer(&strategy.case(case)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    fn played(at: &str, until: Option<&str>) -> PlayedStrategy {
        PlayedStrategy {
            number: StrategyNumber { retraction: 0, claim: 5, index: 2 },
            at: at.parse().unwrap(),
            claim_place: "1@5:0".parse().unwrap(),
            claims_end: 9,
            from: ClaimPlace::default(),
            until: until.map(|until| until.parse().unwrap()),
            began: Instant::now(),
            goes_on: true,
        }
    }

    #[test]
    fn the_rest_of_a_unit_is_given_away_once_and_its_worker_ends_there() {
        let (post, team) = (WorkerState::default(), Team::new(1));
        let offered = RefCell::new(vec![]);
        let offer = |unit: &str| offered.borrow_mut().push(unit.to_owned());
        let give = |patience| post.give_away(0, patience, &team, &offer);
        give(Duration::ZERO);
        post.begin(PlayedStrategy {
            number: StrategyNumber { retraction: 0, claim: 5, index: 0 },
            ..played("2/4.1/3", None)
        });
        give(Duration::from_secs(60));
        assert!(offered.borrow().is_empty(), "nothing is searched, or not for long");
        give(Duration::ZERO);
        give(Duration::ZERO);
        let rest =
            ["piece 0 1@5:0000000000000000 2/4.2/3 end 250", "claims 0 1@5:0000000000000000 6 9"];
        assert_eq!(*offered.borrow(), rest);
        let given = post.end().unwrap();
        assert_eq!(
            (given.units.as_slice(), given.cut.unwrap().to_string()),
            (&rest.map(String::from)[..], "2/4.2/3".to_owned())
        );
        assert_eq!(post.end(), None);
        post.begin(PlayedStrategy { goes_on: false, ..played("2/4", None) });
        give(Duration::ZERO);
        assert_eq!(post.end(), None, "the unit has nothing behind it");
        post.begin(played("2/4", Some("3/4")));
        give(Duration::ZERO);
        let given = post.end().unwrap();
        assert_eq!(
            (given.units.as_slice(), given.cut),
            (&[rest[1].to_owned()][..], None),
            "the last strategy that the unit has of the claim"
        );
    }
}
