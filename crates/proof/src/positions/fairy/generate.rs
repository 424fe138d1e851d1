//! Pseudo-legal moves, attacks and check under conditions.

use super::moves::FairyMove;
use super::pieces::PieceReach;
use super::rules::{FairyRules, Mover, Movers};
use super::state::FairyPosition;
use crate::positions::board::{CastlingRights, Man, ManKind};
use crate::positions::rules::{CastlingWay, attackers};
use umbrail_chess::attacks;
use umbrail_chess::geometry::{Bitboard, Color, Square};

impl FairyRules {
    /// Returns the squares that block a man on `from`.
    #[inline]
    pub(crate) fn blockers(&self, position: &FairyPosition, from: Square) -> Bitboard {
        let all = position.occupied();
        self.conditions
            .iter()
            .fold(all, |blockers, condition| condition.blockers(position, from, blockers))
    }

    /// Returns the ways in which the man of a square moves.
    pub(crate) fn movers(&self, position: &FairyPosition, from: Square) -> Movers {
        let mut movers = Movers::new();
        movers.push(Mover::both(position.at(from).kind()));
        if self.traits.movers {
            for condition in &self.conditions {
                condition.movers(self, position, from, &mut movers);
            }
        }
        movers
    }

    fn step_ok(&self, from: Square, to: Square) -> bool {
        self.conditions.iter().all(|condition| condition.step_ok(from, to))
    }

    pub(crate) fn may_move(&self, position: &FairyPosition, from: Square) -> bool {
        self.conditions.iter().all(|condition| condition.may_move(self, position, from))
    }

    pub(super) fn may_capture(
        &self,
        position: &FairyPosition,
        from: Square,
        victim: Square,
    ) -> bool {
        self.conditions.iter().all(|one| one.may_capture(self, position, from, victim))
    }

    /// Returns true if the man on `from` attacks the man on `at`, of either color, by the movements
    /// of the two men alone.
    pub(crate) fn observes(&self, position: &FairyPosition, from: Square, at: Square) -> bool {
        if self.looks_up {
            let man = position.at(from);
            return attacks::of(man.role(), man.color(), from, position.occupied()).contains(at)
                && self.step_ok(from, at);
        }
        let decided = self.conditions.iter().find_map(|one| one.observes(self, position, from, at));
        if let Some(decided) = decided {
            return decided;
        }
        let movers = self.movers(position, from);
        let captures = movers.iter().filter(|mover| mover.captures);
        captures.into_iter().any(|mover| self.attacks_as(position, mover.kind, from, at))
            && self.step_ok(from, at)
    }

    /// Returns true if the man on `from` attacks a square as a man of this kind.
    pub(crate) fn attacks_as(
        &self,
        position: &FairyPosition,
        kind: ManKind,
        from: Square,
        at: Square,
    ) -> bool {
        let color = position.at(from).color();
        let blockers = self.blockers(position, from);
        if let Some(role) = self.role(kind) {
            return blockers.contains(at) && attacks::of(role, color, from, blockers).contains(at);
        }
        let mut found = false;
        if let Some(piece) = self.piece(kind) {
            piece.reach(from, blockers, up(color), &mut |reach| {
                found |= matches!(reach, PieceReach::Take { victim, .. } if victim == at);
            });
        }
        found
    }

    /// Returns the men of a side that attack the man on a square.
    pub(crate) fn observers(&self, position: &FairyPosition, at: Square, by: Color) -> Bitboard {
        if self.looks_up {
            let all = attackers(position, at, by);
            return all.squares().filter(|&from| self.step_ok(from, at)).collect();
        }
        let all = position.by_color(by);
        all.squares().filter(|&from| from != at && self.observes(position, from, at)).collect()
    }

    /// Returns true if the man on `from`, of the other side, gives check to the king on `king`.
    pub(crate) fn gives_check(&self, position: &FairyPosition, from: Square, king: Square) -> bool {
        self.may_move(position, from)
            && self.may_capture(position, from, king)
            && (!self.traits.check_by_capture || self.can_take_king(position, from, king))
    }

    /// Returns true if a king of this side is attacked.
    pub(crate) fn king_is_attacked(&self, position: &FairyPosition, side: Color) -> bool {
        self.kings(position, side).any(|king| {
            let observers = self.observers(position, king, !side);
            observers.squares().any(|from| self.gives_check(position, from, king))
        })
    }

    /// Returns the pseudo-legal moves of the side to move.
    pub(crate) fn pseudo_legal(&self, position: &FairyPosition) -> Vec<FairyMove> {
        let mut moves = Vec::with_capacity(48);
        for from in position.by_color(position.turn) {
            if self.may_move(position, from) {
                self.moves_from(position, from, &mut moves);
            }
        }
        self.castlings(position, &mut moves);
        for condition in &self.conditions {
            condition.change_moves(self, position, &mut moves);
        }
        moves
    }

    /// Appends the pseudo-legal moves of one man, castling and changes of conditions apart.
    pub(crate) fn moves_from(
        &self,
        position: &FairyPosition,
        from: Square,
        moves: &mut Vec<FairyMove>,
    ) {
        let first = moves.len();
        let movers = self.movers(position, from);
        for &mover in &movers {
            self.moves_as(position, from, mover, moves);
        }
        let own = position.by_color(position.turn);
        if self.traits.movers {
            self.promote_pawns(position, from, first, moves);
        }
        let mut keep = first;
        for at in first..moves.len() {
            let mv = moves[at];
            let is_allowed = self.step_ok(mv.from, mv.to)
                && mv.victim.is_none_or(|victim| {
                    (!own.contains(victim) || victim != mv.to)
                        && self.may_capture(position, from, victim)
                })
                && (movers.len() == 1 || !moves[first..keep].contains(&mv));
            if is_allowed {
                moves[keep] = mv;
                keep += 1;
            }
        }
        moves.truncate(keep);
    }

    /// Adds the promotions of a pawn that reaches its last rank as a man of another kind.
    fn promote_pawns(
        &self,
        position: &FairyPosition,
        from: Square,
        first: usize,
        moves: &mut Vec<FairyMove>,
    ) {
        let last = if position.turn.is_white() { 7 } else { 0 };
        let is_due = |mv: &FairyMove| mv.to.rank() == last && mv.promotion.is_none();
        if self.is_pawn(position.at(from).kind()) && moves[first..].iter().any(is_due) {
            for mv in moves.split_off(first) {
                if is_due(&mv) {
                    let promoted = |&kind| FairyMove { promotion: Some(kind), ..mv };
                    moves.extend(self.promotions.iter().map(promoted));
                } else {
                    moves.push(mv);
                }
            }
        }
    }

    /// Appends the moves of the man on `from` as a man of another kind. Captures of own men are not
    /// excluded where a man passes them.
    pub(crate) fn moves_as(
        &self,
        position: &FairyPosition,
        from: Square,
        mover: Mover,
        moves: &mut Vec<FairyMove>,
    ) {
        let us = position.turn;
        let theirs = position.by_color(!us);
        let blockers = self.blockers(position, from);
        if self.is_pawn(mover.kind) {
            self.pawn_moves(position, from, mover, moves);
            return;
        }
        if let Some(role) = self.role(mover.kind) {
            let reached = attacks::of(role, us, from, blockers);
            if mover.quiet {
                moves.extend((reached - blockers).squares().map(|to| FairyMove::quiet(from, to)));
            }
            if mover.captures {
                let takes = (reached & blockers & theirs).squares();
                moves.extend(takes.map(|to| FairyMove::capture(from, to)));
            }
            return;
        }
        let Some(piece) = self.piece(mover.kind) else { return };
        piece.reach(from, blockers, up(us), &mut |reach| match reach {
            PieceReach::Go(to) if mover.quiet => moves.push(FairyMove::quiet(from, to)),
            PieceReach::Take { victim, to } if mover.captures && theirs.contains(victim) => {
                moves.push(FairyMove { victim: Some(victim), ..FairyMove::quiet(from, to) });
            }
            _ => {}
        });
    }

    fn pawn_moves(
        &self,
        position: &FairyPosition,
        from: Square,
        mover: Mover,
        moves: &mut Vec<FairyMove>,
    ) {
        let us = position.turn;
        let (home, last, first) = if us.is_white() { (1, 7, 0) } else { (6, 0, 7) };
        if from.rank() == first && !self.conditions.iter().any(|one| one.frees_pawn(from)) {
            return;
        }
        let blockers = self.blockers(position, from);
        let theirs = position.by_color(!us);
        let is_free = |to: &Square| !blockers.contains(*to);
        let promotes = self.is_pawn(position.at(from).kind());
        let mut push = |mv: FairyMove| {
            if mv.to.rank() == last && promotes {
                let promoted = |&kind| FairyMove { promotion: Some(kind), ..mv };
                moves.extend(self.promotions.iter().map(promoted));
            } else {
                moves.push(mv);
            }
        };
        if mover.captures {
            match self.piece(mover.kind) {
                Some(piece) => piece.reach(from, blockers, up(us), &mut |reach| {
                    if let PieceReach::Take { victim, to } = reach
                        && theirs.contains(victim)
                    {
                        push(FairyMove { victim: Some(victim), ..FairyMove::quiet(from, to) });
                    }
                }),
                None => {
                    let reached = attacks::pawn(us, from);
                    for to in reached & blockers & theirs {
                        push(FairyMove::capture(from, to));
                    }
                    if let Some(to) = position.en_passant.filter(|&to| reached.contains(to)) {
                        let victim = Square::at(to.file(), from.rank());
                        if !position.at(victim).is_none() {
                            push(FairyMove { victim: Some(victim), ..FairyMove::quiet(from, to) });
                        }
                    }
                }
            }
        }
        if !mover.quiet {
            return;
        }
        let Some(to) = from.offset(0, up(us)).filter(is_free) else { return };
        push(FairyMove::quiet(from, to));
        if from.rank() == home
            && let Some(next) = to.offset(0, up(us)).filter(is_free)
        {
            push(FairyMove { passed: Some(to), ..FairyMove::quiet(from, next) });
        }
    }

    fn castlings(&self, position: &FairyPosition, moves: &mut Vec<FairyMove>) {
        let us = position.turn;
        if !position.rights.has(CastlingRights::both(us)) {
            return;
        }
        let king = Square::at(4, if us.is_white() { 0 } else { 7 });
        if position.at(king) != Man::of(us, self.king) || !self.may_move(position, king) {
            return;
        }
        for kingside in [true, false] {
            if !position.rights.has(CastlingRights::one(us, kingside)) {
                continue;
            }
            let way = CastlingWay::of(us, kingside);
            if position.at(way.rook_from) != Man::of(us, self.rook) {
                continue;
            }
            let rook = Some((way.rook_from, way.rook_to));
            let mv = FairyMove { rook, ..FairyMove::quiet(king, way.king_to) };
            if (way.empty & self.blockers(position, king)).is_empty()
                && self.step_ok(king, way.king_to)
                && self.step_ok(way.rook_from, way.rook_to)
                && self.conditions.iter().all(|one| one.may_castle(self, position, &mv))
                && self.king_may_pass(position, king, king)
                && self.king_may_pass(position, king, way.rook_to)
            {
                moves.push(mv);
            }
        }
    }

    /// Returns true if the king would not be in check on a square of its way.
    pub(crate) fn king_may_pass(&self, position: &FairyPosition, king: Square, at: Square) -> bool {
        let mut moved = *position;
        if at != king {
            let man = moved.remove(king);
            moved.put(man, at);
        }
        !self.is_in_check(&moved, position.turn)
    }
}

/// Returns the direction of a side's pawns.
#[inline]
pub(crate) const fn up(color: Color) -> i32 {
    if color.is_white() { 1 } else { -1 }
}
