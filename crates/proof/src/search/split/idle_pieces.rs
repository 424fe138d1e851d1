//! Search of a hard strategy in cases: an idle piece never moves, or it makes an excursion; one
//! piece interposes, or another.
//!
//! Each case is much easier than the whole. A piece that stays blocks lines, and a king that stays
//! cannot answer checks; a piece that makes an excursion or interposes uses free moves.

use crate::analyse::{Assumptions, Effort};
use crate::problem::piece::PieceId;
use crate::rules::Rule;
use crate::search::options::SearchOptions;
use crate::search::split::cases::{Cases, TakenCase};
use crate::search::strategy_searcher::{StrategySearcher, TeamContext};
use crate::strategy::Strategy;
use crate::strategy::route::End;
use umbrail_chess::Role;

/// Number of trial lengths after which a strategy is split. Each level of cases takes four times as
/// many, because cases as hard as the whole only multiply the work.
const TRIALS_MAX: u64 = 16;

/// Maximum number of free moves for a split; with more, excursions are too cheap for a side.
const FREE_MAX: i16 = 3;

/// Maximum depth of cases within cases.
const DEPTH_MAX: u32 = 10;

impl StrategySearcher {
    /// Searches cases of a strategy with deep analysis until all are decided (rules A17 and A19),
    /// and returns the number of moves made.
    ///
    /// *Admissible*: an idle piece, whose route has no milestone, moves or does not move in a game;
    /// if it moves, it returns. Every game therefore belongs to exactly one of the two cases. The
    /// games of both cases are distinct, and together they are those of the strategy. The
    /// refutation table keeps the positions of different cases apart.
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

    /// Searches a case until it is decided or split.
    fn search_case(
        &mut self,
        strategy: &Strategy,
        number: u64,
        cases: &Cases,
        taken: &TakenCase,
    ) -> u64 {
        let &TakenCase { depth, ref over, ref shared_cache, ref searching, .. } = taken;
        let team = TeamContext { shared_cache: Some(shared_cache), searching: Some(searching) };
        if let Some(view) = &self.view {
            view.case(taken.number());
        }
        let rules = self.options.rules;
        let (probes_idle, interpositions) =
            (rules.has(Rule::IdlePiecesProbing), rules.has(Rule::Interpositions));
        let interposes = interpositions && depth == 0;
        if interposes && cases.may_split(taken) {
            if let Some((whole, parts)) = self.split_by_interposition(strategy, over, None) {
                cases.split(taken, whole, parts);
                return 0;
            }
            cases.keep_whole(taken);
        }
        let trial = match self.options.trial_max {
            0 => SearchOptions::default().trial_max,
            trial => trial,
        };
        // A case that cannot be split has no limit, so that it need not restart.
        let parts = depth < DEPTH_MAX && (interposes || probes_idle && self.has_idle(strategy));
        let (mut trials, mut moves) = (TRIALS_MAX << (2 * depth), 0);
        loop {
            let share = || cases.share(taken, trial.saturating_mul(trials));
            let most = if parts { share() } else { u64::MAX };
            let most = most.min(cases.moves_left());
            let played = self.attempt(strategy, number, over, Effort::Deep, most, team);
            moves += played.moves;
            let goes_on = cases.spend(played.moves) && !over.is_raised();
            if !parts || played.complete || played.enough || !goes_on {
                cases.finish(taken, played);
                return moves;
            }
            if cases.may_split(taken) {
                let split_by_interposition = interposes
                    .then(|| self.split_by_interposition(strategy, over, Some(moves)))
                    .flatten();
                let mut parts = split_by_interposition.map(|(_, parts)| parts);
                if parts.is_none() && probes_idle {
                    parts = self.aside(strategy, played.free);
                }
                if let Some(parts) = parts {
                    cases.split(taken, played, parts);
                    return moves;
                }
                cases.keep_whole(taken);
            }
            trials = if interposes { trials << 2 } else { u64::MAX };
        }
    }

    /// Returns true if an idle piece could split the current case.
    fn has_idle(&mut self, strategy: &Strategy) -> bool {
        let assumptions = self.options.assumptions;
        let plan = self.plan(strategy, assumptions, Effort::Quick);
        plan.is_ok_and(|plan| {
            PieceId::all().any(|piece| is_idle(strategy, &assumptions, plan.free, piece))
        })
    }

    /// Returns the two cases of an idle piece for which analysis refutes neither, kings first.
    /// Pieces that cannot make an excursion are added to those that stay.
    fn aside(&mut self, strategy: &Strategy, free: [i16; 2]) -> Option<Vec<Assumptions>> {
        let assumptions = self.options.assumptions;
        let mut pieces: Vec<PieceId> =
            PieceId::all().filter(|&piece| is_idle(strategy, &assumptions, free, piece)).collect();
        pieces.sort_by_key(|piece| piece.role() != Role::King);
        for piece in pieces {
            let [mut stay, mut away] = [self.options.assumptions; 2];
            stay.stay = stay.stay.with(piece);
            away.away = away.away.with(piece);
            if self.plan(strategy, away, Effort::Quick).is_ok() {
                return Some(vec![stay, away]);
            }
            self.options.assumptions = stay;
        }
        None
    }
}

/// Returns true if neither the route of a piece nor the case requires it to move, and its side has
/// some free moves, but not many.
fn is_idle(strategy: &Strategy, assumptions: &Assumptions, free: [i16; 2], piece: PieceId) -> bool {
    let route = strategy.route(piece);
    !piece.is_pawn()
        && route.milestones.is_empty()
        && route.end == End::Rest(piece.origin())
        && (2..=FREE_MAX).contains(&free[piece.color().index()])
        && !assumptions.away.contains(piece)
        && !assumptions.stay.contains(piece)
        && assumptions.visits_of(piece).next().is_none()
}
