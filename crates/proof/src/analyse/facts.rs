//! Comparison of every deduction of a plan with an existing game.
//!
//! For each piece a plan states the squares where it can stand on each leg, the squares where it
//! never stops, the moves that it still needs from each square, and whether it moves at all. A
//! replay decides all of these statements. One false statement is a bug of its rule, even if it
//! loses no solution today.

use crate::analyse::legs::Goal;
use crate::analyse::plan::StrategyPlan;
use crate::distance::NEVER;
use crate::distance::cache::DistanceCache;
use crate::problem::pawn::behind;
use crate::problem::piece::PieceId;
use umbrail_chess::geometry::Square;
use umbrail_chess::{Move, Position};

/// A statement of a plan that does not hold in a game of the strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("ply {ply}: {piece} {given}")]
pub struct FalseFact {
    /// Move (ply from 1) that contradicts the statement; 0 if the whole game does.
    pub(crate) ply: usize,
    /// Piece of the statement.
    pub(crate) piece: PieceId,
    /// The statement.
    pub(crate) given: String,
}

/// Move of one piece; castling is the king's.
struct Moved {
    piece: PieceId,
    from: Square,
    to: Square,
    /// True if the move captures, promotes or castles.
    milestone: bool,
}

/// Checks all statements of a plan against a legal game of its strategy.
///
/// # Errors
/// Returns the first statement that the game contradicts.
pub(crate) fn check_facts(
    plan: &StrategyPlan,
    distances: &DistanceCache,
    game: &[Move],
) -> Result<(), FalseFact> {
    let moves = by_piece(game);
    let mut left = [0u16; 32];
    moves.iter().for_each(|moved| left[moved.piece.index()] += 1);
    for sequence in &plan.sequences {
        let piece = sequence.piece;
        let made = left[piece.index()];
        let given = |given: String| Err(FalseFact { ply: 0, piece, given });
        if made < u16::from(sequence.needed) {
            return given(format!("needs {} moves, made {made}", sequence.needed));
        }
        if made == 0 && plan.assumptions.away.contains(piece) {
            return given("steps aside".to_owned());
        }
        if made > 0 && (plan.fixed.contains(piece) || plan.assumptions.stay.contains(piece)) {
            return given("never moves".to_owned());
        }
    }
    let mut legs = [0usize; 32];
    for (index, moved) in moves.iter().enumerate() {
        let m = moved.piece.index();
        let sequence = plan.sequence(moved.piece);
        let leg = &sequence.legs[legs[m]];
        let given = |given: String| Err(FalseFact { ply: index + 1, piece: moved.piece, given });
        let Moved { from, to, .. } = *moved;
        let map_id = distances.get(leg.map_id);
        let away = map_id.moves[from.index()];
        if away == NEVER {
            return given(format!("never stands on {from} on leg {}", legs[m]));
        }
        if left[m] < u16::from(away) + u16::from(leg.after) {
            let needs = u16::from(away) + u16::from(leg.after);
            return given(format!("needs {needs} moves from {from}, made {}", left[m]));
        }
        if !leg.stops.with(leg.start).contains(from) {
            return given(format!("is not on {from} on leg {}", legs[m]));
        }
        if moved.milestone || leg.goal == Goal::Leave || leg.goal == Goal::Visit(to) {
            legs[m] += 1;
        }
        let next = sequence.legs.get(legs[m]).unwrap_or(leg);
        if !moved.milestone && (next.forbidden.contains(to) || !next.stops.contains(to)) {
            return given(format!("does not stop on {to} on leg {}", legs[m]));
        }
        left[m] -= 1;
        if let Goal::Castle(wing) = leg.goal {
            let rook = crate::problem::castling::castling_rook(moved.piece.color(), wing);
            legs[rook.index()] += 1;
        }
    }
    Ok(())
}

fn by_piece(game: &[Move]) -> Vec<Moved> {
    let mut position = Position::startpos();
    let mut at: [Option<PieceId>; 64] =
        std::array::from_fn(|number| PieceId::starting_on(Square::new(number as u8)));
    let mut moves = Vec::with_capacity(game.len());
    for &mv in game {
        let (from, mut to) = (mv.from(), mv.to());
        let Some(piece) = at[from.index()].take() else { break };
        let castles = position.is_castle(mv);
        let mut milestone = castles || mv.promotion().is_some();
        if castles {
            let rook = at[to.index()].take();
            let king_side = to.file() > from.file();
            let (king_file, rook_file) = if king_side { (6, 5) } else { (2, 3) };
            at[Square::at(rook_file, from.rank()).index()] = rook;
            to = Square::at(king_file, from.rank());
        } else {
            let en_passant = position.is_en_passant(mv);
            let stood = if en_passant { behind(piece.color(), to) } else { to };
            milestone |= at[stood.index()].take().is_some();
        }
        at[to.index()] = Some(piece);
        moves.push(Moved { piece, from, to, milestone });
        position = position.after(mv);
    }
    moves
}
