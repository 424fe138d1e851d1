//! Still pieces: survivors at home that have no possible move, or none that their side can afford.

use crate::distance::{Bars, Distances, TableCache, contacts};
use crate::problem::piece::{PieceId, PieceMask};
use std::sync::Arc;
use umbrail_chess::geometry::{Bitboard, Color};
use umbrail_chess::{Role, attacks};

/// Finds the pieces among `idle` that stand still from the first ply to the last, and the distances
/// that follow from them and from `bars`.
///
/// `idle` are survivors that rest on their home square, have no milestone, and are counted with no
/// move in the bound; `spare` is the number of moves by which each color's budget exceeds its
/// bound.
///
/// *Admissible*: a pawn cannot return. An officer that moves at all makes a closed path, which
/// costs at least a round trip that the bound does not contain. A round trip of more than `spare`
/// moves (at least two moves) is therefore impossible. For pieces that block each other, take the
/// first of a set that moves: until then the others stand where they stood, and each of its first
/// squares is occupied by one of them, or for a king attacked by one of them.
pub(crate) fn still_pieces(
    idle: PieceMask,
    spare: [u16; 2],
    bars: Bars,
    tables: &mut TableCache,
) -> Arc<Distances> {
    let mut sure = Bitboard::EMPTY;
    loop {
        let still = shut_in(idle, spare, sure);
        let distances = tables.of(still, bars);
        let paid = |piece: PieceId| {
            let table = distances.table(piece.color(), piece.role());
            u16::from(table.round_trip(piece.origin())) <= spare[piece.color().index()]
        };
        let stuck: Bitboard = idle
            .pieces()
            .filter(|&piece| !still.contains(piece.origin()) && !paid(piece))
            .map(PieceId::origin)
            .collect();
        if stuck.is_empty() {
            return distances;
        }
        sure = still | stuck;
    }
}

/// Returns the greatest set of idle pieces of which none can be the first to move; `sure` are known
/// members.
fn shut_in(idle: PieceMask, spare: [u16; 2], sure: Bitboard) -> Bitboard {
    let home: Bitboard = idle.pieces().map(PieceId::origin).collect();
    let mut still = home;
    loop {
        let guarded = Color::ALL.map(|color| contacts(still, !color));
        let free: Bitboard = still
            .squares()
            .filter(|&square| !sure.contains(square))
            .filter_map(PieceId::starting_on)
            .filter(|piece| !piece.is_pawn() && spare[piece.color().index()] >= 2)
            .filter(|piece| {
                let from = piece.origin();
                let mut steps = attacks::of(piece.role(), piece.color(), from, attacks::king(from));
                if piece.role() == Role::King {
                    steps = steps - guarded[piece.color().index()];
                }
                (steps - still).any()
            })
            .map(PieceId::origin)
            .collect();
        if free.is_empty() {
            return still;
        }
        still = still - free;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use umbrail_chess::geometry::Square;

    fn still(idle: &str, spare: [u16; 2]) -> String {
        let idle: PieceMask = idle
            .split_whitespace()
            .filter_map(|name| PieceId::starting_on(name.parse::<Square>().unwrap()))
            .collect();
        let distances =
            still_pieces(idle, spare, Bars::default(), &mut TableCache::new(Rules::default()));
        let names: Vec<String> = distances.still.squares().map(|s| s.to_string()).collect();
        names.join(" ")
    }

    #[test]
    fn pieces_without_a_paid_move_stand_still() {
        assert_eq!(still("a2 b1", [1, 0]), "b1 a2");
        assert_eq!(still("a2 b1", [2, 0]), "a2");
        assert_eq!(still("c1 b2 d2", [9, 9]), "c1 b2 d2");
        assert_eq!(still("c1 b2", [9, 9]), "b2");
    }

    #[test]
    fn pieces_blocked_by_each_other_stand_still() {
        // The knight blocks the rook; the knight is blocked only while its squares are occupied.
        assert_eq!(still("a1 b1 a2 b2", [4, 0]), "a2 b2");
        assert_eq!(
            still("a8 b8 a7 b7 c7 d7 c8 d8 e8 e7 f7", [4, 1]),
            "a7 b7 c7 d7 e7 f7 a8 b8 c8 d8 e8"
        );
        // Queen, king and bishop in a deadlock.
        assert_eq!(still("c1 d1 e1 f1 b2 c2 d2 e2 f2 g2", [6, 6]), "c1 d1 e1 f1 b2 c2 d2 e2 f2 g2");
        assert_eq!(
            still("b1 c1 d1 e1 f1 g1 a2 b2 c2 d2 e2 f2 g2 h2", [1, 6]),
            "b1 c1 d1 e1 f1 g1 a2 b2 c2 d2 e2 f2 g2 h2"
        );
    }

    #[test]
    fn a_round_trip_that_is_too_long_keeps_a_piece_at_home() {
        // Rook h1 leaves via g1 only if there is a path onward from there.
        assert_eq!(still("h1 h2 g2", [1, 0]), "h1 g2 h2");
        assert_eq!(still("h1 h2 g2", [2, 0]), "g2 h2");
    }
}
