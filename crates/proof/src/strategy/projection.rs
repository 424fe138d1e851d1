//! Projection: computes the strategy of a game.

use crate::problem::castling::Wing;
use crate::problem::pawn::behind;
use crate::problem::piece::PieceId;
use crate::strategy::Strategy;
use crate::strategy::route::{End, Milestone, Route};
use umbrail_chess::geometry::Square;
use umbrail_chess::{Move, Position};

/// An illegal move of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("ply {ply}: {mv:?} is not legal")]
pub struct IllegalMove {
    /// Ply of the move, from 1.
    pub ply: usize,
    /// The move.
    pub mv: Move,
}

/// Returns the strategy of a game from the initial position. Each capture, promotion and castling
/// is appended to the mover's route, and each death to the victim's.
///
/// # Errors
/// Returns the first illegal move.
pub fn project(game: &[Move]) -> Result<Strategy, IllegalMove> {
    let mut position = Position::startpos();
    let mut at: [Option<PieceId>; 64] =
        std::array::from_fn(|number| PieceId::starting_on(Square::new(number as u8)));
    let mut routes: [Route; 32] =
        std::array::from_fn(|number| Route::to(End::Rest(PieceId::new(number as u8).origin())));
    for (ply, &mv) in game.iter().enumerate() {
        let illegal = IllegalMove { ply: ply + 1, mv };
        if !position.is_legal(mv) {
            return Err(illegal);
        }
        let (from, to) = (mv.from(), mv.to());
        let mover = at[from.index()].ok_or(illegal)?;
        if position.is_castle(mv) {
            let rook = at[to.index()].ok_or(illegal)?;
            let wing = if to.file() > from.file() { Wing::King } else { Wing::Queen };
            let (king_file, rook_file) = wing.files();
            (at[from.index()], at[to.index()]) = (None, None);
            for (piece, file) in [(mover, king_file), (rook, rook_file)] {
                let square = Square::at(file, from.rank());
                at[square.index()] = Some(piece);
                routes[piece.index()].milestones.push(Milestone::Castling(wing));
                routes[piece.index()].end = End::Rest(square);
            }
        } else {
            let en_passant = position.is_en_passant(mv);
            let stood = if en_passant { behind(mover.color(), to) } else { to };
            if let Some(victim) = at[stood.index()].take() {
                let index = routes[mover.index()].captures().count() as u8;
                routes[victim.index()].end = End::Dead { square: stood, captor: mover, index };
                routes[mover.index()].milestones.push(Milestone::Capture {
                    square: to,
                    victim,
                    en_passant,
                });
            }
            if let Some(kind) = mv.promotion() {
                routes[mover.index()].milestones.push(Milestone::Promotion { square: to, kind });
            }
            at[from.index()] = None;
            at[to.index()] = Some(mover);
            routes[mover.index()].end = End::Rest(to);
        }
        position = position.after(mv);
    }
    Ok(Strategy::new(routes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Diagram, game_of};

    fn strategy(text: &str) -> (Strategy, Diagram) {
        let game = game_of(text).unwrap();
        let end = game.iter().fold(Position::startpos(), |position, &mv| position.after(mv));
        (project(&game).unwrap(), Diagram::of(&end))
    }

    #[test]
    fn a_game_projects_to_its_milestones() {
        let (strategy, diagram) =
            strategy("e4 d5 exd5 Nf6 Nf3 e5 dxe6 Bb4 exf7+ Kxf7 Be2 Rf8 O-O Kg8");
        assert_eq!(
            strategy.to_string(),
            "Ke1 O-O, Bf1-e2, Sg1-f3, Rh1 O-O, Pe2xPd7 d5xPe7 e6 e.p.xPf7 f7 (Ke8), \
             Ke8xPe2 f7-g8, Bf8-b4, Sg8-f6, Rh8-f8, Pd7-d5 (Pe2), Pe7-e5 (Pe2), Pf7 (Pe2)"
        );
        assert_eq!(strategy.check(&diagram), Ok(()));
    }

    #[test]
    fn promotions_by_capture_and_without() {
        let (strategy, diagram) = strategy("a4 b5 axb5 a6 bxa6 c6 a7 Qc7 axb8=N Qxb8");
        assert!(strategy.to_string().contains("Pa2xPb7 b5xPa7 a6xSb8 b8=S (Qd8)"), "{strategy}");
        assert_eq!(strategy.check(&diagram), Ok(()));
    }

    #[test]
    fn an_illegal_move_is_named() {
        let game = [Move::new(Square::E2, Square::E5)];
        assert_eq!(project(&game).unwrap_err().to_string(), "ply 1: e2e5 is not legal");
    }

    #[test]
    fn a_strategy_that_does_not_fit_is_refused() {
        use crate::strategy::Contradiction;
        let (mut strategy, diagram) = strategy("e4 d5 exd5 Qxd5");
        assert_eq!(strategy.check(&Diagram::initial()), Err(Contradiction::Diagram(Square::E2)));
        strategy.route_mut(PieceId::new(27)).end = End::Rest(Square::D5);
        assert!(matches!(strategy.check(&diagram), Err(Contradiction::NotTaken(..))));
    }
}
