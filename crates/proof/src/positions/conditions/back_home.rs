//! Back-Home: men must return to their squares of the start.
//!
//! If a side has a legal move of some man to the square on which that man stood at the start, it must play
//! such a move. A check counts only if the capture of the king would be allowed by this rule.
//! Source: Popeye 4.104.
//!
//! *State*: the square of each man at the start.
//!
//! *Bounds*: the condition only forbids moves and changes check.

use crate::positions::fairy::{FairyCondition, FairyPosition, FairyRules, PlayedMove, Traits};
use umbrail_chess::geometry::{Color, Square};

/// Rules of Back-Home.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BackHome;

fn goes_home(before: &FairyPosition, from: Square, to: Square) -> bool {
    before.extra.homes[from.index()] == to.number()
}

/// Returns true if the side to move has a move home that leaves its king unattacked.
fn has_move_home(rules: &FairyRules, before: &FairyPosition) -> bool {
    let side = before.turn;
    let mut played = vec![];
    for from in before.by_color(side) {
        let home = before.extra.homes[from.index()];
        if home == from.number() || home >= 64 {
            continue;
        }
        let mut moves = vec![];
        rules.moves_from(before, from, &mut moves);
        for mv in moves.into_iter().filter(|mv| goes_home(before, mv.from, mv.to)) {
            rules.play(before, mv, &mut played);
        }
    }
    played.iter().any(|one| !rules.king_is_attacked(&one.next, side))
}

impl FairyCondition for BackHome {
    fn traits(&self) -> Traits {
        Traits { filters: true, state: true, effects: true, ..Traits::default() }
    }

    fn begin(&self, _: &FairyRules, start: &mut FairyPosition) {
        for square in start.occupied() {
            start.extra.homes[square.index()] = square.number();
        }
    }

    fn effect(
        &self,
        _: &FairyRules,
        before: &FairyPosition,
        mut played: PlayedMove,
        out: &mut Vec<PlayedMove>,
    ) {
        let (mv, homes) = (played.mv, &mut played.next.extra.homes);
        if let Some(victim) = mv.victim {
            homes[victim.index()] = 64;
        }
        homes[mv.from.index()] = 64;
        homes[played.at.index()] = before.extra.homes[mv.from.index()];
        if let Some((from, to)) = mv.rook {
            homes[from.index()] = 64;
            homes[to.index()] = before.extra.homes[from.index()];
        }
        out.push(played);
    }

    fn in_check(&self, rules: &FairyRules, position: &FairyPosition, side: Color) -> Option<bool> {
        if !rules.king_is_attacked(position, side) {
            return Some(false);
        }
        let mut before = *position;
        (before.turn, before.en_passant) = (!side, None);
        if !has_move_home(rules, &before) {
            return Some(true);
        }
        let mut kings = rules.kings(position, side);
        Some(kings.any(|king| {
            let observers = rules.observers(position, king, !side);
            observers.squares().any(|from| goes_home(position, from, king))
        }))
    }

    fn filter(&self, _: &FairyRules, before: &FairyPosition, legal: &mut Vec<PlayedMove>) {
        if legal.iter().any(|one| goes_home(before, one.mv.from, one.mv.to)) {
            legal.retain(|one| goes_home(before, one.mv.from, one.mv.to));
        }
    }
}
