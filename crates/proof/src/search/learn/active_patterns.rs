//! The parties that are asked about every position of a strategy, with their accounts.

use crate::problem::man::MenSet;
use crate::search::bound::{Bound, Rows};
use crate::search::learn::minimize_conflict::guilty;
use crate::search::learn::nogoods::Lore;
use crate::search::relax::cache::Shelves;
use crate::search::relax::subset::{Asked, Party};
use crate::search::state::board::Board;
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
const WORTH: u64 = 64;
const ASKED_MIN: u64 = 1 << 13;

/// Whoever rests is asked about one position in so many, and after so many of them again about all if it refuted
/// enough: play goes from one part of the tree to another, and who is of no use in the first may be in the second.
const RESTS: u64 = 32;
const ASKED_RESTING: u64 = 1 << 8;

/// So many parties are kept for a strategy, asked about every position or resting.
pub(crate) const POSTS_MAX: usize = 10;

/// A post that refutes a position in so many moves or more, near the array that is, is looked at after so many moves of
/// play, whether fewer men would do; when the same ones would so often, they are asked first from then on.
const REFINE_MIN: u64 = 32;
const REFINE_INTERVAL: u64 = 500;
const REFINED_MIN: u32 = 2;

/// What a party was worth.
#[derive(Clone, Copy, Debug, Default)]
struct Account {
    /// Of how many positions it was asked, and how many it refuted.
    asked: u64,
    refuted: u64,
    /// The same of late.
    lately: [u64; 2],
    /// It was of little use lately, so that it is asked now and then only; counts up to the next time.
    rests: Option<u64>,
}

impl Account {
    /// Whether it is asked about the next position.
    #[inline]
    const fn is_asked(&mut self) -> bool {
        let Some(count) = &mut self.rests else { return true };
        *count += 1;
        count.is_multiple_of(RESTS)
    }

    /// It was asked.
    #[inline]
    fn note(&mut self, refuted: bool) {
        self.asked += 1;
        self.refuted += u64::from(refuted);
        self.lately[0] += 1;
        self.lately[1] += u64::from(refuted);
        let enough = if self.rests.is_some() { ASKED_RESTING } else { ASKED_MIN };
        if self.lately[0] >= enough {
            let [asked, refuted] = std::mem::take(&mut self.lately);
            self.rests = (refuted * WORTH < asked).then_some(0);
        }
    }
}

/// A party that is asked about every position unless it rests, with its account.
struct Post {
    /// Of these men it was made.
    men: MenSet,
    party: Party,
    account: Account,
}

impl Post {
    fn new(men: MenSet, script: &Script) -> Self {
        Self { men, party: Party::new(men, script), account: Account::default() }
    }

    #[inline]
    fn allows(
        &mut self,
        asked: &Asked<'_>,
        board: &Board,
        bound: &Bound,
        (plies, played): (u16, u64),
        rows: &mut Rows,
    ) -> bool {
        if !self.account.is_asked() {
            return true;
        }
        let granted = MOVES_FIRST + played / MOVES_SHARE + MOVES_EARNED * self.account.refuted;
        let most = (MOVES_FIRST + played / QUESTION_SHARE).min(QUESTION_MAX);
        let most = if self.party.moves > granted { 0 } else { most };
        let able = self.party.allows(asked, board, bound, plies, rows, most);
        self.account.note(!able);
        able
    }
}

/// All of them; of a few men before of many.
pub(crate) struct Posts {
    posts: Vec<Post>,
    /// When one that refutes is looked at.
    refine: u64,
    /// Fewer men who would have done as well, and how often.
    fewer: Vec<(MenSet, u32)>,
    /// How often one came to be.
    pub(crate) changes: u32,
    /// Shares what they know.
    shelves: Option<Shelves>,
    /// What is played, as far as those know it by name who share.
    case: u64,
}

impl Posts {
    /// Those that helped before.
    pub(crate) fn new(
        script: &Script,
        lore: &Lore,
        (shelves, number): (Option<&Shelves>, u64),
    ) -> Self {
        let posts = lore.best(POSTS_MAX).into_iter().map(|men| Post::new(men, script)).collect();
        let (shelves, case) = (shelves.cloned(), number ^ script.case);
        let mut posts = Self { posts, refine: 0, fewer: Vec::new(), changes: 0, shelves, case };
        posts.share();
        posts
    }

    /// Shares what they know.
    fn share(&mut self) {
        if let Some(shelves) = &self.shelves {
            self.posts.iter_mut().for_each(|post| post.party.share(shelves, self.case));
        }
    }

    /// Who they are, and their parties.
    pub(crate) fn parties(&mut self) -> impl Iterator<Item = (MenSet, &mut Party)> {
        self.posts.iter_mut().map(|post| (post.men, &mut post.party))
    }

    /// Whether these men are among them.
    pub(crate) fn has(&self, men: MenSet) -> bool {
        self.posts.iter().any(|post| post.men == men)
    }

    /// Asks one more party, whoever that is.
    pub(crate) fn add(&mut self, men: MenSet, script: &Script) {
        self.posts.push(Post::new(men, script));
    }

    /// Asks this one from now on. There may be another one now that was worth less.
    pub(crate) fn take(
        &mut self,
        men: MenSet,
        party: Party,
        lore: &Lore,
    ) -> Option<(MenSet, Party)> {
        self.posts.push(Post { men, party, account: Account::default() });
        self.came(lore)
    }

    /// There is a new one; gives the one that was worth least, if there are too many.
    fn came(&mut self, lore: &Lore) -> Option<(MenSet, Party)> {
        self.changes += 1;
        self.share();
        if self.posts.len() <= POSTS_MAX {
            return None;
        }
        let tested = |&i: &usize| self.posts[i].account.asked > 0;
        let worth = |account: &Account| account.refuted * 1024 / (account.asked + 1);
        let worst =
            (0..self.posts.len()).filter(tested).min_by_key(|&i| worth(&self.posts[i].account));
        let Post { men, party, account } = self.posts.remove(worst.unwrap_or(0));
        lore.charge(men, account.asked, account.refuted);
        Some((men, party))
    }

    /// Whether none of them is refuted, when so many moves have been played.
    #[inline]
    pub(crate) fn allow(
        &mut self,
        asked: &Asked<'_>,
        (board, bound): (&Board, &Bound),
        (plies, played): (u16, u64),
        rows: &mut Rows,
        lore: &Lore,
    ) -> bool {
        let mut moves = 0;
        let refuter = self.posts.iter_mut().position(|post| {
            let before = post.party.moves;
            let able = post.allows(asked, board, bound, (plies, played), rows);
            moves = post.party.moves - before;
            !able
        });
        if let Some(post) = refuter
            && moves >= REFINE_MIN
            && played >= self.refine
            && lore.has_time(played)
        {
            self.refine = played + REFINE_INTERVAL;
            self.refine(post, moves, asked, (board, bound, plies), rows, lore);
        }
        refuter.is_none()
    }

    /// A post has refuted a position in so many moves: would fewer men have done so?
    fn refine(
        &mut self,
        post: usize,
        moves: u64,
        asked: &Asked<'_>,
        place: (&Board, &Bound, u16),
        rows: &mut Rows,
        lore: &Lore,
    ) {
        let among = self.posts[post].men;
        let (mut cost, most) = (0, 2 * moves + MOVES_FIRST);
        let men = guilty(asked, place, rows, among, (most, &mut cost));
        lore.note_learning(cost);
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
            lore.praise(men, times);
            self.posts.insert(post, Post::new(men, asked.script));
            self.came(lore);
        }
    }

    /// The end of play.
    pub(crate) fn close(&self, lore: &Lore) {
        for post in &self.posts {
            lore.charge(post.men, post.account.asked, post.account.refuted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_is_of_no_use_rests_until_it_is_of_use_again() {
        let mut account = Account::default();
        for _ in 0..ASKED_MIN {
            assert!(account.is_asked());
            account.note(false);
        }
        let asked = (0..RESTS * ASKED_RESTING).filter(|_| account.is_asked()).count();
        assert_eq!(asked as u64, ASKED_RESTING);
        for _ in 0..ASKED_RESTING {
            assert!(account.rests.is_some());
            account.note(true);
        }
        assert!((0..9).all(|_| account.is_asked()));
        assert_eq!((account.asked, account.refuted), (ASKED_MIN + ASKED_RESTING, ASKED_RESTING));
    }
}
