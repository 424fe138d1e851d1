//! Which parties are asked in the play of a strategy: found out where play failed.

use crate::problem::man::MenSet;
use crate::search::bound::{Bound, Rows};
use crate::search::learn::active_patterns::{MOVES_FIRST, POSTS_MAX, Posts};
use crate::search::learn::minimize_conflict::guilty;
use crate::search::learn::nogoods::Lore;
use crate::search::relax::cache::Shelves;
use crate::search::relax::subset::{Asked, Party};
use crate::search::state::board::Board;
use crate::search::state::script::Script;
use std::cmp::Reverse;

/// Nobody is asked before so many moves of play: most strategies are done by then.
const MOVES_MIN: u64 = 1_000;

/// A failure is looked at when it took so many moves, and so many moves of play after the one before.
const FAILURE_MIN: u64 = 64;
const INTERVAL: u64 = 1_000;

/// What a scout may spend on one failure.
const SCOUT_MOVES: u64 = 2_000;

/// So many scouts at most.
const SCOUTS_MAX: usize = 8;

/// So many placements known to all scouts together.
const SCOUTS_KNOW: usize = 1 << 20;

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
struct Scout {
    men: MenSet,
    party: Party,
    /// How many failures it refuted.
    score: u32,
}

/// The array of a strategy: where everybody stands, what is needed, and all plies.
#[derive(Clone, Copy)]
pub(crate) struct Array<'a> {
    pub(crate) board: &'a Board,
    pub(crate) bound: &'a Bound,
    pub(crate) plies: u16,
}

impl Array<'_> {
    /// Why these men refute it, as they have done in so many moves: the fewest of them who do.
    fn blame(self, asked: &Asked<'_>, men: MenSet, moves: u64, rows: &mut Rows, lore: &Lore) {
        let (mut cost, most) = (0, 2 * moves + MOVES_FIRST);
        let place = (self.board, self.bound, self.plies);
        let men = guilty(asked, place, rows, men, (most, &mut cost)).unwrap_or(men);
        lore.note_learning(cost);
        lore.praise(men, STRATEGY_WORTH);
        lore.judge(asked.script.duties(men), true);
    }
}

/// The parties of one strategy.
pub(crate) struct Parties {
    pub(crate) posts: Posts,
    scouts: Vec<Scout>,
    samples: u32,
    /// When the next failure is looked at.
    next: u64,
    /// When the array is asked about.
    array: u64,
}

impl Parties {
    /// Those that helped before.
    pub(crate) fn new(script: &Script, lore: &Lore, company: (Option<&Shelves>, u64)) -> Self {
        Self {
            posts: Posts::new(script, lore, company),
            scouts: Vec::new(),
            samples: 0,
            next: MOVES_MIN,
            array: 0,
        }
    }

    /// Whether none of those is refuted that are asked about every position, when so many moves have been played.
    #[inline]
    pub(crate) fn allow(
        &mut self,
        asked: &Asked<'_>,
        place: (&Board, &Bound),
        (plies, played): (u16, u64),
        rows: &mut Rows,
        lore: &Lore,
    ) -> bool {
        played < MOVES_MIN || self.posts.allow(asked, place, (plies, played), rows, lore)
    }

    /// Whether it is time to ask about the array.
    #[inline]
    pub(crate) const fn wonders(&self, played: u64) -> bool {
        played >= self.array
    }

    /// Whether no party that was any good is refuted in the array.
    pub(crate) fn allow_all(
        &mut self,
        asked: &Asked<'_>,
        array: Array<'_>,
        played: u64,
        rows: &mut Rows,
        lore: &Lore,
    ) -> bool {
        if played < MOVES_MIN {
            self.array = MOVES_MIN;
            return allow_early(asked, array, rows, lore);
        }
        self.array = 2 * played;
        let most = (MOVES_FIRST + played / ARRAY_SHARE).min(ARRAY_MAX);
        let scouts = self.scouts.iter_mut().map(|scout| (scout.men, &mut scout.party));
        let refuter = self.posts.parties().chain(scouts).find_map(|(men, party)| {
            let before = party.moves;
            let able = party.allows(asked, array.board, array.bound, array.plies, rows, most);
            (!able).then_some((men, party.moves - before))
        });
        if let Some((men, moves)) = refuter {
            array.blame(asked, men, moves, rows, lore);
        }
        refuter.is_none()
    }

    /// Whether a failure after so many moves is to be looked at.
    #[inline]
    pub(crate) fn is_curious(&self, played: u64, moves: u64, lore: &Lore) -> bool {
        played >= self.next && moves >= FAILURE_MIN && lore.has_time(played)
    }

    /// Looks at a position that failed after so many moves, to see whose fault it was; true when they refute
    /// the array, too.
    pub(crate) fn learn(
        &mut self,
        asked: &Asked<'_>,
        (board, bound, plies): (&Board, &Bound, u16),
        (played, moves): (u64, u64),
        array: Array<'_>,
        rows: &mut Rows,
        lore: &Lore,
    ) -> bool {
        self.next = played + INTERVAL;
        // Others may have found some meanwhile.
        for men in lore.best(POSTS_MAX) {
            if self.scouts.iter().all(|scout| scout.men != men) {
                self.hire(Scout { men, party: Party::new(men, asked.script), score: 0 });
            }
        }
        let mut cost = 0;
        let mut known = false;
        for scout in &mut self.scouts {
            let before = scout.party.moves;
            if !scout.party.allows(asked, board, bound, plies, rows, SCOUT_MOVES) {
                scout.score += 1;
                known = true;
            }
            cost += scout.party.moves - before;
        }
        if !known {
            let most = SCOUT_MOVES.max(4 * moves);
            let place = (board, bound, plies);
            if let Some(men) = guilty(asked, place, rows, MenSet::ALL, (most, &mut cost)) {
                let mut party = Party::new(men, asked.script);
                let Array { board, bound, plies } = array;
                if !party.allows(asked, board, bound, plies, rows, FOUND_MOVES) {
                    lore.note_learning(cost + party.moves);
                    array.blame(asked, men, party.moves, rows, lore);
                    return true;
                }
                cost += party.moves;
                self.hire(Scout { men, party, score: 1 });
            }
        }
        lore.note_learning(cost);
        if self.scouts.iter().map(|scout| scout.party.knows()).sum::<usize>() > SCOUTS_KNOW {
            self.scouts.iter_mut().for_each(|scout| scout.party.forget());
        }
        self.samples += 1;
        if self.samples >= SAMPLES {
            self.choose(lore);
        }
        false
    }

    /// A new scout, perhaps instead of one that was no good.
    fn hire(&mut self, new: Scout) {
        if self.posts.has(new.men) {
            return;
        }
        if self.scouts.len() >= SCOUTS_MAX
            && let Some(worst) = (0..self.scouts.len()).min_by_key(|&i| self.scouts[i].score)
        {
            self.scouts.remove(worst);
        }
        self.scouts.push(new);
    }

    /// Takes the best scout, perhaps instead of the party that was worth least.
    fn choose(&mut self, lore: &Lore) {
        self.samples = 0;
        self.scouts.sort_by_key(|scout| (Reverse(scout.score), scout.men.len()));
        if self.scouts.first().is_some_and(|scout| scout.score >= SCORE_MIN) {
            let Scout { men, party, score } = self.scouts.remove(0);
            lore.praise(men, score);
            if let Some((men, party)) = self.posts.take(men, party, lore) {
                self.hire(Scout { men, party, score: 0 });
            }
        }
        self.scouts.iter_mut().for_each(|scout| scout.score = 0);
    }

    /// The end of play, after so many moves; without games somebody is to blame, from whom other strategies
    /// may learn.
    pub(crate) fn close(
        &mut self,
        asked: &Asked<'_>,
        array: Array<'_>,
        (played, found): (u64, bool),
        rows: &mut Rows,
        lore: &Lore,
    ) {
        self.posts.close(lore);
        if found || !(MOVES_MIN..=AUTOPSY_MAX).contains(&played) || !lore.has_time(played) {
            return;
        }
        let (mut cost, most) = (0, played + MOVES_FIRST);
        let place = (array.board, array.bound, array.plies);
        let men = guilty(asked, place, rows, MenSet::ALL, (most, &mut cost));
        lore.note_learning(cost);
        if let Some(men) = men {
            lore.praise(men, 1);
            lore.judge(asked.script.duties(men), true);
        }
    }
}

/// Asks those about the array who refuted others, before play.
fn allow_early(asked: &Asked<'_>, array: Array<'_>, rows: &mut Rows, lore: &Lore) -> bool {
    let Array { board, bound, plies } = array;
    for (men, duties, known) in lore.early(|men| asked.script.duties(men), UNKNOWN_MAX) {
        let most = if known { KNOWN_MOVES } else { UNKNOWN_MOVES };
        let able = Party::new(men, asked.script).allows(asked, board, bound, plies, rows, most);
        lore.judge(duties, !able);
        if !known {
            lore.note_try(men, !able);
        }
        if !able {
            lore.praise(men, EARLY_WORTH);
            return false;
        }
    }
    true
}
