//! Distances: numbers of moves that a piece needs between squares while some squares never become
//! free.
//!
//! For enumeration everything follows from the set of *still* pieces (see
//! [`crate::distance::still`]). Still pieces stand on their home squares from the first ply to the
//! last. They therefore block every other piece, their contact attacks forbid squares to the enemy
//! king, and no enemy may stop in contact with a still king that it would check. Distances ignore
//! all other pieces, so they never exceed those of a real game.
//!
//! For analysis and search, [`map`] measures single legs among the obstacles of one strategy.

pub(crate) mod bars;
pub(crate) mod cache;
pub(crate) mod map;
pub(crate) mod move_kind;
pub(crate) mod officers;
pub(crate) mod pawns;
pub(crate) mod steps;
pub(crate) mod still;
pub(crate) mod tables;
pub(crate) mod walls;

pub(crate) use bars::Bars;
pub(crate) use officers::OfficerTable;
pub(crate) use tables::contacts;
pub(crate) use tables::{Distances, TableCache};

use umbrail_chess::Role;

/// Distance without a path. Small enough that a handful of distances add up without overflow in 16
/// bits.
pub(crate) const NEVER: u8 = 255;

/// The five roles that move by [`OfficerTable`]; pawns use [`PawnTable`].
pub(crate) const OFFICERS: [Role; 5] =
    [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::officers::RADII;
    use crate::distance::pawns::PawnWay;
    use crate::rules::Rules;
    use std::sync::Arc;
    use umbrail_chess::geometry::{Bitboard, Color, Square};

    fn squares(text: &str) -> Bitboard {
        text.split_whitespace().map(|name| name.parse::<Square>().unwrap()).collect()
    }

    fn sq(name: &str) -> Square {
        name.parse().unwrap()
    }

    #[test]
    fn officers_go_round_still_pieces() {
        let mut tables = TableCache::new(Rules::default());
        let empty = tables.of(Bitboard::EMPTY, Bars::default());
        let rook = empty.table(Color::White, Role::Rook);
        assert_eq!((rook.moves(sq("a1"), sq("a8")), rook.round_trip(sq("a1"))), (1, 2));
        let pawns = tables.of(squares("a2 b2"), Bars::default());
        let rook = pawns.table(Color::White, Role::Rook);
        assert_eq!(rook.moves(sq("a1"), sq("a8")), 3);
        let shut = tables.of(squares("b2 d2"), Bars::default());
        let bishop = shut.table(Color::White, Role::Bishop);
        assert_eq!(bishop.moves(sq("c1"), sq("e3")), NEVER);
        assert_eq!(bishop.round_trip(sq("c1")), NEVER);
        assert_eq!(bishop.within(sq("c1"), 9), squares("c1"));
    }

    #[test]
    fn tables_agree_with_their_radii_and_are_symmetric() {
        let mut tables = TableCache::new(Rules::default());
        let some = tables.of(squares("a2 c2 d2 h2 e8 d7 f7 a7 g8"), Bars::default());
        for color in Color::ALL {
            for role in OFFICERS {
                let table = some.table(color, role);
                for (a, b) in Square::all().flat_map(|a| Square::all().map(move |b| (a, b))) {
                    let moves = table.moves(a, b);
                    let open =
                        |s| !some.still.contains(s) && !some.guarded[color.index()].contains(s);
                    assert!(
                        moves == table.moves(b, a) || role == Role::King || !(open(a) && open(b)),
                        "{role:?} {a} {b}"
                    );
                    for radius in 0..RADII {
                        assert_eq!(
                            table.within(a, radius).contains(b),
                            usize::from(moves) <= radius || (moves != NEVER && radius == RADII - 1)
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn crossings_are_on_every_way() {
        let mut tables = TableCache::new(Rules::default());
        let table = |still: &str, role| {
            let mut tables = TableCache::new(Rules::default());
            let distances = tables.of(squares(still), Bars::default());
            Arc::clone(&distances.officers[0][OFFICERS.iter().position(|&r| r == role).unwrap()])
        };
        let rook = table("a2 b2", Role::Rook);
        assert_eq!(rook.crossings(sq("a1"), sq("c4"), 0), squares("b1 c1 c2 c3 c4"));
        assert_eq!(rook.crossings(sq("a1"), sq("c4"), 1), squares("b1 c1 c4"));
        let bishop = table("b2", Role::Bishop);
        assert_eq!(bishop.crossings(sq("c1"), sq("h6"), 1), squares("d2 e3 f4 g5 h6"));
        let free = tables.of(Bitboard::EMPTY, Bars::default());
        let knight = free.table(Color::Black, Role::Knight);
        assert_eq!(knight.crossings(sq("b8"), sq("c6"), 0), squares("c6"));
        assert_eq!(knight.crossings(sq("b8"), sq("e5"), 0), squares("e5"));
        assert_eq!(knight.crossings(sq("a1"), sq("a1"), 0), Bitboard::EMPTY);
    }

    #[test]
    fn a_still_king_keeps_checkers_and_the_other_king_away() {
        let mut tables = TableCache::new(Rules::default());
        let still = tables.of(squares("e8 f8 d7 f7"), Bars::default());
        assert_eq!(still.forbidden(Color::White, Role::Knight), squares("c7 d6 f6 g7"));
        assert_eq!(still.forbidden(Color::White, Role::Rook), squares("e7 d8"));
        assert_eq!(still.forbidden(Color::White, Role::Pawn), Bitboard::EMPTY);
        // The knight would give check on f6 and d6, so b5-d6-c8 is impossible.
        let knight = still.table(Color::White, Role::Knight);
        assert_eq!(knight.moves(sq("b5"), sq("c8")), 2);
        assert_eq!(knight.moves(sq("e4"), sq("g8")), 4);
        assert!(still.guarded[0].contains(sq("d8")) && still.guarded[0].contains(sq("e6")));
        let free = TableCache::new("-S4 -A16".parse().unwrap())
            .of(squares("e8 f8 d7 f7"), Bars::default());
        assert_eq!(free.table(Color::White, Role::Knight).moves(sq("e4"), sq("g8")), 2);
        assert_eq!(free.guarded, [Bitboard::EMPTY; 2]);
    }

    #[test]
    fn pawns_bend_by_capturing() {
        let mut tables = TableCache::new(Rules::default());
        let empty = tables.of(Bitboard::EMPTY, Bars::default());
        let way = |captures, moves| PawnWay { captures, moves };
        let white = empty.pawns(Color::White);
        assert_eq!(white.way(sq("e2"), sq("e4")), way(0, 1));
        assert_eq!(white.way(sq("e2"), sq("f4")), way(1, 2));
        assert_eq!(white.way(sq("e2"), sq("f5")), way(1, 2));
        assert_eq!(white.way(sq("e3"), sq("e5")), way(0, 2));
        assert_eq!(white.way_by_capture(sq("e2"), sq("e4")), way(2, 2));
        assert_eq!(white.way_by_capture(sq("e2"), sq("e5")), way(2, 3));
        assert_eq!(white.way_by_capture(sq("e2"), sq("e6")), way(2, 3));
        assert_eq!(white.way(sq("e2"), sq("e2")), way(0, 0));
        assert!(!white.way(sq("e4"), sq("e3")).exists());
        assert!(!white.way(sq("e2"), sq("h4")).exists());
        let black = empty.pawns(Color::Black);
        assert_eq!(black.way(sq("d7"), sq("d1")), way(0, 5));
        let blocked = tables.of(squares("d2"), Bars::default());
        assert_eq!(blocked.pawns(Color::Black).way(sq("d7"), sq("d1")), way(2, 5));
    }
}
