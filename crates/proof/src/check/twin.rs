//! Slow twin: finds all games that end in a diagram, by trying every legal move.
//!
//! The twin uses the rules of chess and one obvious bound, and shares no code with the solver. It
//! is fast enough for about eight plies; tests compare counts and strategies with it.

use crate::problem::Problem;
use crate::problem::diagram::Diagram;
use umbrail_chess::geometry::Color;
use umbrail_chess::{Move, Position, Role};

/// Returns every game of exactly `problem.plies` plies that ends in the diagram, in the order of
/// [`Position::legal_moves`]. The time grows by a factor of five to thirty with every ply.
pub fn all_games(problem: &Problem) -> Vec<Vec<Move>> {
    let mut found = Vec::new();
    walk(&Position::startpos(), &problem.diagram, problem.plies, &mut Vec::new(), &mut found);
    found
}

fn walk(
    position: &Position,
    goal: &Diagram,
    left: u16,
    game: &mut Vec<Move>,
    found: &mut Vec<Vec<Move>>,
) {
    if left == 0 {
        if Diagram::of(position) == *goal {
            found.push(game.clone());
        }
        return;
    }
    if hopeless(position, goal, left) {
        return;
    }
    for &mv in &position.legal_moves() {
        game.push(mv);
        walk(&position.after(mv), goal, left - 1, game, found);
        game.pop();
    }
}

/// Returns true if `left` plies cannot lead to the goal: a move of a color fills at most one of
/// that color's missing squares (castling, at most once, fills two), and a captured piece does not
/// return.
fn hopeless(position: &Position, goal: &Diagram, left: u16) -> bool {
    Color::ALL.into_iter().any(|color| {
        let moves = if position.turn() == color { left.div_ceil(2) } else { left / 2 };
        let unfilled: u32 = Role::ALL
            .into_iter()
            .map(|role| (goal.pieces(color, role) & !position.pieces(color, role)).len())
            .sum();
        let castling =
            u32::from(!(position.castling_rooks() & position.by_color(color)).is_empty());
        unfilled > u32::from(moves) + castling
            || position.by_color(color).len() < goal.by_color(color).len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Length;

    fn count(placement: &str, plies: u16) -> usize {
        let diagram = Diagram::from_setup(&placement.parse().unwrap()).unwrap();
        all_games(&Problem { diagram, plies, length: Length::Exact }).len()
    }

    #[test]
    fn small_problems_with_known_counts() {
        // Four plies, the oldest of all proof games; two other programs confirm these counts on the
        // open corpora.
        assert_eq!(count("rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R", 3), 1);
        assert_eq!(count("rnb1kbnr/pppp1ppp/5q2/4p3/4P3/8/PPPPQPPP/RNB1KBNR", 5), 5);
        assert_eq!(count("rnbq1bnr/pppppkpp/5p2/8/4N3/8/PPPPPPPP/R1BQKBNR", 5), 0);
        assert_eq!(count("rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR", 5), 1);
    }
}
