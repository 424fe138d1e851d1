//! The parties that are asked about every position of a strategy, with their accounts.

use crate::problem::man::MenSet;
use crate::search::bound::{BlockedMaps, MoveBound};
use crate::search::learn::minimize_conflict::minimize_conflict;
use crate::search::learn::nogoods::NogoodStore;
use crate::search::relax::cache::SharedCache;
use crate::search::relax::subset::{SubsetContext, SubsetRelaxation};
use crate::search::state::board::SearchBoard;
use crate::search::state::script::Script;

/// So many moves a party may make for nothing, one for so many in play, and so many for each position that
/// it refutes.
pub(crate) const MOVES_FIRST: u64 = 500;
const MOVES_SHARE: u64 = 8;
const MOVES_EARNED: u64 = 10;

/// A single question is given up after a share of the moves in play, and so many at most.
const QUESTION_SHARE: u64 = 8;
const QUESTION_MAX: u64 = 100_000;

/// A party that refutes less than one position in so many, of so many, rests.
const REFUTATION_RATE_MIN: u64 = 64;
const WINDOW: u64 = 1 << 13;

/// Whoever rests is asked about one position in so many, and after so many of them again about all if it refuted
/// enough: play goes from one part of the tree to another, and who is of no use in the first may be in the second.
const SAMPLE_INTERVAL: u64 = 32;
const SUSPENDED_WINDOW: u64 = 1 << 8;

/// So many parties are kept for a strategy, asked about every position or resting.
pub(crate) const PATTERNS_MAX: usize = 10;

/// A post that refutes a position in so many moves or more, near the array that is, is looked at after so many moves of
/// play, whether fewer men would do; when the same ones would so often, they are asked first from then on.
const REFINE_MIN: u64 = 32;
const REFINE_INTERVAL: u64 = 500;
const REFINED_MIN: u32 = 2;

/// What a party was worth.
#[derive(Clone, Copy, Debug, Default)]
struct Account {
    /// Of how many positions it was asked, and how many it refuted.
    tested: u64,
    refuted: u64,
    /// The same of late.
    lately: [u64; 2],
    /// It was of little use lately, so that it is asked now and then only; counts up to the next time.
    suspended: Option<u64>,
}

impl Account {
    /// Whether it is asked about the next position.
    #[inline]
    const fn is_due(&mut self) -> bool {
        let Some(count) = &mut self.suspended else { return true };
        *count += 1;
        count.is_multiple_of(SAMPLE_INTERVAL)
    }

    /// It was asked.
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

/// A party that is asked about every position unless it rests, with its account.
struct Pattern {
    /// Of these men it was made.
    men: MenSet,
    relaxation: SubsetRelaxation,
    account: Account,
}

impl Pattern {
    fn new(men: MenSet, script: &Script) -> Self {
        Self { men, relaxation: SubsetRelaxation::new(men, script), account: Account::default() }
    }

    #[inline]
    fn allows(
        &mut self,
        context: &SubsetContext<'_>,
        board: &SearchBoard,
        bound: &MoveBound,
        (plies, played): (u16, u64),
        blocked_maps: &mut BlockedMaps,
    ) -> bool {
        if !self.account.is_due() {
            return true;
        }
        let granted = MOVES_FIRST + played / MOVES_SHARE + MOVES_EARNED * self.account.refuted;
        let most = (MOVES_FIRST + played / QUESTION_SHARE).min(QUESTION_MAX);
        let most = if self.relaxation.moves > granted { 0 } else { most };
        let able = self.relaxation.allows(context, board, bound, plies, blocked_maps, most);
        self.account.record(!able);
        able
    }
}

/// All of them; of a few men before of many.
pub(crate) struct ActivePatterns {
    active: Vec<Pattern>,
    /// When one that refutes is looked at.
    refine: u64,
    /// Fewer men who would have done as well, and how often.
    fewer: Vec<(MenSet, u32)>,
    /// How often one came to be.
    pub(crate) changes: u32,
    /// Shares what they know.
    shared_cache: Option<SharedCache>,
    /// What is played, as far as those know it by name who share.
    case: u64,
}

impl ActivePatterns {
    /// Those that helped before.
    pub(crate) fn new(
        script: &Script,
        store: &NogoodStore,
        (shared_cache, number): (Option<&SharedCache>, u64),
    ) -> Self {
        let active =
            store.best(PATTERNS_MAX).into_iter().map(|men| Pattern::new(men, script)).collect();
        let (shared_cache, case) = (shared_cache.cloned(), number ^ script.case);
        let mut active =
            Self { active, refine: 0, fewer: Vec::new(), changes: 0, shared_cache, case };
        active.share();
        active
    }

    /// Shares what they know.
    fn share(&mut self) {
        if let Some(shared_cache) = &self.shared_cache {
            self.active
                .iter_mut()
                .for_each(|pattern| pattern.relaxation.share(shared_cache, self.case));
        }
    }

    /// Who they are, and their parties.
    pub(crate) fn patterns(&mut self) -> impl Iterator<Item = (MenSet, &mut SubsetRelaxation)> {
        self.active.iter_mut().map(|pattern| (pattern.men, &mut pattern.relaxation))
    }

    /// Whether these men are among them.
    pub(crate) fn has(&self, men: MenSet) -> bool {
        self.active.iter().any(|pattern| pattern.men == men)
    }

    /// Asks one more party, whoever that is.
    pub(crate) fn add(&mut self, men: MenSet, script: &Script) {
        self.active.push(Pattern::new(men, script));
    }

    /// Asks this one from now on. There may be another one now that was worth less.
    pub(crate) fn take(
        &mut self,
        men: MenSet,
        relaxation: SubsetRelaxation,
        store: &NogoodStore,
    ) -> Option<(MenSet, SubsetRelaxation)> {
        self.active.push(Pattern { men, relaxation, account: Account::default() });
        self.added(store)
    }

    /// There is a new one; gives the one that was worth least, if there are too many.
    fn added(&mut self, store: &NogoodStore) -> Option<(MenSet, SubsetRelaxation)> {
        self.changes += 1;
        self.share();
        if self.active.len() <= PATTERNS_MAX {
            return None;
        }
        let tested = |&i: &usize| self.active[i].account.tested > 0;
        let worth = |account: &Account| account.refuted * 1024 / (account.tested + 1);
        let worst =
            (0..self.active.len()).filter(tested).min_by_key(|&i| worth(&self.active[i].account));
        let Pattern { men, relaxation, account } = self.active.remove(worst.unwrap_or(0));
        store.record_use(men, account.tested, account.refuted);
        Some((men, relaxation))
    }

    /// Whether none of them is refuted, when so many moves have been played.
    #[inline]
    pub(crate) fn admits(
        &mut self,
        context: &SubsetContext<'_>,
        (board, bound): (&SearchBoard, &MoveBound),
        (plies, played): (u16, u64),
        blocked_maps: &mut BlockedMaps,
        store: &NogoodStore,
    ) -> bool {
        let mut moves = 0;
        let refuter = self.active.iter_mut().position(|pattern| {
            let before = pattern.relaxation.moves;
            let able = pattern.allows(context, board, bound, (plies, played), blocked_maps);
            moves = pattern.relaxation.moves - before;
            !able
        });
        if let Some(pattern) = refuter
            && moves >= REFINE_MIN
            && played >= self.refine
            && store.has_budget(played)
        {
            self.refine = played + REFINE_INTERVAL;
            self.refine(pattern, moves, context, (board, bound, plies), blocked_maps, store);
        }
        refuter.is_none()
    }

    /// A post has refuted a position in so many moves: would fewer men have done so?
    fn refine(
        &mut self,
        pattern: usize,
        moves: u64,
        context: &SubsetContext<'_>,
        place: (&SearchBoard, &MoveBound, u16),
        blocked_maps: &mut BlockedMaps,
        store: &NogoodStore,
    ) {
        let among = self.active[pattern].men;
        let (mut cost, most) = (0, 2 * moves + MOVES_FIRST);
        let men = minimize_conflict(context, place, blocked_maps, among, (most, &mut cost));
        store.record_learning(cost);
        let Some(men) = men.filter(|&men| men.len() < among.len() && !self.has(men)) else {
            return;
        };
        if !self.fewer.iter().any(|known| known.0 == men) {
            self.fewer.push((men, 0));
        }
        let times = self.fewer.iter_mut().find(|known| known.0 == men).map_or(0, |known| {
            known.1 += 1;
            known.1
        });
        if times >= REFINED_MIN {
            self.fewer.retain(|known| known.0 != men);
            store.bump_activity(men, times);
            self.active.insert(pattern, Pattern::new(men, context.script));
            self.added(store);
        }
    }

    /// The end of play.
    pub(crate) fn close(&self, store: &NogoodStore) {
        for pattern in &self.active {
            store.record_use(pattern.men, pattern.account.tested, pattern.account.refuted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_is_of_no_use_rests_until_it_is_of_use_again() {
        let mut account = Account::default();
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
