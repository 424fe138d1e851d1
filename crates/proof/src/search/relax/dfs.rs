//! Depth-first search of a subset relaxation: moves of its pieces, and waiting moves.

use crate::analyse::legs::Goal;
use crate::problem::castling::castled_square;
use crate::problem::castling::castling_rook;
use crate::problem::piece::{PieceId, PieceMask};
use crate::search::bound::{BlockedMaps, MoveBound};
use crate::search::relax::feasibility::{Feasibility, MovesLeft};
use crate::search::relax::frontier::QueuedState;
use crate::search::relax::subset::{EffortLimit, SubsetContext, SubsetRelaxation};
use crate::search::state::GONE;
use crate::search::state::NOBODY;
use crate::search::state::board::{SearchBoard, Undo};
use crate::search::state::compiled::CompiledPlan;
use crate::search::state::moves::{self, MoveEffect, MoveList, PieceMove, is_passing};
use umbrail_chess::attacks;
use umbrail_chess::geometry::{Bitboard, Color, Square};

/// Mask of the move count: when no bit is set, the stop signal is polled.
const POLL_MASK: u64 = (1 << 10) - 1;

impl SubsetRelaxation {
    /// Returns whether a state has a continuation: depth first, or during breadth-first search by
    /// queueing the state.
    pub(crate) fn depth_first(
        &mut self,
        context: &SubsetContext<'_>,
        board: &mut SearchBoard,
        bound: &MoveBound,
        left: MovesLeft,
        blocked_maps: &mut BlockedMaps,
        limit: EffortLimit,
    ) -> Feasibility {
        if bound.rest == [0; 2] {
            let moves = [left.plies > 1, left.plies > 0];
            let moves = if board.turn.is_white() { [moves[1], moves[0]] } else { moves };
            let done = |c: usize| !moves[c] || self.waits[c];
            if (done(0) && done(1)) || !context.exact && left.plies.is_multiple_of(2) {
                return Feasibility::Feasible;
            }
        }
        if left.plies == 0 {
            return Feasibility::Infeasible;
        }
        let known = self.recall(board.key, left, limit.level);
        if let Some(frontier) = &mut self.frontier {
            if let Some(answer @ (Feasibility::Infeasible | Feasibility::Feasible)) = known {
                return answer;
            }
            let (code, room) = left.part(self.waits);
            let place = || QueuedState { board: board.clone(), bound: bound.clone(), left };
            return frontier.meet(board.key ^ code, room, place);
        }
        if let Some(answer) = known {
            return answer;
        }
        self.expand(context, board, bound, left, blocked_maps, limit)
    }

    /// Expands a state by all its moves.
    pub(crate) fn expand(
        &mut self,
        context: &SubsetContext<'_>,
        board: &mut SearchBoard,
        bound: &MoveBound,
        left: MovesLeft,
        blocked_maps: &mut BlockedMaps,
        limit: EffortLimit,
    ) -> Feasibility {
        let (key, us) = (board.key, board.turn);
        let mut answer = Feasibility::Infeasible;
        let spare = left.own[us.index()] - bound.rest[us.index()];
        let mut choices = MoveList::new();
        if board.passing == NOBODY {
            self.list(context, board, bound, spare, blocked_maps, &mut choices);
        } else {
            choices.extend(take_in_passing(context.compiled, board));
        }
        for choice in &choices {
            self.moves += 1;
            let stopped = self.moves & POLL_MASK == 0 && context.cancel.is_raised();
            answer = if self.moves >= limit.moves || stopped {
                Feasibility::Unknown(limit.level)
            } else {
                self.make(context, board, bound, left, blocked_maps, limit, choice)
            };
            if answer != Feasibility::Infeasible {
                break;
            }
        }
        let waits = self.waits[us.index()] && board.passing == NOBODY && !self.in_check(board, us);
        if answer == Feasibility::Infeasible && waits {
            self.moves += 1;
            answer = self.wait(context, board, bound, left, blocked_maps, limit);
        }
        if self.frontier.is_none() {
            self.note(key, left, answer);
        }
        answer
    }

    /// Makes a move of an outside piece.
    fn wait(
        &mut self,
        context: &SubsetContext<'_>,
        board: &mut SearchBoard,
        bound: &MoveBound,
        left: MovesLeft,
        blocked_maps: &mut BlockedMaps,
        limit: EffortLimit,
    ) -> Feasibility {
        let u = board.turn.index();
        let mut next = left;
        next.plies -= 1;
        // If no outside piece needs a move, the move is a spare one.
        next.own[u] = next.own[u].min((left.plies as i16 - 1) / 2);
        let mut bound = bound.clone();
        if !bound.settle(
            context.compiled,
            board,
            next.own,
            context.distances,
            blocked_maps,
            context.blockade,
        ) {
            return Feasibility::Infeasible;
        }
        board.wait();
        let answer = self.depth_first(context, board, &bound, next, blocked_maps, limit);
        board.wait();
        answer
    }

    /// Returns true if the subset's pieces certainly attack a king of the subset.
    fn in_check(&self, board: &SearchBoard, color: Color) -> bool {
        let king = board.at[PieceId::king(color).index()];
        king != GONE && self.attacked(board, Square::new(king), color)
    }

    /// Returns true if the subset's pieces certainly attack a square.
    fn attacked(&self, board: &SearchBoard, square: Square, color: Color) -> bool {
        let occupied = board.occupied() | self.maybe.without(square);
        board.attackers(square, !color, occupied).any()
    }

    /// Makes a move and continues the search.
    #[expect(clippy::too_many_arguments, reason = "one step of a recursion")]
    fn make(
        &mut self,
        context: &SubsetContext<'_>,
        board: &mut SearchBoard,
        bound: &MoveBound,
        left: MovesLeft,
        blocked_maps: &mut BlockedMaps,
        limit: EffortLimit,
        choice: &PieceMove,
    ) -> Feasibility {
        let (compiled, distances) = (context.compiled, context.distances);
        let us = board.turn;
        let m = usize::from(choice.piece);
        let mut next = left;
        next.plies -= 1;
        next.own[us.index()] -= 1;
        let mut new = bound.clone();
        let mut rook = None;
        let mut taken = NOBODY;
        let new_leg = choice.effect != MoveEffect::Quiet;
        let passing = is_passing(compiled, board, choice) && self.passes(compiled, choice.piece);
        let undo: Undo = match choice.effect {
            MoveEffect::Castle(wing) => {
                let piece = castling_rook(us, wing);
                if board.at[piece.index()] == GONE {
                    board.make(compiled, m, choice.to, NOBODY, true)
                } else {
                    rook = Some(piece.index());
                    board.castle(compiled, m, piece.index(), choice.to, castled_square(piece, wing))
                }
            }
            MoveEffect::Capture(victim) if board.at[usize::from(victim)] != GONE => {
                taken = victim;
                board.key ^= board.leg_key(compiled, usize::from(victim));
                let mut undo = board.make(compiled, m, choice.to, taken, new_leg);
                undo.key ^= board.leg_key(compiled, usize::from(victim));
                undo
            }
            _ => board.make(compiled, m, choice.to, NOBODY, new_leg),
        };
        if passing {
            board.pass(NOBODY, choice.piece);
        }
        let mut alive = !self.in_check(board, us);
        if alive {
            if taken != NOBODY {
                new.taken(usize::from(taken));
            }
            alive = new.moved(compiled, board, m, new_leg, distances, blocked_maps)
                && rook
                    .is_none_or(|r| new.moved(compiled, board, r, true, distances, blocked_maps));
        }
        // Castling moves two pieces, and each may have reached the square where an outside piece
        // takes it.
        let mut removed = [None; 2];
        for (slot, moved) in removed.iter_mut().zip([Some(m).filter(|_| !passing), rook]) {
            let Some(piece) = moved.filter(|&piece| self.leaves_at_once(compiled, board, piece))
            else {
                continue;
            };
            if alive {
                board.key ^= board.leg_key(compiled, piece);
                *slot = Some((piece, board.vanish(compiled, piece)));
                new.taken(piece);
            }
        }
        let answer = if alive
            && new.settle(compiled, board, next.own, distances, blocked_maps, context.blockade)
        {
            self.depth_first(context, board, &new, next, blocked_maps, limit)
        } else {
            Feasibility::Infeasible
        };
        for &(piece, square) in removed.iter().flatten() {
            board.appear(compiled, piece, square);
        }
        board.unmake(compiled, m, &undo);
        answer
    }

    /// Lists the subset's moves that its spare moves cover, milestones first.
    fn list(
        &self,
        context: &SubsetContext<'_>,
        board: &SearchBoard,
        bound: &MoveBound,
        spare: i16,
        blocked_maps: &mut BlockedMaps,
        choices: &mut MoveList,
    ) {
        let compiled = context.compiled;
        let us = board.turn;
        let occupied = board.occupied();
        let pieces =
            PieceMask::of_color(us).0 & bound.alive.0 & !bound.finished.0 & !compiled.fixed.0;
        for piece in PieceMask(pieces).pieces() {
            let m = piece.index();
            let leg = &compiled.legs[usize::from(board.leg[m])];
            let from = Square::new(board.at[m]);
            let (to, effect) = match leg.goal {
                Goal::Capture { square, stood, victim, en_passant, .. } => {
                    let v = victim.index();
                    let there = if self.pieces.contains(victim) && !en_passant {
                        board.at[v] == stood.number()
                            && bound.need[v] == 0
                            && compiled.legs[usize::from(board.leg[v])].last
                    } else if self.pieces.contains(victim) {
                        // An en passant capture is made at once, or not at all.
                        false
                    } else {
                        !occupied.contains(square)
                    };
                    if !there || !leg.move_kind.attacks(from, occupied).contains(square) {
                        continue;
                    }
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
                Goal::Castle(wing) if piece == PieceId::king(us) => {
                    let rook = castling_rook(us, wing);
                    let r = rook.index();
                    let at_home = !self.pieces.contains(rook)
                        || board.at[r] == rook.origin().number()
                            && board.leg[r] == compiled.first[r];
                    let path = attacks::between(from, rook.origin());
                    let to = castled_square(piece, wing);
                    let way = attacks::between(from, to).with(to).with(from);
                    if !at_home
                        || (path & occupied).any()
                        || way.squares().any(|square| self.attacked(board, square, us))
                    {
                        continue;
                    }
                    (to, MoveEffect::Castle(wing))
                }
                _ => continue,
            };
            choices.push(PieceMove { piece: piece.number(), to, effect });
        }
        for piece in PieceMask(pieces).pieces() {
            moves::quiet(
                (context.compiled, context.distances),
                board,
                bound,
                i32::from(spare),
                piece,
                blocked_maps,
                choices,
            );
        }
    }
}

/// Returns the en passant capture after a double step that requires it; no other move is allowed
/// then.
fn take_in_passing(compiled: &CompiledPlan, board: &SearchBoard) -> Option<PieceMove> {
    let captor = compiled.passing_captor[usize::from(board.passing)];
    let leg = &compiled.legs[usize::from(board.leg[usize::from(captor)])];
    let Goal::Capture { square, en_passant: true, .. } = leg.goal else { return None };
    let from = Square::new(board.at[usize::from(captor)]);
    let effect = MoveEffect::Capture(board.passing);
    let there = leg.move_kind.attacks(from, Bitboard::EMPTY).contains(square);
    there.then_some(PieceMove { piece: captor, to: square, effect })
}
