//! Attacks on squares and kings in orthodox chess.

use crate::positions::board::SearchPosition;
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Role, attacks};

/// Returns true if a king of this side is attacked. A side without a king is never in check.
pub(crate) fn king_is_attacked<Extra: Copy>(position: &SearchPosition<Extra>, side: Color) -> bool {
    let kings = position.by_color(side) & position.by_role(Role::King);
    kings.squares().any(|king| is_attacked(position, king, !side))
}

/// Returns true if a man of `by` could capture on this square.
pub(crate) fn is_attacked<Extra: Copy>(
    position: &SearchPosition<Extra>,
    square: Square,
    by: Color,
) -> bool {
    attackers(position, square, by).any()
}

/// Returns the men of `by` that could capture on this square.
pub(crate) fn attackers<Extra: Copy>(
    position: &SearchPosition<Extra>,
    square: Square,
    by: Color,
) -> Bitboard {
    let of = |role| position.by_role(role);
    let occupied = position.occupied();
    let near = attacks::knight(square) & of(Role::Knight)
        | attacks::king(square) & of(Role::King)
        | attacks::pawn(!by, square) & of(Role::Pawn);
    let lines = attacks::rook(square, occupied) & (of(Role::Rook) | of(Role::Queen))
        | attacks::bishop(square, occupied) & (of(Role::Bishop) | of(Role::Queen));
    (near | lines) & position.by_color(by)
}
