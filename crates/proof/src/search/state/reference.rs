//! Former generators and make-moves of the three searches, with which the common ones are compared.
#![allow(clippy::too_many_arguments, dead_code, reason = "kept as it was, for one comparison")]

use crate::analyse::legs::Goal;
use crate::distance::cache::DistanceCache;
use crate::problem::castling::{Wing, castled_square, castling_rook};
use crate::problem::man::{Man, MenSet};
use crate::search::blocked_maps::BlockedMaps;
use crate::search::bound::MoveBound;
use crate::search::context::SearchContext;
use crate::search::state::board::{SearchBoard, Undo};
use crate::search::state::moves::{ManMove, MoveEffect, MoveList};
use crate::search::state::script::Script;
use crate::search::state::view::{SubsetView, View};
use crate::search::state::{GONE, NOBODY};
use umbrail_chess::attacks;
use umbrail_chess::geometry::{Bitboard, Color, Square};

/// Lists the moves of the side to move whose cost is covered by its `spare` moves, milestones
/// first.
///
/// *Admissible*: a quiet move from `s` to `t` costs `1 + need(t) - need(s)` spare moves, so an
/// omitted move would leave the side fewer moves than it needs. Captures, promotions and castling
/// outside the routes belong to other strategies; finished or fixed pieces never move.
pub(super) fn full_list(
    script: &Script,
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
        full_take_in_passing(script, board, king, choices);
        return;
    }
    let pinned = board.pinned(us, king);
    let men = MenSet::of_color(us).0 & bound.alive.0 & !bound.finished.0 & !script.fixed.0;
    let node = MoveGenerator { script, board, king, occupied, checkers, targets, pinned };
    for man in MenSet(men).men() {
        node.milestone(man, bound, choices);
    }
    for man in MenSet(men).men() {
        node.quiet(man, bound, i32::from(spare), distances, blocked_maps, choices);
    }
}

/// Lists the en passant capture after a double step that requires it; no other move is allowed
/// then.
fn full_take_in_passing(
    script: &Script,
    board: &SearchBoard,
    king: Square,
    choices: &mut MoveList,
) {
    let us = board.turn;
    let captor = usize::from(script.passing_captor[usize::from(board.passing)]);
    let leg = &script.legs[usize::from(board.leg[captor])];
    let Goal::Capture { square, stood, victim, en_passant: true, .. } = leg.goal else { return };
    let from = Square::new(board.at[captor]);
    if victim.number() != board.passing
        || !leg.move_kind.attacks(from, Bitboard::EMPTY).contains(square)
    {
        return;
    }
    let occupied = board.occupied().without(from).without(stood).with(square);
    if (board.attackers(king, !us, occupied) & !Bitboard::of(stood)).is_empty() {
        choices.push(ManMove {
            man: captor as u8,
            to: square,
            effect: MoveEffect::Capture(board.passing),
        });
    }
}

struct MoveGenerator<'a> {
    script: &'a Script,
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
    fn milestone(&self, man: Man, bound: &MoveBound, choices: &mut MoveList) {
        let m = man.index();
        let leg = &self.script.legs[usize::from(self.board.leg[m])];
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
                    && self.script.legs[usize::from(self.board.leg[v])].last;
                if there
                    && leg.move_kind.attacks(from, self.occupied).contains(square)
                    && legal(square)
                {
                    let effect = MoveEffect::Capture(victim.number());
                    choices.push(ManMove { man: man.number(), to: square, effect });
                }
            }
            Goal::Promote { square, .. }
                if leg.move_kind.quiet(from, self.occupied).contains(square) && legal(square) =>
            {
                choices.push(ManMove {
                    man: man.number(),
                    to: square,
                    effect: MoveEffect::Promote,
                });
            }
            Goal::Visit(square)
                if leg.move_kind.quiet(from, self.occupied).contains(square) && legal(square) =>
            {
                choices.push(ManMove { man: man.number(), to: square, effect: MoveEffect::Visit });
            }
            Goal::Castle(wing) if from == self.king && self.may_castle(man, wing) => {
                let to = castled_square(man, wing);
                choices.push(ManMove { man: man.number(), to, effect: MoveEffect::Castle(wing) });
            }
            _ => {}
        }
    }

    /// Returns true if castling is possible. King and rook have not moved, because a route that
    /// begins with castling allows nothing else.
    fn may_castle(&self, king: Man, wing: Wing) -> bool {
        let color = king.color();
        let rook = castling_rook(color, wing);
        let r = rook.index();
        let at_home =
            self.board.at[r] == rook.origin().number() && self.board.leg[r] == self.script.first[r];
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
        man: Man,
        bound: &MoveBound,
        spare: i32,
        distances: &DistanceCache,
        blocked_maps: &mut BlockedMaps,
        choices: &mut MoveList,
    ) {
        let m = man.index();
        let number = usize::from(self.board.leg[m]);
        let leg = &self.script.legs[number];
        let from = Square::new(self.board.at[m]);
        let (effect, within, forbidden) = match leg.goal {
            Goal::Castle(_) => return,
            Goal::Leave => {
                let next = &self.script.legs[number + 1];
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
            choices.push(ManMove { man: man.number(), to, effect });
        }
    }
}

/// Returns true if the move makes a double step that must be taken en passant.
fn is_passing(script: &Script, board: &SearchBoard, choice: &ManMove) -> bool {
    let m = usize::from(choice.man);
    script.passing_captor[m] != NOBODY && board.at[m].abs_diff(choice.to.number()) == 16
}

/// Lists a piece's moves within its leg that the spare moves cover, whether or not its king is in
/// check; used by relaxations.
fn quiet(
    (script, distances): (&Script, &DistanceCache),
    board: &SearchBoard,
    bound: &MoveBound,
    spare: i32,
    man: Man,
    blocked_maps: &mut BlockedMaps,
    choices: &mut MoveList,
) {
    let m = man.index();
    let number = usize::from(board.leg[m]);
    let leg = &script.legs[number];
    let from = Square::new(board.at[m]);
    let left = i32::from(blocked_maps.get(bound.map_id[m]).moves[from.index()]) - 1 + spare;
    let (effect, within, forbidden) = match leg.goal {
        Goal::Castle(_) => return,
        Goal::Leave => {
            let next = &script.legs[number + 1];
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
        choices.push(ManMove { man: man.number(), to, effect });
    }
}

pub(super) struct SideMove {
    undo: Undo,
    /// For the moved piece and the rook of a castling: number and square of each that now only
    /// waits to be taken, and was removed.
    removed: [Option<(usize, Square)>; 2],
    /// Change of the side's key.
    pub(super) key: u128,
    pub(super) alive: bool,
}

pub(super) fn side_make(
    color: Color,
    context: &mut SearchContext<'_>,
    board: &mut SearchBoard,
    bound: &mut MoveBound,
    choice: &ManMove,
    left: i16,
) -> SideMove {
    let script = context.script;
    let m = usize::from(choice.man);
    let mut rook = None;
    let new_leg = choice.effect != MoveEffect::Quiet;
    let mut key = board.man_key(script, m);
    let undo = match choice.effect {
        MoveEffect::Castle(wing) => {
            let man = castling_rook(color, wing);
            rook = Some(man.index());
            key ^= board.man_key(script, man.index());
            board.castle(script, m, man.index(), choice.to, castled_square(man, wing))
        }
        _ => board.make(script, m, choice.to, NOBODY, new_leg),
    };
    let mut alive = bound.moved(context, board, m, new_leg)
        && rook.is_none_or(|r| bound.moved(context, board, r, true));
    // Castling moves two pieces, and each may have reached the square where it is taken.
    let removed = [Some(m), rook].map(|moved| {
        let man = moved?;
        if board.waits(script, man) {
            bound.taken(man);
            Some((man, board.vanish(script, man)))
        } else {
            key ^= board.man_key(script, man);
            None
        }
    });
    alive = alive && bound.settle(context, board, MoveBound::only(color, left));
    SideMove { undo, removed, key, alive }
}

pub(super) fn side_unmake(
    _color: Color,
    context: &mut SearchContext<'_>,
    board: &mut SearchBoard,
    choice: &ManMove,
    made: &SideMove,
) {
    for &(man, square) in made.removed.iter().flatten() {
        board.appear(context.script, man, square);
    }
    board.unmake(context.script, usize::from(choice.man), &made.undo);
}

/// Lists the side's moves that its spare moves cover, milestones first.
pub(super) fn side_list(
    color: Color,
    context: &mut SearchContext<'_>,
    board: &SearchBoard,
    bound: &MoveBound,
    spare: i16,
    choices: &mut MoveList,
) {
    let script = context.script;
    let occupied = board.occupied();
    let men = bound.alive.0 & !bound.finished.0 & !script.fixed.0;
    for man in MenSet(men).men() {
        let m = man.index();
        let leg = &script.legs[usize::from(board.leg[m])];
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
            Goal::Castle(wing) if man == Man::king(color) => {
                let rook = castling_rook(color, wing);
                let r = rook.index();
                let at_home =
                    board.at[r] == rook.origin().number() && board.leg[r] == script.first[r];
                let path = attacks::between(from, rook.origin());
                if !at_home || (path & occupied).any() {
                    continue;
                }
                (castled_square(man, wing), MoveEffect::Castle(wing))
            }
            _ => continue,
        };
        choices.push(ManMove { man: man.number(), to, effect });
    }
    for man in MenSet(men).men() {
        quiet(
            (script, context.distances),
            board,
            bound,
            i32::from(spare),
            man,
            context.blocked_maps,
            choices,
        );
    }
}

pub(super) struct SubsetMove {
    pub(super) undo: Undo,
    pub(super) removed: [Option<(usize, Square)>; 2],
    pub(super) new: MoveBound,
    pub(super) alive: bool,
}

#[derive(Clone, Copy)]
pub(super) struct FormerSubset(pub(super) SubsetView);

impl FormerSubset {
    /// Makes a move and continues the search.
    pub(super) fn make(
        self,
        context: &mut SearchContext<'_>,
        board: &mut SearchBoard,
        bound: &MoveBound,
        left: [i16; 2],
        choice: &ManMove,
    ) -> SubsetMove {
        let script = context.script;
        let us = board.turn;
        let m = usize::from(choice.man);
        let mut new = bound.clone();
        let mut rook = None;
        let mut taken = NOBODY;
        let new_leg = choice.effect != MoveEffect::Quiet;
        let passing =
            is_passing(script, board, choice) && self.0.captures_in_passing(script, choice.man);
        let undo: Undo = match choice.effect {
            MoveEffect::Castle(wing) => {
                let man = castling_rook(us, wing);
                if board.at[man.index()] == GONE {
                    board.make(script, m, choice.to, NOBODY, true)
                } else {
                    rook = Some(man.index());
                    board.castle(script, m, man.index(), choice.to, castled_square(man, wing))
                }
            }
            MoveEffect::Capture(victim) if board.at[usize::from(victim)] != GONE => {
                taken = victim;
                board.key ^= board.leg_key(script, usize::from(victim));
                let mut undo = board.make(script, m, choice.to, taken, new_leg);
                undo.key ^= board.leg_key(script, usize::from(victim));
                undo
            }
            _ => board.make(script, m, choice.to, NOBODY, new_leg),
        };
        if passing {
            board.pass(NOBODY, choice.man);
        }
        let mut alive = !self.0.is_in_check(board, us);
        if alive {
            if taken != NOBODY {
                new.taken(usize::from(taken));
            }
            alive = new.moved(context, board, m, new_leg)
                && rook.is_none_or(|r| new.moved(context, board, r, true));
        }
        // Castling moves two pieces, and each may have reached the square where an outside piece
        // takes it.
        let mut removed = [None; 2];
        for (slot, moved) in removed.iter_mut().zip([Some(m).filter(|_| !passing), rook]) {
            let Some(man) = moved.filter(|&man| self.0.leaves(script, board, man)) else {
                continue;
            };
            if alive {
                board.key ^= board.leg_key(script, man);
                *slot = Some((man, board.vanish(script, man)));
                new.taken(man);
            }
        }
        alive = alive && new.settle(context, board, left);
        SubsetMove { undo, removed, new, alive }
    }

    /// Lists the subset's moves that its spare moves cover, milestones first.
    pub(super) fn list(
        self,
        context: &mut SearchContext<'_>,
        board: &SearchBoard,
        bound: &MoveBound,
        spare: i16,
        choices: &mut MoveList,
    ) {
        let script = context.script;
        let us = board.turn;
        let occupied = board.occupied();
        let men = MenSet::of_color(us).0 & bound.alive.0 & !bound.finished.0 & !script.fixed.0;
        for man in MenSet(men).men() {
            let m = man.index();
            let leg = &script.legs[usize::from(board.leg[m])];
            let from = Square::new(board.at[m]);
            let (to, effect) = match leg.goal {
                Goal::Capture { square, stood, victim, en_passant, .. } => {
                    let v = victim.index();
                    let there = if self.0.men.contains(victim) && !en_passant {
                        board.at[v] == stood.number()
                            && bound.need[v] == 0
                            && script.legs[usize::from(board.leg[v])].last
                    } else if self.0.men.contains(victim) {
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
                Goal::Castle(wing) if man == Man::king(us) => {
                    let rook = castling_rook(us, wing);
                    let r = rook.index();
                    let at_home = !self.0.men.contains(rook)
                        || board.at[r] == rook.origin().number() && board.leg[r] == script.first[r];
                    let path = attacks::between(from, rook.origin());
                    let to = castled_square(man, wing);
                    let way = attacks::between(from, to).with(to).with(from);
                    if !at_home
                        || (path & occupied).any()
                        || way.squares().any(|square| self.0.is_attacked(board, square, us))
                    {
                        continue;
                    }
                    (to, MoveEffect::Castle(wing))
                }
                _ => continue,
            };
            choices.push(ManMove { man: man.number(), to, effect });
        }
        for man in MenSet(men).men() {
            quiet(
                (context.script, context.distances),
                board,
                bound,
                i32::from(spare),
                man,
                context.blocked_maps,
                choices,
            );
        }
    }
}

/// Returns the en passant capture after a double step that requires it; no other move is allowed
/// then.
pub(super) fn subset_take_in_passing(script: &Script, board: &SearchBoard) -> Option<ManMove> {
    let captor = script.passing_captor[usize::from(board.passing)];
    let leg = &script.legs[usize::from(board.leg[usize::from(captor)])];
    let Goal::Capture { square, en_passant: true, .. } = leg.goal else { return None };
    let from = Square::new(board.at[usize::from(captor)]);
    let effect = MoveEffect::Capture(board.passing);
    let there = leg.move_kind.attacks(from, Bitboard::EMPTY).contains(square);
    there.then_some(ManMove { man: captor, to: square, effect })
}

pub(super) struct FullMove {
    pub(super) undo: Undo,
    pub(super) mv: umbrail_chess::Move,
    pub(super) alive: bool,
}

/// Makes a move and bounds the remaining ones.
pub(super) fn full_make(
    context: &mut SearchContext<'_>,
    board: &mut SearchBoard,
    bound: &mut MoveBound,
    choice: &ManMove,
    left: [i16; 2],
) -> FullMove {
    use umbrail_chess::Move;
    let script = context.script;
    let m = usize::from(choice.man);
    let from = Square::new(board.at[m]);
    let leg = &script.legs[usize::from(board.leg[m])];
    let passing = is_passing(script, board, choice);
    let mut taken = NOBODY;
    let mut rook = None;
    let mut mv = Move::new(from, choice.to);
    let new_leg = choice.effect != MoveEffect::Quiet;
    let undo = match choice.effect {
        MoveEffect::Castle(wing) => {
            let man = castling_rook(Man::new(choice.man).color(), wing);
            mv = Move::new(from, man.origin());
            rook = Some(man.index());
            board.castle(script, m, man.index(), choice.to, castled_square(man, wing))
        }
        effect => {
            if let MoveEffect::Capture(victim) = effect {
                taken = victim;
            }
            let kind = match leg.goal {
                Goal::Capture { promotes, .. } => promotes,
                Goal::Promote { kind, .. } => Some(kind),
                _ => None,
            };
            if let (Some(kind), true) = (kind, new_leg) {
                mv = Move::promoting(from, choice.to, kind);
            }
            board.make(script, m, choice.to, taken, new_leg)
        }
    };
    if passing {
        board.pass(NOBODY, choice.man);
    }
    if taken != NOBODY {
        bound.taken(usize::from(taken));
    }
    let alive = bound.moved(context, board, m, new_leg)
        && rook.is_none_or(|r| bound.moved(context, board, r, true))
        && bound.settle(context, board, left);
    FullMove { undo, mv, alive }
}
