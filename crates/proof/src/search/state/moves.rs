//! Moves that a strategy allows in a position: legal, on a piece's leg, and within the spare moves.

use crate::analyse::legs::Goal;
use crate::distance::cache::DistanceCache;
use crate::problem::castling::Wing;
use crate::problem::castling::castled_square;
use crate::problem::castling::castling_rook;
use crate::problem::piece::{PieceId, PieceMask};
use crate::search::bound::{BlockedMaps, MoveBound};
use crate::search::state::NOBODY;
use crate::search::state::board::SearchBoard;
use crate::search::state::compiled::CompiledPlan;
use arrayvec::ArrayVec;
use umbrail_chess::attacks;
use umbrail_chess::geometry::{Bitboard, Square};

/// Effect of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveEffect {
    /// Quiet move.
    Quiet,
    /// First step of an excursion.
    Leave,
    /// Capture of this piece, possibly with promotion.
    Capture(u8),
    /// Promotion without capture.
    Promote,
    /// Stop where a visit is assumed.
    Visit,
    /// Castling of king and rook.
    Castle(Wing),
}

/// A move of a piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PieceMove {
    pub(crate) piece: u8,
    pub(crate) to: Square,
    pub(crate) effect: MoveEffect,
}

/// Capacity of a move list: enough for every move of a side, as queens have 27 and promotions are
/// at most eight.
pub(crate) const MOVE_LIST_MAX: usize = 256;

/// A list of moves.
pub(crate) type MoveList = ArrayVec<PieceMove, MOVE_LIST_MAX>;

/// Lists the moves of the side to move whose cost is covered by its `spare` moves, milestones
/// first.
///
/// *Admissible*: a quiet move from `s` to `t` costs `1 + need(t) - need(s)` spare moves, so an
/// omitted move would leave the side fewer moves than it needs. Captures, promotions and castling
/// outside the routes belong to other strategies; finished or fixed pieces never move.
pub(crate) fn list(
    compiled: &CompiledPlan,
    board: &SearchBoard,
    bound: &MoveBound,
    spare: i16,
    (distances, blocked_maps): (&DistanceCache, &mut BlockedMaps),
    choices: &mut MoveList,
) {
    let us = board.turn;
    let king = board.king(us);
    let occupied = board.occupied();
    let checkers = board.attackers(king, !us, occupied);
    let targets = if checkers.is_empty() {
        Bitboard::FULL
    } else if checkers.more_than_one() {
        Bitboard::EMPTY
    } else {
        checkers | attacks::between(king, checkers.lowest())
    };
    if board.passing != NOBODY {
        take_in_passing(compiled, board, king, choices);
        return;
    }
    let pinned = board.pinned(us, king);
    let pieces = PieceMask::of_color(us).0 & bound.alive.0 & !bound.finished.0 & !compiled.fixed.0;
    let node = MoveGenerator { compiled, board, king, occupied, checkers, targets, pinned };
    for piece in PieceMask(pieces).pieces() {
        node.milestone(piece, bound, choices);
    }
    for piece in PieceMask(pieces).pieces() {
        node.quiet(piece, bound, i32::from(spare), distances, blocked_maps, choices);
    }
}

/// Lists the en passant capture after a double step that requires it; no other move is allowed
/// then.
fn take_in_passing(
    compiled: &CompiledPlan,
    board: &SearchBoard,
    king: Square,
    choices: &mut MoveList,
) {
    let us = board.turn;
    let captor = usize::from(compiled.passing_captor[usize::from(board.passing)]);
    let leg = &compiled.legs[usize::from(board.leg[captor])];
    let Goal::Capture { square, stood, victim, en_passant: true, .. } = leg.goal else { return };
    let from = Square::new(board.at[captor]);
    if victim.number() != board.passing
        || !leg.move_kind.attacks(from, Bitboard::EMPTY).contains(square)
    {
        return;
    }
    let occupied = board.occupied().without(from).without(stood).with(square);
    if (board.attackers(king, !us, occupied) & !Bitboard::of(stood)).is_empty() {
        choices.push(PieceMove {
            piece: captor as u8,
            to: square,
            effect: MoveEffect::Capture(board.passing),
        });
    }
}

struct MoveGenerator<'a> {
    compiled: &'a CompiledPlan,
    board: &'a SearchBoard,
    king: Square,
    occupied: Bitboard,
    checkers: Bitboard,
    /// Target squares that answer all checks, for pieces other than the king.
    targets: Bitboard,
    pinned: Bitboard,
}

impl MoveGenerator<'_> {
    /// Returns the squares where the piece may go without exposing its king along a line.
    #[inline]
    fn allowed(&self, from: Square) -> Bitboard {
        if self.pinned.contains(from) {
            self.targets & attacks::line(self.king, from)
        } else {
            self.targets
        }
    }

    #[inline]
    fn king_is_safe_on(&self, square: Square) -> bool {
        let occupied = self.occupied.without(self.king);
        self.board.attackers(square, !self.board.turn, occupied).is_empty()
    }

    /// Lists the move that ends the piece's leg, if it can be made now.
    fn milestone(&self, piece: PieceId, bound: &MoveBound, choices: &mut MoveList) {
        let m = piece.index();
        let leg = &self.compiled.legs[usize::from(self.board.leg[m])];
        let from = Square::new(self.board.at[m]);
        let legal = |to: Square| {
            if from == self.king {
                self.king_is_safe_on(to)
            } else {
                self.allowed(from).contains(to)
            }
        };
        match leg.goal {
            Goal::Capture { square, stood, victim, en_passant: false, .. } => {
                let v = victim.index();
                let there = self.board.at[v] == stood.number()
                    && bound.need[v] == 0
                    && self.compiled.legs[usize::from(self.board.leg[v])].last;
                if there
                    && leg.move_kind.attacks(from, self.occupied).contains(square)
                    && legal(square)
                {
                    let effect = MoveEffect::Capture(victim.number());
                    choices.push(PieceMove { piece: piece.number(), to: square, effect });
                }
            }
            Goal::Promote { square, .. }
                if leg.move_kind.quiet(from, self.occupied).contains(square) && legal(square) =>
            {
                choices.push(PieceMove {
                    piece: piece.number(),
                    to: square,
                    effect: MoveEffect::Promote,
                });
            }
            Goal::Visit(square)
                if leg.move_kind.quiet(from, self.occupied).contains(square) && legal(square) =>
            {
                choices.push(PieceMove {
                    piece: piece.number(),
                    to: square,
                    effect: MoveEffect::Visit,
                });
            }
            Goal::Castle(wing) if from == self.king && self.may_castle(piece, wing) => {
                let to = castled_square(piece, wing);
                choices.push(PieceMove {
                    piece: piece.number(),
                    to,
                    effect: MoveEffect::Castle(wing),
                });
            }
            _ => {}
        }
    }

    /// Returns true if castling is possible. King and rook have not moved, because a route that
    /// begins with castling allows nothing else.
    fn may_castle(&self, king: PieceId, wing: Wing) -> bool {
        let color = king.color();
        let rook = castling_rook(color, wing);
        let r = rook.index();
        let at_home = self.board.at[r] == rook.origin().number()
            && self.board.leg[r] == self.compiled.first[r];
        let to = castled_square(king, wing);
        let path = attacks::between(self.king, to).with(to);
        at_home
            && self.checkers.is_empty()
            && (attacks::between(self.king, rook.origin()) & self.occupied).is_empty()
            && path
                .squares()
                .all(|square| self.board.attackers(square, !color, self.occupied).is_empty())
    }

    /// Lists the piece's other moves.
    fn quiet(
        &self,
        piece: PieceId,
        bound: &MoveBound,
        spare: i32,
        distances: &DistanceCache,
        blocked_maps: &mut BlockedMaps,
        choices: &mut MoveList,
    ) {
        let m = piece.index();
        let number = usize::from(self.board.leg[m]);
        let leg = &self.compiled.legs[number];
        let from = Square::new(self.board.at[m]);
        let (effect, within, forbidden) = match leg.goal {
            Goal::Castle(_) => return,
            Goal::Leave => {
                let next = &self.compiled.legs[number + 1];
                let map_id =
                    blocked_maps.number(distances, next.map_id, bound.blocked & next.touched);
                let left =
                    i32::from(blocked_maps.get(bound.map_id[m]).moves[from.index()]) - 1 + spare;
                (MoveEffect::Leave, blocked_maps.get(map_id).within(left), next.forbidden)
            }
            _ => {
                let map_id = blocked_maps.get(bound.map_id[m]);
                let left = i32::from(map_id.moves[from.index()]) - 1 + spare;
                (MoveEffect::Quiet, map_id.within(left), leg.forbidden)
            }
        };
        let open = within & !forbidden & !self.occupied;
        if open.is_empty() {
            return;
        }
        let mut to = open & leg.move_kind.quiet(from, self.occupied);
        if from == self.king {
            to = to.squares().filter(|&to| self.king_is_safe_on(to)).collect();
        } else {
            to &= self.allowed(from);
        }
        if leg.move_kind.is_pawn() {
            to &= !(Bitboard::rank(0) | Bitboard::rank(7));
        }
        for to in to.squares() {
            choices.push(PieceMove { piece: piece.number(), to, effect });
        }
    }
}

/// Returns true if the move makes a double step that must be taken en passant.
pub(crate) fn is_passing(compiled: &CompiledPlan, board: &SearchBoard, choice: &PieceMove) -> bool {
    let m = usize::from(choice.piece);
    compiled.passing_captor[m] != NOBODY && board.at[m].abs_diff(choice.to.number()) == 16
}

/// Lists a piece's moves within its leg that the spare moves cover, whether or not its king is in
/// check; used by relaxations.
pub(crate) fn quiet(
    (compiled, distances): (&CompiledPlan, &DistanceCache),
    board: &SearchBoard,
    bound: &MoveBound,
    spare: i32,
    piece: PieceId,
    blocked_maps: &mut BlockedMaps,
    choices: &mut MoveList,
) {
    let m = piece.index();
    let number = usize::from(board.leg[m]);
    let leg = &compiled.legs[number];
    let from = Square::new(board.at[m]);
    let left = i32::from(blocked_maps.get(bound.map_id[m]).moves[from.index()]) - 1 + spare;
    let (effect, within, forbidden) = match leg.goal {
        Goal::Castle(_) => return,
        Goal::Leave => {
            let next = &compiled.legs[number + 1];
            let map_id = blocked_maps.number(distances, next.map_id, bound.blocked & next.touched);
            (MoveEffect::Leave, blocked_maps.get(map_id).within(left), next.forbidden)
        }
        _ => (MoveEffect::Quiet, blocked_maps.get(bound.map_id[m]).within(left), leg.forbidden),
    };
    let occupied = board.occupied();
    let open = within & !forbidden & !occupied & distances.steps_of(leg.map_id).to[from.index()];
    if open.is_empty() {
        return;
    }
    let mut to = open & leg.move_kind.quiet(from, occupied);
    if leg.move_kind.is_pawn() {
        to &= !(Bitboard::rank(0) | Bitboard::rank(7));
    }
    for to in to.squares() {
        choices.push(PieceMove { piece: piece.number(), to, effect });
    }
}
