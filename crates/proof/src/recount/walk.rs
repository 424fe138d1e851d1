//! The walk through one part of the tree, by all workers.

use super::search_again::SearchAgain;
use super::{RecountState, named};
use crate::check::plain::plain_strategies;
use crate::enumerate::{
    Claims, Counter, EnumerationOptions, EnumerationResult, FoundStrategy, SharedBranches,
    enumerate_strategies,
};
use crate::problem::retraction::{EarlierProblem, of_part};
use crate::run::part::moves_too_early;
use crate::run::{ClaimRecord, EnumeratedTree, Success};
use crate::strategy::Strategy;
use crate::strategy::projection::project;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use umbrail_control::lock;

/// Maximum number of strategies of one claim that are compared with each other.
const KNOWN_MAX: usize = 1 << 20;

/// Limits of the plain enumeration: nodes, and strategies that the tree does not have.
const PLAIN_NODES: u64 = 2_000_000;
const PLAIN_MAX: u64 = 20_000;

fn hash(strategy: &Strategy) -> u64 {
    let mut hasher = DefaultHasher::new();
    strategy.hash(&mut hasher);
    hasher.finish()
}

/// One part of the tree that is walked again.
pub(super) struct PartWalk<'a> {
    state: &'a RecountState<'a>,
    earlier: &'a EarlierProblem,
    number: u16,
    race: Counter,
    branches: Option<SharedBranches>,
    /// Hashes of all strategies of the part, if others are searched, too.
    known: Mutex<HashSet<u64>>,
}

/// A claim that a worker walks, with its record.
struct CurrentClaim<'a> {
    record: &'a ClaimRecord,
    strategies: u64,
    /// Hashes of its strategies.
    known: HashSet<u64>,
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
        let Some(CurrentClaim { record, strategies, seen, .. }) = self.current.take() else {
            return;
        };
        let (state, part) = (self.walk.state, self.walk.number);
        state.count(1, strategies);
        let (number, stated) = (record.claim, record.counts.enumerated);
        if stated != strategies {
            state.fault(format!(
                "strategies of claim {number}{}: {strategies}, the archive states {stated}",
                of_part(part)
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
            let claim = |record| CurrentClaim {
                record,
                strategies: 0,
                known: HashSet::new(),
                seen: BTreeSet::new(),
            };
            self.current.replace(record.map(claim));
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
        Self { state, earlier, number, race: Counter::default(), branches, known: Mutex::default() }
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
        self.search_beyond();
        let Some(stated) = state.archive.parts.get(&part) else { return };
        for EnumerationResult { claims, digest, .. } in walked.into_iter().take(1) {
            if *stated == (EnumeratedTree { claims, digest }) {
                continue;
            }
            let (of, expected) = (of_part(part), stated.claims);
            state.fault(match claims == expected {
                true => format!("the digest{of} does not fit the tree"),
                false => format!("claims{of}: {claims}, the archive states {expected}"),
            });
        }
    }

    fn worker(&self) -> EnumerationResult {
        let state = self.state;
        let (rules, sync_depth) = (state.params.rules, state.params.sync_depth);
        let claims = WorkerClaims { walk: self, current: RefCell::default() };
        let mut search = state
            .options
            .stride
            .map(|stride| (stride, SearchAgain::new(state, self.earlier, self.number)));
        let mut emit = |found: FoundStrategy| {
            if state.options.stride.is_some() {
                let mut known = lock(&self.known);
                if known.len() < KNOWN_MAX {
                    known.insert(hash(&found.strategy));
                }
            }
            let mut current = claims.current.borrow_mut();
            let Some(claim) = current.as_mut() else { return ControlFlow::Continue(()) };
            if moves_too_early(self.earlier, &found.strategy) {
                return ControlFlow::Continue(());
            }
            claim.strategies += 1;
            // Code of its own, which knows nothing of the tree.
            if let Err(why) = found.strategy.check(&self.earlier.problem.diagram) {
                state.fault(format!("strategy {}: {why}", named(self.number, &found)));
            }
            if claim.known.len() < KNOWN_MAX && !claim.known.insert(hash(&found.strategy)) {
                state.fault(format!("strategy {} is there twice", named(self.number, &found)));
            }
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

    /// Lists the strategies of the part by plain counting, and searches those that its tree does not have, if they are few
    /// enough.
    fn search_beyond(&self) {
        let (state, problem) = (self.state, &self.earlier.problem);
        let (Some(stride), true) = (state.options.stride, state.is_plain.load(Ordering::Relaxed))
        else {
            return;
        };
        let known = lock(&self.known);
        let is_unknown = |strategy: &Strategy| {
            !known.contains(&hash(strategy)) && !moves_too_early(self.earlier, strategy)
        };
        let cancelled = || state.control.cancel.is_raised();
        let mut unknown = 0;
        let is_listed = known.len() < KNOWN_MAX
            && plain_strategies(problem, PLAIN_NODES, &mut |strategy| {
                unknown += u64::from(is_unknown(&strategy));
                let ends = unknown > PLAIN_MAX || cancelled();
                if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        if !is_listed {
            state.is_plain.store(false, Ordering::Relaxed);
            return;
        }
        let mut search = SearchAgain::new(state, self.earlier, self.number);
        let mut number = 0u64;
        let is_searched = plain_strategies(problem, PLAIN_NODES, &mut |strategy| {
            if !is_unknown(&strategy) {
                return ControlFlow::Continue(());
            }
            number += 1;
            if (number - 1).is_multiple_of(stride) {
                search.beyond(&strategy)
            } else {
                ControlFlow::Continue(())
            }
        });
        if !is_searched {
            state.stopped.store(true, Ordering::Relaxed);
        }
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
}
