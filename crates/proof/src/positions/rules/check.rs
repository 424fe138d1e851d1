//! Attacks on squares and kings, filtered by the hooks of a condition.

use super::{PositionOf, RuleSet};
use crate::positions::board::SearchPosition;
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Role, attacks};

/// Returns true if a king of this side is attacked. A side without a king is never in check.
pub(super) fn king_is_attacked<R: RuleSet>(
    rules: &R,
    position: &PositionOf<R>,
    side: Color,
) -> bool {
    let kings = position.by_color(side) & position.by_role(Role::King);
    kings.squares().any(|king| is_attacked(rules, position, king, !side))
}

/// Returns true if a man of `by` could capture a king on this square.
pub(super) fn is_attacked<R: RuleSet>(
    rules: &R,
    position: &PositionOf<R>,
    square: Square,
    by: Color,
) -> bool {
    attackers(position, square, by).squares().any(|from| rules.gives_check(position, from, square))
}

fn attackers<Extra: Copy>(position: &SearchPosition<Extra>, square: Square, by: Color) -> Bitboard {
    let of = |role| position.by_role(role);
    let occupied = position.occupied();
    let near = attacks::knight(square) & of(Role::Knight)
        | attacks::king(square) & of(Role::King)
        | attacks::pawn(!by, square) & of(Role::Pawn);
    let lines = attacks::rook(square, occupied) & (of(Role::Rook) | of(Role::Queen))
        | attacks::bishop(square, occupied) & (of(Role::Bishop) | of(Role::Queen));
    (near | lines) & position.by_color(by)
}
