//! Search of one strategy: depth first, with a bound at every node and a table of refuted
//! positions.

mod found_games;
mod line;
mod relaxations;
mod setting;

use crate::problem::Length;
use crate::problem::piece::PieceMask;
use crate::rules::Rule;
use crate::search::blocked_maps::BlockedMaps;
use crate::search::bound::MoveBound;
use crate::search::context::{Blockade, SearchContext};
use crate::search::learn::nogoods::NogoodStore;
use crate::search::moves::generate;
use crate::search::moves::make::MadeMove;
use crate::search::moves::{MoveList, PieceMove};
use crate::search::node::SearchEffort;
use crate::search::searching_table::SearchingTable;
use crate::search::state::board::{SearchBoard, strategy_key};
use crate::search::state::view::FullView;
use found_games::FoundGames;
use line::SearchLine;
pub(crate) use line::budgets;
use relaxations::{Relaxations, pairs_agree};
pub(crate) use setting::SearchSetting;
use umbrail_chess::Move;
use umbrail_chess::geometry::Color;

/// Mask of the move count: when no bit is set, the stop signal is polled and moves are reported.
pub(crate) const POLL_MASK: u64 = (1 << 8) - 1;

/// Reason why a search ended before everything was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchHalt {
    /// The stop signal, or the limit of moves.
    Stopped,
    /// The requested number of games was found.
    Enough,
    /// A subset of pieces cannot finish its routes even from the initial position, so there is no
    /// game.
    Refuted,
}

/// Search of one strategy by one worker.
pub(crate) struct StrategySearch<'a> {
    set: &'a SearchSetting<'a>,
    context: SearchContext<'a>,
    use_table: bool,
    line: SearchLine,
    relaxations: Relaxations<'a>,
    found: FoundGames,
    pub(crate) moves: u64,
}

impl<'a> StrategySearch<'a> {
    /// Creates a search at the initial position; `None` if its bound exceeds the budget.
    pub(crate) fn new(
        set: &'a SearchSetting<'a>,
        blocked_maps: &'a mut BlockedMaps,
        store: &'a NogoodStore,
    ) -> Option<Self> {
        // Other cases of the strategy have other games, so their refuted positions are kept apart.
        let case = strategy_key(!set.options.assumptions.number());
        let board = SearchBoard::initial(set.compiled, strategy_key(set.number) ^ case);
        let mut context = SearchContext {
            compiled: set.compiled,
            distances: set.distances,
            blocked_maps,
            blockade: Blockade::of(set.options.rules),
            length: set.problem.length,
            cancel: set.cancel,
        };
        let left = budgets(set.problem.plies, 0);
        let bound = MoveBound::new(&mut context, &board, left)?;
        let relaxations = Relaxations::new(set, &mut context, (&board, &bound), left, store)?;
        Some(Self {
            set,
            context,
            use_table: set.options.rules.has(Rule::FailedPositions),
            line: SearchLine::new(board, bound, set.problem.plies),
            relaxations,
            found: FoundGames::default(),
            moves: 0,
        })
    }

    /// Returns the games found.
    pub(crate) fn into_games(self) -> Vec<Vec<Move>> {
        self.found.into_games()
    }

    /// Returns the key of the current position.
    #[cfg(test)]
    pub(crate) const fn key(&self) -> u128 {
        self.line.board().key
    }

    /// Searches the current position. Returns true if it leads to a game.
    pub(crate) fn play(&mut self) -> Result<bool, SearchHalt> {
        let (depth, left) = (self.line.depth(), self.line.left());
        let mut found = false;
        if self.is_at_goal() && self.counts(left) {
            self.record(&[])?;
            found = true;
        }
        if left == 0 {
            return Ok(found);
        }
        let key = self.line.board().key;
        if self.use_table && self.fails(key, left) {
            return Ok(found);
        }
        if self.finish_known(key, left)? {
            found = true;
        }
        let before = self.moves;
        let plies = self.set.options.sync_plies;
        let searching = self.set.searching.filter(|_| plies == 0 || depth < plies);
        if let Some(searching) = searching {
            searching.enter(key, left);
        }
        let tried = self.try_moves(left, searching);
        if let Some(searching) = searching {
            searching.leave(key, left);
        }
        found |= tried?;
        if !found {
            let effort = SearchEffort { played: self.moves, below: self.moves - before };
            if self.relaxations.learn(&mut self.context, self.line.node(), effort) {
                return Err(SearchHalt::Refuted);
            }
        }
        if !found && self.use_table {
            let effort = (self.moves - before + 1).ilog2();
            self.set.table.store(key, left as u8, effort, self.set.number as u8);
        }
        Ok(found)
    }

    /// Tries all moves of the current position. Returns true if one of them leads to a game.
    fn try_moves(
        &mut self,
        left: u16,
        searching: Option<&SearchingTable>,
    ) -> Result<bool, SearchHalt> {
        let mut found = false;
        let mut choices = MoveList::new();
        self.list(&mut choices);
        let mut changes = self.relaxations.changes();
        // Moves from `fresh` onward were deferred because other members search the positions after
        // them.
        let (mut at, mut fresh) = (0, choices.len());
        while let Some(&choice) = choices.get(at) {
            if changes != self.relaxations.changes() {
                // The active patterns have changed since this position was entered.
                changes = self.relaxations.changes();
                if !self.patterns_admit() {
                    break;
                }
            }
            self.count_move()?;
            if self.relaxations.root_is_refuted(&mut self.context, self.moves) {
                return Err(SearchHalt::Refuted);
            }
            let made = self.make(&choice);
            let taken = |searching: &SearchingTable| {
                searching.is_searching(self.line.board().key, left - 1)
            };
            if at < fresh && made.alive && searching.is_some_and(taken) {
                self.unmake(&made);
                choices[at..].rotate_left(1);
                fresh -= 1;
                continue;
            }
            let below = if made.alive { self.play() } else { Ok(false) };
            self.unmake(&made);
            found |= below?;
            at += 1;
        }
        Ok(found)
    }

    /// Counts a move, if the limits allow it.
    #[inline]
    fn count_move(&mut self) -> Result<(), SearchHalt> {
        self.moves += 1;
        if self.moves & POLL_MASK == 0 {
            if let Some(gauge) = self.set.gauge {
                gauge.add(POLL_MASK + 1);
            }
            if let Some(view) = self.set.view {
                view.note(self.moves, self.line.path());
            }
            if self.set.cancel.is_raised() {
                return Err(SearchHalt::Stopped);
            }
        }
        if self.moves >= self.set.options.moves_max { Err(SearchHalt::Stopped) } else { Ok(()) }
    }

    /// Lists the moves of the current position.
    pub(crate) fn list(&mut self, choices: &mut MoveList) {
        let (board, bound) = (self.line.board(), self.line.bound());
        let us = board.turn.index();
        let spare = self.line.budgets()[us] - bound.rest[us];
        generate::list(&mut self.context, FullView, board, bound, spare, choices);
    }

    /// Returns the last move made.
    pub(crate) fn last_move(&self) -> Option<Move> {
        self.line.path().last().copied()
    }

    /// Returns true if the path is a game according to the routes.
    pub(crate) fn is_at_goal(&self) -> bool {
        self.line.bound().rest == [0; 2]
    }

    /// Returns true if a game may end with this number of plies left.
    const fn counts(&self, left: u16) -> bool {
        match self.set.problem.length {
            Length::Exact => left == 0,
            Length::Parity => left.is_multiple_of(2),
        }
    }

    /// Returns true if the position is known to have no game with this number of plies left.
    ///
    /// *Admissible* in parity mode for fewer plies too: a game from this position with fewer plies
    /// would also be one with more. The side to move is part of the key.
    fn fails(&self, key: u128, left: u16) -> bool {
        self.set.table.probe(key).is_some_and(|known| match self.set.problem.length {
            Length::Exact => u16::from(known) == left,
            Length::Parity => u16::from(known) >= left,
        })
    }

    /// Records the game of a known continuation from this position, if one more game is enough.
    fn finish_known(&mut self, key: u128, left: u16) -> Result<bool, SearchHalt> {
        if self.found.len() + 1 != self.set.options.games_max {
            return Ok(false);
        }
        let Some(rest) = self.found.continuation(key) else { return Ok(false) };
        if rest.len() > usize::from(left) || !self.counts(left - rest.len() as u16) {
            return Ok(false);
        }
        let rest = rest.to_vec();
        self.record(&rest).map(|()| true)
    }

    /// Records the game that consists of the current path and `rest`.
    fn record(&mut self, rest: &[Move]) -> Result<(), SearchHalt> {
        let game = [self.line.path(), rest].concat();
        let known = self.found.len();
        self.found.record(game, self.line.keys());
        match self.found.len() {
            now if now > known && now >= self.set.options.games_max => Err(SearchHalt::Enough),
            _ => Ok(()),
        }
    }

    /// Returns true if every active subset of pieces can still finish alone (rule B4).
    fn patterns_admit(&mut self) -> bool {
        self.relaxations.patterns_admit(&mut self.context, self.line.node(), self.moves)
    }

    /// Makes a move and bounds the remaining ones.
    pub(crate) fn make(&mut self, choice: &PieceMove) -> TriedMove {
        let (compiled, color) = (self.context.compiled, self.line.board().turn);
        let mut made = self.line.make(compiled, choice);
        if self.use_table {
            self.set.table.prefetch(self.line.board().key);
        }
        let alive = self.line.update_bound(&mut self.context, &mut made)
            && self.can_follow(usize::from(choice.piece), color)
            && self.patterns_admit();
        TriedMove { made, alive }
    }

    /// Returns true if a piece that moved can finish with every other piece, and its side alone.
    fn can_follow(&mut self, piece: usize, color: Color) -> bool {
        let (board, left) = (self.line.board(), self.line.budgets());
        let side = (color, left[color.index()]);
        pairs_agree(self.context.compiled, board, self.line.bound(), piece, left)
            && self.relaxations.side_allows(&mut self.context, board, side, self.moves)
    }

    /// Records learned facts at the end of the search.
    pub(crate) fn close(&mut self, found: bool) {
        self.relaxations.close(&mut self.context, self.moves, found);
    }

    /// Adds an active pattern.
    pub(crate) fn ask(&mut self, pieces: PieceMask) {
        self.relaxations.add(pieces, self.set.compiled);
    }

    /// Takes a move back.
    pub(crate) fn unmake(&mut self, tried: &TriedMove) {
        self.line.unmake(self.context.compiled, &tried.made);
    }
}

/// A move that the search tries.
pub(crate) struct TriedMove {
    made: MadeMove,
    /// True if a game may still follow.
    pub(crate) alive: bool,
}
