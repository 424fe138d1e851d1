//! Alice Chess: two boards.
//!
//! Board A holds all men at the start unless the problem states otherwise; board B is empty. A move must be
//! possible on the board of the man, where only its men block and are captured. Then the man passes to
//! the same square of the other board, which must be empty there. The king must not be attacked on the square of
//! arrival on either board. Castling: king and rook pass over; the squares of arrival must be empty on the
//! other board; the square that the king passes must not be attacked on its own board. A pawn is captured en
//! passant only on the board of the capturer.
//! Source: Popeye 4.104.
//!
//! Men of board B are kinds of their own, so that positions, keys, targets and assignments need nothing else.
//!
//! *Bounds*: captures are exact, and a ply fills one square. The steps of a single man change the board each
//! time; castling belongs to them. A pawn that stands at home on board A has never moved, but blocks men of its
//! own board only, so it is no wall.

use crate::positions::board::{Man, ManKind};
use crate::positions::fairy::{
    FairyCondition, FairyMove, FairyPosition, FairyRules, Mover, Movers, PlayedMove, Traits,
    is_on_b, on_other_board,
};
use crate::positions::rules::{BoundFacts, ManStep};
use umbrail_chess::geometry::{Bitboard, Color, Square};

/// Rules of Alice Chess.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alice;

const fn crossed(man: Man) -> Man {
    Man::of(man.color(), on_other_board(man.kind()))
}

/// Returns the men of one board.
fn of_board(position: &FairyPosition, b: bool) -> Bitboard {
    let on_b = position.by_further_kinds();
    if b { on_b } else { position.occupied() - on_b }
}

/// Returns the squares of a side's kings, on either board.
fn kings(position: &FairyPosition, side: Color) -> impl Iterator<Item = Square> + '_ {
    let is_king = |at: &Square| {
        let kind = position.at(*at).kind();
        kind == ManKind::KING || kind == on_other_board(ManKind::KING)
    };
    position.by_color(side).squares().filter(is_king)
}

fn is_attacked(rules: &FairyRules, position: &FairyPosition, side: Color) -> bool {
    kings(position, side).any(|king| {
        let board = of_board(position, is_on_b(position.at(king).kind()));
        let men = (position.by_color(!side) & board).squares();
        men.into_iter().any(|from| rules.observes(position, from, king))
    })
}

impl FairyCondition for Alice {
    fn traits(&self) -> Traits {
        Traits {
            movers: true,
            is_base: true,
            acts_on_captures: true,
            effects: true,
            ..Traits::default()
        }
    }

    fn weaken(&self, facts: &mut BoundFacts) {
        facts.home_pawns_never_moved = false;
        facts.rights_come_back = true;
    }

    fn movers(&self, _: &FairyRules, position: &FairyPosition, from: Square, movers: &mut Movers) {
        let kind = position.at(from).kind();
        if is_on_b(kind) {
            movers.clear();
            movers.push(Mover::both(on_other_board(kind)));
        }
    }

    fn blockers(&self, position: &FairyPosition, from: Square, _: Bitboard) -> Bitboard {
        of_board(position, is_on_b(position.at(from).kind()))
    }

    fn may_castle(&self, _: &FairyRules, position: &FairyPosition, mv: &FairyMove) -> bool {
        let arrivals = mv.rook.map_or(Bitboard::EMPTY, |(_, to)| Bitboard::of(to)).with(mv.to);
        (arrivals & position.occupied()).is_empty()
    }

    fn change_moves(&self, _: &FairyRules, position: &FairyPosition, moves: &mut Vec<FairyMove>) {
        let board = |at: Square| is_on_b(position.at(at).kind());
        // The square of arrival must be empty on the other board, and so on both unless it is
        // captured there.
        moves.retain(|mv| {
            let is_free = position.at(mv.to).is_none() || mv.victim == Some(mv.to);
            is_free && mv.victim.is_none_or(|victim| board(victim) == board(mv.from))
        });
    }

    fn effect(
        &self,
        rules: &FairyRules,
        before: &FairyPosition,
        mut played: PlayedMove,
        out: &mut Vec<PlayedMove>,
    ) {
        let us = before.turn;
        let next = &mut played.next;
        let is_king = matches!(before.at(played.mv.from).kind(), kind
            if kind == ManKind::KING || kind == on_other_board(ManKind::KING));
        let b = is_on_b(before.at(played.mv.from).kind());
        // A man of board B that promotes was given a kind of board A.
        let man = next.at(played.at);
        let man = if is_on_b(man.kind()) == b { man } else { crossed(man) };
        next.remove(played.at);
        if is_king {
            let mut arrived = *next;
            arrived.put(man, played.at);
            if is_attacked(rules, &arrived, us) {
                return;
            }
        }
        next.put(crossed(man), played.at);
        if let Some((_, to)) = played.mv.rook {
            let rook = next.remove(to);
            next.put(crossed(rook), to);
        }
        out.push(played);
    }

    fn in_check(&self, rules: &FairyRules, position: &FairyPosition, side: Color) -> Option<bool> {
        Some(is_attacked(rules, position, side))
    }

    fn steps(&self, rules: &FairyRules, man: Man, from: Square, steps: &mut Vec<ManStep>) {
        if is_on_b(man.kind()) {
            // The steps of the man of board A, which lead to board A.
            steps.clear();
            rules.plain_steps(crossed(man), from, Bitboard::EMPTY, steps);
        } else {
            steps.iter_mut().for_each(|step| step.man = crossed(step.man));
        }
    }
}
