//! Which inputs of the network a position sets, and which output bucket it uses.

use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Position, Role};

/// Number of inputs: two colors, six kinds of men, 64 squares.
pub const INPUTS: usize = 2 * 6 * 64;

/// How one side sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct View {
    pub(super) side: Color,
    /// Files are mirrored, because the own king stands on files e to h.
    pub(super) is_mirrored: bool,
}

impl View {
    pub(super) fn of(side: Color, king: Square) -> Self {
        Self { side, is_mirrored: king.file() >= 4 }
    }

    /// The input of a man on a square.
    #[inline]
    pub(super) fn input(self, color: Color, role: Role, square: Square) -> usize {
        let ranks = if self.side.is_white() { 0 } else { 56 };
        let files = if self.is_mirrored { 7 } else { 0 };
        let enemy = usize::from(color != self.side);
        enemy * 384 + role.index() * 64 + (square.index() ^ ranks ^ files)
    }
}

/// The inputs that are set as this side sees the board, one for each man.
pub fn inputs(position: &Position, side: Color) -> impl Iterator<Item = usize> + '_ {
    let view = View::of(side, position.king(side));
    Color::ALL.into_iter().flat_map(move |color| {
        Role::ALL.into_iter().flat_map(move |role| {
            position.pieces(color, role).squares().map(move |at| view.input(color, role, at))
        })
    })
}

/// The bucket for a number of men: 2 to 32 men in `buckets` equal parts, few men first.
pub fn bucket(men: u32, buckets: usize) -> usize {
    (men.clamp(2, 32) - 2) as usize * buckets / 31
}

/// The men on a board, to find what differs between two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MenSets {
    colors: [Bitboard; 2],
    roles: [Bitboard; 6],
}

impl MenSets {
    pub(super) fn of(position: &Position) -> Self {
        Self {
            colors: Color::ALL.map(|color| position.by_color(color)),
            roles: Role::ALL.map(|role| position.by_role(role)),
        }
    }

    /// The squares on which the men differ.
    #[inline]
    pub(super) fn difference(&self, other: &Self) -> Bitboard {
        let mut squares = 0;
        for (own, others) in self.colors.iter().zip(&other.colors) {
            squares |= own.0 ^ others.0;
        }
        for (own, others) in self.roles.iter().zip(&other.roles) {
            squares |= own.0 ^ others.0;
        }
        Bitboard(squares)
    }

    /// This side's king stands where its board is mirrored.
    #[inline]
    pub(super) fn is_mirrored(&self, side: Color) -> bool {
        let king = self.colors[side.index()] & self.roles[Role::King.index()];
        king.first().is_some_and(|king| View::of(side, king).is_mirrored)
    }

    /// The man on a square.
    #[inline]
    pub(super) fn man(&self, square: Square) -> Option<(Color, Role)> {
        let color = Color::ALL.into_iter().find(|c| self.colors[c.index()].contains(square))?;
        let role = Role::ALL.into_iter().find(|r| self.roles[r.index()].contains(square))?;
        Some((color, role))
    }
}
