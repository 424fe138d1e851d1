//! Arguments from origins: what never moved blocks ways, and pawns change files by captures alone.
//!
//! *Admissible:* a pawn on its home rank never moved, nor was another piece ever on its square. A
//! bishop between two such pawns never moved either. Only these, and pieces with a castling right,
//! are walls; every other piece is ignored, and castling adds its jumps.

use super::argument::Argument;
use super::assignment::{NEVER, least_sum};
use super::walks::{homes, last_rank, pawn_rank, rank_of, reach};
use crate::problem::diagram::Diagram;
use umbrail_chess::Role;
use umbrail_chess::geometry::{Bitboard, Color, Square};

/// Returns all arguments from origins and parity against a placement with this side to move.
/// `rights` are the pieces that never moved by the castling rights.
pub(super) fn arguments(diagram: &Diagram, turn: Color, rights: Bitboard) -> Vec<Argument> {
    let mut arguments = vec![];
    let origins = Origins::of(diagram, rights);
    for color in Color::ALL {
        origins.officers(color, &mut arguments);
        origins.pawns(color, &mut arguments);
    }
    arguments.extend(parity(diagram, turn));
    arguments
}

/// Returns true if an argument refutes the placement.
pub(super) fn refutes(diagram: &Diagram, turn: Color, rights: Bitboard) -> bool {
    !arguments(diagram, turn, rights).is_empty()
}

/// A placement with what never moved.
struct Origins<'a> {
    diagram: &'a Diagram,
    /// Squares of pieces that never moved.
    walls: Bitboard,
    /// Home squares of bishops that never left them, on the board or not.
    locked: Bitboard,
}

impl<'a> Origins<'a> {
    fn of(diagram: &'a Diagram, rights: Bitboard) -> Self {
        let pawns = |color| diagram.pieces(color, Role::Pawn) & pawn_rank(color);
        let (mut walls, mut locked) = (rights, Bitboard::EMPTY);
        for color in Color::ALL {
            walls |= pawns(color);
            for (role, home) in homes(color) {
                let ahead = if color.is_white() { 1 } else { -1 };
                let doors = [-1, 1].map(|side| home.offset(side, ahead));
                let is_shut = doors.into_iter().flatten().all(|door| pawns(color).contains(door));
                if role == Role::Bishop && is_shut {
                    locked = locked.with(home);
                    if diagram.pieces(color, Role::Bishop).contains(home) {
                        walls = walls.with(home);
                    }
                }
            }
        }
        Self { diagram, walls, locked }
    }

    /// Squares that the officer of a home square can have come to.
    fn reach(&self, color: Color, role: Role, home: Square) -> Bitboard {
        if self.locked.contains(home) && role == Role::Bishop {
            return Bitboard::of(home);
        }
        let walk = |from: Square| reach(role, from, self.walls);
        let mut squares = walk(home);
        let rank = if color.is_white() { 0 } else { 7 };
        let jumps: &[u8] = match (role, home.file()) {
            (Role::King, _) => &[2, 6],
            (Role::Rook, 0) => &[3],
            (Role::Rook, _) => &[5],
            _ => &[],
        };
        for &file in jumps {
            let to = Square::at(file, rank);
            if !self.walls.contains(to) && !self.walls.contains(home) {
                squares |= walk(to);
            }
        }
        squares
    }

    /// Squares that a promoted officer can have come to.
    fn promoted_reach(&self, color: Color, role: Role) -> Bitboard {
        let doors = last_rank(color) & !self.walls;
        doors
            .squares()
            .fold(Bitboard::EMPTY, |squares, door| squares | reach(role, door, self.walls))
    }

    fn officers(&self, color: Color, arguments: &mut Vec<Argument>) {
        let mut needed = 0;
        for role in [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
            let own: Vec<Square> = self.diagram.pieces(color, role).squares().collect();
            let from: Vec<Bitboard> = homes(color)
                .into_iter()
                .filter(|(home_role, _)| *home_role == role)
                .map(|(_, home)| self.reach(color, role, home))
                .collect();
            let promoted = match role {
                Role::King => Bitboard::EMPTY,
                _ => self.promoted_reach(color, role),
            };
            // Columns: the home squares, then one promotion for each piece.
            let row = |square: &Square| {
                let home =
                    from.iter().map(|squares| if squares.contains(*square) { 0 } else { NEVER });
                let new = if promoted.contains(*square) { 1 } else { NEVER };
                home.chain(own.iter().map(|_| new)).collect::<Vec<i32>>()
            };
            let costs: Vec<Vec<i32>> = own.iter().map(row).collect();
            for (square, costs) in own.iter().zip(&costs) {
                if costs.iter().all(|&cost| cost == NEVER) {
                    arguments.push(Argument::NoWay { color, role, square: *square });
                    return;
                }
            }
            let sum = least_sum(&costs);
            if sum >= NEVER {
                // Two pieces compete for one origin, and neither can be promoted.
                let square = own.last().copied().unwrap_or(Square::new(0));
                arguments.push(Argument::NoWay { color, role, square });
                return;
            }
            needed += sum.unsigned_abs();
        }
        let pawns = self.diagram.pieces(color, Role::Pawn).len();
        let missing = 8_u32.saturating_sub(pawns);
        if needed > missing {
            arguments.push(Argument::Promotions { color, needed, missing });
        }
    }

    fn pawns(&self, color: Color, arguments: &mut Vec<Argument>) {
        let row = |pawn: Square| {
            let steps = i32::from(rank_of(color, pawn)) - 1;
            let cost = |home: i32| {
                let captures = (i32::from(pawn.file()) - home).abs();
                if captures <= steps { captures } else { NEVER }
            };
            (0..8).map(cost).collect::<Vec<i32>>()
        };
        let own = self.diagram.pieces(color, Role::Pawn);
        let sum = least_sum(&own.squares().map(row).collect::<Vec<_>>());
        if sum >= NEVER {
            arguments.push(Argument::PawnOrigins(color));
            return;
        }
        let needed = sum.unsigned_abs();
        let other = !color;
        let missing = 16_u32.saturating_sub(self.diagram.piece_counts()[other.index()]);
        let is_missing = |home: &Square| !self.diagram.pieces(other, Role::Bishop).contains(*home);
        let rank = Bitboard::rank(if other.is_white() { 0 } else { 7 });
        // Pawns that stand on the board cannot have captured on their last rank.
        let locked = (self.locked & rank).squares().filter(is_missing).count() as u32;
        let possible = missing.saturating_sub(locked);
        if needed > possible {
            arguments.push(Argument::PawnCaptures { color, needed, possible, locked });
        }
    }
}

/// Parity, if all pieces are on the board and all pawns at home: knights change the color of their
/// square with every move, and rooks have two squares.
pub(super) fn parity(diagram: &Diagram, turn: Color) -> Option<Argument> {
    let pawns_at_home = |color| (diagram.pieces(color, Role::Pawn) & pawn_rank(color)).len() == 8;
    if diagram.piece_counts() != [16, 16] || !Color::ALL.into_iter().all(pawns_at_home) {
        return None;
    }
    let odd = |color: Color| {
        let knights = diagram.pieces(color, Role::Knight).squares();
        let light = knights.filter(|square| square.is_light()).count();
        let rooks = diagram.pieces(color, Role::Rook).squares();
        let moved = rooks.filter(|square| matches!(square.file(), 1 | 6)).count();
        // One knight starts on each color.
        (light + 1 + moved) % 2 == 1
    };
    let [odd_white, odd_black] = Color::ALL.map(odd);
    let white_to_move = odd_white == odd_black;
    (turn.is_white() != white_to_move).then_some(Argument::Parity { odd_white, odd_black, turn })
}
