//! A hard strategy played in cases: an idle man never moves, or it steps aside and comes back.
//!
//! Either case is much easier than both together: a man that stays bars lines, and a king that stays
//! cannot answer checks; one that steps aside uses up two free moves at least.

use super::{Options, Played, Player};
use crate::chess::Role;
use crate::control::Cancel;
use crate::proof::analysis::{Effort, Suppose};
use crate::proof::man::Man;
use crate::proof::route::End;
use crate::proof::rules::Rule;
use crate::proof::strategy::Strategy;

/// After so many trials' worth of moves a case is parted further...
const TRIALS_MAX: u64 = 4;
/// ...and so many times later when there have been so many cases, because parts that are as hard as the whole only
/// multiply it.
const CASES: u64 = 4;

/// Cases within cases, at most.
const DEPTH_MAX: u32 = 10;

/// What stays the same while one strategy is played.
pub(super) struct Whole<'a> {
    pub(super) strategy: &'a Strategy,
    pub(super) number: u64,
    pub(super) lane: u64,
    pub(super) cancel: &'a Cancel,
}

impl Player {
    /// Plays a strategy with deep thought, in cases if that takes long (rule A19).
    ///
    /// *Admissible*: an idle man, one whose route asks nothing of it, moves or does not move in a game, and
    /// when it moves it comes back. So every game belongs to exactly one of the two cases, and the games of
    /// both together, which are different games, are those of the strategy. The position table
    /// keeps the failures of different cases apart.
    pub(super) fn play_cases(&mut self, whole: &Whole<'_>) -> Played {
        let kept = self.options;
        let played = self.case(whole, 0, &mut 0);
        self.options = kept;
        played
    }

    /// Plays the case that [`Options::suppose`] says; so many cases went before.
    fn case(&mut self, whole: &Whole<'_>, depth: u32, cases: &mut u64) -> Played {
        let Whole { strategy, number, lane, cancel } = *whole;
        let mut kept = self.options;
        let parts = kept.rules.has(Rule::Probing) && depth < DEPTH_MAX;
        let trial = match kept.trial_max {
            0 => Options::default().trial_max,
            trial => trial,
        };
        let trials = TRIALS_MAX * (1 + *cases / CASES);
        let most = if parts { trial.saturating_mul(trials) } else { u64::MAX };
        *cases += 1;
        let first = self.attempt(strategy, number, cancel, Effort::Deep, most, lane);
        let moves_max = kept.moves_max;
        let over = |played: &Played| {
            let spent = played.moves >= moves_max || cancel.is_raised();
            played.complete || played.enough || spent
        };
        if !parts || over(&first) {
            return first;
        }
        kept.moves_max -= first.moves;
        let case = self.doubtful(strategy, &mut kept.suppose, first.free);
        self.options = kept;
        let Some(man) = case else {
            let all = self.attempt(strategy, number, cancel, Effort::Deep, u64::MAX, lane);
            return Played { moves: first.moves + all.moves, ..all };
        };
        let Suppose { away, stay } = kept.suppose;
        self.options.suppose = Suppose { away, stay: stay.with(man) };
        let mut played = self.case(whole, depth + 1, cases);
        if played.complete && !played.enough {
            self.options = kept;
            self.options.suppose = Suppose { away: away.with(man), stay };
            self.options.games_max -= played.games.len();
            self.options.moves_max = kept.moves_max.saturating_sub(played.moves).max(1);
            let other = self.case(whole, depth + 1, cases);
            played.complete = other.complete;
            played.enough = other.enough;
            played.moves += other.moves;
            played.games.extend(other.games);
        }
        Played {
            moves: first.moves + played.moves,
            refused: None,
            free: first.free,
            needed: first.needed,
            ..played
        }
    }

    /// An idle man that may move or not as far as thinking tells, kings first. Men that cannot step aside
    /// are added to those that stay.
    fn doubtful(
        &mut self,
        strategy: &Strategy,
        suppose: &mut Suppose,
        free: [i16; 2],
    ) -> Option<Man> {
        let idle = |man: &Man| {
            let route = strategy.route(*man);
            !man.is_pawn()
                && route.nodes.is_empty()
                && route.end == End::Rest(man.origin())
                && free[man.color().index()] >= 2
                && !suppose.away.contains(*man)
                && !suppose.stay.contains(*man)
        };
        let mut men: Vec<Man> = Man::all().filter(idle).collect();
        men.sort_by_key(|man| man.role() != Role::King);
        for man in men {
            let aside = Suppose { away: suppose.away.with(man), ..*suppose };
            if self.plan(strategy, aside, Effort::Quick).is_ok() {
                return Some(man);
            }
            suppose.stay = suppose.stay.with(man);
        }
        None
    }
}
