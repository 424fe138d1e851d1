//! Subset relaxation: some pieces of both sides alone; the others are only counted.
//!
//! Most refuted positions fail because of a few pieces, whatever the others do meanwhile. These few
//! are therefore searched alone, once per placement of them instead of once per placement of all
//! pieces. A move of any other piece is a waiting move.

use crate::analyse::legs::Goal;
use crate::problem::piece::{PieceId, PieceMask};
use crate::search::bound::MoveBound;
use crate::search::context::SearchContext;
use crate::search::node::SearchNode;
use crate::search::relax::cache::{ResultCache, SharedCache};
use crate::search::relax::feasibility::{Feasibility, MovesLeft, Slack};
use crate::search::relax::frontier::{Frontier, QueuedState};
use crate::search::state::board::SearchBoard;
use crate::search::state::compiled::CompiledPlan;
use crate::search::state::view::{PositionView, SubsetView};
use crate::search::state::{GONE, NOBODY};
use umbrail_chess::geometry::{Bitboard, Color};

/// Number of cached placements of each subset at which the cache is cleared.
const CACHE_MAX: usize = 1 << 18;

/// Maximum number of moves of a depth-first test; after that the test continues breadth first.
const DEPTH_FIRST_MAX: u64 = 200;

/// A subset of pieces, and the results for its placements (rule B4).
pub(crate) struct SubsetRelaxation {
    pub(crate) view: SubsetView,
    /// Pieces of the subset that may move.
    movers: PieceMask,
    /// True if an outside piece may move, by color.
    pub(crate) waits: [bool; 2],
    known: ResultCache,
    /// Total number of moves made.
    pub(crate) moves: u64,
    /// Frontier during breadth-first search.
    pub(crate) frontier: Option<Frontier>,
}

/// Limit of one test.
#[derive(Clone, Copy)]
pub(crate) struct EffortLimit {
    /// Total moves at which the test is abandoned.
    pub(crate) moves: u64,
    /// Logarithm of the moves that the test may take.
    pub(crate) level: u8,
}

impl EffortLimit {
    /// Creates a limit of `more` moves beyond those made.
    const fn new(made: u64, more: u64) -> Self {
        Self { moves: made + more, level: (more + 1).ilog2() as u8 }
    }
}

impl SubsetRelaxation {
    /// Returns the number of cached placements.
    pub(crate) fn knows(&self) -> usize {
        self.known.len()
    }

    /// Clears the cache.
    pub(crate) fn forget(&mut self) {
        self.known.forget();
    }

    /// Shares the cache with the relaxations of this subset by other players.
    pub(crate) fn share(&mut self, shared_cache: &SharedCache, case: u64) {
        self.known.share(shared_cache, case, self.view.pieces);
    }

    /// Creates a relaxation of these pieces, the pieces that never move, and the king of a rook
    /// that castles.
    pub(crate) fn new(pieces: PieceMask, compiled: &CompiledPlan) -> Self {
        let castles = |piece: PieceId| {
            let first = &compiled.legs[usize::from(compiled.first[piece.index()])];
            matches!(first.goal, Goal::Castle(_))
        };
        let kings = pieces
            .pieces()
            .filter(|&piece| castles(piece))
            .map(|piece| PieceId::king(piece.color()));
        let pieces = pieces | compiled.fixed | kings.collect();
        let taken = |piece: &PieceId| {
            compiled.captor[piece.index()].is_some_and(|captor| !pieces.contains(captor))
        };
        let taken_outside: PieceMask = pieces.pieces().filter(taken).collect();
        let mut relaxation = Self {
            view: SubsetView { pieces, taken_outside, maybe: Bitboard::EMPTY },
            movers: PieceMask(pieces.0 & !compiled.fixed.0),
            waits: [false; 2],
            known: ResultCache::default(),
            moves: 0,
            frontier: None,
        };
        for piece in PieceMask(!pieces.0 | taken_outside.0).pieces() {
            relaxation.view.maybe |= compiled.squares[piece.index()];
            relaxation.waits[piece.color().index()] = true;
        }
        relaxation
    }

    /// Returns this relaxation under the assumption that no outside piece ever stops on these
    /// squares.
    pub(crate) fn without_interposers(mut self, squares: Bitboard) -> Self {
        self.view.maybe &= !squares;
        self
    }

    /// Returns the pieces that stay on the board as long as they live. Outside pieces take the
    /// others, which are removed as soon as they wait for that.
    pub(crate) const fn permanent(&self) -> PieceMask {
        PieceMask(self.view.pieces.0 & !self.view.taken_outside.0)
    }

    /// Returns true if the subset can finish all its routes with `plies` plies left.
    ///
    /// *Admissible*: take any game from the position onward and consider only the subset. The moves
    /// of its pieces are still possible, because removing others never blocks a path; all other
    /// moves are waiting moves. A side's subset makes no more moves than the side has left beyond
    /// the needs of its other pieces (`own`). If no outside piece of a side can move, the subset
    /// itself moves. The presence of victims outside the subset is ignored. A piece of the subset
    /// that is taken from outside is removed as soon as it waits for that; it may still move, which
    /// is a waiting move. A king of the subset is in check only if a piece of the subset attacks it
    /// through squares on which no outside piece ever stands. The next ply is then a move of the
    /// subset that ends the check, because no outside piece can interpose, and a checker that an
    /// outside piece takes has been removed by then. Rules B1 and B2 hold for the subset as for all
    /// pieces. If no such line exists, no game does.
    ///
    /// The test is abandoned after `moves_max` moves, which counts as feasible.
    pub(crate) fn allows(
        &mut self,
        context: &mut SearchContext<'_>,
        node: SearchNode<'_>,
        moves_max: u64,
    ) -> bool {
        self.answer(context, node, moves_max) != Feasibility::Infeasible
    }

    /// Like [`Self::allows`]; returns `Unknown` if the test was abandoned.
    pub(crate) fn answer(
        &mut self,
        context: &mut SearchContext<'_>,
        node: SearchNode<'_>,
        moves_max: u64,
    ) -> Feasibility {
        let SearchNode { board, bound, plies } = node;
        let (mover, other) = ((plies as i16 + 1) / 2, plies as i16 / 2);
        let mut own = if board.turn.is_white() { [mover, other] } else { [other, mover] };
        // Needs of the outside pieces: all needs less those of the subset; pieces that never move
        // need nothing.
        own = [own[0] - bound.rest[0], own[1] - bound.rest[1]];
        for piece in PieceMask(bound.alive.0 & self.movers.0).pieces() {
            own[piece.index() >> 4] += i16::from(bound.need[piece.index()]);
        }
        let left = MovesLeft { plies, own };
        let key = self.key(context.compiled, board);
        let all = EffortLimit::new(self.moves, moves_max);
        if let Some(answer) = self.recall(key, left, all.level) {
            return answer;
        }
        if moves_max == 0 {
            return Feasibility::Unknown(0);
        }
        self.known.trim(CACHE_MAX);
        let mut board = self.part(context.compiled, board, key);
        let Some(bound) = MoveBound::of(context, &board, self.view.pieces, own) else {
            self.note(key, left, Feasibility::Infeasible);
            return Feasibility::Infeasible;
        };
        let depth_first_limit = EffortLimit::new(self.moves, moves_max.min(DEPTH_FIRST_MAX));
        let answer = self.depth_first(context, &mut board, &bound, left, depth_first_limit);
        if matches!(answer, Feasibility::Unknown(_)) && moves_max > DEPTH_FIRST_MAX {
            self.breadth_first(context, QueuedState { board, bound, left }, all)
        } else {
            answer
        }
    }

    /// Returns the cached result, unless it was abandoned with much less effort.
    #[inline]
    pub(crate) fn recall(&self, key: u128, left: MovesLeft, level: u8) -> Option<Feasibility> {
        let (code, room) = left.part(self.waits);
        self.known.answer(key ^ code, room, level)
    }

    pub(crate) fn note(&mut self, key: u128, left: MovesLeft, answer: Feasibility) {
        let (code, room) = left.part(self.waits);
        self.note_at(key ^ code, room, answer);
    }

    /// Reserves space for more placements.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.known.reserve(more);
    }

    /// Records a result for a key and a slack that are already split.
    pub(crate) fn note_at(&mut self, key: u128, room: Slack, answer: Feasibility) {
        self.known.note(key, room, answer);
    }

    /// Returns the key of the subset's pieces and legs in a position.
    fn key(&self, compiled: &CompiledPlan, board: &SearchBoard) -> u128 {
        let mut key = 0;
        for piece in self.movers.pieces() {
            let m = piece.index();
            if board.at[m] != GONE && !self.view.leaves(compiled, board, m) {
                key ^= board.piece_key(compiled, m);
            }
        }
        if board.turn == Color::Black {
            key ^= crate::search::state::board::BLACK_TO_MOVE;
        }
        if self.view.captures_in_passing(compiled, board.passing) {
            key ^ crate::search::state::board::PASSING
        } else {
            key
        }
    }

    /// Returns the subset at the root.
    #[cfg(test)]
    pub(crate) fn part_of_array(&self, compiled: &CompiledPlan) -> SearchBoard {
        let initial = SearchBoard::initial(compiled, 0);
        self.part(compiled, &initial, self.key(compiled, &initial))
    }

    /// Returns the subset's part of a position.
    fn part(&self, compiled: &CompiledPlan, board: &SearchBoard, key: u128) -> SearchBoard {
        let mut part = board.clone();
        for piece in PieceId::all() {
            let m = piece.index();
            if part.at[m] == GONE {
                continue;
            }
            if !self.view.contains(piece) || self.view.leaves(compiled, board, m) {
                part.vanish(compiled, m);
            }
        }
        if !self.view.captures_in_passing(compiled, board.passing) {
            part.passing = NOBODY;
        }
        part.key = key;
        part
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::cache::AnalysisCache;
    use crate::analyse::{Analysis, Assumptions, Effort};
    use crate::search::blocked_maps::BlockedMaps;
    use crate::search::context::Blockade;
    use crate::search::depth_first::budgets;
    use crate::{Diagram, Length, Problem, Rules, game_of, project};
    use umbrail_control::Cancel;

    /// Returns true if some pieces, and those that never move, can finish in a game's strategy with
    /// this number of plies.
    fn able(game: &str, plies: u16, pieces: &[&str]) -> bool {
        let game = game_of(game).unwrap();
        let strategy = project(&game).unwrap();
        let diagram: Diagram = strategy.diagram().unwrap();
        let problem = Problem { diagram, plies, length: Length::Exact };
        // Without rules no piece is known to be still.
        let (mut cache, mut blocked_maps) = (AnalysisCache::default(), BlockedMaps::default());
        let (rules, effort) = (Rules::NONE, Effort::Quick);
        let analysis = Analysis { problem: &problem, strategy: &strategy, rules, effort };
        let plan = analysis.propagate(Assumptions::default(), &mut cache).unwrap();
        let compiled = CompiledPlan::new(&plan);
        let board = SearchBoard::initial(&compiled, 0);
        let blockade = Blockade { on: true, sum: true };
        let left = budgets(plies, 0);
        let mut context = SearchContext {
            compiled: &compiled,
            distances: &cache.distances,
            blocked_maps: &mut blocked_maps,
            blockade,
            length: Length::Exact,
            cancel: &Cancel::default(),
        };
        let bound = MoveBound::new(&mut context, &board, left).unwrap();
        let named = |piece: &PieceId| {
            let color = if piece.color().is_white() { "white" } else { "black" };
            pieces.contains(&color) || pieces.contains(&piece.to_string().as_str())
        };
        let pieces: PieceMask = PieceId::all().filter(named).collect();
        let root = SearchNode { board: &board, bound: &bound, plies };
        SubsetRelaxation::new(pieces, &compiled).allows(&mut context, root, 10_000)
    }

    #[test]
    fn without_outside_pieces_a_side_must_waste_its_moves_itself() {
        // One move more than Nb1-c3: no knight, rook or king loses exactly one, and all pawns stay.
        assert!(!able("Nc3 Nf6", 4, &["white"]));
        assert!(able("Nc3 Nf6", 4, &["Sb1", "Pa2"]));
        assert!(able("Nc3 Nf6", 6, &["white"]));
    }

    #[test]
    fn a_king_answers_the_checks_of_the_subset() {
        // The queen stops on e7 with check; later the king stands at home, and so do its neighbors.
        let game = "e4 e5 Qh5 Nf6 Qxe5 Qe7 Qxe7";
        assert!(able(game, 7, &["white", "black"]));
        assert!(able(game, 7, &["Qd1", "Ke8"]));
    }

    #[test]
    fn a_rook_castles_with_its_king() {
        let game = "e4 a5 Bb5 a4 Ne2 a3 O-O Ra4 Kh1 Rb4 Rg1";
        for pieces in
            [&["Rh1"][..], &["Rh1", "Bf1", "Sg1"], &["Ke1"], &["white"], &["black", "Rh1"]]
        {
            assert!(able(game, 11, pieces), "{pieces:?}");
        }
    }
}
