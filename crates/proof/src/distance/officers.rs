//! Distances of officers that never enter certain squares.

use crate::distance::NEVER;
use crate::distance::bars::Bars;
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Role, attacks};

/// Number of radii that [`OfficerTable::within`] distinguishes; from the last one on it returns all
/// reachable squares.
pub(super) const RADII: usize = 16;

/// Distances of one role, which are symmetric, because officers' moves are, and because squares
/// where a path may end but not continue are excluded only in between.
#[derive(Debug)]
pub(crate) struct OfficerTable {
    role: Role,
    blocked: Bitboard,
    forbidden: Bitboard,
    /// Single steps by start square.
    steps: [Bitboard; 64],
    /// Number of the table in its cache.
    id: usize,
    far: [[u8; 64]; 64],
    near: [[Bitboard; RADII]; 64],
    round: [u8; 64],
}

impl OfficerTable {
    /// Computes the distances of paths that never enter `blocked` squares, and stop on a
    /// `forbidden` square only at the start or end.
    pub(super) fn new(
        role: Role,
        blocked: Bitboard,
        forbidden: Bitboard,
        bars: Bars,
        id: usize,
    ) -> Self {
        let steps: [Bitboard; 64] = std::array::from_fn(|number| {
            let from = Square::new(number as u8);
            attacks::of(role, Color::White, from, blocked) - blocked - bars.behind(from)
        });
        let mut table = Self {
            role,
            blocked,
            forbidden,
            steps,
            id,
            far: [[NEVER; 64]; 64],
            near: [[Bitboard::EMPTY; RADII]; 64],
            round: [NEVER; 64],
        };
        for from in Square::all() {
            let (far, near) = (&mut table.far[from.index()], &mut table.near[from.index()]);
            let mut seen = Bitboard::of(from);
            let mut edge = seen;
            let mut radius = 0;
            while edge.any() {
                for square in edge.squares() {
                    far[square.index()] = radius as u8;
                }
                for wider in &mut near[radius.min(RADII - 1)..] {
                    *wider |= edge;
                }
                let expand = if radius == 0 { edge } else { edge - forbidden };
                edge = expand
                    .squares()
                    .fold(Bitboard::EMPTY, |all, square| all | steps[square.index()])
                    - seen;
                seen |= edge;
                radius += 1;
            }
        }
        for from in Square::all() {
            if blocked.contains(from) {
                continue;
            }
            let back = (steps[from.index()] - forbidden)
                .squares()
                .map(|near| table.far[near.index()][from.index()].saturating_add(1));
            table.round[from.index()] = back.min().unwrap_or(NEVER);
        }
        table
    }

    /// Returns the least number of moves, or [`NEVER`]. Zero from a square to itself.
    #[inline]
    pub(crate) fn moves(&self, from: Square, to: Square) -> u8 {
        self.far[from.index()][to.index()]
    }

    /// Returns the squares at most `moves` moves away (the square itself is 0 away).
    #[inline]
    pub(crate) fn within(&self, from: Square, moves: usize) -> Bitboard {
        self.near[from.index()][moves.min(RADII - 1)]
    }

    /// Returns the number of the table in its cache, from 0.
    #[inline]
    pub(crate) fn id(&self) -> usize {
        self.id
    }

    /// Returns the squares that every path of at most `moves(from, to) + slack` moves enters or
    /// passes over, including its end but not its start. Empty if there is no path.
    pub(crate) fn crossings(&self, from: Square, to: Square, slack: u8) -> Bitboard {
        let least = self.moves(from, to);
        if least == NEVER || from == to {
            return Bitboard::EMPTY;
        }
        // A square that every path crosses lies on any shortest one.
        let mut candidates = Bitboard::EMPTY;
        let mut at = from;
        for left in (0..least).rev() {
            let steps = self.steps[at.index()];
            let near = |square: &Square| self.moves(*square, to) == left;
            let open = |square: &Square| *square == to || !self.forbidden.contains(*square);
            let Some(next) = steps.squares().filter(near).find(open) else { break };
            candidates |= attacks::between(at, next).with(next);
            at = next;
        }
        let limit = u32::from(least) + u32::from(slack);
        candidates
            .squares()
            .filter(|&square| square == to || !self.reaches(from, to, limit, square))
            .collect()
    }

    /// Returns true if at most `moves` moves lead from a square to another while one more square is
    /// blocked.
    fn reaches(&self, from: Square, to: Square, moves: u32, closed: Square) -> bool {
        let blocked = self.blocked.with(closed);
        let mut seen = Bitboard::of(from);
        let mut edge = seen;
        for _ in 0..moves {
            let mut next = Bitboard::EMPTY;
            for square in edge.squares() {
                let free = attacks::of(self.role, Color::White, square, blocked);
                next |= free & self.steps[square.index()];
            }
            if (next - blocked).contains(to) {
                return true;
            }
            edge = next - blocked - seen - self.forbidden;
            seen |= edge;
            if edge.is_empty() {
                return false;
            }
        }
        false
    }

    /// Returns the least number of moves that leave a square and return to it, or [`NEVER`].
    #[inline]
    pub(crate) fn round_trip(&self, from: Square) -> u8 {
        self.round[from.index()]
    }
}
