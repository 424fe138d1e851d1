//! Distance maps: the least number of moves from every square to the end of one leg.

use crate::distance::NEVER;
use crate::distance::steps::Steps;
use umbrail_chess::attacks;
use umbrail_chess::geometry::{Bitboard, Square};

/// Number of layers; the last layer contains all larger distances.
const LAYERS: usize = 32;

/// Condition on the last move of a leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LegTarget {
    /// Stand on the square; no move is needed if the piece is already there.
    Stand(Square),
    /// Move onto the square: an officer's capture, a quiet promotion.
    Land(Square),
    /// Move onto the square as a capturing pawn.
    Take(Square),
    /// Make any move from this square; the distance then comes from another map.
    Leave(Square),
    /// Castle from this square, with one own move of the piece (the king) or none (the rook).
    Castle(Square, u8),
}

impl LegTarget {
    /// Returns the square of the target.
    pub(crate) const fn square(self) -> Square {
        match self {
            Self::Stand(q)
            | Self::Land(q)
            | Self::Take(q)
            | Self::Leave(q)
            | Self::Castle(q, _) => q,
        }
    }
}

/// Least number of moves to a target, by square.
#[derive(Clone)]
pub(crate) struct DistanceMap {
    /// Moves by square, or [`NEVER`].
    pub moves: [u8; 64],
    /// Squares within each distance.
    within: [Bitboard; LAYERS],
}

impl DistanceMap {
    /// Measures backward from the target, one layer at a time.
    ///
    /// A quiet move never stops on a `forbidden` square, and never lands on one unless the caller
    /// excludes the target from them. Distances of forbidden squares are kept, since a leg may
    /// begin there. `blocked` squares are permanently occupied.
    ///
    /// *Admissible*: every obstacle that is not known to be permanent is ignored, so a real piece's
    /// moves form a path along these steps, and the shortest path is no longer.
    pub(crate) fn new(
        steps: &Steps,
        target: LegTarget,
        forbidden: Bitboard,
        blocked: Bitboard,
    ) -> Self {
        let mut map = Self { moves: [NEVER; 64], within: [Bitboard::EMPTY; LAYERS] };
        let goal = target.square();
        let open = !blocked;
        let mut layer = match target {
            LegTarget::Stand(_) => Bitboard::of(goal) & open,
            LegTarget::Castle(_, cost) => {
                map.moves[goal.index()] = cost;
                map.fill_layers();
                return map;
            }
            LegTarget::Leave(_) => return map,
            _ if blocked.contains(goal) || forbidden.contains(goal) => Bitboard::EMPTY,
            LegTarget::Land(_) => before(steps, goal, blocked) & open,
            LegTarget::Take(_) => attacks::pawn(!steps.move_kind.color(), goal) & open,
        };
        let mut away = u8::from(!matches!(target, LegTarget::Stand(_)));
        let mut seen = Bitboard::EMPTY;
        while layer.any() {
            seen |= layer;
            let mut next = Bitboard::EMPTY;
            for square in layer.squares() {
                map.moves[square.index()] = away;
                if !forbidden.contains(square) || (away == 0 && square == goal) {
                    next |= before(steps, square, blocked);
                }
            }
            if usize::from(away) < LAYERS {
                map.within[usize::from(away)] = seen;
            }
            layer = next & open & !seen;
            away += 1;
        }
        for i in usize::from(away).min(LAYERS)..LAYERS {
            map.within[i] = seen;
        }
        map.within[LAYERS - 1] = seen;
        map
    }

    /// Creates a map for one square only: the home of a piece that must leave it.
    pub(crate) fn at(square: Square, moves: u8) -> Self {
        let mut map = Self { moves: [NEVER; 64], within: [Bitboard::EMPTY; LAYERS] };
        map.moves[square.index()] = moves;
        map.fill_layers();
        map
    }

    /// Returns the squares from which the target is at most `moves` moves away (a superset for 31
    /// and more).
    #[inline]
    pub(crate) fn within(&self, moves: i32) -> Bitboard {
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

/// Returns the squares from which one quiet step leads to `to`.
#[inline]
pub(crate) fn before(steps: &Steps, to: Square, blocked: Bitboard) -> Bitboard {
    if !steps.move_kind.is_pawn() {
        return steps.open(to, blocked);
    }
    let back = if steps.move_kind.color().is_white() { -8 } else { 8 };
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

/// Returns the least number of quiet moves from one square to all others, never stopping on a
/// forbidden square.
pub(crate) fn reach(steps: &Steps, from: Square, forbidden: Bitboard) -> [u8; 64] {
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
        layer = next & !seen & !forbidden;
        seen |= layer;
        away += 1;
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::move_kind::MoveKind;

    fn map(
        move_kind: MoveKind,
        target: LegTarget,
        barriers: &[Bitboard],
        forbidden: Bitboard,
    ) -> DistanceMap {
        DistanceMap::new(&Steps::new(move_kind, barriers), target, forbidden, Bitboard::EMPTY)
    }

    #[test]
    fn distances_on_an_empty_board() {
        let knight = map(MoveKind::Knight, LegTarget::Stand(Square::A1), &[], Bitboard::EMPTY);
        assert_eq!(knight.moves[Square::B2.index()], 4);
        assert_eq!(knight.moves[Square::H8.index()], 6);
        assert_eq!(knight.within(1).len(), 3);
        let pawn = map(MoveKind::WhitePawn, LegTarget::Take(Square::C5), &[], Bitboard::EMPTY);
        assert_eq!(pawn.moves[Square::B2.index()], 2);
        assert_eq!(pawn.moves[Square::D4.index()], 1);
        assert_eq!(pawn.moves[Square::C4.index()], NEVER);
        let promotion = map(MoveKind::BlackPawn, LegTarget::Land(Square::H1), &[], Bitboard::EMPTY);
        assert_eq!(promotion.moves[Square::H7.index()], 5);
    }

    #[test]
    fn a_capture_where_one_stands_takes_two_moves() {
        let rook = map(MoveKind::Rook, LegTarget::Land(Square::A1), &[], Bitboard::EMPTY);
        assert_eq!(rook.moves[Square::A1.index()], 2);
    }

    #[test]
    fn shunned_squares_are_left_but_not_entered() {
        let forbidden: Bitboard = [Square::B3, Square::C2].into_iter().collect();
        let knight = map(MoveKind::Knight, LegTarget::Stand(Square::D4), &[], forbidden);
        // From a1 the knight can only go to b3 and c2.
        assert_eq!(knight.moves[Square::A1.index()], NEVER);
        assert_eq!(knight.moves[Square::B3.index()], 1);
        let there = reach(&Steps::new(MoveKind::Knight, &[]), Square::A1, forbidden);
        assert!(there.iter().filter(|&&moves| moves != NEVER).count() == 1);
    }

    #[test]
    fn blocked_squares_are_neither_entered_nor_passed() {
        let steps = Steps::new(MoveKind::Rook, &[]);
        let blocked = Bitboard::of(Square::A4).with(Square::B1);
        let rook = DistanceMap::new(&steps, LegTarget::Stand(Square::A8), Bitboard::EMPTY, blocked);
        assert_eq!(rook.moves[Square::A1.index()], 4);
        assert_eq!(rook.moves[Square::A4.index()], NEVER);
        let shut = DistanceMap::new(&steps, LegTarget::Stand(Square::A4), Bitboard::EMPTY, blocked);
        assert_eq!(shut.moves[Square::A5.index()], NEVER);
    }
}
