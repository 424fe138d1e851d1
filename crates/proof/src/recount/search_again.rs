//! Strategies searched again, with other settings than those of a run.
//!
//! One player searches each strategy, analysed deeply from the start. It uses no result of another strategy: no stored
//! nogoods, no pairs (A18) and no promotion classes (A21); and it splits no strategy into cases (A17, A19, A20).

use super::{RecountState, named};
use crate::analyse::Assumptions;
use crate::enumerate::FoundStrategy;
use crate::problem::retraction::EarlierProblem;
use crate::rules::Rule;
use crate::run::{ClaimRecord, Success};
use crate::search::{SearchOptions, StrategySearcher};
use crate::strategy::Strategy;
use crate::strategy::condition::Analysed;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use umbrail_chess::Move;

/// Deductions that a run uses and this search does not.
const LEFT_OUT: [Rule; 5] = [
    Rule::Interpositions,
    Rule::PairCollisions,
    Rule::IdlePiecesProbing,
    Rule::TwoWayLegs,
    Rule::PromotionClasses,
];

/// Searches strategies again for one worker.
pub(super) struct SearchAgain<'a> {
    state: &'a RecountState<'a>,
    earlier: &'a EarlierProblem,
    /// Number of the part.
    part: u16,
    options: SearchOptions,
    searcher: StrategySearcher,
    /// Analyses strategies as a run does, for the condition.
    judge: StrategySearcher,
}

impl<'a> SearchAgain<'a> {
    pub(super) fn new(state: &'a RecountState<'a>, earlier: &'a EarlierProblem, part: u16) -> Self {
        let problem = &earlier.problem;
        let mut assumptions = Assumptions::default();
        assumptions.stay = earlier.unmoved;
        let pieces = problem.diagram.piece_counts().iter().sum();
        let usual = state.params.playing(pieces, assumptions);
        let rules = LEFT_OUT.iter().fold(usual.rules, |rules, &rule| rules.set(rule, false));
        let options = SearchOptions { rules, trial_max: 0, cases_max: 1, ..usual };
        let searcher = |options| StrategySearcher::new(problem, Arc::clone(&state.table), options);
        Self { state, earlier, part, options, searcher: searcher(options), judge: searcher(usual) }
    }

    /// Searches a strategy, and compares its games with those that the archive has.
    pub(super) fn again(
        &mut self,
        found: &FoundStrategy,
        claim: &ClaimRecord,
        records: &[&Success],
    ) -> ControlFlow<()> {
        let state = self.state;
        // A search that ended early leaves nothing to compare but its games, and these were replayed.
        if records.iter().any(|record| !record.complete) {
            return ControlFlow::Continue(());
        }
        // A claim that excludes no strategy states that each was searched.
        if claim.counts.filtered > 0 && self.is_excluded(found) {
            return ControlFlow::Continue(());
        }
        let tail = self.earlier.tail.len();
        let games = records.iter().flat_map(|record| &record.games);
        let known: BTreeSet<&[Move]> =
            games.map(|game| &game[..game.len().saturating_sub(tail)]).collect();
        let key = state.searches.fetch_add(1, Ordering::Relaxed);
        let mut options = self.options;
        options.games_max = known.len() + 1;
        let played = match known.len() {
            0 => {
                self.searcher.share(Arc::default());
                self.searcher.play(&found.strategy, key, &state.control.cancel)
            }
            _ => {
                let (problem, table) = (&self.earlier.problem, Arc::clone(&state.table));
                let mut searcher = StrategySearcher::new(problem, table, options);
                searcher.play(&found.strategy, key, &state.control.cancel)
            }
        };
        let unknown = played.games.iter().find(|game| !known.contains(game.as_slice()));
        if let Some(game) = unknown {
            let (number, game) = (named(self.part, found), spelt(game));
            state.fault(format!("strategy {number} has a game that the archive lacks: {game}"));
        } else if !played.complete {
            return ControlFlow::Break(());
        } else if played.games.len() < known.len() {
            let number = named(self.part, found);
            state.fault(format!("the games of strategy {number} were not found again"));
        } else {
            state.count(3, 1);
        }
        state.report();
        ControlFlow::Continue(())
    }

    /// Searches a strategy that the tree does not have. Breaks if the search was stopped.
    pub(super) fn beyond(&mut self, strategy: &Strategy) -> ControlFlow<()> {
        let state = self.state;
        let key = state.searches.fetch_add(1, Ordering::Relaxed);
        self.searcher.share(Arc::default());
        let played = self.searcher.play(strategy, key, &state.control.cancel);
        match played.games.first() {
            Some(game) => {
                state.fault(format!("the tree lacks a strategy that has a game: {}", spelt(game)));
            }
            None if !played.complete => return ControlFlow::Break(()),
            None => state.count(4, 1),
        }
        state.report();
        ControlFlow::Continue(())
    }

    /// Whether the condition of the archive excludes a strategy, so that it was not searched.
    fn is_excluded(&mut self, found: &FoundStrategy) -> bool {
        let Some(condition) = &self.state.params.condition else { return false };
        // A strategy that analysis refutes is searched again, whatever the condition states.
        self.judge.count_moves(&found.strategy).is_ok_and(|estimate| {
            !condition.holds(&Analysed {
                strategy: &found.strategy,
                needed: &estimate.needed,
                free: estimate.free.map(i32::from),
            })
        })
    }
}

/// A game in short notation.
fn spelt(game: &[Move]) -> String {
    crate::check::verify::san_of(game).join(" ")
}
