//! Moves of pieces that hop, are lame or turn, from their templates.

use super::{BoardPiece, FairyBoard, FairyMove};
use crate::fairy::Templates;
use umbrail_chess::geometry::Square;

impl FairyBoard {
    /// Returns the squares of the pieces of the piece's own side without itself, and of the enemy.
    fn around(&self, piece: &BoardPiece) -> (u64, u64) {
        let (mut own, mut enemy) = (0, 0);
        for other in self.pieces.iter().filter(|other| other.square != piece.square) {
            let side = if other.color == piece.color { &mut own } else { &mut enemy };
            *side |= 1 << other.square.index();
        }
        (own, enemy)
    }

    /// Returns true when the piece could capture an enemy piece on the square.
    pub(super) fn attacks_by(
        &self,
        piece: &BoardPiece,
        templates: &Templates,
        square: Square,
    ) -> bool {
        let (own, enemy) = self.around(piece);
        let target = 1u64 << square.index();
        let from_here = templates.attacks.at(square.number()).iter();
        from_here.filter(|template| template.from == piece.square.number()).any(|template| {
            template.take & !(enemy | target) == 0 && template.path_is_open(own, enemy)
        })
    }

    /// Adds the pseudo-legal moves of the piece.
    pub(super) fn bent_moves(
        &self,
        piece: &BoardPiece,
        templates: &Templates,
        moves: &mut Vec<FairyMove>,
    ) {
        let (own, enemy) = self.around(piece);
        for template in templates.possible(piece.square, own, enemy) {
            let mv = FairyMove::of(template);
            if !moves.contains(&mv) {
                moves.push(mv);
            }
        }
    }
}
