//! What must be remembered of a game besides the position, packed into one number.

use super::condition::{ColoredMan, ManKind};
use umbrail_chess::Role;
use umbrail_chess::geometry::{Color, Square};

/// Where each player's last move ended, what was captured and what was created by promotion. Only
/// what a later turn asks for is kept, so that equal futures look equal.
///
/// Bits 0–6 and 7–13: the square plus one on which White's and Black's last move ended, 0 for none.
/// Bits 16–63: captured men, 64–111 promoted men: twelve counters of four bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct GameHistory(pub u128);

const CAPTURED: u32 = 16;
const PROMOTED: u32 = 64;

/// Which counter is a man's: pawn, knight, light bishop, dark bishop, rook, queen.
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
    /// Everything.
    pub(crate) const ALL: Self = Self((1 << 112) - 1);

    const fn last_bits(color: Color) -> Self {
        Self(0x7F << (color.index() * 7))
    }

    /// The part that tells where a player's last move ended.
    pub(crate) const fn last_mask(color: Color) -> Self {
        Self::last_bits(color)
    }

    /// The part that counts captured men of this kind (all kinds: none).
    pub(crate) fn captured_mask(man: Option<ColoredMan>) -> Self {
        Self::mask(CAPTURED, man)
    }

    /// The part that counts promotions to this kind (all kinds: none).
    pub(crate) fn promoted_mask(man: Option<ColoredMan>) -> Self {
        Self::mask(PROMOTED, man)
    }

    fn mask(base: u32, man: Option<ColoredMan>) -> Self {
        match man {
            None => Self(((1u128 << 48) - 1) << base),
            Some(man) => Self(slots(man).fold(0, |mask, slot| mask | 0xF << (base + slot))),
        }
    }

    /// Only the parts that are also in the mask.
    #[inline]
    #[must_use]
    pub(crate) const fn masked(self, mask: Self) -> Self {
        Self(self.0 & mask.0)
    }

    /// Both masks.
    #[must_use]
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// True when nothing is in it.
    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Where this player's last move ended, if it was kept.
    #[inline]
    pub(crate) fn last(self, color: Color) -> Option<Square> {
        let code = (self.0 >> (color.index() * 7) & 0x7F) as u8;
        (1..=64).contains(&code).then(|| Square::new(code - 1))
    }

    /// The same with this player's last move ending there.
    #[inline]
    #[must_use]
    pub(crate) const fn with_last(self, color: Color, square: Square) -> Self {
        let cleared = self.0 & !Self::last_bits(color).0;
        Self(cleared | (square.number() as u128 + 1) << (color.index() * 7))
    }

    /// The same with one more man of this color and role captured on this square.
    #[inline]
    #[must_use]
    pub(crate) const fn with_capture(self, color: Color, role: Role, square: Square) -> Self {
        Self(self.0 + (1 << (CAPTURED + slot(color, role, square.is_light()))))
    }

    /// The same with one more man of this color created on this square.
    #[inline]
    #[must_use]
    pub(crate) const fn with_promotion(self, color: Color, role: Role, square: Square) -> Self {
        Self(self.0 + (1 << (PROMOTED + slot(color, role, square.is_light()))))
    }

    /// How many men of this kind have been captured.
    pub(crate) fn captured(self, man: ColoredMan) -> u32 {
        self.sum(CAPTURED, man)
    }

    /// How many men of this kind have been created.
    pub(crate) fn promoted(self, man: ColoredMan) -> u32 {
        self.sum(PROMOTED, man)
    }

    /// True when a pawn of either side has promoted.
    pub(crate) fn any_promotion(self) -> bool {
        self.0 >> PROMOTED != 0
    }

    fn sum(self, base: u32, man: ColoredMan) -> u32 {
        slots(man).map(|slot| (self.0 >> (base + slot) & 0xF) as u32).sum()
    }
}

/// The counters of a man: two for a bishop of any color.
fn slots(man: ColoredMan) -> impl Iterator<Item = u32> {
    let both = man.kind == ManKind::Role(Role::Bishop);
    let light = man.kind != ManKind::DarkBishop;
    let first = slot(man.color, man.kind.role(), light);
    let second = both.then(|| slot(man.color, Role::Bishop, false));
    std::iter::once(first).chain(second)
}
