//! Which parties are asked in the play of a strategy: found out by trying others where play failed.

use super::board::Board;
use super::bound::{Bound, Rows};
use super::party::{Asked, Party};
use super::script::Script;
use crate::geometry::Color;
use crate::proof::man::{Man, MenSet};

/// Nobody is asked before so many moves of play: most strategies are done by then.
const MOVES_MIN: u64 = 1_000;

/// So many moves a party may make for nothing, one for so many in play, and so many for each position that
/// it refutes.
const MOVES_FIRST: u64 = 500;
const MOVES_SHARE: u64 = 8;
const MOVES_EARNED: u64 = 10;

/// A single question is given up after a share of the moves in play, and so many at most.
const QUESTION_SHARE: u64 = 8;
const QUESTION_MAX: u64 = 100_000;

/// A party that refutes less than one position in so many, of so many, is not asked any more.
const WORTH: u64 = 64;
const ASKED_MIN: u64 = 1 << 14;

/// A failure is looked at when it took so many moves.
const FAILURE_MIN: u64 = 64;

/// Failures are looked at so many moves of play apart at least, and so far apart that looking at them takes
/// a quarter of the time; the first after some time.
const INTERVAL_FIRST: u64 = 20_000;
const INTERVAL_MIN: u64 = 2_000;
const INTERVAL_COST: u64 = 3;

/// What a scout may spend on one failure.
const SCOUT_MOVES: u64 = 4_000;

/// After so many failures the best larger party is taken, if it would have refuted so many of them.
const SAMPLES: u32 = 12;
const SCORE_MIN: u32 = 2;

/// A party that is asked at every position, with its account.
struct Post {
    party: Party,
    asked: u64,
    refuted: u64,
}

impl Post {
    const fn new(party: Party) -> Self {
        Self { party, asked: 0, refuted: 0 }
    }

    fn allows(
        &mut self,
        asked: &Asked<'_>,
        board: &Board,
        bound: &Bound,
        (plies, played): (u16, u64),
        rows: &mut Rows,
    ) -> bool {
        if self.asked >= ASKED_MIN && self.refuted * WORTH < self.asked {
            return true;
        }
        let granted = MOVES_FIRST + played / MOVES_SHARE + MOVES_EARNED * self.refuted;
        let most = (MOVES_FIRST + played / QUESTION_SHARE).min(QUESTION_MAX);
        let most = if self.party.moves > granted { 0 } else { most };
        let able = self.party.allows(asked, board, bound, plies, rows, most);
        self.asked += 1;
        self.refuted += u64::from(!able);
        able
    }
}

/// A party that might be better than one that is asked.
struct Scout {
    /// Instead of which.
    index: usize,
    party: Party,
    /// How many failures it refuted.
    score: u32,
}

/// The parties of one strategy.
pub(super) struct Parties {
    posts: Vec<Post>,
    scouts: Vec<Scout>,
    samples: u32,
    /// When the next failure is looked at.
    next: u64,
    /// How often a party was replaced.
    pub(super) changes: u32,
}

impl Parties {
    /// All men of either side and the other king: what a side without free moves does seldom depends
    /// on more of the enemy than what he shuts, and whom it checks.
    pub(super) fn new(script: &Script) -> Self {
        let side = |color: Color| {
            let men = MenSet::of_color(color).with(Man::king(!color));
            Post::new(Party::new(men, script))
        };
        Self {
            posts: Color::ALL.map(side).into(),
            scouts: Vec::new(),
            samples: 0,
            next: INTERVAL_FIRST,
            changes: 0,
        }
    }

    /// Asks one more party, whoever that is.
    pub(super) fn add(&mut self, men: MenSet, script: &Script) {
        self.posts.push(Post::new(Party::new(men, script)));
    }

    /// Whether none of them is refuted, when so many moves have been played.
    #[inline]
    pub(super) fn allow(
        &mut self,
        asked: &Asked<'_>,
        board: &Board,
        bound: &Bound,
        (plies, played): (u16, u64),
        rows: &mut Rows,
    ) -> bool {
        played < MOVES_MIN
            || self.posts.iter_mut().all(|p| p.allows(asked, board, bound, (plies, played), rows))
    }

    /// Whether a failure after so many moves is to be looked at.
    #[inline]
    pub(super) const fn is_curious(&self, played: u64, moves: u64) -> bool {
        played >= self.next && moves >= FAILURE_MIN
    }

    /// Looks at a position that failed, to see who would have refuted it.
    pub(super) fn learn(
        &mut self,
        asked: &Asked<'_>,
        board: &Board,
        bound: &Bound,
        (plies, played): (u16, u64),
        rows: &mut Rows,
    ) {
        if self.scouts.is_empty() {
            self.send_scouts(asked.script);
        }
        let mut cost = 0;
        for scout in &mut self.scouts {
            let before = scout.party.moves;
            let able = scout.party.allows(asked, board, bound, plies, rows, SCOUT_MOVES);
            scout.score += u32::from(!able);
            cost += scout.party.moves - before;
        }
        self.next = played + INTERVAL_MIN + INTERVAL_COST * cost;
        self.samples += 1;
        if self.samples >= SAMPLES {
            self.choose(played, asked.script);
        }
    }

    /// Parties with one man more than those that are asked.
    fn send_scouts(&mut self, script: &Script) {
        for (index, Post { party, .. }) in self.posts.iter().enumerate() {
            let others = MenSet(!(party.men | script.fixed).0);
            self.scouts.extend(others.men().map(|man| Scout {
                index,
                party: Party::new(party.men.with(man), script),
                score: 0,
            }));
        }
    }

    /// Takes the best scouts; if none is any good, much later others are sent.
    fn choose(&mut self, played: u64, script: &Script) {
        let before = self.changes;
        for (index, post) in self.posts.iter_mut().enumerate() {
            let of_this = self.scouts.iter_mut().filter(|scout| scout.index == index);
            let best = of_this.max_by_key(|scout| (scout.score, !scout.party.moves));
            if let Some(scout) = best.filter(|scout| scout.score >= SCORE_MIN) {
                let empty = Party::new(MenSet::EMPTY, script);
                *post = Post::new(std::mem::replace(&mut scout.party, empty));
                self.changes += 1;
            }
        }
        self.scouts.clear();
        self.samples = 0;
        if self.changes == before {
            self.next = self.next.max(2 * played);
        }
    }
}
