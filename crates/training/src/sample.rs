//! Positions that a search met, drawn at random from its transposition table.

use crate::random::RandomNumbers;
use umbrail_chess::exchange::see_at_least;
use umbrail_chess::{Move, Position};
use umbrail_search::Engine;

/// One of this many walks ends at each position, so that some samples are near the root.
const ENDS: usize = 4;
/// Longest walk, plies.
const PLIES_MAX: usize = 64;

/// Walks from the root of the last search over positions that the table knows, by random moves, and
/// returns the last one. None if the walk ends in check or where a capture or promotion wins
/// material: such positions are not used for training.
pub(crate) fn visited(
    engine: &Engine,
    root: &Position,
    random: &mut RandomNumbers,
) -> Option<Position> {
    let mut position = *root;
    for ply in 0..PLIES_MAX {
        let moves = position.legal_moves();
        let known = moves.into_iter().map(|mv| position.after(mv));
        let known: Vec<Position> = known.filter(|next| engine.knows(next)).collect();
        if known.is_empty() || ply > 0 && random.below(ENDS) == 0 {
            break;
        }
        position = known[random.below(known.len())];
    }
    let moves = position.legal_moves();
    let quiet = !position.in_check() && !moves.is_empty();
    let wins = |&mv: &Move| is_noisy(&position, mv) && see_at_least(&position, mv, 1);
    (quiet && !moves.iter().any(wins)).then_some(position)
}

/// Returns true for captures and promotions.
pub(crate) fn is_noisy(position: &Position, mv: Move) -> bool {
    position.is_capture(mv) || mv.promotion().is_some()
}
