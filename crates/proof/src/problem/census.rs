//! Census: counts the pieces of a diagram, the captures and promotions that it proves, and the
//! reasons why no game can reach it.

use crate::problem::Problem;
use crate::problem::value::PartitionValue;
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Role, attacks};

/// Facts about a diagram that follow from counting its pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Census {
    /// Pieces present, by color and [`PartitionValue`].
    pub present: [[u32; 7]; 2],
    /// Captured pieces of each color: 16 minus those present.
    pub dead: [u32; 2],
    /// Promoted pieces that the diagram proves, by color (more may have been promoted and
    /// captured).
    pub promoted: [u32; 2],
}

/// Reason why no game can end in the diagram with these plies. Each variant is a proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A side has not exactly one king.
    #[error("{0} has {1} kings, expected one")]
    Kings(Color, u32),
    /// A side has more than 16 pieces.
    #[error("{0} has {1} pieces, at most 16 are possible")]
    Pieces(Color, u32),
    /// A side has more than 8 pawns.
    #[error("{0} has {1} pawns, at most 8 are possible")]
    Pawns(Color, u32),
    /// A pawn stands on its first or last rank.
    #[error("{0} has a pawn on {1}")]
    PawnRank(Color, Square),
    /// More promoted pieces than pawns are missing.
    #[error(
        "{color} shows {}, but only {missing} of its pawns are missing",
        counted(*needed, "promoted piece")
    )]
    Promotions {
        /// The side.
        color: Color,
        /// Promoted pieces that the diagram proves.
        needed: u32,
        /// Pawns missing.
        missing: u32,
    },
    /// A side has captured more pieces than it has moves.
    #[error(
        "{color} must have captured {} in {}",
        counted(*needed, "piece"),
        counted(u32::from(*moves), "move")
    )]
    Captures {
        /// The capturing side.
        color: Color,
        /// Captures needed.
        needed: u32,
        /// Moves available to the side.
        moves: u16,
    },
    /// The side that has just moved is in check.
    #[error("{0} has just moved and its king on {1} can be taken")]
    LeftInCheck(Color, Square),
    /// Three or more pieces give check at once.
    #[error("{1} pieces give check to {0}, at most two can")]
    Checkers(Color, u32),
    /// No move can have led to this position, for example because nothing explains the check to the
    /// side to move.
    #[error("no last move can have led to this diagram")]
    NoLastMove,
}

/// A number with its noun, such as `1 move` or `2 moves`.
fn counted(number: u32, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

impl Census {
    /// Counts the pieces of the diagram.
    ///
    /// # Errors
    /// Returns all reasons why the diagram is impossible, in a fixed order.
    pub(crate) fn of(problem: &Problem) -> Result<Self, Vec<Refusal>> {
        let diagram = &problem.diagram;
        let mut reasons = Vec::new();
        let mut census = Self { present: [[0; 7]; 2], dead: [0; 2], promoted: [0; 2] };
        for color in Color::ALL {
            let c = color.index();
            for value in PartitionValue::ALL {
                census.present[c][value.index()] = diagram.places(color, value).len();
            }
            let present = &census.present[c];
            let pieces: u32 = present.iter().sum();
            let [kings, pawns] =
                [PartitionValue::King, PartitionValue::Pawn].map(|value| present[value.index()]);
            if kings != 1 {
                reasons.push(Refusal::Kings(color, kings));
            }
            if pieces > 16 {
                reasons.push(Refusal::Pieces(color, pieces));
            }
            if pawns > 8 {
                reasons.push(Refusal::Pawns(color, pawns));
            }
            let ends = Bitboard::rank(0) | Bitboard::rank(7);
            for square in (diagram.pieces(color, Role::Pawn) & ends).squares() {
                reasons.push(Refusal::PawnRank(color, square));
            }
            let excess = |value: PartitionValue| match value {
                PartitionValue::Pawn | PartitionValue::King => 0,
                _ => present[value.index()].saturating_sub(value.at_start()),
            };
            let needed = PartitionValue::ALL.into_iter().map(excess).sum();
            let missing = 8u32.saturating_sub(pawns);
            if needed > missing {
                reasons.push(Refusal::Promotions { color, needed, missing });
            }
            census.promoted[c] = needed;
            census.dead[c] = 16u32.saturating_sub(pieces);
        }
        for color in Color::ALL {
            let needed = census.dead[(!color).index()];
            let moves = problem.budget(color);
            if needed > u32::from(moves) {
                reasons.push(Refusal::Captures { color, needed, moves });
            }
        }
        reasons.extend(checks(problem));
        if reasons.is_empty() { Ok(census) } else { Err(reasons) }
    }
}

/// Returns the refusals about checks in the diagram.
fn checks(problem: &Problem) -> impl Iterator<Item = Refusal> {
    Color::ALL.into_iter().filter_map(|color| {
        let king = problem.diagram.pieces(color, Role::King).first()?;
        let checkers = checkers(problem, color, king).len();
        if checkers > 0 && color != problem.turn() {
            Some(Refusal::LeftInCheck(color, king))
        } else if checkers > 2 {
            Some(Refusal::Checkers(color, checkers))
        } else {
            None
        }
    })
}

/// Returns the pieces that attack this color's king.
pub(crate) fn checkers(problem: &Problem, color: Color, king: Square) -> Bitboard {
    let diagram = &problem.diagram;
    let occupied = diagram.occupied();
    let enemy = |role| diagram.pieces(!color, role);
    let (rooks, bishops) = (attacks::rook(king, occupied), attacks::bishop(king, occupied));
    (attacks::pawn(color, king) & enemy(Role::Pawn))
        | (attacks::knight(king) & enemy(Role::Knight))
        | (attacks::king(king) & enemy(Role::King))
        | (bishops & (enemy(Role::Bishop) | enemy(Role::Queen)))
        | (rooks & (enemy(Role::Rook) | enemy(Role::Queen)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Diagram, Length};

    fn problem(placement: &str, plies: u16) -> Problem {
        let diagram = Diagram::from_setup(&placement.parse().unwrap()).unwrap();
        Problem { diagram, plies, length: Length::Parity }
    }

    fn refusals(placement: &str, plies: u16) -> Vec<String> {
        let reasons = Census::of(&problem(placement, plies)).unwrap_err();
        reasons.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_is_missing_and_promoted_is_counted() {
        let census =
            Census::of(&problem("rnbqkbnr/ppppppp1/8/8/8/8/PPPPPPP1/RNBQKBBR", 30)).unwrap();
        assert_eq!(census.dead, [1, 1]);
        assert_eq!(census.promoted, [1, 0]);
    }

    #[test]
    fn every_reason_is_given() {
        assert_eq!(
            refusals("rnbqqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNN", 4),
            [
                "white shows 1 promoted piece, but only 0 of its pawns are missing",
                "black has 0 kings, expected one",
                "black shows 1 promoted piece, but only 0 of its pawns are missing",
            ]
        );
        assert_eq!(
            refusals("4k3/8/8/8/8/8/8/4K3", 20),
            [
                "white must have captured 15 pieces in 10 moves",
                "black must have captured 15 pieces in 10 moves",
            ]
        );
        assert_eq!(
            refusals("rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PP1/RNB1KBNP", 4),
            ["white has a pawn on h1"]
        );
        assert_eq!(
            refusals("rnbqkbnr/ppppp1pp/8/5p1Q/4P3/8/PPPP1PPP/RNB1KBNR", 4),
            ["black has just moved and its king on e8 can be taken"]
        );
    }
}
