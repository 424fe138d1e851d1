//! Games with conditions: played again from the start, and written.
//!
//! Each listed game is played again by the rules with their conditions, without bounds, table and generation by
//! class: this checks the search. The rules themselves are checked by tests against published and counted problems.

use super::board::SearchPosition;
use super::fairy::{FairyMove, FairyPosition, FairyRules, PlayedMove, numbered};
use super::problem::{TargetBoard, Turns};
use super::rules::RuleSet;
use umbrail_chess::Move;
use umbrail_chess::geometry::Setup;

/// A game with conditions, in Popeye's long notation with English letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FairyGame {
    /// Moves with their effects.
    pub moves: Vec<String>,
    /// Placements after each move, as FENs have them; a fairy piece has the first letter of its name.
    pub placements: Vec<String>,
    /// The numbered game.
    pub text: String,
}

/// Plays a game again. Returns `None` if a move is illegal or the target is not reached.
pub(super) fn replay_fairy(
    rules: &FairyRules,
    start: &FairyPosition,
    target: &TargetBoard,
    turns: Turns,
    line: &[FairyMove],
) -> Option<FairyGame> {
    let mut line = line.iter();
    play(rules, start, target, turns, line.len(), |_, legal| {
        let mv = line.next()?;
        legal.iter().position(|one| one.mv == *mv)
    })
}

/// Plays a game of orthodox chess again by the rules with conditions, of which there are none.
pub(super) fn replay_orthodox(
    rules: &FairyRules,
    start: &FairyPosition,
    target: &TargetBoard,
    turns: Turns,
    line: &[Move],
) -> Option<FairyGame> {
    let mut line = line.iter();
    play(rules, start, target, turns, line.len(), |_, legal| {
        let mv = *line.next()?;
        legal.iter().position(|one| {
            let to = one.mv.rook.map_or(one.mv.to, |(rook, _)| rook);
            let promotion = one.mv.promotion.and_then(|kind| kind.role());
            (one.mv.from, to, promotion) == (mv.from(), mv.to(), mv.promotion())
        })
    })
}

fn play(
    rules: &FairyRules,
    start: &FairyPosition,
    target: &TargetBoard,
    turns: Turns,
    plies: usize,
    mut choose: impl FnMut(&FairyPosition, &[PlayedMove]) -> Option<usize>,
) -> Option<FairyGame> {
    let mut position = *start;
    let (mut moves, mut placements) = (vec![], vec![]);
    for ply in 1..=plies {
        let legal = rules.legal(&position);
        let played = legal[choose(&position, &legal)?];
        if ply == plies && !rules.may_end(&played.mv) {
            return None;
        }
        let mut next = played.next;
        moves.push(rules.write_move(&position, &played.mv, &next));
        if turns == Turns::Series {
            if ply < plies && rules.is_in_check(&next, !position.turn) {
                return None;
            }
            (next.turn, next.en_passant) = (position.turn, None);
        }
        position = next;
        placements.push(placement(rules, &position));
    }
    let text = numbered(&moves, turns == Turns::Series);
    rules.is_target(&position, target).then_some(FairyGame { moves, placements, text })
}

fn placement(rules: &FairyRules, position: &FairyPosition) -> String {
    let mut setup = Setup::default();
    for square in position.occupied() {
        let man = position.at(square);
        setup.put(square, man.color(), rules.letter(man.kind()));
    }
    setup.placement()
}

/// Returns a position without the state of conditions.
pub(super) fn without_state(position: &FairyPosition) -> SearchPosition<()> {
    let mut plain = SearchPosition::empty(position.turn, ());
    for square in position.occupied() {
        plain.put(position.at(square), square);
    }
    (plain.rights, plain.en_passant) = (position.rights, position.en_passant);
    plain
}
