//! Strategies that differ only in what a promoted man is that is taken, tried together (rule A21).
//!
//! A pawn that promotes and is taken may have been a queen, a rook or a bishop, so with three of them there are up to 27
//! strategies, most of which fail for the same reason. A man that goes like a queen and checks nobody stands for all
//! three: where he cannot go his way, none of them can.

use crate::analyse::{Effort, Refused};
use crate::rules::Rule;
use crate::search::player::Seat;
use crate::search::team::searching::Places;
use crate::search::{Played, Player};
use crate::strategy::Strategy;
use umbrail_control::Cancel;

/// A try is given up after so many moves. That is much, because it may stand for dozens of strategies.
const MOVES_MAX: u64 = 100_000;

/// What is known of strategies that differ in nothing but kinds.
#[derive(Clone, Debug)]
pub(crate) enum Kinds {
    /// Somebody tries them.
    Tried(Try),
    /// None of them has a game.
    Dead,
    /// Nothing can be said of all of them.
    Open,
}

/// Players who try the same strategies together.
#[derive(Clone, Debug)]
pub(crate) struct Try {
    /// The number of the common strategy in the table.
    number: u64,
    /// Where they are.
    places: Places,
    /// Raised when one of them is done.
    over: Cancel,
}

impl Try {
    /// The first one's.
    pub(crate) fn new(number: u64, cancel: &Cancel) -> Self {
        Self { number, places: Places::default(), over: cancel.child() }
    }
}

impl Player {
    /// Whether a strategy fails together with all those that differ from it only in kinds; and the moves that this
    /// took.
    ///
    /// *Admissible*: take any game of one of these strategies. What the men do of whom it is left open what they are, a
    /// queen may do; nobody else's moves depend on what they are but by checks; and checks that they give
    /// are not asked about, neither while thinking nor in play. So the same moves are a line of play of the common
    /// strategy, and if it has none, none of them has a game.
    pub(crate) fn fails_by_kinds(
        &mut self,
        strategy: &Strategy,
        number: u64,
        cancel: &Cancel,
    ) -> (Option<Played>, u64) {
        if !self.options.rules.has(Rule::Kinds) {
            return (None, 0);
        }
        let Some((common, men)) = strategy.of_any_kinds() else { return (None, 0) };
        let refused = Refused { rule: Some(Rule::Kinds), man: men.men().next() };
        let dead = Played { complete: true, refused: Some(refused), ..Played::default() };
        let name = common.to_string();
        let Try { number, places, over } =
            match self.lore.try_kinds(&name, || Try::new(number, cancel)) {
                Kinds::Tried(shared) => shared,
                Kinds::Dead => return (Some(dead), 0),
                Kinds::Open => return (None, 0),
            };
        let kept = self.options;
        self.options.suppose.kinds = men;
        self.options.games_max = 1;
        let most = MOVES_MAX.min(kept.moves_max);
        let seat = Seat { places: Some(&places), ..Seat::default() };
        let played = self.attempt(&common, number, &over, Effort::Quick, most, seat);
        self.options = kept;
        let fails = played.complete && played.games.is_empty();
        let fails = self.lore.note_kinds(name, fails);
        over.raise();
        (fails.then_some(Played { moves: played.moves, ..dead }), played.moves)
    }
}
