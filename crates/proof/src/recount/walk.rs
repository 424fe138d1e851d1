//! The walk through one part of the tree, by all workers.

use super::RecountState;
use super::search_again::SearchAgain;
use crate::enumerate::{
    Claims, Counter, EnumerationOptions, EnumerationResult, FoundStrategy, SharedBranches,
    enumerate_strategies,
};
use crate::problem::retraction::EarlierProblem;
use crate::run::part::moves_too_early;
use crate::run::{ClaimRecord, EnumeratedTree, Success};
use crate::strategy::projection::project;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

/// One part of the tree that is walked again.
pub(super) struct PartWalk<'a> {
    pub(super) state: &'a RecountState<'a>,
    pub(super) earlier: &'a EarlierProblem,
    number: u16,
    race: Counter,
    branches: Option<SharedBranches>,
}

/// A claim that a worker walks, with its record.
struct CurrentClaim<'a> {
    record: &'a ClaimRecord,
    strategies: u64,
    /// Indexes of its strategies whose recorded games were compared.
    seen: BTreeSet<u32>,
}

/// Claim handler of one worker. When it meets another number, the last claim is walked.
struct WorkerClaims<'a> {
    walk: &'a PartWalk<'a>,
    /// None in a claim that the archive does not have.
    current: RefCell<Option<CurrentClaim<'a>>>,
}

impl WorkerClaims<'_> {
    fn finish(&self) {
        let Some(CurrentClaim { record, strategies, seen }) = self.current.take() else { return };
        let (state, part) = (self.walk.state, self.walk.number);
        state.count(1, strategies);
        let (number, stated) = (record.claim, record.counts.enumerated);
        if stated != strategies {
            state.fault(format!(
                "claim {number} of part {part} has {strategies} strategies, the archive states {stated}"
            ));
        }
        let all = record.successes.iter().map(|success| success.number);
        for number in all.filter(|number| !seen.contains(&number.index)) {
            state.fault(format!("there is no strategy {number}, whose games the archive has"));
        }
        state.report();
    }
}

impl Claims for WorkerClaims<'_> {
    fn take(&self, number: u64) -> bool {
        self.finish();
        let state = self.walk.state;
        if state.options.claims_only {
            state.count(0, 1);
            return false;
        }
        let taken = self.walk.race.take(number);
        if taken {
            state.count(0, 1);
            let record = state.archive.claims.get(&(self.walk.number, number));
            let seen = BTreeSet::new();
            self.current.replace(record.map(|record| CurrentClaim { record, strategies: 0, seen }));
        }
        taken
    }

    fn branches(&self) -> Option<&SharedBranches> {
        self.walk.branches.as_ref()
    }
}

impl<'a> PartWalk<'a> {
    pub(super) fn new(
        state: &'a RecountState<'a>,
        earlier: &'a EarlierProblem,
        number: u16,
    ) -> Self {
        let several = !state.options.claims_only && state.control.pool.size() > 1;
        let branches = several.then(SharedBranches::default);
        Self { state, earlier, number, race: Counter::default(), branches }
    }

    /// Walks the part, and compares its tree with the one that the archive states.
    pub(super) fn walk(&self) {
        let state = self.state;
        let walked = match state.options.claims_only {
            // Above the claims, every worker would do the same.
            true => vec![self.worker()],
            false => state.control.pool.broadcast(|_| self.worker()),
        };
        if walked.iter().any(|one| !one.complete) {
            state.stopped.store(true, Ordering::Relaxed);
            return;
        }
        let part = self.number;
        let Some(stated) = state.archive.parts.get(&part) else { return };
        for EnumerationResult { claims, digest, .. } in walked.into_iter().take(1) {
            if *stated == (EnumeratedTree { claims, digest }) {
                continue;
            }
            let of = stated.claims;
            state.fault(match claims == of {
                true => format!("the digest of part {part} does not fit its tree"),
                false => format!("part {part} has {claims} claims, the archive states {of}"),
            });
        }
    }

    fn worker(&self) -> EnumerationResult {
        let state = self.state;
        let (rules, sync_depth) = (state.params.rules, state.params.sync_depth);
        let claims = WorkerClaims { walk: self, current: RefCell::default() };
        let mut search = state.options.stride.map(|stride| (stride, SearchAgain::new(self)));
        let mut emit = |found: FoundStrategy| {
            let mut current = claims.current.borrow_mut();
            let Some(claim) = current.as_mut() else { return ControlFlow::Continue(()) };
            if moves_too_early(self.earlier, &found.strategy) {
                return ControlFlow::Continue(());
            }
            claim.strategies += 1;
            let games = self.games(claim.record, &found);
            if !games.is_empty() {
                claim.seen.insert(found.index);
            }
            match &mut search {
                Some((stride, search)) if found.claim.is_multiple_of(*stride) => {
                    search.again(&found, claim.record, &games)
                }
                _ => ControlFlow::Continue(()),
            }
        };
        let options = EnumerationOptions { rules, sync_depth };
        let (problem, cancel) = (&self.earlier.problem, &state.control.cancel);
        let walked = enumerate_strategies(problem, &options, &claims, cancel, &mut emit);
        if walked.complete {
            claims.finish();
        }
        walked
    }

    /// The records of the games of a strategy, after its games were compared with it.
    fn games<'r>(&self, record: &'r ClaimRecord, found: &FoundStrategy) -> Vec<&'r Success> {
        let (state, tail) = (self.state, &self.earlier.tail);
        let all = record.successes.iter().filter(|success| success.number.index == found.index);
        let all: Vec<&Success> = all.collect();
        for game in all.iter().flat_map(|success| &success.games) {
            let earlier = game.strip_suffix(tail.as_slice()).map(project);
            match earlier {
                Some(Ok(strategy)) if strategy == found.strategy => state.count(2, 1),
                _ => state.fault(format!(
                    "a game of strategy {} belongs to another strategy",
                    all.first().map_or_else(String::new, |success| success.number.to_string())
                )),
            }
        }
        all
    }

    /// The number of a strategy of this part, as archives write it.
    pub(super) fn name(&self, found: &FoundStrategy) -> String {
        let (retraction, claim, index) = (self.number, found.claim, found.index);
        crate::run::StrategyNumber { retraction, claim, index }.to_string()
    }
}
