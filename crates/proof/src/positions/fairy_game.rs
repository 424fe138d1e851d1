//! Games with conditions: played again from the start, and written.
//!
//! Each listed game is played again by the rules with their conditions, without bounds, table and generation by
//! class: this checks the search. The rules themselves are checked by tests against published and counted problems.

use super::board::SearchPosition;
use super::fairy::{
    FairyMove, FairyPosition, FairyRules, PlayedMove, is_on_b, numbered, on_other_board,
};
use super::fairy_problem::{PieceName, PlacedMan};
use super::problem::TargetBoard;
use super::rules::RuleSet;
use super::turns::Turns;
use umbrail_chess::Move;

/// A game with conditions, in Popeye's long notation with English letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FairyGame {
    /// Moves with their effects.
    pub moves: Vec<String>,
    /// For each move, true if the other side makes it: the one that does not begin.
    pub of_other: Vec<bool>,
    /// The numbered game.
    pub text: String,
    /// Men before the first move and after each move.
    pub boards: Vec<Vec<PlacedMan>>,
}

/// Plays a game again. Returns `None` if a move is illegal or the target is not reached.
pub(super) fn replay_fairy(
    rules: &FairyRules,
    start: &FairyPosition,
    target: &TargetBoard,
    (turns, units): (Turns, u16),
    line: &[FairyMove],
) -> Option<FairyGame> {
    let mut line = line.iter();
    play(rules, start, target, (turns, units), line.len(), |position| {
        let mv = *line.next()?;
        rules.legal_with(position, mv).into_iter().find(|one| one.mv == mv)
    })
    .ok()
}

/// Plays a game of orthodox chess again by the rules with conditions, of which there are none.
pub(super) fn replay_orthodox(
    rules: &FairyRules,
    start: &FairyPosition,
    target: &TargetBoard,
    (turns, units): (Turns, u16),
    line: &[Move],
) -> Option<FairyGame> {
    let mut line = line.iter();
    play(rules, start, target, (turns, units), line.len(), |position| {
        let mv = *line.next()?;
        rules.legal(position).into_iter().find(|one| {
            let to = one.mv.rook.map_or(one.mv.to, |(rook, _)| rook);
            let promotion = one.mv.promotion.and_then(|kind| kind.role());
            (one.mv.from, to, promotion) == (mv.from(), mv.to(), mv.promotion())
        })
    })
    .ok()
}

/// Reason why a game does not solve a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlayFault {
    /// The move is illegal.
    Move,
    /// The conditions do not allow a game to end with the last move.
    LastMove,
    /// The order of turns does not allow the last move.
    Turn,
    /// The game is over earlier, or not over yet.
    Length,
    /// The game ends elsewhere.
    Target(FairyGame),
}

/// Plays a game of a number of plies, whose moves are chosen one by one.
///
/// # Errors
/// The first fault. The last chosen move is the one that it is about.
pub(super) fn play(
    rules: &FairyRules,
    start: &FairyPosition,
    target: &TargetBoard,
    (turns, mut units): (Turns, u16),
    plies: usize,
    mut choose: impl FnMut(&FairyPosition) -> Option<PlayedMove>,
) -> Result<FairyGame, PlayFault> {
    let mut position = *start;
    let (mut moves, mut of_other) = (vec![], vec![]);
    let mut boards = vec![rules.placed(&position)];
    for ply in 1..=plies {
        let played = choose(&position).ok_or(PlayFault::Move)?;
        if ply == plies && !rules.may_end(&played.mv) {
            return Err(PlayFault::LastMove);
        }
        let mut next = played.next;
        moves.push(rules.write_move(&position, &played.mv, &next));
        of_other.push(position.turn != start.turn);
        let checks = || rules.is_in_check(&next, !position.turn);
        let follow =
            turns.after(start.turn, position.turn, units, checks).ok_or(PlayFault::Turn)?;
        if follow.turn == position.turn {
            (next.turn, next.en_passant) = (position.turn, None);
        }
        (position, units) = (next, follow.units);
        boards.push(rules.placed(&position));
        if (units == 0) != (ply == plies) {
            return Err(PlayFault::Length);
        }
    }
    let text = numbered(&moves, &of_other);
    let game = FairyGame { moves, of_other, text, boards };
    if rules.is_target(&position, target) { Ok(game) } else { Err(PlayFault::Target(game)) }
}

impl FairyRules {
    /// Returns the men of a position, a1 first.
    fn placed(&self, position: &FairyPosition) -> Vec<PlacedMan> {
        let men = position.occupied().into_iter().filter_map(|square| {
            let man = position.at(square);
            let on_b = self.has_two_boards() && is_on_b(man.kind());
            let kind = if on_b { on_other_board(man.kind()) } else { man.kind() };
            let piece = match kind.role() {
                Some(role) => PieceName::Standard(role),
                None => PieceName::Fairy(self.piece(kind)?.name),
            };
            let is_neutral = self.neutral(position).contains(square);
            let piece = if is_neutral { piece.neutral()? } else { piece };
            Some(PlacedMan { square, color: man.color(), piece, on_b })
        });
        men.collect()
    }
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
