//! Side relaxation: tests if the pieces of one side can finish their routes without the other side.
//!
//! Most refuted positions fail because the pieces of one side block each other, whatever the other
//! side has done. Each side is therefore searched alone, once per placement of this side instead of
//! once per placement of both.

use crate::analyse::legs::Goal;
use crate::distance::cache::DistanceCache;
use crate::problem::castling::castled_square;
use crate::problem::castling::castling_rook;
use crate::problem::piece::{PieceId, PieceMask};
use crate::search::bound::{Blockade, BlockedMaps, MoveBound};
use crate::search::state::NOBODY;
use crate::search::state::board::{SearchBoard, Undo};
use crate::search::state::compiled::CompiledPlan;
use crate::search::state::moves::{self, MoveEffect, MoveList, PieceMove};
use umbrail_chess::attacks;
use umbrail_chess::geometry::{Color, Square};
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

/// Context that is constant during one test.
pub(crate) struct SideContext<'a> {
    pub(crate) compiled: &'a CompiledPlan,
    pub(crate) distances: &'a DistanceCache,
    pub(crate) blockade: Blockade,
    pub(crate) color: Color,
    /// Moves made by the search so far.
    pub(crate) played: u64,
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
    pub(crate) fn allows(
        &mut self,
        context: &SideContext<'_>,
        board: &SearchBoard,
        left: i16,
        blocked_maps: &mut BlockedMaps,
    ) -> bool {
        let key = board.side_key(context.compiled, context.color);
        let able = self.recall(context.color, key, left);
        let able = able.unwrap_or_else(|| self.ask(context, board, key, left, blocked_maps));
        self.refuted += u64::from(!able);
        able
    }

    fn ask(
        &mut self,
        context: &SideContext<'_>,
        board: &SearchBoard,
        key: u128,
        left: i16,
        blocked_maps: &mut BlockedMaps,
    ) -> bool {
        if self.moves > MOVES_FIRST + context.played / 2 + MOVES_EARNED * self.refuted {
            return true;
        }
        let mut board = board.side(context.compiled, context.color);
        let tools = (context.distances, &mut *blocked_maps);
        let (compiled, color) = (context.compiled, context.color);
        let bound = MoveBound::side(compiled, &board, (color, left), tools, context.blockade);
        let Some(bound) = bound else {
            self.note(context.color, key, left, false);
            return false;
        };
        let limit = self.moves + MOVES_MAX;
        self.depth_first(context, &mut board, (&bound, key, left), blocked_maps, limit)
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

    /// Searches depth first, for a side with this key and `left` moves; also returns true if the
    /// search takes too long.
    fn depth_first(
        &mut self,
        context: &SideContext<'_>,
        board: &mut SearchBoard,
        (bound, key, left): (&MoveBound, u128, i16),
        blocked_maps: &mut BlockedMaps,
        limit: u64,
    ) -> bool {
        debug_assert_eq!(key, board.side_key(context.compiled, context.color));
        let c = context.color.index();
        if bound.rest[c] == 0 {
            return true;
        }
        if let Some(answer) = self.recall(context.color, key, left) {
            return answer;
        }
        let mut answer = false;
        let mut choices = MoveList::new();
        list(context, board, bound, left - bound.rest[c], blocked_maps, &mut choices);
        for choice in &choices {
            self.moves += 1;
            if self.moves >= limit {
                answer = true;
                break;
            }
            let mut next = bound.clone();
            let made = make(context, board, &mut next, choice, left - 1, blocked_maps);
            let after = (&next, key ^ made.key, left - 1);
            let below = made.alive && self.depth_first(context, board, after, blocked_maps, limit);
            unmake(context, board, choice, &made);
            if below {
                answer = true;
                break;
            }
        }
        self.note(context.color, key, left, answer);
        answer
    }
}

struct SideMove {
    undo: Undo,
    /// For the moved piece and the rook of a castling: number and square of each that now only
    /// waits to be taken, and was removed.
    removed: [Option<(usize, Square)>; 2],
    /// Change of the side's key.
    key: u128,
    alive: bool,
}

fn make(
    context: &SideContext<'_>,
    board: &mut SearchBoard,
    bound: &mut MoveBound,
    choice: &PieceMove,
    left: i16,
    blocked_maps: &mut BlockedMaps,
) -> SideMove {
    let (compiled, distances) = (context.compiled, context.distances);
    let m = usize::from(choice.piece);
    let mut rook = None;
    let new_leg = choice.effect != MoveEffect::Quiet;
    let mut key = board.piece_key(compiled, m);
    let undo = match choice.effect {
        MoveEffect::Castle(wing) => {
            let piece = castling_rook(context.color, wing);
            rook = Some(piece.index());
            key ^= board.piece_key(compiled, piece.index());
            board.castle(compiled, m, piece.index(), choice.to, castled_square(piece, wing))
        }
        _ => board.make(compiled, m, choice.to, NOBODY, new_leg),
    };
    let mut alive = bound.moved(compiled, board, m, new_leg, distances, blocked_maps)
        && rook.is_none_or(|r| bound.moved(compiled, board, r, true, distances, blocked_maps));
    // Castling moves two pieces, and each may have reached the square where it is taken.
    let removed = [Some(m), rook].map(|moved| {
        let piece = moved?;
        if board.waits(compiled, piece) {
            bound.taken(piece);
            Some((piece, board.vanish(compiled, piece)))
        } else {
            key ^= board.piece_key(compiled, piece);
            None
        }
    });
    alive = alive
        && bound.settle(
            compiled,
            board,
            MoveBound::only(context.color, left),
            distances,
            blocked_maps,
            context.blockade,
        );
    SideMove { undo, removed, key, alive }
}

fn unmake(context: &SideContext<'_>, board: &mut SearchBoard, choice: &PieceMove, made: &SideMove) {
    for &(piece, square) in made.removed.iter().flatten() {
        board.appear(context.compiled, piece, square);
    }
    board.unmake(context.compiled, usize::from(choice.piece), &made.undo);
}

/// Lists the side's moves that its spare moves cover, milestones first.
fn list(
    context: &SideContext<'_>,
    board: &SearchBoard,
    bound: &MoveBound,
    spare: i16,
    blocked_maps: &mut BlockedMaps,
    choices: &mut MoveList,
) {
    let compiled = context.compiled;
    let occupied = board.occupied();
    let pieces = bound.alive.0 & !bound.finished.0 & !compiled.fixed.0;
    for piece in PieceMask(pieces).pieces() {
        let m = piece.index();
        let leg = &compiled.legs[usize::from(board.leg[m])];
        let from = Square::new(board.at[m]);
        let (to, effect) = match leg.goal {
            Goal::Capture { square, victim, .. }
                if leg.move_kind.attacks(from, occupied).contains(square)
                    && !occupied.contains(square) =>
            {
                (square, MoveEffect::Capture(victim.number()))
            }
            Goal::Promote { square, .. }
                if leg.move_kind.quiet(from, occupied).contains(square) =>
            {
                (square, MoveEffect::Promote)
            }
            Goal::Visit(square) if leg.move_kind.quiet(from, occupied).contains(square) => {
                (square, MoveEffect::Visit)
            }
            Goal::Castle(wing) if piece == PieceId::king(context.color) => {
                let rook = castling_rook(context.color, wing);
                let r = rook.index();
                let at_home =
                    board.at[r] == rook.origin().number() && board.leg[r] == compiled.first[r];
                let path = attacks::between(from, rook.origin());
                if !at_home || (path & occupied).any() {
                    continue;
                }
                (castled_square(piece, wing), MoveEffect::Castle(wing))
            }
            _ => continue,
        };
        choices.push(PieceMove { piece: piece.number(), to, effect });
    }
    for piece in PieceMask(pieces).pieces() {
        moves::quiet(
            (compiled, context.distances),
            board,
            bound,
            i32::from(spare),
            piece,
            blocked_maps,
            choices,
        );
    }
}
