//! Promotion classes: joint search of strategies that differ only in the types of captured promoted
//! pieces (rule A21).
//!
//! A captured promoted piece may have been a queen, a rook or a bishop. With three of them there
//! are up to 27 strategies, most of which fail for a common reason. A piece that moves like a queen
//! and gives no check represents all three: if it cannot finish its route, none of them can.

use crate::analyse::{Effort, StrategyRefutation};
use crate::rules::Rule;
use crate::search::learn::class_verdict::{ClassVerdict, SharedAttempt};
use crate::search::result::PlayResult;
use crate::search::strategy_searcher::{StrategySearcher, TeamContext};
use crate::strategy::Strategy;
use umbrail_control::Cancel;

/// Number of moves after which the search of a class is abandoned; large, because it may decide
/// dozens of strategies.
const MOVES_MAX: u64 = 100_000;

impl StrategySearcher {
    /// Returns whether a strategy fails together with all others of its class, and the moves that
    /// the test took.
    ///
    /// *Admissible*: take any game of one of these strategies. Every move of a piece whose
    /// promotion type is left open is also a queen's move. The moves of other pieces depend on the
    /// type only through checks, and checks by these pieces are ignored in analysis and in search.
    /// The moves are therefore a line of the common strategy. If that has none, none of the
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
        let Some((common, pieces)) = strategy.of_any_kinds() else { return (None, 0) };
        let refused = StrategyRefutation {
            rule: Some(Rule::PromotionClasses),
            piece: pieces.pieces().next(),
        };
        let dead = PlayResult { complete: true, refused: Some(refused), ..PlayResult::default() };
        let name = common.to_string();
        let SharedAttempt { number, searching, over } =
            match self.store.attempt_class(&name, || SharedAttempt::new(number, cancel)) {
                ClassVerdict::InProgress(shared) => shared,
                ClassVerdict::Infeasible => return (Some(dead), 0),
                ClassVerdict::Unknown => return (None, 0),
            };
        let kept = self.options;
        self.options.assumptions.kinds = pieces;
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
