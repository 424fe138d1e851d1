//! Distances of officers among walls: squares whose piece never moves.

use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Role, attacks};

/// Distance of squares without a way.
pub(super) const NO_WAY: u8 = u8::MAX;

/// Moves of an officer from one square to each other square.
pub(super) type Distances = [u8; 64];

/// Returns the distances of an officer from a square. The square itself may be a wall.
pub(super) fn distances(role: Role, from: Square, walls: Bitboard) -> Distances {
    let mut distances = [NO_WAY; 64];
    distances[from.index()] = 0;
    let mut layer = Bitboard::of(from);
    let mut reached = layer;
    let mut steps = 0;
    while layer.any() {
        steps += 1;
        let next = layer.squares().fold(Bitboard::EMPTY, |next, square| {
            // Officers move alike for both sides.
            next | attacks::of(role, Color::White, square, walls)
        });
        layer = next & !walls & !reached;
        reached |= layer;
        layer.squares().for_each(|square| distances[square.index()] = steps);
    }
    distances
}

/// Returns the squares that an officer can come to from a square.
pub(super) fn reach(role: Role, from: Square, walls: Bitboard) -> Bitboard {
    let distances = distances(role, from, walls);
    Square::all().filter(|square| distances[square.index()] != NO_WAY).collect()
}

/// Home squares of the officers of a side, with their roles.
pub(super) fn homes(color: Color) -> [(Role, Square); 8] {
    let rank = if color.is_white() { 0 } else { 7 };
    let roles = [
        Role::Rook,
        Role::Knight,
        Role::Bishop,
        Role::Queen,
        Role::King,
        Role::Bishop,
        Role::Knight,
        Role::Rook,
    ];
    let mut file = 0;
    roles.map(|role| {
        file += 1;
        (role, Square::at(file - 1, rank))
    })
}

/// Rank of a square as its side counts, from 0.
pub(super) fn rank_of(color: Color, square: Square) -> u8 {
    if color.is_white() { square.rank() } else { 7 - square.rank() }
}

/// Home rank of the pawns of a side.
pub(super) fn pawn_rank(color: Color) -> Bitboard {
    Bitboard::rank(if color.is_white() { 1 } else { 6 })
}

/// Promotion rank of a side.
pub(super) fn last_rank(color: Color) -> Bitboard {
    Bitboard::rank(if color.is_white() { 7 } else { 0 })
}
