//! Circe: a captured man is reborn.
//!
//! A captured man (no king) is put on its rebirth square if that is empty after the move; otherwise
//! it vanishes. The rebirth square of queens is d1/d8. Rooks, bishops and knights are reborn on the
//! square of the array that has the color of the square of capture, pawns on the second rank of
//! the file of capture. A promoted man counts as what it is. A pawn captured en passant is reborn
//! on its own file. A rook reborn at home may castle if its king has never moved. Source: Popeye
//! 4.104.
//!
//! *Bounds*: a capture removes at most one man. A man reaches its rebirth squares without own moves.
//! Castling rights come back, so that castling belongs to the steps of king and rook. Pawns on their
//! second rank may have been reborn there.

use crate::positions::board::{CastlingRights, Man, keys};
use crate::positions::rules::{
    BoardMove, BoundFacts, CaptureFacts, ManStep, PositionOf, RuleSet, free_steps,
};
use umbrail_chess::Role;
use umbrail_chess::geometry::{Bitboard, Color, Square};

/// Rules of Circe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Circe;

/// Kings that have never moved: bit 0 for White, bit 1 for Black.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct UnmovedKings(u8);

impl UnmovedKings {
    fn of(self, color: Color) -> bool {
        self.0 & 1 << color.index() != 0
    }
}

fn home_rank(color: Color) -> u8 {
    if color.is_white() { 0 } else { 7 }
}

/// Returns the rebirth square of a man that was captured here; `None` for a king.
fn rebirth_square(man: Man, at: Square) -> Option<Square> {
    let rank = home_rank(man.color());
    let of_color = |files: [u8; 2]| {
        let squares = files.map(|file| Square::at(file, rank));
        squares.into_iter().find(|home| home.is_light() == at.is_light())
    };
    match man.role() {
        Role::King => None,
        Role::Queen => Some(Square::at(3, rank)),
        Role::Rook => of_color([0, 7]),
        Role::Bishop => of_color([2, 5]),
        Role::Knight => of_color([1, 6]),
        Role::Pawn => Some(Square::at(at.file(), if rank == 0 { 1 } else { 6 })),
    }
}

impl RuleSet for Circe {
    type Extra = UnmovedKings;

    fn begin(&self, start: &mut PositionOf<Self>) {
        for color in Color::ALL {
            let may_castle = start.rights.has(CastlingRights::both(color));
            start.extra.0 |= u8::from(may_castle) << color.index();
        }
    }

    fn captured(
        &self,
        _before: &PositionOf<Self>,
        after: &mut PositionOf<Self>,
        mv: BoardMove,
        victim: Man,
    ) -> bool {
        let Some(home) = rebirth_square(victim, mv.to) else { return true };
        if !after.at(home).is_none() {
            return true;
        }
        after.put(victim, home);
        let color = victim.color();
        if victim.role() == Role::Rook && after.extra.of(color) {
            let right = CastlingRights::one(color, home.file() == 7);
            after.rights = CastlingRights(after.rights.0 | right.0);
        }
        true
    }

    fn arrived(
        &self,
        _before: &PositionOf<Self>,
        after: &mut PositionOf<Self>,
        _mv: BoardMove,
    ) -> bool {
        for color in Color::ALL {
            let king = Square::at(4, home_rank(color));
            if after.at(king) != Man::new(color, Role::King) {
                after.extra.0 &= !(1 << color.index());
            }
        }
        true
    }

    fn key_extra(&self, extra: &UnmovedKings) -> u128 {
        // Castling rights have keys of the same table.
        keys::of_rights(extra.0).rotate_left(41)
    }

    fn bound_facts(&self) -> BoundFacts {
        BoundFacts {
            captures: CaptureFacts::AtMostOne,
            home_pawns_never_moved: false,
            pawns_move_as_usual: false,
            rights_come_back: true,
        }
    }

    fn man_steps(&self, man: Man, from: Square, walls: Bitboard, out: &mut Vec<ManStep>) {
        free_steps(man, from, walls, Self::PROMOTIONS, out);
        out.extend(rebirth_square(man, from).map(|home| ManStep::free(man, home)));
        let rank = home_rank(man.color());
        let square = |file| Square::at(file, rank);
        if man.role() == Role::King && from == square(4) {
            let castled = [square(2), square(6)];
            out.extend(castled.map(|to| ManStep { is_free: false, ..ManStep::free(man, to) }));
        }
        for (rook, to) in [(square(0), square(3)), (square(7), square(5))] {
            if man.role() == Role::Rook && from == rook {
                out.push(ManStep::free(man, to));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_are_reborn_on_squares_of_the_array() {
        let reborn = |color, role, at: &str| {
            rebirth_square(Man::new(color, role), at.parse().unwrap()).map(|home| home.to_string())
        };
        use Color::{Black, White};
        assert_eq!(reborn(White, Role::Rook, "d5").as_deref(), Some("h1"));
        assert_eq!(reborn(White, Role::Rook, "d4").as_deref(), Some("a1"));
        assert_eq!(reborn(Black, Role::Rook, "f8").as_deref(), Some("h8"));
        assert_eq!(reborn(Black, Role::Knight, "d5").as_deref(), Some("g8"));
        assert_eq!(reborn(Black, Role::Pawn, "c3").as_deref(), Some("c7"));
        assert_eq!(reborn(White, Role::Queen, "c3").as_deref(), Some("d1"));
        assert_eq!(reborn(White, Role::King, "c3"), None);
    }
}
