//! What a worker is at, so that another thread can give away what it will not begin soon.
//!
//! A strategy may take minutes. Meanwhile the rest of its unit would wait, and so would the cases of the strategy
//! that no player of this process searches. When other workers wait for units, both become units of their own.

use crate::enumerate::{ClaimPlace, TreePlace};
use crate::run::record::StrategyNumber;
use crate::run::team::Team;
use crate::search::LeftCase;
use crate::units::division::size_of_units;
use crate::units::unit::Unit;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};
use umbrail_control::lock;

/// A strategy that is searched, and the unit that it belongs to.
#[derive(Clone, Debug)]
pub(super) struct PlayedStrategy {
    /// The strategy, numbered from where the unit begins in its claim.
    pub(super) number: StrategyNumber,
    /// Its place in the claim.
    pub(super) at: ClaimPlace,
    /// The place of its claim.
    pub(super) claim_place: TreePlace,
    /// The claim behind the last one of the unit.
    pub(super) claims_end: u64,
    /// Where the unit begins in the claim.
    pub(super) from: ClaimPlace,
    /// Where the unit ends in the claim; none for the end of the claim.
    pub(super) until: Option<ClaimPlace>,
    /// When the unit began with the claim.
    pub(super) began: Instant,
    /// Whether the unit goes on behind it.
    pub(super) goes_on: bool,
}

/// The units behind a strategy, which others do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GivenAway {
    /// Their texts.
    pub(super) units: Vec<String>,
    /// Where the first of them begins in the claim of the strategy; none when they are all behind that claim.
    pub(super) cut: Option<ClaimPlace>,
}

impl PlayedStrategy {
    /// The units behind this strategy, whose search began then. What is left of its claim is divided by the worker that
    /// takes it, into units that should take about `aim`.
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
            rest.units.push(Unit::Piece { part, place, from, until, size }.to_string());
        }
        if claim + 1 < self.claims_end {
            let (place, until) = (self.claim_place.clone(), self.claims_end);
            rest.units.push(Unit::Claims { part, place, from: claim + 1, until }.to_string());
        }
        rest
    }

    /// The unit of one of its cases.
    pub(super) fn case(&self, case: LeftCase) -> String {
        let (part, index) = (self.number.retraction, self.number.index);
        let place = self.claim_place.clone();
        let (base, at) = (self.from.clone(), self.at.clone());
        Unit::Case { part, place, base, at, index, case }.to_string()
    }
}

/// The post of one worker.
#[derive(Debug, Default)]
pub(super) struct WorkerPost(Mutex<Option<PostState>>);

#[derive(Debug)]
struct PostState {
    strategy: PlayedStrategy,
    since: Instant,
    /// What is behind it, once it was given away.
    given: Option<GivenAway>,
}

impl WorkerPost {
    fn state(&self) -> MutexGuard<'_, Option<PostState>> {
        lock(&self.0)
    }

    /// The search of a strategy begins.
    pub(super) fn begin(&self, strategy: PlayedStrategy) {
        *self.state() = Some(PostState { strategy, since: Instant::now(), given: None });
    }

    /// It has ended. Gives the units behind it, if they were given away; then the unit of the worker ends here.
    pub(super) fn end(&self) -> Option<GivenAway> {
        self.state().take()?.given
    }

    /// Whether the strategy has been searched for this long.
    pub(super) fn takes_longer_than(&self, time: Duration) -> bool {
        self.state().as_ref().is_some_and(|state| state.since.elapsed() >= time)
    }

    /// Gives away what others could do, if the strategy of this worker has been searched for some time.
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
        let (post, team) = (WorkerPost::default(), Team::new(1));
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
