//! Steps of a ply for pieces that hop, are lame or turn.
//!
//! All conditions are in the templates. With the other pieces of a word fixed, a template allows
//! some squares of the loser's royal: all, none, or those where the royal is the hurdle
//! (`Template::mask`). The rest is as for other pieces: the words of moves and retractions are
//! combined with that mask.

use super::row::{Row, row, row_mut};
use super::slice::{CHUNK, Frontier};
use super::{Endgame, Others, members};
use crate::fairy::{Template, TemplateList, Templates};
use crate::layout::Axis;

/// Squares of the attacker's pieces and of the loser's, without the loser's royal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    pub(super) attackers: u64,
    pub(super) losers: u64,
}

impl Sides {
    /// Returns the squares of a piece's own side without itself, and of the other side.
    fn of(self, square: u8, is_attacker: bool) -> (u64, u64) {
        let (own, enemy) = match is_attacker {
            true => (self.attackers, self.losers),
            false => (self.losers, self.attackers),
        };
        (own & !(1 << square), enemy)
    }
}

impl Templates {
    /// Returns the squares where the piece could capture a further enemy piece.
    fn attacked(&self, from: u8, own: u64, enemy: u64) -> u64 {
        let mut attacked = 0;
        for template in self.captures.at(from).iter().filter(|t| t.path_is_open(own, enemy)) {
            let missing = template.take & !enemy;
            if missing == 0 {
                attacked |= template.take;
            } else if missing & (missing - 1) == 0 {
                attacked |= missing;
            }
        }
        attacked
    }
}

impl Endgame {
    /// Returns the squares of both sides; pieces in the set `missing` are captured.
    #[inline]
    pub(super) fn sides(&self, home: u8, pieces: &Others, missing: u32) -> Sides {
        let mut sides = Sides { attackers: 1 << home, losers: 0 };
        for (number, &square) in pieces[..self.layout.others].iter().enumerate() {
            if missing >> number & 1 == 0 {
                let side = match number < self.attackers {
                    true => &mut sides.attackers,
                    false => &mut sides.losers,
                };
                *side |= 1 << square;
            }
        }
        sides
    }

    /// Returns the squares that the attacker's bent pieces attack.
    #[inline(never)]
    pub(super) fn attacked_bent(
        &self,
        home: u8,
        pieces: &Others,
        missing: u32,
        occupied: u64,
    ) -> u64 {
        let own = self.sides(home, pieces, missing).attackers;
        let enemy = occupied & !own;
        let royal = self.attacker.templates();
        let mut set = royal.map_or(0, |royal| royal.attacked(home, own & !(1 << home), enemy));
        for number in (0..self.attackers).filter(|number| missing >> number & 1 == 0) {
            let square = pieces[number];
            if let Some(templates) = self.pieces[number].templates() {
                set |= templates.attacked(square, own & !(1 << square), enemy);
            }
        }
        set
    }

    /// Returns the squares of the loser's royal for which a bent piece of the loser attacks the
    /// attacker's royal.
    #[inline(never)]
    pub(super) fn checked_by_bent(&self, home: u8, pieces: &Others) -> u64 {
        let sides = self.sides(home, pieces, 0);
        let mut checked = 0;
        let losers = self.pieces.iter().zip(pieces).skip(self.attackers);
        for (piece, &square) in losers {
            let Some(templates) = piece.templates() else { continue };
            let (own, enemy) = sides.of(square, false);
            let captures = templates.attacks.at(home).iter();
            for template in captures.filter(|t| t.from == square && t.take & !enemy == 0) {
                checked |= template.mask(own, enemy, true);
            }
        }
        if let Some(royal) = self.loser.templates() {
            for template in royal.attacks.at(home) {
                if template.holds(sides.losers, sides.attackers) {
                    checked |= 1 << template.from;
                }
            }
        }
        checked
    }

    /// Returns the squares from which the loser's royal moves quietly to one of `targets`.
    #[inline(never)]
    pub(super) fn royal_before(&self, sides: Sides, templates: &Templates, targets: u64) -> u64 {
        let mut before = 0;
        for target in members(targets) {
            for template in templates.unmoves.at(target as u8) {
                if template.path_is_open(sides.losers, sides.attackers) {
                    before |= 1 << template.from;
                }
            }
        }
        before
    }
}

/// A bent piece of a word: all that its moves and retractions need.
pub(super) struct BentPiece<'a> {
    pub(super) templates: &'a Templates,
    pub(super) square: u8,
    pub(super) is_attacker: bool,
    pub(super) sides: Sides,
}

impl BentPiece<'_> {
    /// Calls `visit` with the template, its mask, and nothing for those that allow no square.
    #[inline]
    fn each(&self, list: &TemplateList, mut visit: impl FnMut(&Template, u64)) {
        let (own, enemy) = self.sides.of(self.square, self.is_attacker);
        for template in list.at(self.square) {
            let mask = template.mask(own, enemy, !self.is_attacker);
            if mask != 0 {
                visit(template, mask);
            }
        }
    }

    /// Adds the words from which the piece moves into a word.
    #[inline(never)]
    pub(super) fn unmove(&self, axis: &Axis<'_>, pieces: &Others, bits: u64, into: &mut Frontier) {
        self.each(&self.templates.unmoves, |template, mask| {
            if bits & mask != 0 {
                into.add(axis.to(pieces, template.from), bits & mask);
            }
        });
    }

    /// Removes the squares from which the piece moves to a square of `safe`.
    #[inline(never)]
    pub(super) fn remove_escapes(
        &self,
        axis: &Axis<'_>,
        pieces: &Others,
        safe: &[u64],
        left: &mut u64,
    ) {
        self.each(&self.templates.quiet, |template, mask| {
            if *left & mask != 0 {
                *left &= !(safe[axis.to(pieces, template.to)] & mask);
            }
        });
    }
}

/// A bent piece of a row: `sides` are without the row's piece.
pub(super) struct BentRow<'a> {
    pub(super) piece: BentPiece<'a>,
    /// The row's piece is the attacker's.
    pub(super) inner_is_attacker: bool,
}

impl BentRow<'_> {
    /// Returns the mask for each square of the row's piece; none when all are empty.
    #[inline(always)]
    fn masks(&self, template: &Template) -> Option<Row> {
        let BentPiece { square, is_attacker, sides, .. } = self.piece;
        let (own, enemy) = sides.of(square, is_attacker);
        let usual = template.mask(own, enemy, !is_attacker);
        let mut masks = [usual; 64];
        let mut any = usual;
        // On these squares the row's piece is an obstacle or the hurdle.
        for at in members((template.empty | template.all | template.one) & !(own | enemy)) {
            let (own, enemy) = match self.inner_is_attacker == is_attacker {
                true => (own | 1 << at, enemy),
                false => (own, enemy | 1 << at),
            };
            masks[at & 63] = template.mask(own, enemy, !is_attacker);
            any |= masks[at & 63];
        }
        (any != 0).then_some(masks)
    }

    /// Adds the rows from which the piece moves into a row.
    #[inline(always)]
    pub(super) fn unmove(&self, axis: &Axis<'_>, pieces: &Others, from: &Row, into: &mut Frontier) {
        for template in self.piece.templates.unmoves.at(self.piece.square) {
            let Some(masks) = self.masks(template) else { continue };
            let to = axis.to(pieces, template.from) / CHUNK;
            into.dirty[to] = true;
            let there = row_mut(&mut into.words, to);
            for ((there, &from), &mask) in there.iter_mut().zip(from).zip(&masks) {
                *there |= from & mask;
            }
        }
    }

    /// Removes from a row the squares from which the piece moves to a square of `safe`.
    #[inline(always)]
    pub(super) fn remove_escapes(
        &self,
        axis: &Axis<'_>,
        pieces: &Others,
        safe: &[u64],
        left: &mut Row,
    ) {
        for template in self.piece.templates.quiet.at(self.piece.square) {
            let Some(masks) = self.masks(template) else { continue };
            let there = row(safe, axis.to(pieces, template.to) / CHUNK);
            for ((left, &there), &mask) in left.iter_mut().zip(there).zip(&masks) {
                *left &= !(there & mask);
            }
        }
    }

    /// Calls `visit` with each template of the row's own piece on a square, and its mask.
    #[inline(always)]
    fn each_of_inner(
        &self,
        list: &TemplateList,
        square: usize,
        mut visit: impl FnMut(&Template, u64),
    ) {
        let BentPiece { is_attacker, sides, .. } = self.piece;
        let (own, enemy) = sides.of(square as u8, is_attacker);
        for template in list.at(square as u8) {
            let mask = template.mask(own, enemy, !is_attacker);
            if mask != 0 {
                visit(template, mask);
            }
        }
    }

    /// Adds the words of the row from which its own piece moves into those of `from`.
    #[inline(always)]
    pub(super) fn unmove_inner(&self, from: &Row, into: &mut Row) {
        for (square, &bits) in from.iter().enumerate().filter(|(_, bits)| **bits != 0) {
            self.each_of_inner(&self.piece.templates.unmoves, square, |template, mask| {
                into[template.from as usize & 63] |= bits & mask;
            });
        }
    }

    /// Removes from a row the squares from which its own piece moves to a square of `safe`.
    #[inline(always)]
    pub(super) fn remove_escapes_of_inner(&self, safe: &Row, left: &mut Row) {
        for (square, left) in left.iter_mut().enumerate().filter(|(_, left)| **left != 0) {
            self.each_of_inner(&self.piece.templates.quiet, square, |template, mask| {
                *left &= !(safe[template.to as usize & 63] & mask);
            });
        }
    }
}
