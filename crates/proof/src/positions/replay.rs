//! Independent check of a game: the rules of `umbrail_chess` alone, which share no code with the
//! search.

use super::problem::PositionProblem;
use super::turns::Turns;
use crate::check::verify::GameFault;
use crate::problem::diagram::Diagram;
use umbrail_chess::{CastlingMode, Move, Position};

/// Replays a game from the start of a problem to its diagram.
///
/// # Errors
/// Returns the first fault.
pub(crate) fn replay(problem: &PositionProblem, game: &[Move]) -> Result<(), GameFault> {
    let mut position = problem.start;
    for (ply, &mv) in game.iter().enumerate() {
        let illegal = GameFault::Illegal(ply + 1, mv);
        if !position.legal_moves().contains(&mv) {
            return Err(illegal);
        }
        position = position.after(mv);
        if problem.turns == Turns::Series && ply + 1 < game.len() {
            position = passed(&position).ok_or(illegal)?;
        }
    }
    let reached = Diagram::of(&position);
    if reached == problem.diagram { Ok(()) } else { Err(GameFault::Diagram(reached)) }
}

/// Returns the position after a pass; `None` if the side that passes is in check.
fn passed(position: &Position) -> Option<Position> {
    let mut setup = position.to_setup();
    setup.turn = !setup.turn;
    setup.en_passant = None;
    Position::from_setup(&setup, CastlingMode::Standard).ok()
}
