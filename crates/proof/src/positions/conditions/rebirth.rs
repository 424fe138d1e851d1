//! Rebirth squares of the Circe family, and promotion of pawns that are reborn on their last rank.
//!
//! King e1/e8, queen d1/d8; rook, bishop and knight the home square that has the color of the square
//! of capture; pawn the second rank of the file of capture; fairy man the promotion square of that
//! file. A promoted man counts as what it is. Source: Popeye 4.104.

use crate::positions::board::{Man, ManKind};
use crate::positions::fairy::{FairyPosition, FairyRules};
use umbrail_chess::geometry::{Color, Square};

/// Returns the first rank of a side.
pub(super) const fn first_rank(color: Color) -> u8 {
    if color.is_white() { 0 } else { 7 }
}

/// Returns the rebirth square of a kind of one side for a square of capture.
pub(super) fn home(kind: ManKind, color: Color, at: Square) -> Square {
    let rank = first_rank(color);
    let of_color = |files: [u8; 2]| {
        let [first, second] = files.map(|file| Square::at(file, rank));
        if first.is_light() == at.is_light() { first } else { second }
    };
    match kind {
        ManKind::KING => Square::at(4, rank),
        ManKind::QUEEN => Square::at(3, rank),
        ManKind::ROOK => of_color([0, 7]),
        ManKind::BISHOP => of_color([2, 5]),
        ManKind::KNIGHT => of_color([1, 6]),
        ManKind::PAWN => Square::at(at.file(), if rank == 0 { 1 } else { 6 }),
        _ => Square::at(at.file(), 7 - rank),
    }
}

/// Puts a man on an empty square. A pawn on its last rank promotes: one outcome for each kind.
pub(super) fn put_reborn(
    rules: &FairyRules,
    position: &FairyPosition,
    man: Man,
    at: Square,
) -> Vec<FairyPosition> {
    let put = |man: Man| {
        let mut next = *position;
        next.put(man, at);
        rules.reinstate(&mut next, at);
        next
    };
    let last = 7 - first_rank(man.color());
    match man.kind() == ManKind::PAWN && at.rank() == last {
        true => rules.promotions().iter().map(|&kind| put(Man::of(man.color(), kind))).collect(),
        false => vec![put(man)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_are_reborn_on_squares_of_the_array() {
        let reborn = |color, kind, at: &str| home(kind, color, at.parse().unwrap()).to_string();
        use Color::{Black, White};
        assert_eq!(reborn(White, ManKind::ROOK, "d5"), "h1");
        assert_eq!(reborn(White, ManKind::ROOK, "d4"), "a1");
        assert_eq!(reborn(Black, ManKind::ROOK, "f8"), "h8");
        assert_eq!(reborn(Black, ManKind::KNIGHT, "d5"), "g8");
        assert_eq!(reborn(Black, ManKind::PAWN, "c3"), "c7");
        assert_eq!(reborn(White, ManKind::QUEEN, "c3"), "d1");
        assert_eq!(reborn(White, ManKind::at(8), "c3"), "c8");
    }
}
