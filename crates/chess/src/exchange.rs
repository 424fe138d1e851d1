//! Static exchange evaluation: the value of a sequence of captures on one square.

use super::attacks;
use super::moves::Move;
use super::piece::Role;
use super::position::Position;
use crate::geometry::{Bitboard, Color, Square};

/// Exchange values in centipawns: pawn, knight, bishop, rook, queen, king. Knights and bishops are
/// equal, so that giving one for the other loses nothing; a king is worth more than all the rest.
pub const VALUES: [i32; 6] = [100, 300, 300, 500, 900, 20_000];

/// Returns the material that the side to move wins (or loses, negative) on the target square of a
/// legal move when both sides capture with their cheapest piece first and may stop at any time;
/// centipawns. Pins are ignored; x-rays are included. Castling and quiet moves without attackers
/// are worth 0.
pub fn see(position: &Position, mv: Move) -> i32 {
    if position.is_castle(mv) {
        return 0;
    }
    let (from, to) = (mv.from(), mv.to());
    let Some(mover) = position.role_at(from) else { return 0 };
    let mut occupied = position.occupied().without(from).with(to);
    let mut gains = [0i32; 33];
    let value = |role: Role| VALUES[role.index()];
    gains[0] = position.captured(mv).map_or(0, value);
    if position.is_en_passant(mv) {
        occupied = occupied.without(Square::at(to.file(), from.rank()));
    }
    let mut standing = value(mover);
    if let Some(role) = mv.promotion() {
        gains[0] += value(role) - value(Role::Pawn);
        standing = value(role);
    }
    let mut side = !position.turn();
    let mut depth = 0;
    loop {
        let takers = attackers(position, to, occupied) & position.by_color(side) & occupied;
        let Some(role) = cheapest(position, takers) else { break };
        let others = position.by_color(!side) & occupied;
        // A king may not capture a protected piece.
        if role == Role::King && (attackers(position, to, occupied) & others).any() {
            break;
        }
        depth += 1;
        gains[depth] = standing - gains[depth - 1];
        standing = value(role);
        let taker = takers & position.by_role(role);
        occupied = occupied.without(taker.lowest());
        side = !side;
    }
    while depth > 0 {
        gains[depth - 1] = -gains[depth].max(-gains[depth - 1]);
        depth -= 1;
    }
    gains[0]
}

fn attackers(position: &Position, to: Square, occupied: Bitboard) -> Bitboard {
    position.attackers(to, Color::White, occupied) | position.attackers(to, Color::Black, occupied)
}

fn cheapest(position: &Position, takers: Bitboard) -> Option<Role> {
    Role::ALL.into_iter().find(|&role| (takers & position.by_role(role)).any())
}

/// Returns true when a legal move loses at most `-threshold` by exchanges: `see(mv) >= threshold`.
/// Needs no list of gains and stops as soon as the result is known.
pub fn see_at_least(position: &Position, mv: Move, threshold: i32) -> bool {
    if position.is_castle(mv) {
        return 0 >= threshold;
    }
    let (from, to) = (mv.from(), mv.to());
    let Some(mover) = position.role_at(from) else { return 0 >= threshold };
    let value = |role: Role| VALUES[role.index()];
    let mut balance = position.captured(mv).map_or(0, value) - threshold;
    let mut standing = value(mover);
    if let Some(role) = mv.promotion() {
        balance += value(role) - value(Role::Pawn);
        standing = value(role);
    }
    if balance < 0 {
        return false;
    }
    balance -= standing;
    if balance >= 0 {
        return true;
    }
    let mut occupied = position.occupied().without(from).with(to);
    if position.is_en_passant(mv) {
        occupied = occupied.without(Square::at(to.file(), from.rank()));
    }
    let us = position.turn();
    let diagonal = position.by_role(Role::Bishop) | position.by_role(Role::Queen);
    let straight = position.by_role(Role::Rook) | position.by_role(Role::Queen);
    let mut all = attackers(position, to, occupied) & occupied;
    let mut side = !us;
    loop {
        let takers = all & position.by_color(side);
        let Some(role) = cheapest(position, takers) else { break };
        let taker = takers & position.by_role(role);
        occupied = occupied.without(taker.lowest());
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            all |= attacks::bishop(to, occupied) & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            all |= attacks::rook(to, occupied) & straight;
        }
        all &= occupied;
        side = !side;
        balance = -balance - 1 - value(role);
        if balance >= 0 {
            // The king has captured a protected piece: that move was illegal, and the other side
            // wins.
            if role == Role::King && (all & position.by_color(side)).any() {
                side = !side;
            }
            break;
        }
    }
    us != side
}

#[cfg(test)]
mod tests {
    use super::{see, see_at_least};
    use crate::geometry::Setup;
    use crate::{Position, parse_uci};

    fn worth(fen: &str, uci: &str, expected: i32) {
        let position = Position::try_from(&fen.parse::<Setup>().unwrap()).unwrap();
        let mv = parse_uci(&position, uci).unwrap();
        assert_eq!(see(&position, mv), expected, "{uci} in {fen}");
        assert!(see_at_least(&position, mv, expected), "{uci} in {fen}");
        assert!(!see_at_least(&position, mv, expected + 1), "{uci} in {fen}");
    }

    #[test]
    fn exchanges_are_worth_what_remains() {
        worth("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100);
        worth("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -200);
        worth("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100);
        worth("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0);
        worth("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", -400);
        worth("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", 0);
        worth("8/8/8/3pP3/8/8/8/K6k w - d6 0 1", "e5d6", 100);
        worth("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 800);
    }

    #[test]
    fn a_king_takes_only_what_is_free() {
        worth("8/8/4k3/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100);
        worth("8/8/4k3/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", -400);
    }
}
