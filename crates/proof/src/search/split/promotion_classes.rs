//! Strategies that differ only in what a promoted man is that is taken, tried together (rule A21).
//!
//! A pawn that promotes and is taken may have been a queen, a rook or a bishop, so with three of them there are up to 27
//! strategies, most of which fail for the same reason. A man that goes like a queen and checks nobody stands for all
//! three: where he cannot go his way, none of them can.

use crate::analyse::{Effort, StrategyRefutation};
use crate::rules::Rule;
use crate::search::learn::class_verdict::ClassVerdict;
use crate::search::learn::class_verdict::SharedAttempt;
use crate::search::player::Player;
use crate::search::result::PlayResult;
use crate::search::team::context::TeamContext;
use crate::strategy::Strategy;
use umbrail_control::Cancel;

/// A try is given up after so many moves. That is much, because it may stand for dozens of strategies.
const MOVES_MAX: u64 = 100_000;

impl Player {
    /// Whether a strategy fails together with all those that differ from it only in kinds; and the moves that this
    /// took.
    ///
    /// *Admissible*: take any game of one of these strategies. What the men do of whom it is left open what they are, a
    /// queen may do; nobody else's moves depend on what they are but by checks; and checks that they give
    /// are not asked about, neither while thinking nor in play. So the same moves are a line of play of the common
    /// strategy, and if it has none, none of them has a game.
    pub(crate) fn fails_by_class(
        &mut self,
        strategy: &Strategy,
        number: u64,
        cancel: &Cancel,
    ) -> (Option<PlayResult>, u64) {
        if !self.options.rules.has(Rule::PromotionClasses) {
            return (None, 0);
        }
        let Some((common, men)) = strategy.of_any_kinds() else { return (None, 0) };
        let refused =
            StrategyRefutation { rule: Some(Rule::PromotionClasses), man: men.men().next() };
        let dead = PlayResult { complete: true, refused: Some(refused), ..PlayResult::default() };
        let name = common.to_string();
        let SharedAttempt { number, searching, over } =
            match self.store.attempt_class(&name, || SharedAttempt::new(number, cancel)) {
                ClassVerdict::InProgress(shared) => shared,
                ClassVerdict::Infeasible => return (Some(dead), 0),
                ClassVerdict::Unknown => return (None, 0),
            };
        let kept = self.options;
        self.options.assumptions.kinds = men;
        self.options.games_max = 1;
        let most = MOVES_MAX.min(kept.moves_max);
        let seat = TeamContext { searching: Some(&searching), ..TeamContext::default() };
        let played = self.attempt(&common, number, &over, Effort::Quick, most, seat);
        self.options = kept;
        let fails = played.complete && played.games.is_empty();
        let fails = self.store.record_class_verdict(name, fails);
        over.raise();
        (fails.then_some(PlayResult { moves: played.moves, ..dead }), played.moves)
    }
}
