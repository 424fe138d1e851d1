//! Which parties are asked in the play of a strategy: found out where play failed.

use crate::problem::man::MenSet;
use crate::search::bound::{BlockedMaps, MoveBound};
use crate::search::learn::active_patterns::{ActivePatterns, MOVES_FIRST, PATTERNS_MAX};
use crate::search::learn::minimize_conflict::minimize_conflict;
use crate::search::learn::nogoods::NogoodStore;
use crate::search::node::SearchNode;
use crate::search::relax::cache::SharedCache;
use crate::search::relax::subset::{SubsetContext, SubsetRelaxation};
use crate::search::state::board::SearchBoard;
use crate::search::state::script::Script;
use std::cmp::Reverse;

/// Nobody is asked before so many moves of play: most strategies are done by then.
const MOVES_MIN: u64 = 1_000;

/// A failure is looked at when it took so many moves, and so many moves of play after the one before.
const FAILURE_MIN: u64 = 64;
const INTERVAL: u64 = 1_000;

/// What a scout may spend on one failure.
const CANDIDATE_MOVES: u64 = 2_000;

/// So many scouts at most.
const CANDIDATES_MAX: usize = 8;

/// So many placements known to all scouts together.
const CANDIDATES_CACHE_MAX: usize = 1 << 20;

/// After so many failures the best scout is asked from then on, if it refuted so many of them.
const SAMPLES: u32 = 8;
const SCORE_MIN: u32 = 2;

/// What refuting a whole strategy is worth, in positions: after some play, and before.
const STRATEGY_WORTH: u32 = 16;
const EARLY_WORTH: u32 = 4;

/// The array is asked about whenever play has become twice as long; each party may spend such a share of it,
/// so many moves at most, and a party just found so many.
const ARRAY_SHARE: u64 = 8;
const ARRAY_MAX: u64 = 250_000;
const FOUND_MOVES: u64 = 8_000;

/// Before play, men with duties that refuted another array may take so many moves, and so many of those of whose
/// duties nothing is known so many.
const KNOWN_MOVES: u64 = 20_000;
const UNKNOWN_MOVES: u64 = 500;
const UNKNOWN_MAX: usize = 8;

/// Strategies that took more moves are not looked at afterwards.
const AUTOPSY_MAX: u64 = 50_000;

/// A party that might be worth asking.
struct Candidate {
    men: MenSet,
    relaxation: SubsetRelaxation,
    /// How many failures it refuted.
    score: u32,
}

impl SearchNode<'_> {
    /// Why these men refute it, as they have done in so many moves: the fewest of them who do.
    fn explain(
        self,
        context: &SubsetContext<'_>,
        men: MenSet,
        moves: u64,
        blocked_maps: &mut BlockedMaps,
        store: &NogoodStore,
    ) {
        let (mut cost, most) = (0, 2 * moves + MOVES_FIRST);
        let place = (self.board, self.bound, self.plies);
        let men =
            minimize_conflict(context, place, blocked_maps, men, (most, &mut cost)).unwrap_or(men);
        store.record_learning(cost);
        store.bump_activity(men, STRATEGY_WORTH);
        store.record_verdict(context.script.routes_key(men), true);
    }
}

/// The parties of one strategy.
pub(crate) struct PatternSelection {
    pub(crate) active: ActivePatterns,
    candidates: Vec<Candidate>,
    samples: u32,
    /// When the next failure is looked at.
    next: u64,
    /// When the array is asked about.
    array: u64,
}

impl PatternSelection {
    /// Those that helped before.
    pub(crate) fn new(
        script: &Script,
        store: &NogoodStore,
        company: (Option<&SharedCache>, u64),
    ) -> Self {
        Self {
            active: ActivePatterns::new(script, store, company),
            candidates: Vec::new(),
            samples: 0,
            next: MOVES_MIN,
            array: 0,
        }
    }

    /// Whether none of those is refuted that are asked about every position, when so many moves have been played.
    #[inline]
    pub(crate) fn admits(
        &mut self,
        context: &SubsetContext<'_>,
        place: (&SearchBoard, &MoveBound),
        (plies, played): (u16, u64),
        blocked_maps: &mut BlockedMaps,
        store: &NogoodStore,
    ) -> bool {
        played < MOVES_MIN
            || self.active.admits(context, place, (plies, played), blocked_maps, store)
    }

    /// Whether it is time to ask about the array.
    #[inline]
    pub(crate) const fn is_root_check_due(&self, played: u64) -> bool {
        played >= self.array
    }

    /// Whether no party that was any good is refuted in the array.
    pub(crate) fn admits_root(
        &mut self,
        context: &SubsetContext<'_>,
        array: SearchNode<'_>,
        played: u64,
        blocked_maps: &mut BlockedMaps,
        store: &NogoodStore,
    ) -> bool {
        if played < MOVES_MIN {
            self.array = MOVES_MIN;
            return admits_root_initially(context, array, blocked_maps, store);
        }
        self.array = 2 * played;
        let most = (MOVES_FIRST + played / ARRAY_SHARE).min(ARRAY_MAX);
        let candidates =
            self.candidates.iter_mut().map(|candidate| (candidate.men, &mut candidate.relaxation));
        let refuter = self.active.patterns().chain(candidates).find_map(|(men, relaxation)| {
            let before = relaxation.moves;
            let able = relaxation.allows(
                context,
                array.board,
                array.bound,
                array.plies,
                blocked_maps,
                most,
            );
            (!able).then_some((men, relaxation.moves - before))
        });
        if let Some((men, moves)) = refuter {
            array.explain(context, men, moves, blocked_maps, store);
        }
        refuter.is_none()
    }

    /// Whether a failure after so many moves is to be looked at.
    #[inline]
    pub(crate) fn samples_failure(&self, played: u64, moves: u64, store: &NogoodStore) -> bool {
        played >= self.next && moves >= FAILURE_MIN && store.has_budget(played)
    }

    /// Looks at a position that failed after so many moves, to see whose fault it was; true when they refute
    /// the array, too.
    pub(crate) fn learn(
        &mut self,
        context: &SubsetContext<'_>,
        (board, bound, plies): (&SearchBoard, &MoveBound, u16),
        (played, moves): (u64, u64),
        array: SearchNode<'_>,
        blocked_maps: &mut BlockedMaps,
        store: &NogoodStore,
    ) -> bool {
        self.next = played + INTERVAL;
        // Others may have found some meanwhile.
        for men in store.best(PATTERNS_MAX) {
            if self.candidates.iter().all(|candidate| candidate.men != men) {
                self.add_candidate(Candidate {
                    men,
                    relaxation: SubsetRelaxation::new(men, context.script),
                    score: 0,
                });
            }
        }
        let mut cost = 0;
        let mut known = false;
        for candidate in &mut self.candidates {
            let before = candidate.relaxation.moves;
            if !candidate.relaxation.allows(
                context,
                board,
                bound,
                plies,
                blocked_maps,
                CANDIDATE_MOVES,
            ) {
                candidate.score += 1;
                known = true;
            }
            cost += candidate.relaxation.moves - before;
        }
        if !known {
            let most = CANDIDATE_MOVES.max(4 * moves);
            let place = (board, bound, plies);
            if let Some(men) =
                minimize_conflict(context, place, blocked_maps, MenSet::ALL, (most, &mut cost))
            {
                let mut relaxation = SubsetRelaxation::new(men, context.script);
                let SearchNode { board, bound, plies } = array;
                if !relaxation.allows(context, board, bound, plies, blocked_maps, FOUND_MOVES) {
                    store.record_learning(cost + relaxation.moves);
                    array.explain(context, men, relaxation.moves, blocked_maps, store);
                    return true;
                }
                cost += relaxation.moves;
                self.add_candidate(Candidate { men, relaxation, score: 1 });
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

    /// A new scout, perhaps instead of one that was no good.
    fn add_candidate(&mut self, new: Candidate) {
        if self.active.has(new.men) {
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

    /// Takes the best scout, perhaps instead of the party that was worth least.
    fn promote_best(&mut self, store: &NogoodStore) {
        self.samples = 0;
        self.candidates.sort_by_key(|candidate| (Reverse(candidate.score), candidate.men.len()));
        if self.candidates.first().is_some_and(|candidate| candidate.score >= SCORE_MIN) {
            let Candidate { men, relaxation, score } = self.candidates.remove(0);
            store.bump_activity(men, score);
            if let Some((men, relaxation)) = self.active.take(men, relaxation, store) {
                self.add_candidate(Candidate { men, relaxation, score: 0 });
            }
        }
        self.candidates.iter_mut().for_each(|candidate| candidate.score = 0);
    }

    /// The end of play, after so many moves; without games somebody is to blame, from whom other strategies
    /// may learn.
    pub(crate) fn close(
        &mut self,
        context: &SubsetContext<'_>,
        array: SearchNode<'_>,
        (played, found): (u64, bool),
        blocked_maps: &mut BlockedMaps,
        store: &NogoodStore,
    ) {
        self.active.close(store);
        if found || !(MOVES_MIN..=AUTOPSY_MAX).contains(&played) || !store.has_budget(played) {
            return;
        }
        let (mut cost, most) = (0, played + MOVES_FIRST);
        let place = (array.board, array.bound, array.plies);
        let men = minimize_conflict(context, place, blocked_maps, MenSet::ALL, (most, &mut cost));
        store.record_learning(cost);
        if let Some(men) = men {
            store.bump_activity(men, 1);
            store.record_verdict(context.script.routes_key(men), true);
        }
    }
}

/// Asks those about the array who refuted others, before play.
fn admits_root_initially(
    context: &SubsetContext<'_>,
    array: SearchNode<'_>,
    blocked_maps: &mut BlockedMaps,
    store: &NogoodStore,
) -> bool {
    let SearchNode { board, bound, plies } = array;
    for (men, routes_key, known) in
        store.root_candidates(|men| context.script.routes_key(men), UNKNOWN_MAX)
    {
        let most = if known { KNOWN_MOVES } else { UNKNOWN_MOVES };
        let able = SubsetRelaxation::new(men, context.script).allows(
            context,
            board,
            bound,
            plies,
            blocked_maps,
            most,
        );
        store.record_verdict(routes_key, !able);
        if !known {
            store.record_trial(men, !able);
        }
        if !able {
            store.bump_activity(men, EARLY_WORTH);
            return false;
        }
    }
    true
}
