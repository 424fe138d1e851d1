//! Search of one strategy: depth first, with a bound at every node and a table of refuted
//! positions.

mod refutation;
mod setting;

use crate::problem::Length;
use crate::rules::Rule;
use crate::search::blocked_maps::BlockedMaps;
use crate::search::bound::MoveBound;
use crate::search::context::{Blockade, SearchContext};
use crate::search::learn::nogoods::NogoodStore;
use crate::search::learn::selection::PatternSelection;
use crate::search::node::SearchNode;
use crate::search::relax::side::SideRelaxation;
use crate::search::state::board::{SearchBoard, strategy_key};
use crate::search::state::generate;
use crate::search::state::make::{MadeMove, chess_move};
use crate::search::state::moves::{ManMove, MoveList};
use crate::search::state::view::FullView;
use crate::search::team::searching::SearchingTable;
use refutation::pairs_agree;
pub(crate) use setting::SearchSetting;
use umbrail_chess::Move;
use umbrail_chess::geometry::Color;
use umbrail_control::FastMap;

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
    store: &'a NogoodStore,
    use_table: bool,
    side_relaxation: Option<SideRelaxation>,
    patterns: Option<PatternSelection>,
    /// Position at the root.
    root: SearchBoard,
    pub(crate) board: SearchBoard,
    bounds: Vec<MoveBound>,
    path: Vec<Move>,
    /// Keys of the positions before each move of the path.
    keys: Vec<u128>,
    /// Known continuations from positions of games found.
    solved: FastMap<u128, Vec<Move>>,
    pub(crate) games: Vec<Vec<Move>>,
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
        let board = SearchBoard::array(set.script, strategy_key(set.number) ^ case);
        let mut context = SearchContext {
            script: set.script,
            distances: set.distances,
            blocked_maps,
            blockade: Blockade::of(set.options.rules),
            length: set.problem.length,
            cancel: set.cancel,
        };
        let left = budgets(set.problem.plies, 0);
        let bound = MoveBound::new(&mut context, &board, left)?;
        let mut side_relaxation =
            set.options.rules.has(Rule::SideRelaxation).then(SideRelaxation::default);
        if let Some(side_relaxation) = &mut side_relaxation {
            let mut able = |color: Color| {
                side_relaxation.allows(&mut context, &board, (color, left[color.index()]), 0)
            };
            if !Color::ALL.into_iter().all(&mut able) {
                return None;
            }
        }
        let bounds = vec![bound; usize::from(set.problem.plies) + 1];
        let patterns = set.options.rules.has(Rule::SubsetRelaxation);
        let patterns = patterns
            .then(|| PatternSelection::new(set.script, store, set.shared_cache, set.number));
        Some(Self {
            set,
            context,
            store,
            use_table: set.options.rules.has(Rule::FailedPositions),
            side_relaxation,
            patterns,
            root: board.clone(),
            board,
            bounds,
            path: Vec::with_capacity(usize::from(set.problem.plies)),
            keys: Vec::with_capacity(usize::from(set.problem.plies)),
            solved: FastMap::default(),
            games: Vec::new(),
            moves: 0,
        })
    }

    /// Searches the current position. Returns true if it leads to a game.
    pub(crate) fn play(&mut self) -> Result<bool, SearchHalt> {
        let depth = self.path.len() as u16;
        let left = self.set.problem.plies - depth;
        let mut found = false;
        if self.is_at_goal() && self.counts(left) {
            self.record(&[])?;
            found = true;
        }
        if left == 0 {
            return Ok(found);
        }
        let key = self.board.key;
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
            self.learn(self.moves - before)?;
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
        let mut changes = self.changes();
        // Moves from `fresh` onward were deferred because other members search the positions after
        // them.
        let (mut at, mut fresh) = (0, choices.len());
        while let Some(&choice) = choices.get(at) {
            if changes != self.changes() {
                // The active patterns have changed since this position was entered.
                changes = self.changes();
                if !self.patterns_admit() {
                    break;
                }
            }
            self.count_move()?;
            if self.root_is_refuted() {
                return Err(SearchHalt::Refuted);
            }
            let made = self.make(&choice);
            let taken =
                |searching: &SearchingTable| searching.is_searching(self.board.key, left - 1);
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
                view.note(self.moves, &self.path);
            }
            if self.set.cancel.is_raised() {
                return Err(SearchHalt::Stopped);
            }
        }
        if self.moves >= self.set.options.moves_max { Err(SearchHalt::Stopped) } else { Ok(()) }
    }

    /// Lists the moves of the current position.
    pub(crate) fn list(&mut self, choices: &mut MoveList) {
        let depth = self.path.len();
        let budget = budgets(self.set.problem.plies, depth as u16);
        let bound = &self.bounds[depth];
        let us = self.board.turn.index();
        let spare = budget[us] - bound.rest[us];
        generate::list(&mut self.context, FullView, &self.board, bound, spare, choices);
    }

    /// Returns the last move made.
    pub(crate) fn last_move(&self) -> Option<Move> {
        self.path.last().copied()
    }

    /// Returns true if the path is a game according to the routes.
    pub(crate) fn is_at_goal(&self) -> bool {
        self.bounds[self.path.len()].rest == [0; 2]
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
        if self.games.len() + 1 != self.set.options.games_max {
            return Ok(false);
        }
        let Some(rest) = self.solved.get(&key) else { return Ok(false) };
        if rest.len() > usize::from(left) || !self.counts(left - rest.len() as u16) {
            return Ok(false);
        }
        let rest = rest.clone();
        self.record(&rest).map(|()| true)
    }

    /// Records the game that consists of the current path and `rest`.
    fn record(&mut self, rest: &[Move]) -> Result<(), SearchHalt> {
        let mut game = self.path.clone();
        game.extend_from_slice(rest);
        if self.games.contains(&game) {
            return Ok(());
        }
        for (ply, &key) in self.keys.iter().enumerate() {
            let known = self.solved.entry(key).or_insert_with(|| game[ply..].to_vec());
            if known.len() > game.len() - ply {
                *known = game[ply..].to_vec();
            }
        }
        self.games.push(game);
        if self.games.len() >= self.set.options.games_max {
            return Err(SearchHalt::Enough);
        }
        Ok(())
    }

    /// Makes a move and bounds the remaining ones.
    pub(crate) fn make(&mut self, choice: &ManMove) -> TriedMove {
        let script = self.context.script;
        let depth = self.path.len();
        let (key, color) = (self.board.key, self.board.turn);
        self.path.push(chess_move(script, &self.board, choice));
        self.keys.push(key);
        let mut made = MadeMove::make(script, FullView, &mut self.board, choice);
        if self.use_table {
            self.set.table.prefetch(self.board.key);
        }
        let (done, open) = self.bounds.split_at_mut(depth + 1);
        let bound = &mut open[0];
        bound.clone_from(&done[depth]);
        let left = budgets(self.set.problem.plies, depth as u16 + 1);
        let (context, board) = (&mut self.context, &mut self.board);
        let alive = made.update_bound(context, FullView, board, bound, left)
            && pairs_agree(script, board, bound, usize::from(choice.man), left)
            && self.side_allows(color, left)
            && self.patterns_admit();
        TriedMove { made, alive }
    }

    /// Records learned facts at the end of the search.
    pub(crate) fn close(&mut self, found: bool) {
        let Some(patterns) = &mut self.patterns else { return };
        let root = root(&self.root, &self.bounds, self.set);
        patterns.close(&mut self.context, root, self.moves, found, self.store);
    }

    /// Takes a move back.
    pub(crate) fn unmake(&mut self, tried: &TriedMove) {
        self.path.pop();
        self.keys.pop();
        tried.made.take_back::<FullView>(self.context.script, &mut self.board);
    }
}

/// Returns the root node.
fn root<'a>(
    board: &'a SearchBoard,
    bounds: &'a [MoveBound],
    set: &SearchSetting<'_>,
) -> SearchNode<'a> {
    SearchNode { board, bound: &bounds[0], plies: set.problem.plies }
}

/// A move that the search tries.
pub(crate) struct TriedMove {
    made: MadeMove,
    /// True if a game may still follow.
    pub(crate) alive: bool,
}

/// Returns the moves that each side has left after `done` plies.
pub(crate) const fn budgets(plies: u16, done: u16) -> [i16; 2] {
    let left = (plies - done) as i16;
    let (mover, other) = ((left + 1) / 2, left / 2);
    if done.is_multiple_of(2) { [mover, other] } else { [other, mover] }
}
