//! What the play of one strategy teaches for the others of its problem: which men get in each other's way.
//!
//! Strategies of a problem differ in a few routes, so the men who made one fail often make others fail, and
//! men with the same routes nearly always do. Only the time that play takes depends on it.

use crate::distance::cache::Map;
use crate::problem::man::{Man, MenSet};
use crate::search::split::interposers::Shield;
use crate::search::split::promotion_classes::{Kinds, Try};
use std::cmp::Reverse;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use umbrail_chess::geometry::Color;

/// So many sets are remembered.
const LESSONS_MAX: usize = 32;

/// When a set is worth so much, everything is worth half.
const WORTH_MAX: u32 = 1 << 12;

/// When a set was asked so often, its account is halved.
const ASKED_MAX: u64 = 1 << 17;

/// A set refutes so many positions of so many, as long as nothing is known of it.
const HOPE: [u64; 2] = [4, 128];

/// Sets that refute less than one position in so many are not worth asking.
const PAYS: u64 = 64;

/// A set is asked about so many arrays with unknown duties for nothing, and so many for each one that it refutes.
const TRIES_FIRST: u64 = 32;
const TRIES_EARNED: u64 = 12;

/// So many verdicts on arrays are remembered.
const VERDICTS_MAX: usize = 1 << 16;

/// Learning takes one move for so many in play, and so many for nothing.
const LEARNING_SHARE: u64 = 1;
const LEARNING_FIRST: u64 = 200_000;

/// A set of men who by themselves refuted positions.
#[derive(Clone, Copy, Debug)]
struct Lesson {
    men: MenSet,
    worth: u32,
    /// Of how many positions it was asked, and how many it refuted.
    asked: u64,
    refuted: u64,
    /// Of how many arrays with unknown duties it was asked, and how many it refuted.
    tried: [u64; 2],
}

impl Lesson {
    const fn new(men: MenSet, worth: u32) -> Self {
        Self { men, worth, asked: 0, refuted: 0, tried: [0; 2] }
    }

    /// Whether to ask about arrays with unknown duties.
    const fn is_promising(&self) -> bool {
        self.tried[0] <= TRIES_FIRST + TRIES_EARNED * self.tried[1]
    }

    /// Positions refuted, of a million.
    const fn rate(&self) -> u64 {
        (self.refuted + HOPE[0]) * 1_000_000 / (self.asked + HOPE[1])
    }
}

/// A strategy is never thought about deeply before so many moves, unless a player wants it earlier.
const TRIAL_MIN: u64 = 2_000;

/// Moves that may be made for shields when nothing was played, and one more for so many in play; the next time needs
/// half as many more.
const SHIELD_FIRST: u64 = 3_000_000;
const SHIELD_SHARE: u64 = 1;

/// So many shields are remembered.
const SHIELDS_MAX: usize = 8;

/// Of so many strategies it is remembered that others have them in common and whether these fail.
const KINDS_MAX: usize = 1 << 16;

/// Lessons and verdicts.
struct Notes {
    /// The most worthy first.
    lessons: Vec<Lesson>,
    /// By what men have to do: whether they refuted an array.
    verdicts: Map<u64, bool>,
    /// The latest first.
    shields: Vec<Shield>,
    /// By the strategy that others have in common.
    kinds: Map<String, Kinds>,
}

/// All that was learned, by one player or several.
pub struct Lore {
    notes: Mutex<Notes>,
    played: AtomicU64,
    spent: AtomicU64,
    /// After so many moves deep thought is worth while at present, as far as players agree.
    trial: AtomicU64,
    /// Moves made for shields.
    shield_moves: AtomicU64,
    /// With so many moves they are sought next.
    shield_next: AtomicU64,
}

impl Default for Lore {
    /// All men of either side and the other king: what a side without free moves does seldom depends on
    /// more of the enemy than what he shuts, and whom it checks.
    fn default() -> Self {
        let side = |color: Color| MenSet::of_color(color).with(Man::king(!color));
        let lessons = Color::ALL.map(|color| Lesson::new(side(color), 1)).into();
        let (verdicts, kinds) = (Map::default(), Map::default());
        let notes = Mutex::new(Notes { lessons, verdicts, shields: Vec::new(), kinds });
        let none = || AtomicU64::new(0);
        Self {
            notes,
            played: none(),
            spent: none(),
            trial: AtomicU64::new(u64::MAX),
            shield_moves: none(),
            shield_next: AtomicU64::new(SHIELD_FIRST),
        }
    }
}

impl Lore {
    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The sets to ask about an array, the most worthy first: what they have to do is in `duties`. True for those
    /// who refuted another array with the same duties; of the others only promising ones, at most so many.
    pub(crate) fn early(
        &self,
        duties: impl Fn(MenSet) -> u64,
        most: usize,
    ) -> Vec<(MenSet, u64, bool)> {
        let notes = self.notes();
        let mut unknown = 0;
        let ask = |lesson: &Lesson| {
            let duties = duties(lesson.men);
            let known = notes.verdicts.get(&duties);
            if known.is_none() && lesson.is_promising() && unknown < most {
                unknown += 1;
                return Some((lesson.men, duties, false));
            }
            known.filter(|&&refuted| refuted).map(|_| (lesson.men, duties, true))
        };
        notes.lessons.iter().filter_map(ask).collect()
    }

    /// Men with these duties, unknown before, refuted an array or did not.
    pub(crate) fn note_try(&self, men: MenSet, refuted: bool) {
        if let Some(lesson) = self.notes().lessons.iter_mut().find(|lesson| lesson.men == men) {
            lesson.tried[0] += 1;
            lesson.tried[1] += u64::from(refuted);
        }
    }

    /// The sets to ask about every position, at most so many, the best first.
    pub(crate) fn best(&self, most: usize) -> Vec<MenSet> {
        let notes = self.notes();
        let mut lessons: Vec<&Lesson> =
            notes.lessons.iter().filter(|lesson| lesson.rate() * PAYS >= 1_000_000).collect();
        lessons.sort_by_key(|lesson| Reverse(lesson.rate()));
        lessons.iter().take(most).map(|lesson| lesson.men).collect()
    }

    /// A set was worth so much.
    pub(crate) fn praise(&self, men: MenSet, worth: u32) {
        let lessons = &mut self.notes().lessons;
        if let Some(lesson) = lessons.iter_mut().find(|lesson| lesson.men == men) {
            lesson.worth += worth;
        } else {
            // A newcomer takes the place of the last one, and has to prove itself.
            lessons.truncate(LESSONS_MAX - 1);
            lessons.push(Lesson::new(men, worth));
        }
        lessons.sort_by_key(|lesson| Reverse(lesson.worth));
        if lessons[0].worth > WORTH_MAX {
            lessons.iter_mut().for_each(|lesson| lesson.worth /= 2);
        }
    }

    /// A set was asked about so many positions and refuted so many of them.
    pub(crate) fn charge(&self, men: MenSet, asked: u64, refuted: u64) {
        if let Some(lesson) = self.notes().lessons.iter_mut().find(|lesson| lesson.men == men) {
            lesson.asked += asked;
            lesson.refuted += refuted;
            if lesson.asked > ASKED_MAX {
                lesson.asked /= 2;
                lesson.refuted /= 2;
            }
        }
    }

    /// Men with these duties refuted an array, or did not.
    pub(crate) fn judge(&self, duties: u64, refuted: bool) {
        let verdicts = &mut self.notes().verdicts;
        if verdicts.len() >= VERDICTS_MAX {
            verdicts.clear();
        }
        verdicts.insert(duties, refuted);
    }

    /// The shields that strategies of the problem needed, the latest first.
    pub(crate) fn shields(&self) -> Vec<Shield> {
        self.notes().shields.clone()
    }

    /// A strategy needs a shield.
    pub(crate) fn note_shield(&self, shield: Shield) {
        let shields = &mut self.notes().shields;
        shields.retain(|known| (known.men, known.square) != (shield.men, shield.square));
        shields.truncate(SHIELDS_MAX - 1);
        shields.insert(0, shield);
    }

    /// What is known of the strategies that have this one in common; if nothing is, they are tried from now on.
    pub(crate) fn try_kinds(&self, common: &str, first: impl FnOnce() -> Try) -> Kinds {
        let kinds = &mut self.notes().kinds;
        if let Some(known) = kinds.get(common) {
            return known.clone();
        }
        if kinds.len() >= KINDS_MAX {
            kinds.clear();
        }
        let first = Kinds::Tried(first());
        kinds.insert(common.to_owned(), first.clone());
        first
    }

    /// They all fail, or that was not shown. Whether anybody has shown it.
    pub(crate) fn note_kinds(&self, common: String, fail: bool) -> bool {
        let kinds = &mut self.notes().kinds;
        let fail = fail || matches!(kinds.get(&common), Some(Kinds::Dead));
        kinds.insert(common, if fail { Kinds::Dead } else { Kinds::Open });
        fail
    }

    /// Shields took so many moves more.
    pub(crate) fn note_shield_moves(&self, moves: u64) {
        self.shield_moves.fetch_add(moves, Ordering::Relaxed);
    }

    /// How many moves may be made for shields now, when so many of the present strategy have been played; none while
    /// there are not many more than last time. In all they are a share of those in play, and some for nothing.
    pub(crate) fn shield_moves_left(&self, played: u64) -> Option<u64> {
        let all = SHIELD_FIRST + (self.played.load(Ordering::Relaxed) + played) / SHIELD_SHARE;
        let left = all.saturating_sub(self.shield_moves.load(Ordering::Relaxed));
        let next = self.shield_next.load(Ordering::Relaxed);
        (left >= next).then(|| {
            self.shield_next.store(next + next / 2, Ordering::Relaxed);
            left
        })
    }

    /// After how many moves to think deeply about a strategy; a player never wants to do so later than `most`.
    pub(crate) fn trial(&self, most: u64) -> u64 {
        self.trial.load(Ordering::Relaxed).min(most)
    }

    /// Deep thought refused a strategy or did not: the more often it does, the sooner it comes. Only time depends on
    /// it.
    pub(crate) fn note_thought(&self, most: u64, refused: bool) {
        let trial = self.trial(most);
        let next = if refused { trial / 4 * 3 } else { trial.saturating_mul(2) };
        self.trial.store(next.clamp(TRIAL_MIN.min(most), most), Ordering::Relaxed);
    }

    /// A strategy has been played with so many moves.
    pub(crate) fn note_play(&self, moves: u64) {
        // Relaxed, here and below: figures that only share out time.
        self.played.fetch_add(moves, Ordering::Relaxed);
    }

    /// Learning took so many moves.
    pub(crate) fn note_learning(&self, moves: u64) {
        self.spent.fetch_add(moves, Ordering::Relaxed);
    }

    /// Whether there is time to learn when so many moves of the present strategy have been played.
    pub(crate) fn has_time(&self, played: u64) -> bool {
        let before = self.played.load(Ordering::Relaxed);
        self.spent.load(Ordering::Relaxed) * LEARNING_SHARE <= before + played + LEARNING_FIRST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_those_who_refute_most_and_worthless_ones_are_not_asked() {
        let lore = Lore::default();
        let some = |bits| MenSet(bits);
        for bits in 1..=3 {
            lore.praise(some(bits), 1);
        }
        lore.charge(some(1), 10_000, 10);
        lore.charge(some(2), 10_000, 4_000);
        lore.charge(some(3), 10_000, 2_000);
        assert_eq!(lore.best(2), [some(2), some(3)]);
        assert!(!lore.best(9).contains(&some(1)));
    }

    #[test]
    fn the_least_worthy_set_makes_room() {
        let lore = Lore::default();
        let duties = |men: MenSet| u64::from(men.0);
        (1..=100).for_each(|bits| lore.praise(MenSet(bits), 200 - bits));
        assert_eq!(lore.early(duties, 99).len(), LESSONS_MAX);
        assert_eq!(lore.early(duties, 99)[0].0, MenSet(1));
        assert!(
            lore.early(duties, 99).iter().any(|set| set.0 == MenSet(100)),
            "whoever comes last is there"
        );
    }

    #[test]
    fn men_are_asked_again_where_they_have_the_same_to_do() {
        let lore = Lore::default();
        let (good, bad) = (MenSet(1), MenSet(2));
        lore.praise(good, 9);
        lore.praise(bad, 8);
        for tried in 0..100 {
            lore.note_try(good, tried % 4 == 0);
            lore.note_try(bad, false);
        }
        let duties = |men: MenSet| u64::from(men.0);
        let early = lore.early(duties, 1);
        assert_eq!(early, [(good, 1, false)], "bad never refuted anything");
        lore.judge(2, true);
        lore.judge(1, false);
        assert!(lore.early(duties, 0) == [(bad, 2, true)]);
    }

    #[test]
    fn learning_stops_where_it_takes_more_than_play() {
        let lore = Lore::default();
        assert!(lore.has_time(0));
        lore.note_learning(LEARNING_FIRST + 1);
        assert!(!lore.has_time(0));
        assert!(lore.has_time(LEARNING_SHARE));
        lore.note_play(1);
        assert!(lore.has_time(0));
    }

    #[test]
    fn thought_comes_the_sooner_the_more_it_refuses() {
        let lore = Lore::default();
        assert_eq!(lore.trial(50_000), 50_000);
        (0..40).for_each(|_| lore.note_thought(50_000, true));
        assert_eq!(lore.trial(50_000), TRIAL_MIN);
        assert_eq!(lore.trial(100), 100, "never later than wanted");
        lore.note_thought(50_000, false);
        assert_eq!(lore.trial(50_000), 2 * TRIAL_MIN);
        (0..40).for_each(|_| lore.note_thought(50_000, false));
        assert_eq!(lore.trial(50_000), 50_000);
    }
}
