//! Paths of pawns that never enter certain squares: least moves and least captures.

use crate::distance::NEVER;
use umbrail_chess::geometry::{Bitboard, Color, Square};

/// A pawn's path from one square to another: the least number of captures, and the least number of
/// moves. Each is a separate lower bound; one path need not attain both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PawnWay {
    /// Captures on the path, including the last move; [`NEVER`] if there is no path.
    pub captures: u8,
    /// Moves; a double step from home counts once.
    pub moves: u8,
}

impl PawnWay {
    const NONE: Self = Self { captures: NEVER, moves: NEVER };

    /// Returns true if there is a path.
    #[inline]
    pub(crate) const fn exists(self) -> bool {
        self.captures != NEVER
    }
}

/// Pawn paths of one color, which pass blocked squares only by capturing.
#[derive(Debug)]
pub(crate) struct PawnTable {
    /// Paths that end by any move.
    any: Box<[[PawnWay; 64]; 64]>,
    /// Paths that end by a capture.
    capture: Box<[[PawnWay; 64]; 64]>,
}

impl PawnTable {
    pub(super) fn new(color: Color, blocked: Bitboard, forbidden: Bitboard) -> Self {
        let mut any = Box::new([[PawnWay::NONE; 64]; 64]);
        let mut capture = Box::new([[PawnWay::NONE; 64]; 64]);
        let forward = if color.is_white() { 1 } else { -1 };
        let home = if color.is_white() { 1 } else { 6 };
        for from in Square::all() {
            let direct = least_captures(color, from, blocked, forbidden);
            let double = (from.rank() == home)
                .then(|| from.offset(0, forward).zip(from.offset(0, 2 * forward)))
                .flatten()
                .filter(|&(one, two)| !blocked.contains(one) && !blocked.contains(two))
                .map(|(_, two)| least_captures_after(color, two, blocked, forbidden));
            for to in Square::all() {
                let gain = if color.is_white() {
                    to.rank().wrapping_sub(from.rank())
                } else {
                    from.rank().wrapping_sub(to.rank())
                };
                for (last, ways) in [&mut any, &mut capture].into_iter().enumerate() {
                    let captures = direct[last][to.index()];
                    if captures != NEVER {
                        let saves = double.is_some_and(|double| double[last][to.index()] != NEVER);
                        ways[from.index()][to.index()] =
                            PawnWay { captures, moves: gain - u8::from(saves) };
                    }
                }
            }
        }
        Self { any, capture }
    }

    /// Returns the path that ends by any move; no move and no capture from a square to itself.
    #[inline]
    pub(crate) fn way(&self, from: Square, to: Square) -> PawnWay {
        self.any[from.index()][to.index()]
    }

    /// Returns the path that ends by a capture, which is counted.
    #[inline]
    pub(crate) fn way_by_capture(&self, from: Square, to: Square) -> PawnWay {
        self.capture[from.index()][to.index()]
    }
}

/// Returns the least captures from a square to each other one, ending by any move and ending by a
/// capture. Only single steps are considered. A double step passes over a free square, so it needs
/// no fewer captures, except that it does not stop on a forbidden one; [`PawnTable::new`] adds
/// that.
fn least_captures(
    color: Color,
    from: Square,
    blocked: Bitboard,
    forbidden: Bitboard,
) -> [[u8; 64]; 2] {
    let mut least = least_captures_after(color, from, blocked, forbidden);
    let (home, forward) = if color.is_white() { (1, 1) } else { (6, -1) };
    if from.rank() == home
        && let (Some(one), Some(two)) = (from.offset(0, forward), from.offset(0, 2 * forward))
        && !blocked.contains(one)
        && !blocked.contains(two)
        && forbidden.contains(one)
    {
        let skipping = least_captures_after(color, two, blocked, forbidden);
        let onward = !forbidden.contains(two);
        for (ways, skipping) in least.iter_mut().zip(skipping) {
            for (number, (way, other)) in ways.iter_mut().zip(skipping).enumerate() {
                if onward || number == two.index() {
                    *way = (*way).min(other);
                }
            }
        }
    }
    least
}

/// Like `least_captures`, from a square that may be left although it is forbidden.
fn least_captures_after(
    color: Color,
    from: Square,
    blocked: Bitboard,
    forbidden: Bitboard,
) -> [[u8; 64]; 2] {
    let forward = if color.is_white() { 1 } else { -1 };
    let mut any = [NEVER; 64];
    let mut capture = [NEVER; 64];
    any[from.index()] = 0;
    let mut rank = i32::from(from.rank());
    while (0..8).contains(&(rank + forward)) {
        for file in 0..8 {
            let square = Square::at(file, rank as u8);
            let captures = any[square.index()];
            if captures == NEVER || (square != from && forbidden.contains(square)) {
                continue;
            }
            for side in [-1, 0, 1] {
                let Some(next) = square.offset(side, forward).filter(|&n| !blocked.contains(n))
                else {
                    continue;
                };
                let with = captures + u8::from(side != 0);
                any[next.index()] = any[next.index()].min(with);
                if side != 0 {
                    capture[next.index()] = capture[next.index()].min(with);
                }
            }
        }
        rank += forward;
    }
    [any, capture]
}
