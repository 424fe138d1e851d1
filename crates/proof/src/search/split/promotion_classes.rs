//! Promotion classes: strategies that differ only in the types of captured promoted men, searched
//! together (rule A21).
//!
//! A captured promoted man may have been a queen, a rook or a bishop. With three of them there are
//! up to 27 strategies, most of which fail for the same reason. A man that moves like a queen and
//! gives no check stands for all three: where it cannot finish its route, none of them can.

use crate::analyse::{Effort, StrategyRefutation};
use crate::rules::Rule;
use crate::search::learn::class_verdict::ClassVerdict;
use crate::search::learn::class_verdict::SharedAttempt;
use crate::search::player::Player;
use crate::search::result::PlayResult;
use crate::search::team::context::TeamContext;
use crate::strategy::Strategy;
use umbrail_control::Cancel;

/// Moves after which the search of a class is given up; a large number, because it may decide
/// dozens of strategies.
const MOVES_MAX: u64 = 100_000;

impl Player {
    /// Whether a strategy fails together with all others of its class; and the moves that this
    /// took.
    ///
    /// *Admissible*: take any game of one of these strategies. Every move of a man whose promotion
    /// type is left open is also a queen's move. The moves of other men depend on the type only
    /// through checks, and checks by these men are ignored in analysis and in search. So the same
    /// moves are a line of play of the common strategy, and if that has none, none of the
    /// strategies has a game.
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
        let team = TeamContext { searching: Some(&searching), ..TeamContext::default() };
        let played = self.attempt(&common, number, &over, Effort::Quick, most, team);
        self.options = kept;
        let fails = played.complete && played.games.is_empty();
        let fails = self.store.record_class_verdict(name, fails);
        over.raise();
        (fails.then_some(PlayResult { moves: played.moves, ..dead }), played.moves)
    }
}
