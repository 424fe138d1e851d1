//! Reversible moves, detected by their effect on the key.
//!
//! A quiet move of a piece (not of a pawn) changes the key by one number, determined by the piece's
//! two squares and the side to move. If the keys of two positions of a game differ by such a
//! number, one move leads from one to the other. (Marcel van Kervinck, "The design and
//! implementation of the Rookie 2.0 chess playing program", 2019, who keeps the 3668 numbers in a
//! cuckoo table, as this module does.)

use super::{Position, Role, attacks, zobrist};
use crate::geometry::{Bitboard, Color, Square};
use std::sync::LazyLock;

const SLOTS: usize = 1 << 13;

/// Number and its two squares; an empty slot has the number 0.
type CycleEntry = (u64, [Square; 2]);

static TABLE: LazyLock<Box<[CycleEntry]>> = LazyLock::new(|| {
    let mut table = vec![(0, [Square::A1; 2]); SLOTS].into_boxed_slice();
    for color in Color::ALL {
        for role in &Role::ALL[1..] {
            for from in Bitboard::FULL {
                for to in attacks::of(*role, color, from, Bitboard::EMPTY) {
                    if from < to {
                        let key = |square| zobrist::piece(color, *role, square);
                        let number = key(from) ^ key(to) ^ zobrist::black_to_move();
                        put(&mut table, (number, [from, to]));
                    }
                }
            }
        }
    }
    table
});

/// Returns the two slots of a number.
fn places(number: u64) -> [usize; 2] {
    [number as usize & (SLOTS - 1), (number >> 16) as usize & (SLOTS - 1)]
}

/// Puts a number in its first slot; a number already there moves to its other slot, and so on.
fn put(table: &mut [CycleEntry], mut slot: CycleEntry) {
    let mut place = places(slot.0)[0];
    loop {
        std::mem::swap(&mut table[place], &mut slot);
        if slot.0 == 0 {
            return;
        }
        let [first, second] = places(slot.0);
        place = if place == first { second } else { first };
    }
}

/// Returns the two squares of the move with this number.
fn squares(number: u64) -> Option<[Square; 2]> {
    places(number).into_iter().find(|&place| TABLE[place].0 == number).map(|place| TABLE[place].1)
}

impl Position {
    /// Returns true when the side to move has a quiet move back into an earlier position. `history`
    /// contains the keys of all earlier positions, oldest first. `counts` receives an index of
    /// `history` and returns true when a return to that position would be a draw.
    ///
    /// The path of the move is checked. A possible attack on the own king is ignored; it is rare
    /// (the piece must have been pinned since it left).
    pub fn may_return(&self, history: &[u64], counts: impl Fn(usize) -> bool) -> bool {
        let reach = usize::from(self.halfmoves()).min(history.len());
        (3..=reach).step_by(2).any(|back| {
            let index = history.len() - back;
            squares(self.key() ^ history[index]).is_some_and(|[one, other]| {
                let own = self.by_color(self.turn());
                let mover = own.contains(one) || own.contains(other);
                let free = (attacks::between(one, other) & self.occupied()).is_empty();
                mover && free && counts(index)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Position, TABLE, places};
    use crate::geometry::Setup;
    use crate::parse_uci;

    #[test]
    fn every_number_stands_in_one_of_its_places() {
        let used: Vec<_> = TABLE.iter().enumerate().filter(|(_, slot)| slot.0 != 0).collect();
        // 168 knight, 280 bishop, 448 rook, 728 queen and 210 king moves without direction, two
        // colors.
        assert_eq!(used.len(), 3_668);
        assert!(used.iter().all(|(place, slot)| places(slot.0).contains(place)));
    }

    /// Reference implementation: plays every legal move and looks for its key.
    fn returns(position: &Position, history: &[u64]) -> bool {
        let reach = usize::from(position.halfmoves()).min(history.len());
        let recent = &history[history.len() - reach..];
        position.legal_moves().into_iter().any(|mv| {
            let key = position.after(mv).key();
            recent.contains(&key)
        })
    }

    #[test]
    fn returning_moves_are_seen_as_by_trying_them_all() {
        let mut seen = [0; 2];
        for (seed, fen) in [
            "8/8/1p2k1p1/3p3p/1p1P1P1P/1P2PK2/8/8 w - - 3 54",
            "6k1/5pp1/8/2bKP2P/2P5/p4PNb/B7/8 b - - 1 44",
            "r4rk1/8/3q4/8/8/3Q4/8/R4RK1 w - - 0 1",
            Setup::START_FEN,
        ]
        .into_iter()
        .enumerate()
        {
            let mut random = 0x9E37_79B9_u64 + seed as u64;
            for _ in 0..60 {
                let mut position = Position::try_from(&fen.parse::<Setup>().unwrap()).unwrap();
                let mut history = vec![];
                for _ in 0..30 {
                    let plain = returns(&position, &history);
                    let quick = position.may_return(&history, |_| true);
                    // A pinned piece is the only difference.
                    assert!(quick || !plain, "{position}");
                    assert!(plain || !quick || position.shields(position.turn()).any());
                    seen[usize::from(plain)] += 1;
                    let moves = position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    history.push(position.key());
                    position = position.after(moves[(random >> 33) as usize % moves.len()]);
                }
            }
        }
        assert!(seen[0] > 500 && seen[1] > 200, "{seen:?}");
    }

    #[test]
    fn a_knight_out_and_back_may_return() {
        let mut position = Position::startpos();
        let mut history = vec![];
        for text in ["g1f3", "g8f6", "f3g1"] {
            assert!(!position.may_return(&history, |_| true));
            history.push(position.key());
            position = position.after(parse_uci(&position, text).unwrap());
        }
        assert!(position.may_return(&history, |_| true));
        assert!(!position.may_return(&history, |index| index > 0));
    }
}
