//! Selection of patterns: refuted positions provide candidates, and the best become active.

use crate::problem::piece::PieceMask;
use crate::search::context::SearchContext;
use crate::search::learn::active_patterns::{ActivePatterns, MOVES_FIRST, PATTERNS_MAX};
use crate::search::learn::minimize_conflict::{ConflictBudget, minimize_conflict};
use crate::search::learn::nogoods::NogoodStore;
use crate::search::node::{SearchEffort, SearchNode};
use crate::search::relax::cache::SharedCache;
use crate::search::relax::subset::SubsetRelaxation;
use crate::search::state::compiled::CompiledPlan;
use std::cmp::Reverse;

/// Moves of the search before any pattern is tested; most strategies are finished by then.
const MOVES_MIN: u64 = 1_000;

/// Moves of a refuted position's search from which it is analysed, at most once per `INTERVAL`
/// moves.
const FAILURE_MIN: u64 = 64;
const INTERVAL: u64 = 1_000;

/// Move budget of a candidate for one refuted position.
const CANDIDATE_MOVES: u64 = 2_000;

/// Maximum number of candidates.
const CANDIDATES_MAX: usize = 8;

/// Maximum number of cache entries of all candidates together.
const CANDIDATES_CACHE_MAX: usize = 1 << 20;

/// Number of refuted positions after which the best candidate is activated, if it refuted
/// `SCORE_MIN` of them.
const SAMPLES: u32 = 8;
const SCORE_MIN: u32 = 2;

/// Activity of a nogood that refutes a whole strategy, in positions: during its search, and before
/// the search.
const STRATEGY_ACTIVITY: u32 = 16;
const ROOT_ACTIVITY: u32 = 4;

/// Move budget of a pattern's root test: `MOVES_FIRST` moves and one for every `ROOT_SHARE` moves
/// of the search, at most `ROOT_MAX`; a new candidate may use `FOUND_MOVES`. The root is tested
/// whenever the search has doubled in length.
const ROOT_SHARE: u64 = 8;
const ROOT_MAX: u64 = 250_000;
const FOUND_MOVES: u64 = 8_000;

/// Root-test budgets before the search, in moves: `KNOWN_MOVES` for a subset whose routes refuted
/// an earlier strategy, `UNKNOWN_MOVES` for each of at most `UNKNOWN_MAX` subsets with untested
/// routes.
const KNOWN_MOVES: u64 = 20_000;
const UNKNOWN_MOVES: u64 = 500;
const UNKNOWN_MAX: usize = 8;

/// Length of a search, in moves, above which it is not analysed at its end.
const FINAL_ANALYSIS_MAX: u64 = 50_000;

/// A subset that may become active.
struct Candidate {
    pieces: PieceMask,
    relaxation: SubsetRelaxation,
    /// Number of refuted positions that the candidate also refuted.
    score: u32,
}

impl SearchNode<'_> {
    /// Finds and stores a minimal subset of these pieces that refutes the root; all of them took
    /// `moves` moves.
    fn explain(
        self,
        context: &mut SearchContext<'_>,
        pieces: PieceMask,
        moves: u64,
        store: &NogoodStore,
    ) {
        let mut budget = ConflictBudget::new(2 * moves + MOVES_FIRST);
        let pieces = minimize_conflict(context, self, pieces, &mut budget).unwrap_or(pieces);
        store.record_learning(budget.spent);
        store.bump_activity(pieces, STRATEGY_ACTIVITY);
        store.record_verdict(context.compiled.routes_key(pieces), true);
    }
}

/// Active patterns and candidates of one strategy.
pub(crate) struct PatternSelection {
    pub(crate) active: ActivePatterns,
    candidates: Vec<Candidate>,
    samples: u32,
    /// Move count at which the next refuted position is analysed.
    next: u64,
    /// Move count at which the root is tested next.
    root_check: u64,
}

impl PatternSelection {
    /// Starts with the best nogoods of earlier strategies.
    pub(crate) fn new(
        compiled: &CompiledPlan,
        store: &NogoodStore,
        shared_cache: Option<&SharedCache>,
        number: u64,
    ) -> Self {
        Self {
            active: ActivePatterns::new(compiled, store, shared_cache, number),
            candidates: Vec::new(),
            samples: 0,
            next: MOVES_MIN,
            root_check: 0,
        }
    }

    /// Returns true if no active pattern refutes this node, after `played` moves of the search.
    #[inline]
    pub(crate) fn admits(
        &mut self,
        context: &mut SearchContext<'_>,
        node: SearchNode<'_>,
        played: u64,
        store: &NogoodStore,
    ) -> bool {
        played < MOVES_MIN || self.active.admits(context, node, played, store)
    }

    /// Returns true if a test of the root is due.
    #[inline]
    pub(crate) const fn is_root_check_due(&self, played: u64) -> bool {
        played >= self.root_check
    }

    /// Returns true if no pattern and no candidate refutes the root.
    pub(crate) fn admits_root(
        &mut self,
        context: &mut SearchContext<'_>,
        root: SearchNode<'_>,
        played: u64,
        store: &NogoodStore,
    ) -> bool {
        if played < MOVES_MIN {
            self.root_check = MOVES_MIN;
            return admits_root_initially(context, root, store);
        }
        self.root_check = 2 * played;
        let most = (MOVES_FIRST + played / ROOT_SHARE).min(ROOT_MAX);
        let candidates = self
            .candidates
            .iter_mut()
            .map(|candidate| (candidate.pieces, &mut candidate.relaxation));
        let refuter = self.active.patterns().chain(candidates).find_map(|(pieces, relaxation)| {
            let before = relaxation.moves;
            let able = relaxation.allows(context, root, most);
            (!able).then_some((pieces, relaxation.moves - before))
        });
        if let Some((pieces, moves)) = refuter {
            root.explain(context, pieces, moves, store);
        }
        refuter.is_none()
    }

    /// Returns true if a refuted position whose search took `moves` moves is analysed.
    #[inline]
    pub(crate) fn samples_failure(&self, played: u64, moves: u64, store: &NogoodStore) -> bool {
        played >= self.next && moves >= FAILURE_MIN && store.has_budget(played)
    }

    /// Analyses a position that was refuted after `moves` moves: finds a minimal conflict. Returns
    /// true if it also refutes the root.
    pub(crate) fn learn(
        &mut self,
        context: &mut SearchContext<'_>,
        node: SearchNode<'_>,
        effort: SearchEffort,
        root: SearchNode<'_>,
        store: &NogoodStore,
    ) -> bool {
        self.next = effort.played + INTERVAL;
        // Other players may have found some meanwhile.
        for pieces in store.best(PATTERNS_MAX) {
            if self.candidates.iter().all(|candidate| candidate.pieces != pieces) {
                self.add_candidate(Candidate {
                    pieces,
                    relaxation: SubsetRelaxation::new(pieces, context.compiled),
                    score: 0,
                });
            }
        }
        let mut cost = 0;
        let mut known = false;
        for candidate in &mut self.candidates {
            let before = candidate.relaxation.moves;
            if !candidate.relaxation.allows(context, node, CANDIDATE_MOVES) {
                candidate.score += 1;
                known = true;
            }
            cost += candidate.relaxation.moves - before;
        }
        if !known {
            let mut budget = ConflictBudget::new(CANDIDATE_MOVES.max(4 * effort.below));
            let pieces = minimize_conflict(context, node, PieceMask::ALL, &mut budget);
            cost += budget.spent;
            if let Some(pieces) = pieces {
                let mut relaxation = SubsetRelaxation::new(pieces, context.compiled);
                if !relaxation.allows(context, root, FOUND_MOVES) {
                    store.record_learning(cost + relaxation.moves);
                    root.explain(context, pieces, relaxation.moves, store);
                    return true;
                }
                cost += relaxation.moves;
                self.add_candidate(Candidate { pieces, relaxation, score: 1 });
            }
        }
        store.record_learning(cost);
        if self.candidates.iter().map(|candidate| candidate.relaxation.knows()).sum::<usize>()
            > CANDIDATES_CACHE_MAX
        {
            self.candidates.iter_mut().for_each(|candidate| candidate.relaxation.forget());
        }
        self.samples += 1;
        if self.samples >= SAMPLES {
            self.promote_best(store);
        }
        false
    }

    /// Adds a candidate, replacing the one with the lowest score if the list is full.
    fn add_candidate(&mut self, new: Candidate) {
        if self.active.has(new.pieces) {
            return;
        }
        if self.candidates.len() >= CANDIDATES_MAX
            && let Some(worst) =
                (0..self.candidates.len()).min_by_key(|&i| self.candidates[i].score)
        {
            self.candidates.remove(worst);
        }
        self.candidates.push(new);
    }

    /// Activates the best candidate, which may replace an active pattern.
    fn promote_best(&mut self, store: &NogoodStore) {
        self.samples = 0;
        self.candidates.sort_by_key(|candidate| (Reverse(candidate.score), candidate.pieces.len()));
        if self.candidates.first().is_some_and(|candidate| candidate.score >= SCORE_MIN) {
            let Candidate { pieces, relaxation, score } = self.candidates.remove(0);
            store.bump_activity(pieces, score);
            if let Some((pieces, relaxation)) = self.active.take(pieces, relaxation, store) {
                self.add_candidate(Candidate { pieces, relaxation, score: 0 });
            }
        }
        self.candidates.iter_mut().for_each(|candidate| candidate.score = 0);
    }

    /// Ends a search of `played` moves. Without games, a minimal conflict at the root is stored for
    /// other strategies.
    pub(crate) fn close(
        &mut self,
        context: &mut SearchContext<'_>,
        root: SearchNode<'_>,
        played: u64,
        found: bool,
        store: &NogoodStore,
    ) {
        self.active.close(store);
        if found || !(MOVES_MIN..=FINAL_ANALYSIS_MAX).contains(&played) || !store.has_budget(played)
        {
            return;
        }
        let mut budget = ConflictBudget::new(played + MOVES_FIRST);
        let pieces = minimize_conflict(context, root, PieceMask::ALL, &mut budget);
        store.record_learning(budget.spent);
        if let Some(pieces) = pieces {
            store.bump_activity(pieces, 1);
            store.record_verdict(context.compiled.routes_key(pieces), true);
        }
    }
}

/// Tests stored nogoods at the root, before the search.
fn admits_root_initially(
    context: &mut SearchContext<'_>,
    root: SearchNode<'_>,
    store: &NogoodStore,
) -> bool {
    for (pieces, routes_key, known) in
        store.root_candidates(|pieces| context.compiled.routes_key(pieces), UNKNOWN_MAX)
    {
        let most = if known { KNOWN_MOVES } else { UNKNOWN_MOVES };
        let able = SubsetRelaxation::new(pieces, context.compiled).allows(context, root, most);
        store.record_verdict(routes_key, !able);
        if !known {
            store.record_trial(pieces, !able);
        }
        if !able {
            store.bump_activity(pieces, ROOT_ACTIVITY);
            return false;
        }
    }
    true
}
