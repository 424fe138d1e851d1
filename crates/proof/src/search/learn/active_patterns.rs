//! Active patterns: the subset relaxations that are tested at every position of a strategy, with
//! their hit rates.

use crate::problem::piece::PieceMask;
use crate::search::context::SearchContext;
use crate::search::learn::minimize_conflict::{ConflictBudget, minimize_conflict};
use crate::search::learn::nogoods::NogoodStore;
use crate::search::node::SearchNode;
use crate::search::relax::cache::SharedCache;
use crate::search::relax::subset::SubsetRelaxation;
use crate::search::state::compiled::CompiledPlan;

/// Move budget of a pattern: `MOVES_FIRST` moves, one move for every `MOVES_SHARE` moves of the
/// search, and `MOVES_EARNED` moves for each position that it refutes.
pub(crate) const MOVES_FIRST: u64 = 500;
const MOVES_SHARE: u64 = 8;
const MOVES_EARNED: u64 = 10;

/// Move budget of a single test: `MOVES_FIRST` moves and one for every `TEST_SHARE` moves of the
/// search, at most `TEST_MAX`.
const TEST_SHARE: u64 = 8;
const TEST_MAX: u64 = 100_000;

/// Maximum number of positions per refutation. A pattern that needs more, over a window of `WINDOW`
/// positions, is suspended.
const REFUTATION_RATE_MIN: u64 = 64;
const WINDOW: u64 = 1 << 13;

/// Sampling interval of a suspended pattern, in positions. The pattern is reinstated after
/// `SUSPENDED_WINDOW` tests if its hit rate has recovered: a pattern that is useless in one part of
/// the tree may be useful in another.
const SAMPLE_INTERVAL: u64 = 32;
const SUSPENDED_WINDOW: u64 = 1 << 8;

/// Maximum number of patterns of one strategy, including suspended ones.
pub(crate) const PATTERNS_MAX: usize = 10;

/// Cost of a pattern's proof, in moves, from which a smaller subset is tried, at most once per
/// `REFINE_INTERVAL` moves of the search. A subset that suffices `REFINED_MIN` times is added.
const REFINE_MIN: u64 = 32;
const REFINE_INTERVAL: u64 = 500;
const REFINED_MIN: u32 = 2;

/// Hit rate of a pattern.
#[derive(Clone, Copy, Debug, Default)]
struct HitRate {
    /// Positions tested, and positions refuted.
    tested: u64,
    refuted: u64,
    /// Positions tested and refuted in the current window.
    lately: [u64; 2],
    /// Positions since the pattern was suspended; `None` while it is active.
    suspended: Option<u64>,
}

impl HitRate {
    /// Returns true if the pattern is tested at the next position.
    #[inline]
    const fn is_due(&mut self) -> bool {
        let Some(count) = &mut self.suspended else { return true };
        *count += 1;
        count.is_multiple_of(SAMPLE_INTERVAL)
    }

    /// Records a test.
    #[inline]
    fn record(&mut self, refuted: bool) {
        self.tested += 1;
        self.refuted += u64::from(refuted);
        self.lately[0] += 1;
        self.lately[1] += u64::from(refuted);
        let enough = if self.suspended.is_some() { SUSPENDED_WINDOW } else { WINDOW };
        if self.lately[0] >= enough {
            let [tested, refuted] = std::mem::take(&mut self.lately);
            self.suspended = (refuted * REFUTATION_RATE_MIN < tested).then_some(0);
        }
    }
}

/// A subset relaxation with its hit rate.
struct Pattern {
    /// Pieces that the pattern was made for, before others were added.
    pieces: PieceMask,
    relaxation: SubsetRelaxation,
    account: HitRate,
}

impl Pattern {
    fn new(pieces: PieceMask, compiled: &CompiledPlan) -> Self {
        Self {
            pieces,
            relaxation: SubsetRelaxation::new(pieces, compiled),
            account: HitRate::default(),
        }
    }

    #[inline]
    fn allows(
        &mut self,
        context: &mut SearchContext<'_>,
        node: SearchNode<'_>,
        played: u64,
    ) -> bool {
        if !self.account.is_due() {
            return true;
        }
        let granted = MOVES_FIRST + played / MOVES_SHARE + MOVES_EARNED * self.account.refuted;
        let most = (MOVES_FIRST + played / TEST_SHARE).min(TEST_MAX);
        let most = if self.relaxation.moves > granted { 0 } else { most };
        let able = self.relaxation.allows(context, node, most);
        self.account.record(!able);
        able
    }
}

/// All active patterns, in test order.
pub(crate) struct ActivePatterns {
    active: Vec<Pattern>,
    /// Move count at which the next refinement may start.
    refine: u64,
    /// Smaller subsets that sufficed, with their counts.
    fewer: Vec<(PieceMask, u32)>,
    /// Number of patterns added.
    pub(crate) changes: u32,
    /// Cache shared with the team, if any.
    shared_cache: Option<SharedCache>,
    /// Key of the case in the shared cache.
    case: u64,
}

impl ActivePatterns {
    /// Starts with the best nogoods of earlier strategies.
    pub(crate) fn new(
        compiled: &CompiledPlan,
        store: &NogoodStore,
        shared_cache: Option<&SharedCache>,
        number: u64,
    ) -> Self {
        let active = store
            .best(PATTERNS_MAX)
            .into_iter()
            .map(|pieces| Pattern::new(pieces, compiled))
            .collect();
        let (shared_cache, case) = (shared_cache.cloned(), number ^ compiled.case);
        let mut active =
            Self { active, refine: 0, fewer: Vec::new(), changes: 0, shared_cache, case };
        active.share();
        active
    }

    /// Connects all patterns to the shared cache.
    fn share(&mut self) {
        if let Some(shared_cache) = &self.shared_cache {
            self.active
                .iter_mut()
                .for_each(|pattern| pattern.relaxation.share(shared_cache, self.case));
        }
    }

    /// Returns all patterns: their pieces and relaxations.
    pub(crate) fn patterns(&mut self) -> impl Iterator<Item = (PieceMask, &mut SubsetRelaxation)> {
        self.active.iter_mut().map(|pattern| (pattern.pieces, &mut pattern.relaxation))
    }

    /// Returns true if these pieces have a pattern.
    pub(crate) fn has(&self, pieces: PieceMask) -> bool {
        self.active.iter().any(|pattern| pattern.pieces == pieces)
    }

    /// Adds a pattern for any set of pieces.
    pub(crate) fn add(&mut self, pieces: PieceMask, compiled: &CompiledPlan) {
        self.active.push(Pattern::new(pieces, compiled));
    }

    /// Activates a relaxation. Returns the pattern with the lowest hit rate if there are too many.
    pub(crate) fn take(
        &mut self,
        pieces: PieceMask,
        relaxation: SubsetRelaxation,
        store: &NogoodStore,
    ) -> Option<(PieceMask, SubsetRelaxation)> {
        self.active.push(Pattern { pieces, relaxation, account: HitRate::default() });
        self.added(store)
    }

    /// Counts an added pattern; returns the one with the lowest hit rate if there are too many.
    fn added(&mut self, store: &NogoodStore) -> Option<(PieceMask, SubsetRelaxation)> {
        self.changes += 1;
        self.share();
        if self.active.len() <= PATTERNS_MAX {
            return None;
        }
        let tested = |&i: &usize| self.active[i].account.tested > 0;
        let worth = |account: &HitRate| account.refuted * 1024 / (account.tested + 1);
        let worst =
            (0..self.active.len()).filter(tested).min_by_key(|&i| worth(&self.active[i].account));
        let Pattern { pieces, relaxation, account } = self.active.remove(worst.unwrap_or(0));
        store.record_use(pieces, account.tested, account.refuted);
        Some((pieces, relaxation))
    }

    /// Returns true if no pattern refutes this node, after `played` moves of the search.
    #[inline]
    pub(crate) fn admits(
        &mut self,
        context: &mut SearchContext<'_>,
        node: SearchNode<'_>,
        played: u64,
        store: &NogoodStore,
    ) -> bool {
        let mut moves = 0;
        let refuter = self.active.iter_mut().position(|pattern| {
            let before = pattern.relaxation.moves;
            let able = pattern.allows(context, node, played);
            moves = pattern.relaxation.moves - before;
            !able
        });
        if let Some(pattern) = refuter
            && moves >= REFINE_MIN
            && played >= self.refine
            && store.has_budget(played)
        {
            self.refine = played + REFINE_INTERVAL;
            self.refine(pattern, moves, context, node, store);
        }
        refuter.is_none()
    }

    /// Tries to find a smaller subset that refutes a position which a pattern has refuted in
    /// `moves` moves.
    fn refine(
        &mut self,
        pattern: usize,
        moves: u64,
        context: &mut SearchContext<'_>,
        node: SearchNode<'_>,
        store: &NogoodStore,
    ) {
        let among = self.active[pattern].pieces;
        let mut budget = ConflictBudget::new(2 * moves + MOVES_FIRST);
        let pieces = minimize_conflict(context, node, among, &mut budget);
        store.record_learning(budget.spent);
        let Some(pieces) = pieces.filter(|&pieces| pieces.len() < among.len() && !self.has(pieces))
        else {
            return;
        };
        if !self.fewer.iter().any(|known| known.0 == pieces) {
            self.fewer.push((pieces, 0));
        }
        let times = self.fewer.iter_mut().find(|known| known.0 == pieces).map_or(0, |known| {
            known.1 += 1;
            known.1
        });
        if times >= REFINED_MIN {
            self.fewer.retain(|known| known.0 != pieces);
            store.bump_activity(pieces, times);
            self.active.insert(pattern, Pattern::new(pieces, context.compiled));
            self.added(store);
        }
    }

    /// Records the hit rates at the end of the search.
    pub(crate) fn close(&self, store: &NogoodStore) {
        for pattern in &self.active {
            store.record_use(pattern.pieces, pattern.account.tested, pattern.account.refuted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_useless_pattern_is_suspended_until_it_refutes_again() {
        let mut account = HitRate::default();
        for _ in 0..WINDOW {
            assert!(account.is_due());
            account.record(false);
        }
        let context = (0..SAMPLE_INTERVAL * SUSPENDED_WINDOW).filter(|_| account.is_due()).count();
        assert_eq!(context as u64, SUSPENDED_WINDOW);
        for _ in 0..SUSPENDED_WINDOW {
            assert!(account.suspended.is_some());
            account.record(true);
        }
        assert!((0..9).all(|_| account.is_due()));
        assert_eq!(
            (account.tested, account.refuted),
            (WINDOW + SUSPENDED_WINDOW, SUSPENDED_WINDOW)
        );
    }
}
