//! Walk test: on the way of any game to its own end, every position passes all bounds.
//!
//! Random games with many captures, promotions and castlings need no solver and no known problem.
//! The test finds errors of bounds that counts of problems do not show.

use super::{legal, position};
use crate::positions::board::{Man, SearchPosition};
use crate::positions::bounds::{BoundSet, Bounds};
use crate::positions::problem::TargetBoard;
use crate::positions::rules::{Orthodox, PositionOf, RuleSet};
use crate::positions::turns::Turns;
use umbrail_chess::geometry::Setup;
use umbrail_chess::{Role, SplitMix64};

/// Weight of a move in random games: castlings, promotions and captures are frequent.
fn weight<Extra: Copy>(before: &SearchPosition<Extra>, after: &SearchPosition<Extra>) -> u64 {
    let pawns = |position: &SearchPosition<Extra>| {
        (position.by_role(Role::Pawn) & position.by_color(before.turn)).len()
    };
    match () {
        () if is_castling(before, after) => 60,
        () if after.occupied().len() < before.occupied().len() => 8,
        () if pawns(after) < pawns(before) => 12,
        () if before.by_role(Role::Pawn) != after.by_role(Role::Pawn) => 3,
        () => 1,
    }
}

/// Plays random games and tests all bounds on them. Returns the numbers of positions and of
/// castlings.
pub(super) fn walk<R: RuleSet>(
    rules: &R,
    start: &PositionOf<R>,
    turns: Turns,
    games: u64,
    seed: u64,
) -> [u64; 2] {
    let mut numbers = SplitMix64::new(seed);
    let mut tested = [0, 0];
    for _ in 0..games {
        let plies = 4 + numbers.below(if turns == Turns::Series { 12 } else { 56 });
        let mut line = vec![*start];
        while line.len() as u64 <= plies {
            let before = line[line.len() - 1];
            let mut moves = legal(rules, &before, turns);
            // A series gives check with its last move only; every prefix must be a game.
            if turns == Turns::Series {
                moves.retain(|(_, next)| !rules.in_check(next, !before.turn));
            }
            let total: u64 = moves.iter().map(|(_, next)| weight(&before, next)).sum();
            if total == 0 {
                break;
            }
            let mut ticket = numbers.below(total);
            let chosen = moves.iter().find(|(_, next)| {
                let weight = weight(&before, next);
                let hit = ticket < weight;
                ticket = ticket.saturating_sub(weight);
                hit
            });
            let &(_, next) = chosen.unwrap();
            tested[1] += u64::from(is_castling(&before, &next));
            line.push(next);
        }
        check(rules, &line, turns);
        tested[0] += line.len() as u64;
    }
    tested
}

/// Tests the bounds on one game, with the positions as the search has them: castling rights that a
/// bound excluded are missing in all later ones.
fn check<R: RuleSet>(rules: &R, line: &[PositionOf<R>], turns: Turns) {
    let end = line[line.len() - 1];
    let men: [Man; 64] = *end.men();
    let target = TargetBoard::new(men);
    let bounds = Bounds::new(rules, &target, &line[0], turns, BoundSet::ALL, 1 << 16);
    let mut dropped = 0;
    let mut before: Option<PositionOf<R>> = None;
    for (made, position) in line.iter().enumerate() {
        let left = (line.len() - 1 - made) as u16;
        let mut position = *position;
        let rights = position.rights.0;
        position.rights.0 &= !dropped;
        let castled = made + 1 < line.len() && is_castling(&position, &line[made + 1]);
        assert!(
            bounds.admits::<R>(&target, before.as_ref(), &mut position, left),
            "{left} plies before {men:?}: {:?}",
            position.men()
        );
        dropped |= rights & !position.rights.0;
        // Where rights come back, castling is no case of its own; where men go in other ways, kings do.
        let facts = rules.bound_facts();
        if castled && facts.men_go_by_steps && !facts.rights_come_back {
            let both = crate::positions::board::CastlingRights::both(position.turn);
            assert!(position.rights.has(both), "castling is due: {:?}", position.men());
        }
        before = Some(position);
    }
}

fn is_castling<Extra: Copy>(before: &SearchPosition<Extra>, after: &SearchPosition<Extra>) -> bool {
    let us = before.turn;
    let kings = before.by_role(Role::King) & before.by_color(us);
    let moved = after.by_role(Role::King) & after.by_color(us);
    // Pawns may promote to king.
    let is_one = kings.len() == 1 && moved.len() == 1;
    is_one && kings.first().zip(moved.first()).is_some_and(|(a, b)| a.distance(b) > 1)
}

#[test]
fn no_bound_loses_a_position_of_orthodox_games() {
    let [positions, castlings] =
        walk(&Orthodox, &position(Setup::START_FEN), Turns::Alternating, 1_500, 20);
    assert!(positions > 35_000 && castlings > 300, "{positions} {castlings}");
}

#[test]
fn no_bound_loses_a_position_of_games_from_other_starts() {
    for start in [
        "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
        "r3k2r/p6p/8/1P4p1/1p4P1/8/P6P/R3K2R b KQkq - 0 1",
        "8/P1Pk1P2/8/3P3K/8/8/2p4p/8 b - - 0 1",
    ] {
        let [positions, _] = walk(&Orthodox, &position(start), Turns::Alternating, 400, 21);
        assert!(positions > 6_000, "{positions}");
    }
}

#[test]
fn no_bound_loses_a_position_of_series() {
    let [positions, _] = walk(&Orthodox, &position(Setup::START_FEN), Turns::Series, 1_000, 22);
    assert!(positions > 5_000, "{positions}");
}

#[test]
#[ignore = "half a minute: the same with many games"]
fn no_bound_loses_a_position_of_many_games() {
    walk(&Orthodox, &position(Setup::START_FEN), Turns::Alternating, 12_000, 23);
}
