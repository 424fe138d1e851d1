//! Moves with their effects, legality, and what the search asks of rules.

use super::moves::{FairyMove, PlayedMove};
use super::pieces::on_other_board;
use super::rules::{FairyRules, OutcomeVisitor};
use super::state::{self, FairyPosition, FairyState};
use crate::positions::board::{Man, ManKind};
use crate::positions::problem::TargetBoard;
use crate::positions::rules::{BoundFacts, ManStep, MoveClass, RuleSet, free_steps};
use umbrail_chess::attacks;
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_control::Stopped;

impl FairyRules {
    /// Plays a pseudo-legal move with all its effects. Appends each outcome, the other side to move.
    pub(crate) fn play(&self, before: &FairyPosition, mv: FairyMove, out: &mut Vec<PlayedMove>) {
        let first = out.len();
        out.push(self.place(before, mv));
        if !self.traits.effects {
            return self.settle(&mut out[first].next);
        }
        let mut rest = vec![];
        for condition in &self.conditions {
            rest.clear();
            rest.extend(out.drain(first..));
            for &played in &rest {
                condition.effect(self, before, played, out);
            }
        }
        for played in &mut out[first..] {
            self.settle(&mut played.next);
        }
    }

    /// Plays a pseudo-legal move as [`Self::play`], and passes each outcome to the visitor at once.
    pub(crate) fn play_each(
        &self,
        before: &FairyPosition,
        mv: FairyMove,
        visit: &mut OutcomeVisitor<'_>,
    ) -> Result<(), Stopped> {
        self.effects_from(0, before, self.place(before, mv), visit)
    }

    /// Applies the effects of the conditions from this one on.
    fn effects_from(
        &self,
        at: usize,
        before: &FairyPosition,
        mut played: PlayedMove,
        visit: &mut OutcomeVisitor<'_>,
    ) -> Result<(), Stopped> {
        let Some(condition) = self.conditions.get(at) else {
            self.settle(&mut played.next);
            return visit(played);
        };
        condition
            .go_on(self, before, played, &mut |next| self.effects_from(at + 1, before, next, visit))
    }

    /// Returns the outcome of a move, its choice included, if it is legal. Not for rules with filters.
    fn outcome(&self, before: &FairyPosition, mv: FairyMove) -> Option<PlayedMove> {
        let plain = FairyMove { choice: 0, ..mv };
        let mut found = None;
        for pseudo in self.pseudo_legal(before) {
            if (FairyMove { choice: 0, ..pseudo }) == plain && found.is_none() {
                // An error ends the list at the move that was looked for.
                let _ = self.play_each(before, pseudo, &mut |one| {
                    if one.mv == mv {
                        found = Some(one);
                        return Err(Stopped);
                    }
                    Ok(())
                });
            }
        }
        found.filter(|one| self.is_legal_after(before, &one.mv, &one.next))
    }

    /// Returns the legal moves among which a game goes on with this one; where a move goes on by captures, this one
    /// alone.
    pub(crate) fn legal_with(&self, before: &FairyPosition, mv: FairyMove) -> Vec<PlayedMove> {
        match self.traits.chains && !self.traits.filters {
            true => self.outcome(before, mv).into_iter().collect(),
            false => self.legal(before),
        }
    }

    /// Moves the man, removes the captured one, and promotes.
    fn place(&self, before: &FairyPosition, mv: FairyMove) -> PlayedMove {
        let mut next = *before;
        next.en_passant = mv.passed;
        next.turn = !before.turn;
        let man = next.remove(mv.from);
        let victim = mv.victim.map(|at| next.remove(at));
        match mv.rook {
            Some((from, to)) => {
                let rook = next.remove(from);
                next.put(man, mv.to);
                next.put(rook, to);
            }
            None => {
                let color = man.color();
                next.put(mv.promotion.map_or(man, |kind| Man::of(color, kind)), mv.to);
            }
        }
        PlayedMove { mv, at: mv.to, victim, next }
    }

    /// Returns the position after a move without effects.
    pub(super) fn bare(&self, before: &FairyPosition, mv: FairyMove) -> PlayedMove {
        self.place(before, mv)
    }

    /// Brings rights and en passant in line with the board.
    fn settle(&self, position: &mut FairyPosition) {
        if self.traits.rights_return {
            state::update_rights(position, self.king, self.rook);
        }
        if let Some(passed) = position.en_passant
            && !self.traits.movers
            && !self.traits.neutral
        {
            let us = position.turn;
            let pawns = position.by_color(us);
            let near = attacks::pawn(!us, passed) & pawns;
            if !near.squares().any(|at| self.is_pawn(position.at(at).kind())) {
                position.en_passant = None;
            }
        }
    }

    /// Returns true if a side is in check.
    pub(crate) fn is_in_check(&self, position: &FairyPosition, side: Color) -> bool {
        let decided =
            self.conditions.iter().find_map(|condition| condition.in_check(self, position, side));
        decided.unwrap_or_else(|| self.king_is_attacked(position, side))
    }

    /// Returns true if the king on `king` could be captured from `from`, with all effects, so that it
    /// is gone. The capturer's own king does not matter.
    pub(super) fn can_take_king(
        &self,
        position: &FairyPosition,
        from: Square,
        king: Square,
    ) -> bool {
        let mut before = *position;
        let side = position.at(king).color();
        (before.turn, before.en_passant) = (position.at(from).color(), None);
        let mut moves = vec![];
        self.moves_from(&before, from, &mut moves);
        moves.retain(|mv| mv.victim == Some(king));
        let kings = self.kings(&before, side).count();
        let mut played = vec![];
        for mv in moves {
            self.play(&before, mv, &mut played);
        }
        played.iter().any(|one| {
            self.kings(&one.next, side).count() < kings
                && self.conditions.iter().all(|c| c.is_legal(self, &before, &one.mv, &one.next))
        })
    }

    /// Returns true if a move is legal in view of the position after it.
    pub(crate) fn is_legal_after(
        &self,
        before: &FairyPosition,
        mv: &FairyMove,
        after: &FairyPosition,
    ) -> bool {
        self.conditions.iter().all(|condition| condition.is_legal(self, before, mv, after))
            && !self.is_in_check(after, before.turn)
    }

    /// Returns all outcomes of all legal moves, without the filters of conditions.
    pub(crate) fn legal_unfiltered(&self, before: &FairyPosition) -> Vec<PlayedMove> {
        let mut played = vec![];
        for mv in self.pseudo_legal(before) {
            self.play(before, mv, &mut played);
        }
        played.retain(|one| self.is_legal_after(before, &one.mv, &one.next));
        played
    }

    /// Returns all outcomes of all legal moves.
    pub(crate) fn legal(&self, before: &FairyPosition) -> Vec<PlayedMove> {
        let mut legal = self.legal_unfiltered(before);
        for condition in &self.conditions {
            condition.filter(self, before, &mut legal);
        }
        legal
    }

    /// Returns true if the side to move has a pseudo-legal move after which its king is not attacked.
    /// Conditions that ask for mate use this, since their own tests would ask again.
    pub(crate) fn has_legal_reply(&self, before: &FairyPosition) -> bool {
        let mut played = vec![];
        self.pseudo_legal(before).into_iter().any(|mv| {
            played.clear();
            played.push(self.place(before, mv));
            played.iter().any(|one| !self.king_is_attacked(&one.next, before.turn))
        })
    }
}

impl RuleSet for FairyRules {
    type Extra = FairyState;
    type Move = FairyMove;

    fn successors(
        &self,
        position: &FairyPosition,
        class: MoveClass,
        mut visit: impl FnMut(FairyMove, FairyPosition) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        let is_in = |mv: &FairyMove| match class {
            MoveClass::All => true,
            MoveClass::Captures => mv.victim.is_some(),
            MoveClass::Quiet => mv.victim.is_none(),
        };
        if self.traits.filters {
            let legal = self.legal(position).into_iter().filter(|one| is_in(&one.mv));
            for PlayedMove { mv, next, .. } in legal {
                visit(mv, next)?;
            }
            return Ok(());
        }
        if self.traits.chains {
            for mv in self.pseudo_legal(position).into_iter().filter(is_in) {
                self.play_each(position, mv, &mut |one| visit(one.mv, one.next))?;
            }
            return Ok(());
        }
        let mut played = vec![];
        for mv in self.pseudo_legal(position) {
            if is_in(&mv) {
                played.clear();
                self.play(position, mv, &mut played);
                for &PlayedMove { mv, next, .. } in &played {
                    visit(mv, next)?;
                }
            }
        }
        Ok(())
    }

    fn is_legal(&self, before: &FairyPosition, mv: &FairyMove, after: &FairyPosition) -> bool {
        self.traits.filters || self.is_legal_after(before, mv, after)
    }

    fn in_check(&self, position: &FairyPosition, side: Color) -> bool {
        self.is_in_check(position, side)
    }

    fn may_end(&self, mv: &FairyMove) -> bool {
        self.conditions.iter().all(|condition| condition.may_end(mv))
    }

    fn is_target(&self, position: &FairyPosition, target: &TargetBoard) -> bool {
        target.is_reached(position.men())
            && self.conditions.iter().all(|condition| condition.is_target(position, target))
    }

    fn key_extra(&self, extra: &FairyState) -> u128 {
        if self.traits.state { extra.key() } else { 0 }
    }

    fn bound_facts(&self) -> BoundFacts {
        self.facts
    }

    fn is_king(&self, man: Man) -> bool {
        let kind = man.kind();
        kind == self.king || self.has_two_boards() && on_other_board(kind) == self.king
    }

    fn kinds(&self) -> usize {
        ManKind::STANDARD + self.pieces.len()
    }

    fn man_steps(&self, man: Man, from: Square, walls: Bitboard, out: &mut Vec<ManStep>) {
        let mut steps = vec![];
        self.plain_steps(man, from, walls, &mut steps);
        for condition in &self.conditions {
            condition.steps(self, man, from, &mut steps);
        }
        let is_possible = |to| self.conditions.iter().all(|one| one.step_ok(from, to));
        steps.retain(|step| step.is_free || is_possible(step.to));
        out.append(&mut steps);
    }
}

impl FairyRules {
    /// Appends the steps of a man without conditions; castling is among them if rights come back.
    pub(crate) fn plain_steps(
        &self,
        man: Man,
        from: Square,
        walls: Bitboard,
        out: &mut Vec<ManStep>,
    ) {
        let own = |to| ManStep { man, to, captures: false, is_quiet: false, is_free: false };
        match self.piece(man.kind()) {
            Some(piece) => {
                let reached = piece.widest(from, super::generate::up(man.color()));
                out.extend(reached.squares().map(own));
            }
            None => free_steps(man, from, walls, &self.promotions, out),
        }
        if !self.facts.rights_come_back {
            return;
        }
        let rank = if man.color().is_white() { 0 } else { 7 };
        let square = |file| Square::at(file, rank);
        if man.kind() == self.king && from == square(4) {
            out.extend([own(square(2)), own(square(6))]);
        }
        for (rook, to) in [(square(0), square(3)), (square(7), square(5))] {
            if man.kind() == self.rook && from == rook {
                out.push(ManStep::free(man, to));
            }
        }
    }
}
