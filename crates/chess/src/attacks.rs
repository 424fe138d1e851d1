//! Attack sets of the pieces, and the lines between squares.

use super::piece::Role;
use super::sliders;
use crate::geometry::{Bitboard, Color, Square};

const fn leaper(steps: [(i32, i32); 8]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let square = Square::new(from as u8);
        let mut i = 0;
        while i < 8 {
            if let Some(to) = square.offset(steps[i].0, steps[i].1) {
                table[from] = table[from].with(to);
            }
            i += 1;
        }
        from += 1;
    }
    table
}

static KNIGHT: [Bitboard; 64] =
    leaper([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: [Bitboard; 64] =
    leaper([(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]);
static PAWN: [[Bitboard; 64]; 2] = [
    leaper([(1, 1), (-1, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1)]),
    leaper([(1, -1), (-1, -1), (1, -1), (1, -1), (1, -1), (1, -1), (1, -1), (1, -1)]),
];

/// Squares strictly between two squares of one line, and the whole line through both.
struct LineTables {
    between: [[Bitboard; 64]; 64],
    through: [[Bitboard; 64]; 64],
}

const fn lines() -> LineTables {
    let mut lines =
        LineTables { between: [[Bitboard::EMPTY; 64]; 64], through: [[Bitboard::EMPTY; 64]; 64] };
    let steps = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    let mut from = 0;
    while from < 64 {
        let origin = Square::new(from as u8);
        let mut i = 0;
        while i < 8 {
            let (dx, dy) = steps[i];
            // Whole line: this ray, the opposite ray and the origin.
            let mut line = Bitboard::of(origin);
            let mut way = 0;
            while way < 2 {
                let sign = 1 - 2 * way;
                let mut at = origin;
                while let Some(next) = at.offset(sign * dx, sign * dy) {
                    line = line.with(next);
                    at = next;
                }
                way += 1;
            }
            let mut passed = Bitboard::EMPTY;
            let mut at = origin;
            while let Some(next) = at.offset(dx, dy) {
                lines.between[from][next.index()] = passed;
                lines.through[from][next.index()] = line;
                passed = passed.with(next);
                at = next;
            }
            i += 1;
        }
        from += 1;
    }
    lines
}

static LINES: LineTables = lines();

/// Returns the squares a knight attacks.
#[inline]
pub fn knight(from: Square) -> Bitboard {
    KNIGHT[from.index()]
}

/// Returns the squares a king attacks.
#[inline]
pub fn king(from: Square) -> Bitboard {
    KING[from.index()]
}

/// Returns the squares a pawn of this color attacks.
#[inline]
pub fn pawn(color: Color, from: Square) -> Bitboard {
    PAWN[color.index()][from.index()]
}

/// Returns the squares a rook attacks with these squares occupied.
#[inline]
pub fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    sliders::rook(from, occupied)
}

/// Returns the squares a bishop attacks with these squares occupied.
#[inline]
pub fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    sliders::bishop(from, occupied)
}

/// Returns the squares a queen attacks with these squares occupied.
#[inline]
pub fn queen(from: Square, occupied: Bitboard) -> Bitboard {
    rook(from, occupied) | bishop(from, occupied)
}

/// Returns the squares a piece of this role and color attacks.
#[inline]
pub fn of(role: Role, color: Color, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn(color, from),
        Role::Knight => knight(from),
        Role::Bishop => bishop(from, occupied),
        Role::Rook => rook(from, occupied),
        Role::Queen => queen(from, occupied),
        Role::King => king(from),
    }
}

/// Returns the squares attacked by any pawn of a set.
#[inline]
pub fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let not_a = Bitboard(pawns.0 & !Bitboard::file(0).0);
    let not_h = Bitboard(pawns.0 & !Bitboard::file(7).0);
    match color {
        Color::White => not_a << 7 | not_h << 9,
        Color::Black => not_a >> 9 | not_h >> 7,
    }
}

/// Returns the squares attacked by any knight of a set.
#[inline]
pub(crate) fn knights(knights: Bitboard) -> Bitboard {
    let near = |set: u64| (set << 1 & 0xFEFE_FEFE_FEFE_FEFE) | (set >> 1 & 0x7F7F_7F7F_7F7F_7F7F);
    let far = |set: u64| (set << 2 & 0xFCFC_FCFC_FCFC_FCFC) | (set >> 2 & 0x3F3F_3F3F_3F3F_3F3F);
    let (one, two) = (near(knights.0), far(knights.0));
    Bitboard(one << 16 | one >> 16 | two << 8 | two >> 8)
}

/// Returns the squares strictly between two squares; empty when they share no rank, file or
/// diagonal.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    LINES.between[a.index()][b.index()]
}

/// Returns the whole rank, file or diagonal through two squares, both included; empty when there is
/// none.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINES.through[a.index()][b.index()]
}

#[cfg(test)]
mod tests {
    use super::{between, knight, knights, line, pawn, pawns};
    use crate::geometry::{Bitboard, Color, Square};

    #[test]
    fn sets_attack_what_their_members_attack() {
        for set in [Bitboard(0x8100_0000_0042_1881), Bitboard::FULL, Bitboard::file(7)] {
            let each = |f: &dyn Fn(Square) -> Bitboard| {
                set.squares().map(f).fold(Bitboard::EMPTY, |all, one| all | one)
            };
            assert_eq!(knights(set), each(&knight));
            for color in Color::ALL {
                assert_eq!(pawns(color, set), each(&|from| pawn(color, from)));
            }
        }
    }

    #[test]
    fn lines_hold_what_lies_between() {
        assert_eq!(between(Square::A1, Square::D4).len(), 2);
        assert_eq!(between(Square::D4, Square::A1), between(Square::A1, Square::D4));
        assert!(between(Square::A1, Square::B3).is_empty());
        assert_eq!(line(Square::B2, Square::C3).len(), 8);
        assert_eq!(line(Square::A1, Square::B1), Bitboard::rank(0));
        assert!(line(Square::A1, Square::B3).is_empty());
    }
}
