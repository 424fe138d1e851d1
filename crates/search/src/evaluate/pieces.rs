//! Activity of the pieces: mobility, threats and attacks on the enemy king.

use super::tuned::WEIGHTS;
use super::weights::{
    BISHOP_MOBILITY, BISHOP_PAIR, HANGING, KING_DANGER, KNIGHT_MOBILITY, MINOR_THREAT, OUTPOST,
    PAWN_THREAT, QUEEN_MOBILITY, ROOK_HALF_OPEN, ROOK_MOBILITY, ROOK_OPEN, ROOK_THREAT, SHELTER,
    STORM,
};
use super::{Sum, Tally, seen_by};
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Position, Role, attacks};

/// Squares that a side attacks, by kind of attacker.
#[derive(Clone, Copy, Default)]
struct Reach {
    pawns: Bitboard,
    minors: Bitboard,
    rooks: Bitboard,
    all: Bitboard,
    /// Strength of the attack on the squares around the enemy king.
    danger: usize,
    attackers: usize,
}

/// Counts the piece features of both sides.
pub(super) fn add<T: Tally>(position: &Position, sum: &mut Sum<'_, T>) {
    let reach = [side(position, Color::White, sum), side(position, Color::Black, sum)];
    for color in Color::ALL {
        let own = &reach[color.index()];
        threats(position, color, own, &reach[(!color).index()], sum);
        if own.attackers >= 2 {
            let feature = KING_DANGER + own.danger.min(23);
            sum.add_as(color, feature, sum.terms.king_danger(WEIGHTS[feature], sum.phase));
        }
        shelter(position, color, sum);
    }
}

fn side<T: Tally>(position: &Position, color: Color, sum: &mut Sum<'_, T>) -> Reach {
    let own_pawns = position.pieces(color, Role::Pawn);
    let enemy_pawns = position.pieces(!color, Role::Pawn);
    let (king, enemy_king) = (position.king(color), position.king(!color));
    let occupied = position.occupied();
    let mut reach = Reach { pawns: attacks::pawns(color, own_pawns), ..Reach::default() };
    reach.all = reach.pawns | attacks::king(king);
    let dangerous = attacks::pawns(!color, enemy_pawns);
    let safe = !(dangerous | own_pawns | Bitboard::of(king));
    let dy = if color.is_white() { -1 } else { 1 };
    let zone = attacks::king(enemy_king) | attacks::king(enemy_king).shift(0, dy);
    // Sliders see through own sliders of their kind: both pieces of a battery attack.
    let queens = position.pieces(color, Role::Queen);
    let rooks = position.pieces(color, Role::Rook);
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        let (mobility, weight, transparent) = match role {
            Role::Knight => (KNIGHT_MOBILITY, 2, Bitboard::EMPTY),
            Role::Bishop => (BISHOP_MOBILITY, 2, queens),
            Role::Rook => (ROOK_MOBILITY, 3, queens | rooks),
            _ => (QUEEN_MOBILITY, 4, Bitboard::EMPTY),
        };
        for square in position.pieces(color, role) {
            let sees = attacks::of(role, color, square, occupied - transparent);
            sum.add(color, mobility + (sees & safe).len() as usize);
            let near = (sees & zone & !dangerous).len() as usize;
            if near > 0 {
                reach.attackers += 1;
                reach.danger += weight + near.min(3) - 1;
            }
            match role {
                Role::Rook => reach.rooks |= sees,
                Role::Queen => {}
                _ => reach.minors |= sees,
            }
            reach.all |= sees;
            if role == Role::Rook {
                let file = Bitboard::file(square.file());
                if (file & own_pawns).is_empty() {
                    let open = (file & enemy_pawns).is_empty();
                    sum.add(color, if open { ROOK_OPEN } else { ROOK_HALF_OPEN });
                }
            }
            if matches!(role, Role::Knight | Role::Bishop)
                && reach.pawns.contains(square)
                && matches!(seen_by(color, square).rank(), 3..=5)
                && (enemy_pawns & attack_span(color, square)).is_empty()
            {
                sum.add(color, OUTPOST);
            }
        }
    }
    if position.pieces(color, Role::Bishop).more_than_one() {
        sum.add(color, BISHOP_PAIR);
    }
    reach
}

/// Returns the squares ahead on the adjacent files from which an enemy pawn could advance to attack
/// this square.
fn attack_span(color: Color, square: Square) -> Bitboard {
    let file = Bitboard::file(square.file());
    let beside = file.shift(1, 0) | file.shift(-1, 0);
    let rank = square.rank();
    let ahead = match color {
        Color::White => Bitboard(!0 << (8 * u32::from(rank)) << 8),
        Color::Black => Bitboard((1 << (8 * u32::from(rank))) - 1),
    };
    beside & ahead
}

fn threats<T: Tally>(
    position: &Position,
    color: Color,
    own: &Reach,
    enemy: &Reach,
    sum: &mut Sum<'_, T>,
) {
    let prey = |role| position.pieces(!color, role);
    let minors = prey(Role::Knight) | prey(Role::Bishop);
    let mut count = |feature, set: Bitboard| sum.add_times(color, feature, set.len() as i32);
    count(PAWN_THREAT, own.pawns & minors);
    count(PAWN_THREAT + 1, own.pawns & prey(Role::Rook));
    count(PAWN_THREAT + 2, own.pawns & prey(Role::Queen));
    count(MINOR_THREAT, own.minors & prey(Role::Rook));
    count(MINOR_THREAT + 1, own.minors & prey(Role::Queen));
    count(ROOK_THREAT, own.rooks & prey(Role::Queen));
    count(HANGING, own.all & position.by_color(!color) & !enemy.all);
}

/// Counts the pawns in front of the king, on its file and the adjacent ones.
fn shelter<T: Tally>(position: &Position, color: Color, sum: &mut Sum<'_, T>) {
    let king = position.king(color);
    let center = king.file().clamp(1, 6);
    for file in center - 1..=center + 1 {
        let column = Bitboard::file(file);
        let mut moves = 3;
        for pawn in position.pieces(color, Role::Pawn) & column {
            let ahead =
                i32::from(seen_by(color, pawn).rank()) - i32::from(seen_by(color, king).rank());
            let slot = match ahead {
                1 => 0,
                2 => 1,
                3.. => 2,
                _ => 3,
            };
            moves = moves.min(slot);
        }
        sum.add(color, SHELTER + moves);
        for pawn in position.pieces(!color, Role::Pawn) & column {
            let seen = seen_by(color, pawn).rank();
            if seen > seen_by(color, king).rank() {
                sum.add(color, STORM + usize::from(seen));
            }
        }
    }
}
