//! Independent checker: replays a game by the rules of chess alone. This checker shares no code
//! with enumeration, analysis and search, and every reported solution passes it.

use crate::problem::diagram::Diagram;
use crate::problem::{Length, Problem};
use umbrail_chess::{Move, Position, parse_san, san, to_san};

/// Reason why a game is not a solution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameFault {
    /// A move (ply from 1) is not legal.
    #[error("ply {0}: {1:?} is not legal")]
    Illegal(usize, Move),
    /// The game has this number of plies, which the problem does not allow.
    #[error("the game has {0} plies")]
    Plies(usize),
    /// The game ends in another placement.
    #[error("the game ends in {0}")]
    Diagram(Diagram),
}

/// Replays a game and compares its length and its final placement with the problem.
///
/// # Errors
/// Returns the first fault: an illegal move before a wrong length.
pub fn verify(problem: &Problem, game: &[Move]) -> Result<(), GameFault> {
    let fits = match problem.length {
        Length::Exact => game.len() == usize::from(problem.plies),
        Length::Parity => {
            game.len() <= usize::from(problem.plies)
                && game.len() % 2 == usize::from(problem.plies % 2)
        }
    };
    let mut position = Position::startpos();
    for (ply, &mv) in game.iter().enumerate() {
        if !position.legal_moves().contains(&mv) {
            return Err(GameFault::Illegal(ply + 1, mv));
        }
        position = position.after(mv);
    }
    if !fits {
        return Err(GameFault::Plies(game.len()));
    }
    let reached = Diagram::of(&position);
    if reached == problem.diagram { Ok(()) } else { Err(GameFault::Diagram(reached)) }
}

/// Parses the moves of a game in SAN, separated by blanks and without numbers.
///
/// # Errors
/// Returns the error of [`parse_san`] for the first invalid move.
pub fn game_of(text: &str) -> Result<Vec<Move>, san::SanError> {
    let mut position = Position::startpos();
    text.split_whitespace()
        .map(|word| {
            let mv = parse_san(&position, word)?;
            position = position.after(mv);
            Ok(mv)
        })
        .collect()
}

/// Returns the game in SAN, move by move. The moves must be legal.
pub fn san_of(game: &[Move]) -> Vec<String> {
    san_from(&Position::startpos(), game)
}

/// Returns a game from any position in SAN, move by move. The moves must be legal.
pub fn san_from(start: &Position, game: &[Move]) -> Vec<String> {
    let mut position = *start;
    game.iter()
        .map(|&mv| {
            let text = to_san(&position, mv);
            position = position.after(mv);
            text
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_replayed_to_the_diagram() {
        let game = game_of("f4 f5 Nf3").unwrap();
        let setup = "rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R".parse().unwrap();
        let diagram = Diagram::from_setup(&setup).unwrap();
        let problem = |plies, length| Problem { diagram, plies, length };
        assert_eq!(verify(&problem(3, Length::Exact), &game), Ok(()));
        assert_eq!(verify(&problem(5, Length::Parity), &game), Ok(()));
        assert_eq!(verify(&problem(5, Length::Exact), &game), Err(GameFault::Plies(3)));
        assert_eq!(verify(&problem(4, Length::Parity), &game), Err(GameFault::Plies(3)));
        let mut wrong = game.clone();
        wrong.swap(0, 2);
        assert!(matches!(
            verify(&problem(3, Length::Exact), &wrong),
            Err(GameFault::Diagram(_) | GameFault::Illegal(..))
        ));
        // An illegal move explains more than the length.
        let illegal = [game[0], game[0], game[0], game[0]];
        let fault = verify(&problem(3, Length::Exact), &illegal);
        assert_eq!(fault, Err(GameFault::Illegal(2, game[0])));
        assert_eq!(san_of(&game).join(" "), "f4 f5 Nf3");
    }
}
