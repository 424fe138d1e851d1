//! How far it is: the least number of moves from every square to the goal of one leg of a life.

use crate::distance::steps::Steps;
use umbrail_chess::attacks;
use umbrail_chess::geometry::{Bitboard, Square};

/// A distance that stands for *never*.
pub const NEVER: u8 = 255;

/// Layers kept apart; everything further lies in the last one.
const LAYERS: usize = 32;

/// What the last move of a leg has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aim {
    /// To stand on the square; no move is needed when the man is there already.
    Stand(Square),
    /// To move onto the square: an officer's capture, a quiet promotion.
    Land(Square),
    /// To move onto the square the way pawns capture.
    Take(Square),
    /// To have moved at all, from this square; how far it is then is another field's matter.
    Leave(Square),
    /// To castle from this square with a move of the man's own (the king) or none (the rook).
    Castle(Square, u8),
}

impl Aim {
    /// The square of it.
    pub const fn square(self) -> Square {
        match self {
            Self::Stand(q)
            | Self::Land(q)
            | Self::Take(q)
            | Self::Leave(q)
            | Self::Castle(q, _) => q,
        }
    }
}

/// Least numbers of moves to an aim, by square.
#[derive(Clone)]
pub struct Field {
    /// By square, or [`NEVER`].
    pub moves: [u8; 64],
    /// Squares that are at most so many moves away.
    within: [Bitboard; LAYERS],
}

impl Field {
    /// Measures backward from the aim, one layer a time.
    ///
    /// `shunned` squares are never stopped on quietly, nor landed on unless the caller leaves the aim
    /// out of them; their own distance is kept, since a leg may begin there. `blocked` squares are taken by
    /// somebody for good.
    ///
    /// *Admissible*: every obstacle that is not known to last is ignored, so a real man's moves form a
    /// walk along these steps, and the shortest walk is no longer.
    pub fn new(steps: &Steps, aim: Aim, shunned: Bitboard, blocked: Bitboard) -> Self {
        let mut field = Self { moves: [NEVER; 64], within: [Bitboard::EMPTY; LAYERS] };
        let goal = aim.square();
        let open = !blocked;
        let mut layer = match aim {
            Aim::Stand(_) => Bitboard::of(goal) & open,
            Aim::Castle(_, cost) => {
                field.moves[goal.index()] = cost;
                field.fill_layers();
                return field;
            }
            Aim::Leave(_) => return field,
            _ if blocked.contains(goal) || shunned.contains(goal) => Bitboard::EMPTY,
            Aim::Land(_) => before(steps, goal, blocked) & open,
            Aim::Take(_) => attacks::pawn(!steps.gait.color(), goal) & open,
        };
        let mut away = u8::from(!matches!(aim, Aim::Stand(_)));
        let mut seen = Bitboard::EMPTY;
        while layer.any() {
            seen |= layer;
            let mut next = Bitboard::EMPTY;
            for square in layer.squares() {
                field.moves[square.index()] = away;
                if !shunned.contains(square) || (away == 0 && square == goal) {
                    next |= before(steps, square, blocked);
                }
            }
            if usize::from(away) < LAYERS {
                field.within[usize::from(away)] = seen;
            }
            layer = next & open & !seen;
            away += 1;
        }
        for i in usize::from(away).min(LAYERS)..LAYERS {
            field.within[i] = seen;
        }
        field.within[LAYERS - 1] = seen;
        field
    }

    /// A field known at one square alone: the home of a man that must leave it.
    pub fn at(square: Square, moves: u8) -> Self {
        let mut field = Self { moves: [NEVER; 64], within: [Bitboard::EMPTY; LAYERS] };
        field.moves[square.index()] = moves;
        field.fill_layers();
        field
    }

    /// The squares from which the aim is at most `moves` moves away (a superset for 31 and more).
    #[inline]
    pub fn within(&self, moves: i32) -> Bitboard {
        if moves < 0 { Bitboard::EMPTY } else { self.within[(moves as usize).min(LAYERS - 1)] }
    }

    fn fill_layers(&mut self) {
        for square in Square::all() {
            let away = usize::from(self.moves[square.index()]);
            if away < usize::from(NEVER) {
                for layer in &mut self.within[away.min(LAYERS - 1)..] {
                    *layer = layer.with(square);
                }
            }
        }
    }
}

/// The squares from which one quiet step leads to `to`.
#[inline]
pub fn before(steps: &Steps, to: Square, blocked: Bitboard) -> Bitboard {
    if !steps.gait.is_pawn() {
        return steps.open(to, blocked);
    }
    let back = if steps.gait.color().is_white() { -8 } else { 8 };
    let mut from = Bitboard::EMPTY;
    for distance in [1, 2] {
        let square = i32::from(to.number()) + distance * back;
        if (0..64).contains(&square) {
            let square = Square::new(square as u8);
            if !blocked.contains(square) && steps.open(square, blocked).contains(to) {
                from = from.with(square);
            }
        }
    }
    from
}

/// Least numbers of quiet moves from one square to all others, never stopping on a shunned square.
pub fn reach(steps: &Steps, from: Square, shunned: Bitboard) -> [u8; 64] {
    let mut moves = [NEVER; 64];
    let mut layer = Bitboard::of(from);
    let mut seen = layer;
    let mut away = 0;
    while layer.any() {
        let mut next = Bitboard::EMPTY;
        for square in layer.squares() {
            moves[square.index()] = away;
            next |= steps.to[square.index()];
        }
        layer = next & !seen & !shunned;
        seen |= layer;
        away += 1;
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::move_kind::Gait;

    fn field(gait: Gait, aim: Aim, barriers: &[Bitboard], shunned: Bitboard) -> Field {
        Field::new(&Steps::new(gait, barriers), aim, shunned, Bitboard::EMPTY)
    }

    #[test]
    fn distances_on_an_empty_board() {
        let knight = field(Gait::Knight, Aim::Stand(Square::A1), &[], Bitboard::EMPTY);
        assert_eq!(knight.moves[Square::B2.index()], 4);
        assert_eq!(knight.moves[Square::H8.index()], 6);
        assert_eq!(knight.within(1).len(), 3);
        let pawn = field(Gait::WhitePawn, Aim::Take(Square::C5), &[], Bitboard::EMPTY);
        assert_eq!(pawn.moves[Square::B2.index()], 2);
        assert_eq!(pawn.moves[Square::D4.index()], 1);
        assert_eq!(pawn.moves[Square::C4.index()], NEVER);
        let promotion = field(Gait::BlackPawn, Aim::Land(Square::H1), &[], Bitboard::EMPTY);
        assert_eq!(promotion.moves[Square::H7.index()], 5);
    }

    #[test]
    fn a_capture_where_one_stands_takes_two_moves() {
        let rook = field(Gait::Rook, Aim::Land(Square::A1), &[], Bitboard::EMPTY);
        assert_eq!(rook.moves[Square::A1.index()], 2);
    }

    #[test]
    fn shunned_squares_are_left_but_not_entered() {
        let shunned: Bitboard = [Square::B3, Square::C2].into_iter().collect();
        let knight = field(Gait::Knight, Aim::Stand(Square::D4), &[], shunned);
        // From a1 only b3 and c2 are to be reached.
        assert_eq!(knight.moves[Square::A1.index()], NEVER);
        assert_eq!(knight.moves[Square::B3.index()], 1);
        let there = reach(&Steps::new(Gait::Knight, &[]), Square::A1, shunned);
        assert!(there.iter().filter(|&&moves| moves != NEVER).count() == 1);
    }

    #[test]
    fn blocked_squares_are_neither_entered_nor_passed() {
        let steps = Steps::new(Gait::Rook, &[]);
        let blocked = Bitboard::of(Square::A4).with(Square::B1);
        let rook = Field::new(&steps, Aim::Stand(Square::A8), Bitboard::EMPTY, blocked);
        assert_eq!(rook.moves[Square::A1.index()], 4);
        assert_eq!(rook.moves[Square::A4.index()], NEVER);
        let shut = Field::new(&steps, Aim::Stand(Square::A4), Bitboard::EMPTY, blocked);
        assert_eq!(shut.moves[Square::A5.index()], NEVER);
    }
}
