//! Squares on which a piece would give a check that cannot be answered.

use crate::analyse::legs::{Goal, LEGS_MAX, Leg, LegSequence};
use crate::analyse::plan::StrategyPlan;
use crate::distance::move_kind::MoveKind;
use crate::problem::piece::PieceId;
use crate::rules::{Rule, Rules};
use arrayvec::ArrayVec;
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Role, attacks};

/// Returns the forbidden squares of each leg of each piece.
pub(crate) fn forbidden(plan: &StrategyPlan, rules: Rules) -> Vec<ArrayVec<Bitboard, LEGS_MAX>> {
    let mut all: Vec<ArrayVec<Bitboard, LEGS_MAX>> = plan
        .sequences
        .iter()
        .map(|sequence| sequence.legs.iter().map(|_| Bitboard::EMPTY).collect())
        .collect();
    if rules.has(Rule::GuardedSquares) {
        for color in Color::ALL {
            let attacked = attacked_by_fixed(plan, !color);
            let king = plan.sequence(PieceId::king(color));
            for (forbidden, leg) in all[king.piece.index()].iter_mut().zip(&king.legs) {
                *forbidden = attacked.without(leg.start);
            }
        }
    }
    if rules.has(Rule::UnanswerableChecks) {
        for color in Color::ALL {
            let king = PieceId::king(color);
            if plan.fixed.contains(king) {
                avoid_checks(plan, king.origin(), !color, &mut all);
            }
        }
    }
    all
}

/// Returns the squares that the fixed pieces of a color attack throughout the game, whatever else
/// is on the board.
///
/// *Admissible* for the other king: it may never step there (rule A16 for fixed pieces).
fn attacked_by_fixed(plan: &StrategyPlan, color: Color) -> Bitboard {
    let pieces = plan.fixed.pieces().filter(|piece| piece.color() == color);
    pieces
        .map(|piece| MoveKind::of(piece.role(), color).attacks(piece.origin(), Bitboard::FULL))
        .fold(Bitboard::EMPTY, |all, one| all | one)
}

/// Applies rule S4 to one strategy. A piece that stops where it certainly attacks a king that never
/// moves gives a check whose only answer is its own capture: no piece can ever stand in between.
/// The piece may therefore stop there only to be taken with no further milestone, or to rest there
/// as the last ply of the game.
///
/// *Admissible*: a check must be answered on the next ply by capturing the checker, by interposing,
/// or by a king's move. A fixed king does not move, and the squares in between are outside every
/// other piece's squares. The start square of a leg was tested with the leg before.
fn avoid_checks(
    plan: &StrategyPlan,
    king: Square,
    attackers: Color,
    all: &mut [ArrayVec<Bitboard, LEGS_MAX>],
) {
    let squares: Vec<Bitboard> = plan.sequences.iter().map(LegSequence::squares).collect();
    for sequence in plan.sequences.iter().filter(|sequence| sequence.piece.color() == attackers) {
        let others = squares.iter().enumerate().filter(|&(i, _)| i != sequence.piece.index());
        let maybe = others.fold(Bitboard::EMPTY, |all, (_, &set)| all | set);
        let last = sequence.last();
        for (i, leg) in sequence.legs.iter().enumerate() {
            let mut checks = checking(leg.move_kind, attackers, king, maybe);
            if i == last {
                checks = checks.without(sequence.last_square());
            }
            // A piece that lands on the leg's goal continues with the move kind of the next leg.
            if let Some(next) = sequence.legs.get(i + 1)
                && let Some(square) = landing(leg)
            {
                let gives = checking(next.move_kind, attackers, king, maybe).contains(square);
                let ends_there = i + 1 == last && sequence.last_square() == square;
                checks = checks.without(square);
                if gives && !ends_there {
                    checks = checks.with(square);
                }
            }
            let forbidden = &mut all[sequence.piece.index()][i];
            *forbidden |= checks.without(leg.start);
        }
    }
}

/// Returns the square where a leg lands by capture or promotion, or on a visit.
const fn landing(leg: &Leg) -> Option<Square> {
    match leg.goal {
        Goal::Capture { square, .. } | Goal::Promote { square, .. } | Goal::Visit(square) => {
            Some(square)
        }
        _ => None,
    }
}

/// Returns the squares from which this move kind attacks the king across squares that are always
/// empty.
fn checking(move_kind: MoveKind, color: Color, king: Square, maybe: Bitboard) -> Bitboard {
    match move_kind.role() {
        Some(Role::Pawn) => attacks::pawn(!color, king),
        Some(Role::Knight) => attacks::knight(king),
        Some(Role::King) | None => Bitboard::EMPTY,
        Some(role) => attacks::of(role, color, king, maybe.without(king)),
    }
}
