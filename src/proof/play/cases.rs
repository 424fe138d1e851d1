//! A hard strategy played in cases: an idle man never moves, or it steps aside and comes back; or this man shuts a
//! line, or that one does.
//!
//! Each case is much easier than all together: a man that stays bars lines, and a king that stays
//! cannot answer checks; one that steps aside or goes where a line must be shut uses up free moves.

use super::{Options, Played, Player};
use crate::chess::Role;
use crate::control::Cancel;
use crate::proof::analysis::{Effort, Suppose};
use crate::proof::man::Man;
use crate::proof::route::End;
use crate::proof::rules::Rule;
use crate::proof::strategy::Strategy;

/// After so many trials' worth of moves a strategy is parted; a case of it after four times as many, and so on,
/// because parts that are as hard as the whole only multiply it.
const TRIALS_MAX: u64 = 16;

/// A side with more free moves has enough of them whether a man steps aside or not.
const FREE_MAX: i16 = 5;

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
    /// Plays a strategy with deep thought, in cases if that takes long (rules A17 and A19).
    ///
    /// *Admissible*: an idle man, one whose route asks nothing of it, moves or does not move in a game, and
    /// when it moves it comes back. So every game belongs to exactly one of the two cases, and the games of
    /// both together, which are different games, are those of the strategy. The position table
    /// keeps the failures of different cases apart.
    pub(super) fn play_cases(&mut self, whole: &Whole<'_>) -> Played {
        let kept = self.options;
        let played = self.case(whole, 0);
        self.options = kept;
        played
    }

    /// Plays the case that [`Options::suppose`] says, a case within so many others.
    fn case(&mut self, whole: &Whole<'_>, depth: u32) -> Played {
        let Whole { strategy, number, lane, cancel } = *whole;
        let mut kept = self.options;
        let (probes, shields) = (kept.rules.has(Rule::Probing), kept.rules.has(Rule::CheckShields));
        let parts = (probes || shields) && depth < DEPTH_MAX;
        let trial = match kept.trial_max {
            0 => Options::default().trial_max,
            trial => trial,
        };
        if shields
            && depth == 0
            && let Some((before, parts)) = self.shielded(whole, None)
        {
            let Played { free, needed, ways, .. } = before;
            return Played { free, needed, ways, ..self.parts(whole, depth, parts) };
        }
        let seeks = shields && depth == 0;
        // Whoever cannot be parted need not begin again.
        let parts = parts && (seeks || probes && self.has_idle(strategy));
        let (mut trials, mut before) = (TRIALS_MAX << (2 * depth), 0);
        loop {
            let most = if parts { trial.saturating_mul(trials) } else { u64::MAX };
            let mut first = self.attempt(strategy, number, cancel, Effort::Deep, most, lane);
            let spent = first.moves >= kept.moves_max || cancel.is_raised();
            kept.moves_max = kept.moves_max.saturating_sub(first.moves).max(1);
            first.moves += before;
            if !parts || first.complete || first.enough || spent {
                return first;
            }
            before = first.moves;
            self.options = kept;
            let shielded = seeks.then(|| self.shielded(whole, Some(first.moves))).flatten();
            let mut parts = shielded.map(|(_, parts)| parts);
            if parts.is_none() && probes {
                let man = self.doubtful(strategy, &mut kept.suppose, first.free);
                self.options = kept;
                parts = man.map(|man| {
                    let [mut stay, mut away] = [kept.suppose; 2];
                    stay.stay = stay.stay.with(man);
                    away.away = away.away.with(man);
                    vec![stay, away]
                });
            }
            if let Some(parts) = parts {
                let played = self.parts(whole, depth, parts);
                let Played { free, needed, ways, moves, .. } = first;
                return Played { moves: moves + played.moves, free, needed, ways, ..played };
            }
            trials = if seeks { trials << 2 } else { u64::MAX };
        }
    }

    /// Plays cases that exclude each other and leave no other.
    fn parts(&mut self, whole: &Whole<'_>, depth: u32, parts: Vec<Suppose>) -> Played {
        let kept = self.options;
        let mut played = Played { complete: true, ..Played::default() };
        for part in parts {
            self.options = kept;
            self.options.suppose = part;
            self.options.games_max -= played.games.len();
            self.options.moves_max = kept.moves_max.saturating_sub(played.moves).max(1);
            let other = self.case(whole, depth + 1);
            played.complete = other.complete;
            played.enough = other.enough;
            played.moves += other.moves;
            played.games.extend(other.games);
            if !played.complete || played.enough {
                break;
            }
        }
        self.options = kept;
        played
    }

    /// Whether the present case could be parted by who moves.
    fn has_idle(&mut self, strategy: &Strategy) -> bool {
        let suppose = self.options.suppose;
        let plan = self.plan(strategy, suppose, Effort::Quick);
        plan.is_ok_and(|plan| Man::all().any(|man| is_idle(strategy, &suppose, plan.free, man)))
    }

    /// An idle man that may move or not as far as thinking tells, kings first. Men that cannot step aside
    /// are added to those that stay.
    fn doubtful(
        &mut self,
        strategy: &Strategy,
        suppose: &mut Suppose,
        free: [i16; 2],
    ) -> Option<Man> {
        let mut men: Vec<Man> =
            Man::all().filter(|&man| is_idle(strategy, suppose, free, man)).collect();
        men.sort_by_key(|man| man.role() != Role::King);
        for man in men {
            let mut aside = *suppose;
            aside.away = aside.away.with(man);
            if self.plan(strategy, aside, Effort::Quick).is_ok() {
                return Some(man);
            }
            suppose.stay = suppose.stay.with(man);
        }
        None
    }
}

/// Whether the route of a man asks nothing of it, nor does the case, and its side has some free moves, but not many.
fn is_idle(strategy: &Strategy, suppose: &Suppose, free: [i16; 2], man: Man) -> bool {
    let route = strategy.route(man);
    !man.is_pawn()
        && route.nodes.is_empty()
        && route.end == End::Rest(man.origin())
        && (2..=FREE_MAX).contains(&free[man.color().index()])
        && !suppose.away.contains(man)
        && !suppose.stay.contains(man)
        && suppose.visits_of(man).next().is_none()
}
