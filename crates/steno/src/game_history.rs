//! State of a game besides the position, packed into one number.

use super::condition::{ColoredPiece, PieceKind};
use umbrail_chess::Role;
use umbrail_chess::geometry::{Color, Square};

/// Target square of each player's last move, captured pieces and promoted pieces. Only the parts
/// that a later turn needs are kept, so that equal futures are equal.
///
/// Bits 0–6 and 7–13: one plus the square where White's and Black's last move ended, 0 for none.
/// Bits 16–63: captured pieces, 64–111 promoted pieces: twelve counters of four bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct GameHistory(pub u128);

const CAPTURED: u32 = 16;
const PROMOTED: u32 = 64;

/// Returns the counter of a piece: pawn, knight, light bishop, dark bishop, rook, queen.
const fn slot(color: Color, role: Role, light: bool) -> u32 {
    let slot = match role {
        Role::Pawn => 0,
        Role::Knight => 1,
        Role::Bishop => 2 + !light as u32,
        Role::Rook => 4,
        Role::Queen | Role::King => 5,
    };
    (color.index() as u32 * 6 + slot) * 4
}

impl GameHistory {
    /// Mask of everything.
    pub(crate) const ALL: Self = Self((1 << 112) - 1);

    const fn last_bits(color: Color) -> Self {
        Self(0x7F << (color.index() * 7))
    }

    /// Returns the mask of the square where a player's last move ended.
    pub(crate) const fn last_mask(color: Color) -> Self {
        Self::last_bits(color)
    }

    /// Returns the mask of the counter of captured pieces of this kind (`None` for all kinds).
    pub(crate) fn captured_mask(piece: Option<ColoredPiece>) -> Self {
        Self::mask(CAPTURED, piece)
    }

    /// Returns the mask of the counter of promotions to this kind (`None` for all kinds).
    pub(crate) fn promoted_mask(piece: Option<ColoredPiece>) -> Self {
        Self::mask(PROMOTED, piece)
    }

    fn mask(base: u32, piece: Option<ColoredPiece>) -> Self {
        match piece {
            None => Self(((1u128 << 48) - 1) << base),
            Some(piece) => Self(slots(piece).fold(0, |mask, slot| mask | 0xF << (base + slot))),
        }
    }

    /// Returns the parts that are in the mask.
    #[inline]
    #[must_use]
    pub(crate) const fn masked(self, mask: Self) -> Self {
        Self(self.0 & mask.0)
    }

    /// Returns the union of both masks.
    #[must_use]
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns true if nothing is set.
    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the square where this player's last move ended, if it was kept.
    #[inline]
    pub(crate) fn last(self, color: Color) -> Option<Square> {
        let code = (self.0 >> (color.index() * 7) & 0x7F) as u8;
        (1..=64).contains(&code).then(|| Square::new(code - 1))
    }

    /// Returns the history with this player's last move ending on `square`.
    #[inline]
    #[must_use]
    pub(crate) const fn with_last(self, color: Color, square: Square) -> Self {
        let cleared = self.0 & !Self::last_bits(color).0;
        Self(cleared | (square.number() as u128 + 1) << (color.index() * 7))
    }

    /// Returns the history with one more piece of this color and role captured on this square.
    #[inline]
    #[must_use]
    pub(crate) const fn with_capture(self, color: Color, role: Role, square: Square) -> Self {
        Self(self.0 + (1 << (CAPTURED + slot(color, role, square.is_light()))))
    }

    /// Returns the history with one more promotion of this color to this role on this square.
    #[inline]
    #[must_use]
    pub(crate) const fn with_promotion(self, color: Color, role: Role, square: Square) -> Self {
        Self(self.0 + (1 << (PROMOTED + slot(color, role, square.is_light()))))
    }

    /// Returns the number of captured pieces of this kind.
    pub(crate) fn captured(self, piece: ColoredPiece) -> u32 {
        self.sum(CAPTURED, piece)
    }

    /// Returns the number of promotions to this kind.
    pub(crate) fn promoted(self, piece: ColoredPiece) -> u32 {
        self.sum(PROMOTED, piece)
    }

    /// Returns true if a pawn of either side has promoted.
    pub(crate) fn any_promotion(self) -> bool {
        self.0 >> PROMOTED != 0
    }

    fn sum(self, base: u32, piece: ColoredPiece) -> u32 {
        slots(piece).map(|slot| (self.0 >> (base + slot) & 0xF) as u32).sum()
    }
}

/// Returns the counters of a piece: two for a bishop of any color.
fn slots(piece: ColoredPiece) -> impl Iterator<Item = u32> {
    let both = piece.kind == PieceKind::Role(Role::Bishop);
    let light = piece.kind != PieceKind::DarkBishop;
    let first = slot(piece.color, piece.kind.role(), light);
    let second = both.then(|| slot(piece.color, Role::Bishop, false));
    std::iter::once(first).chain(second)
}
