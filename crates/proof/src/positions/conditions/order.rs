//! Which man must or must not move: Alphabetic Chess, Duellists, and Fuddled Men.
//!
//! - *Alphabetic*: of all men with a legal move, the one on the first square in the order a1, a2, …, a8, b1, …,
//!   h8 must move; castling is a move of the king. Check is orthodox. For both sides, or for one.
//! - *Duellist*: the man that a side moved last must move again as long as it has a legal move; otherwise any
//!   other, which becomes the duellist. After castling, the king is. Check is orthodox.
//! - *Fuddled Men*: a man that a side moved last must not make its next move, and gives no check; after
//!   castling, king and rook.
//!
//! Source: Popeye 4.104.
//!
//! *State*: the squares of the men that each side moved last.
//!
//! *Bounds*: the conditions only forbid moves and change check.

use crate::positions::fairy::{FairyCondition, FairyPosition, FairyRules, PlayedMove, Traits};
use umbrail_chess::geometry::{Color, Square};

/// Order of men.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The alphabetically first man moves, for these sides: White, Black.
    Alphabetic([bool; 2]),
    /// The last man moves again.
    Duellist,
    /// The last men do not move again.
    Fuddled,
}

impl FairyCondition for Order {
    fn traits(&self) -> Traits {
        Traits {
            filters: *self != Self::Fuddled,
            state: !matches!(self, Self::Alphabetic(_)),
            effects: true,
            ..Traits::default()
        }
    }

    fn may_move(&self, _: &FairyRules, position: &FairyPosition, from: Square) -> bool {
        let last = position.extra.last[position.at(from).color().index()];
        *self != Self::Fuddled || !last.contains(&Some(from))
    }

    fn effect(
        &self,
        _: &FairyRules,
        before: &FairyPosition,
        mut played: PlayedMove,
        out: &mut Vec<PlayedMove>,
    ) {
        let last = &mut played.next.extra.last;
        let us = before.turn.index();
        if let Some(victim) = played.mv.victim {
            let theirs = &mut last[1 - us];
            theirs.iter_mut().filter(|one| **one == Some(victim)).for_each(|one| *one = None);
        }
        match self {
            Self::Alphabetic(_) => {}
            Self::Duellist => last[us] = [Some(played.at), None],
            Self::Fuddled => last[us] = [Some(played.at), played.mv.rook.map(|(_, to)| to)],
        }
        out.push(played);
    }

    fn may_castle(
        &self,
        rules: &FairyRules,
        position: &FairyPosition,
        mv: &crate::positions::fairy::FairyMove,
    ) -> bool {
        mv.rook.is_none_or(|(rook, _)| self.may_move(rules, position, rook))
    }

    fn filter(&self, _: &FairyRules, before: &FairyPosition, legal: &mut Vec<PlayedMove>) {
        let chosen = match self {
            Self::Alphabetic(sides) if !sides[before.turn.index()] => return,
            Self::Alphabetic(_) => {
                legal.iter().map(|one| one.mv.from).min_by_key(|from| (from.file(), from.rank()))
            }
            Self::Duellist => before.extra.last[before.turn.index()][0]
                .filter(|&last| legal.iter().any(|one| one.mv.from == last)),
            Self::Fuddled => None,
        };
        if let Some(chosen) = chosen {
            legal.retain(|one| one.mv.from == chosen);
        }
    }
}

impl Order {
    /// Alphabetic chess of one side.
    pub(crate) const fn of_side(side: Color) -> Self {
        Self::Alphabetic([side.is_white(), !side.is_white()])
    }
}
