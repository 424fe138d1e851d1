//! Single moves that permanent obstacles leave possible: fixed pieces and pieces confined to few
//! squares.

use crate::distance::move_kind::MoveKind;
use umbrail_chess::attacks;
use umbrail_chess::geometry::{Bitboard, Square};

/// Quiet moves of one move kind from every square that no permanent obstacle forbids.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Steps {
    /// Target squares by start square.
    pub to: [Bitboard; 64],
    /// The move kind.
    pub move_kind: MoveKind,
}

impl Steps {
    /// Computes the moves of a kind between `barriers`. Each barrier is the set of squares of a
    /// piece that lives to the end of the game and always stands on one of them.
    ///
    /// A step from `s` to `t` is removed if some barrier lies within `s`, `t` and the squares
    /// between. *Admissible*: while the mover stands on `s`, the other piece stands on another
    /// square of its set, so on `t` or between. The other piece is never captured, hence it can be
    /// neither taken nor passed. This holds at any time, and it is symmetric in `s` and `t`.
    pub(crate) fn new(move_kind: MoveKind, barriers: &[Bitboard]) -> Self {
        let (loose, fixed): (Vec<_>, Vec<_>) =
            barriers.iter().partition(|set: &&Bitboard| set.more_than_one());
        let fixed = fixed.into_iter().fold(Bitboard::EMPTY, |all, &set| all | set);
        let mut to = [Bitboard::EMPTY; 64];
        for from in (!fixed).squares() {
            let mut open = move_kind.quiet(from, fixed);
            for &&barrier in &loose {
                open &= !shadow(from, barrier, open);
            }
            to[from.index()] = open;
        }
        Self { to, move_kind }
    }

    /// Returns the quiet steps from a square with further squares permanently blocked.
    #[inline]
    pub(crate) fn open(&self, from: Square, blocked: Bitboard) -> Bitboard {
        let all = self.to[from.index()];
        if blocked.is_empty() { all } else { all & self.move_kind.quiet(from, blocked) }
    }
}

/// Returns those squares of `open` that a barrier makes unreachable from `from` in one step.
fn shadow(from: Square, barrier: Bitboard, open: Bitboard) -> Bitboard {
    let rest = barrier.without(from);
    // All other squares must be on one line with `from`, on one side of it, or be a single target.
    let Some(first) = rest.first() else { return Bitboard::EMPTY };
    let line = attacks::line(from, first);
    if !rest.more_than_one() && !line.any() {
        return rest;
    }
    if rest.more_than_one() && !rest.is_subset(line) {
        return Bitboard::EMPTY;
    }
    let shut = |to: Square| rest.is_subset(attacks::between(from, to).with(to));
    (open & line).squares().filter(|&to| shut(to)).fold(Bitboard::EMPTY, Bitboard::with)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(squares: &[Square]) -> Bitboard {
        squares.iter().copied().collect()
    }

    #[test]
    fn a_pawn_confined_to_two_squares_blocks_its_file() {
        let steps = Steps::new(MoveKind::Rook, &[set(&[Square::A7, Square::A5])]);
        assert!(!steps.to[Square::A3.index()].contains(Square::A8));
        assert!(!steps.to[Square::A3.index()].contains(Square::A7));
        assert!(steps.to[Square::A3.index()].contains(Square::A6));
        // While the rook stands on one of the pawn's squares, the pawn is on the other one.
        assert!(!steps.to[Square::A7.index()].contains(Square::A5));
        assert!(!steps.to[Square::A7.index()].contains(Square::A3));
        assert!(steps.to[Square::A7.index()].contains(Square::A6));
    }

    #[test]
    fn steps_of_officers_go_both_ways() {
        let barriers = [
            set(&[Square::A7, Square::A5]),
            set(&[Square::D4]),
            set(&[Square::B1, Square::C3]),
            set(&[Square::E2, Square::E4, Square::E3]),
        ];
        for move_kind in
            [MoveKind::Knight, MoveKind::Bishop, MoveKind::Rook, MoveKind::Queen, MoveKind::King]
        {
            let steps = Steps::new(move_kind, &barriers);
            for from in Square::all() {
                for to in steps.to[from.index()].squares() {
                    assert!(steps.to[to.index()].contains(from), "{move_kind:?} {from} {to}");
                }
            }
        }
        assert!(
            !Steps::new(MoveKind::Knight, &barriers).to[Square::B1.index()].contains(Square::C3)
        );
    }

    #[test]
    fn pawns_step_once_or_twice() {
        let steps = Steps::new(MoveKind::WhitePawn, &[set(&[Square::E4]), set(&[Square::D3])]);
        assert_eq!(steps.to[Square::E2.index()], set(&[Square::E3]));
        assert_eq!(steps.to[Square::D2.index()], Bitboard::EMPTY);
        assert_eq!(steps.to[Square::A2.index()], set(&[Square::A3, Square::A4]));
        let steps = Steps::new(MoveKind::BlackPawn, &[]);
        assert_eq!(steps.to[Square::A7.index()], set(&[Square::A6, Square::A5]));
    }
}
