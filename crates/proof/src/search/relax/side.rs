//! Side relaxation: tests if the pieces of one side can finish their routes without the other side.
//!
//! Most refuted positions fail because the pieces of one side block each other, whatever the other
//! side has done. Each side is therefore searched alone, once per placement of this side instead of
//! once per placement of both.

use crate::problem::piece::PieceMask;
use crate::search::bound::MoveBound;
use crate::search::context::SearchContext;
use crate::search::moves::MoveList;
use crate::search::moves::generate::list;
use crate::search::moves::make::MadeMove;
use crate::search::state::board::SearchBoard;
use crate::search::state::view::SideView;
use umbrail_chess::geometry::Color;
use umbrail_control::FastMap;

/// Maximum number of cached placements of each side; further ones are searched again each time.
const CACHE_MAX: usize = 1 << 20;

/// Number of moves after which a test is abandoned, which counts as feasible.
const MOVES_MAX: u64 = 3_000;

/// Move budget: `MOVES_FIRST` moves, one for every two moves of the search, and `MOVES_EARNED` for
/// each refuted position. If the relaxation never refutes, it takes at most a third of the time.
const MOVES_FIRST: u64 = 200;
const MOVES_EARNED: u64 = 2;

/// Results for one side's placements: infeasible with fewer moves than the first number, not
/// refuted with the second or more.
type SideCache = FastMap<u128, (u8, u8)>;

/// Rule B3 for one strategy, with its cache.
#[derive(Default)]
pub(crate) struct SideRelaxation {
    known: [SideCache; 2],
    /// Total number of moves made.
    moves: u64,
    /// Positions refuted.
    refuted: u64,
}

impl SideRelaxation {
    /// Returns true if a side can finish all its routes with `left` moves without the other side.
    ///
    /// *Admissible*: take any game from the position onward. Omit the other side's moves, and those
    /// of pieces that already stand where they are to be taken. The remaining moves belong to this
    /// side and are no more than it has left. Each is still possible, because removing pieces never
    /// blocks a path, and the pieces that rest, promote, capture and castle still do. Enemies that
    /// never move are where they are in every game; checks to the king and the presence of victims
    /// are ignored. Rules B1 and B2 hold for one side as for both. If no order of such moves
    /// exists, no game does.
    /// `played` is the number of moves made by the search so far.
    pub(crate) fn allows(
        &mut self,
        context: &mut SearchContext<'_>,
        board: &SearchBoard,
        (color, left): (Color, i16),
        played: u64,
    ) -> bool {
        let key = board.side_key(context.compiled, color);
        let able = self.recall(color, key, left);
        let able = able.unwrap_or_else(|| self.ask(context, board, (color, left), key, played));
        self.refuted += u64::from(!able);
        able
    }

    fn ask(
        &mut self,
        context: &mut SearchContext<'_>,
        board: &SearchBoard,
        (color, left): (Color, i16),
        key: u128,
        played: u64,
    ) -> bool {
        if self.moves > MOVES_FIRST + played / 2 + MOVES_EARNED * self.refuted {
            return true;
        }
        let mut board = board.side(context.compiled, color, key);
        let pieces = PieceMask::of_color(color);
        let bound = MoveBound::of(context, &board, pieces, MoveBound::only(color, left));
        let Some(bound) = bound else {
            self.note(color, key, left, false);
            return false;
        };
        let limit = self.moves + MOVES_MAX;
        self.depth_first(context, &mut board, &bound, left, limit)
    }

    #[inline]
    fn recall(&self, color: Color, key: u128, left: i16) -> Option<bool> {
        let &(fails, open) = self.known[color.index()].get(&key)?;
        if left < i16::from(fails) {
            Some(false)
        } else if left >= i16::from(open) {
            Some(true)
        } else {
            None
        }
    }

    fn note(&mut self, color: Color, key: u128, left: i16, answer: bool) {
        let known = &mut self.known[color.index()];
        if known.len() >= CACHE_MAX {
            return;
        }
        let entry = known.entry(key).or_insert((0, u8::MAX));
        let left = left.clamp(0, 250) as u8;
        if answer {
            entry.1 = entry.1.min(left);
        } else {
            entry.0 = entry.0.max(left + 1);
        }
    }

    /// Searches depth first with `left` moves of the side to move; also returns true if the search
    /// takes too long.
    fn depth_first(
        &mut self,
        context: &mut SearchContext<'_>,
        board: &mut SearchBoard,
        bound: &MoveBound,
        left: i16,
        limit: u64,
    ) -> bool {
        let (color, key) = (board.turn, board.key);
        debug_assert_eq!(key, board.side_key(context.compiled, color));
        let rest = bound.rest[color.index()];
        if rest == 0 {
            return true;
        }
        if let Some(answer) = self.recall(color, key, left) {
            return answer;
        }
        let mut answer = false;
        let mut choices = MoveList::new();
        let view = SideView(color);
        list(context, view, board, bound, left - rest, &mut choices);
        for choice in &choices {
            self.moves += 1;
            if self.moves >= limit {
                answer = true;
                break;
            }
            let mut next = bound.clone();
            let mut made = MadeMove::make(context.compiled, view, board, choice);
            let budget = MoveBound::only(color, left - 1);
            let below = made.update_bound(context, view, board, &mut next, budget)
                && self.depth_first(context, board, &next, left - 1, limit);
            made.take_back::<SideView>(context.compiled, board);
            if below {
                answer = true;
                break;
            }
        }
        self.note(color, key, left, answer);
        answer
    }
}
