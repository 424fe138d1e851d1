//! Number of moves that each piece makes in a game, by the rules of chess alone.

use crate::problem::piece::PieceId;
use umbrail_chess::geometry::Square;
use umbrail_chess::{Move, Position};

/// Returns the moves of each piece in a legal game; castling counts for the king.
pub(crate) fn moves_of_pieces(game: &[Move]) -> [u8; 32] {
    let mut position = Position::startpos();
    let mut at: [Option<PieceId>; 64] =
        std::array::from_fn(|number| PieceId::starting_on(Square::new(number as u8)));
    let mut moves = [0u8; 32];
    for &mv in game {
        let (from, to) = (mv.from(), mv.to());
        let Some(mover) = at[from.index()].take() else { break };
        moves[mover.index()] = moves[mover.index()].saturating_add(1);
        if position.is_castle(mv) {
            let rook = at[to.index()].take();
            let (king, beside) = if to.file() > from.file() { (6, 5) } else { (2, 3) };
            at[Square::at(king, from.rank()).index()] = Some(mover);
            at[Square::at(beside, from.rank()).index()] = rook;
        } else {
            // A pawn that is taken en passant stays in the table, on a square that no move of it leaves.
            at[to.index()] = Some(mover);
        }
        position = position.after(mv);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::moves_of_pieces;
    use crate::game_of;
    use crate::problem::piece::PieceId;
    use umbrail_chess::geometry::Square;

    #[test]
    fn every_move_counts_for_its_piece() {
        let game = game_of("e4 d5 exd5 Nf6 Nf3 e5 dxe6 Bb4 exf7+ Kxf7 Be2 Rf8 O-O Kg8").unwrap();
        let moves = moves_of_pieces(&game);
        let of = |square| moves[PieceId::starting_on(square).unwrap().index()];
        let squares = [Square::E2, Square::E1, Square::H1, Square::E8, Square::H8, Square::E7];
        assert_eq!(squares.map(of), [4, 1, 0, 2, 1, 1]);
        assert_eq!(moves.iter().map(|&moves| usize::from(moves)).sum::<usize>(), game.len());
    }
}
