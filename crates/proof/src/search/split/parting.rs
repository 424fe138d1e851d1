//! A hard strategy played in cases: an idle man never moves, or it steps aside and comes back; or this man shuts a
//! line, or that one does.
//!
//! Each case is much easier than all together: a man that stays bars lines, and a king that stays
//! cannot answer checks; one that steps aside or goes where a line must be shut uses up free moves.

use crate::analyse::{Assumptions, Effort};
use crate::problem::man::Man;
use crate::rules::Rule;
use crate::search::options::PlayerOptions;
use crate::search::player::Player;
use crate::search::split::cases::{Cases, TakenCase};
use crate::search::team::context::TeamContext;
use crate::strategy::Strategy;
use crate::strategy::route::End;
use umbrail_chess::Role;

/// After so many trials' worth of moves a strategy is parted; a case of it after four times as many, and so on,
/// because parts that are as hard as the whole only multiply it.
const TRIALS_MAX: u64 = 16;

/// A side with more free moves has enough of them whether a man steps aside or not.
const FREE_MAX: i16 = 3;

/// Cases within cases, at most.
const DEPTH_MAX: u32 = 10;

impl Player {
    /// Plays cases of a strategy with deep thought until all are decided (rules A17 and A19), and gives the number of
    /// moves made.
    ///
    /// *Admissible*: an idle man, one whose route asks nothing of it, moves or does not move in a game, and
    /// when it moves it comes back. So every game belongs to exactly one of the two cases, and the games of
    /// both together, which are different games, are those of the strategy. The position table
    /// keeps the failures of different cases apart.
    pub(crate) fn search_cases(&mut self, strategy: &Strategy, number: u64, cases: &Cases) -> u64 {
        let kept = self.options;
        let mut moves = 0;
        while let Some(taken) = cases.take() {
            self.options.assumptions = taken.assumptions;
            self.options.games_max = taken.games_max;
            moves += self.search_case(strategy, number, cases, &taken);
            self.options = kept;
        }
        moves
    }

    /// Plays a case until it is decided, or parted.
    fn search_case(
        &mut self,
        strategy: &Strategy,
        number: u64,
        cases: &Cases,
        taken: &TakenCase,
    ) -> u64 {
        let &TakenCase { depth, ref over, ref shared_cache, ref searching, .. } = taken;
        let seat = TeamContext { shared_cache: Some(shared_cache), searching: Some(searching) };
        if let Some(view) = &self.view {
            view.case(taken.number());
        }
        let rules = self.options.rules;
        let (probes, interpositions) =
            (rules.has(Rule::IdleMenProbing), rules.has(Rule::Interpositions));
        let seeks = interpositions && depth == 0;
        if seeks && cases.may_split(taken) {
            if let Some((whole, parts)) = self.split_by_interposition(strategy, over, None) {
                cases.split(taken, whole, parts);
                return 0;
            }
            cases.keep_whole(taken);
        }
        let trial = match self.options.trial_max {
            0 => PlayerOptions::default().trial_max,
            trial => trial,
        };
        // Whoever cannot be parted need not begin again.
        let parts = depth < DEPTH_MAX && (seeks || probes && self.has_idle(strategy));
        let (mut trials, mut moves) = (TRIALS_MAX << (2 * depth), 0);
        loop {
            let share = || cases.share(taken, trial.saturating_mul(trials));
            let most = if parts { share() } else { u64::MAX };
            let most = most.min(cases.moves_left());
            let played = self.attempt(strategy, number, over, Effort::Deep, most, seat);
            moves += played.moves;
            let goes_on = cases.spend(played.moves) && !over.is_raised();
            if !parts || played.complete || played.enough || !goes_on {
                cases.finish(taken, played);
                return moves;
            }
            if cases.may_split(taken) {
                let split_by_interposition = seeks
                    .then(|| self.split_by_interposition(strategy, over, Some(moves)))
                    .flatten();
                let mut parts = split_by_interposition.map(|(_, parts)| parts);
                if parts.is_none() && probes {
                    parts = self.aside(strategy, played.free);
                }
                if let Some(parts) = parts {
                    cases.split(taken, played, parts);
                    return moves;
                }
                cases.keep_whole(taken);
            }
            trials = if seeks { trials << 2 } else { u64::MAX };
        }
    }

    /// Whether the present case could be parted by who moves.
    fn has_idle(&mut self, strategy: &Strategy) -> bool {
        let assumptions = self.options.assumptions;
        let plan = self.plan(strategy, assumptions, Effort::Quick);
        plan.is_ok_and(|plan| Man::all().any(|man| is_idle(strategy, &assumptions, plan.free, man)))
    }

    /// The two cases by an idle man that may move or not as far as thinking tells, kings first. Men that cannot step
    /// aside are added to those that stay.
    fn aside(&mut self, strategy: &Strategy, free: [i16; 2]) -> Option<Vec<Assumptions>> {
        let assumptions = self.options.assumptions;
        let mut men: Vec<Man> =
            Man::all().filter(|&man| is_idle(strategy, &assumptions, free, man)).collect();
        men.sort_by_key(|man| man.role() != Role::King);
        for man in men {
            let [mut stay, mut away] = [self.options.assumptions; 2];
            stay.stay = stay.stay.with(man);
            away.away = away.away.with(man);
            if self.plan(strategy, away, Effort::Quick).is_ok() {
                return Some(vec![stay, away]);
            }
            self.options.assumptions = stay;
        }
        None
    }
}

/// Whether the route of a man asks nothing of it, nor does the case, and its side has some free moves, but not many.
fn is_idle(strategy: &Strategy, assumptions: &Assumptions, free: [i16; 2], man: Man) -> bool {
    let route = strategy.route(man);
    !man.is_pawn()
        && route.milestones.is_empty()
        && route.end == End::Rest(man.origin())
        && (2..=FREE_MAX).contains(&free[man.color().index()])
        && !assumptions.away.contains(man)
        && !assumptions.stay.contains(man)
        && assumptions.visits_of(man).next().is_none()
}
