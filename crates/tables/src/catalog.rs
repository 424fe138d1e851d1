//! Catalog of one set of rules: kinds of pieces by number, keys of tables, layouts, and the table
//! of each conversion. It contains no table and does no input or output.
//!
//! All tables are one-sided and seen from the attacker, who plays up the board. "Black wins KQ.KR"
//! is the table of attacker KR against KQ with the board rotated, so one catalog serves both
//! directions of a material and all their sub-endings.

use super::layout::{Layout, OTHERS_MAX, Others};
use super::material::{Material, MaterialError, rank};
use super::material_key::MaterialKey;
use super::move_tables::MoveTables;
use super::rules::{Rules, Stalemate};
use crate::fairy::{Piece, PieceSet};
use std::sync::Arc;
use umbrail_chess::geometry::{Color, SymmetryGroup};

/// Conversion that a position of some material can make.
pub(crate) struct Conversion {
    /// Pieces after the conversion.
    pub(crate) key: MaterialKey,
    /// True when the attacker converts.
    pub(crate) ours: bool,
    /// After a promotion, the piece of the new key that was a pawn.
    pub(crate) promoted: Option<usize>,
}

/// Pieces, rules and data derived from both.
pub(crate) struct Catalog {
    pub(crate) rules: Rules,
    kinds: Vec<Arc<Piece>>,
    orders: Vec<(usize, char, usize)>,
    move_tables: Vec<[Arc<MoveTables>; 2]>,
    promotions: Vec<usize>,
}

impl Catalog {
    /// Creates a catalog of these rules, initially with the promotion pieces.
    ///
    /// # Errors
    /// [`MaterialError::Promotion`] when the rules name a promotion piece that the piece set lacks.
    pub(crate) fn new(rules: Rules, piece_set: &PieceSet) -> Result<Self, MaterialError> {
        let letters = rules.promotion_letters().to_owned();
        let mut catalog = Self {
            rules,
            kinds: Vec::new(),
            orders: Vec::new(),
            move_tables: Vec::new(),
            promotions: Vec::new(),
        };
        for letter in letters.chars() {
            match piece_set.get(letter) {
                Some(piece) if !piece.pawn => {
                    let kind = catalog.kind(piece);
                    catalog.promotions.push(kind);
                }
                _ => return Err(MaterialError::Promotion(letter)),
            }
        }
        Ok(catalog)
    }

    /// Returns the number of a kind of piece.
    pub(crate) fn kind(&mut self, piece: &Arc<Piece>) -> usize {
        self.known_kind(piece).unwrap_or_else(|| {
            self.orders.push((rank(piece.letter), piece.letter, self.kinds.len()));
            self.kinds.push(piece.clone());
            self.move_tables
                .push([false, true].map(|turned| Arc::new(MoveTables::new(piece, turned))));
            self.kinds.len() - 1
        })
    }

    fn known_kind(&self, piece: &Arc<Piece>) -> Option<usize> {
        // Nearly always it is the identical allocation.
        let same = self.kinds.iter().position(|k| Arc::ptr_eq(k, piece));
        same.or_else(|| self.kinds.iter().position(|k| k == piece))
    }

    /// Returns the key of "this color wins".
    pub(crate) fn key(&mut self, material: &Material, attacker: Color) -> MaterialKey {
        let mut side = |color| {
            let kinds: Vec<usize> = material.side(color).iter().map(|p| self.kind(p)).collect();
            self.sorted(kinds)
        };
        MaterialKey { attacker: side(attacker), loser: side(!attacker) }
    }

    fn sorted(&self, mut kinds: Vec<usize>) -> Vec<usize> {
        kinds[1..].sort_by_key(|&k| self.order(k));
        kinds
    }

    /// Returns the sort key of a kind in the usual order of pieces.
    pub(crate) fn order(&self, kind: usize) -> (usize, char, usize) {
        self.orders[kind]
    }

    /// Returns the pieces a pawn can promote to.
    pub(crate) fn promotions(&self) -> Vec<Arc<Piece>> {
        self.promotions.iter().map(|&k| self.kinds[k].clone()).collect()
    }

    /// Returns the name of a table, seen from the winner.
    pub(crate) fn name(&self, key: &MaterialKey) -> String {
        let side =
            |kinds: &[usize]| kinds.iter().map(|&k| self.kinds[k].letter).collect::<String>();
        format!("{}.{}", side(&key.attacker), side(&key.loser))
    }

    /// Returns the layout of a table.
    pub(crate) fn layout(&self, key: &MaterialKey) -> Layout {
        let group = key
            .attacker
            .iter()
            .fold(SymmetryGroup::FULL, |g, &k| g.intersection(self.kinds[k].symmetry()));
        let group =
            key.loser.iter().fold(group, |g, &k| g.intersection(self.kinds[k].symmetry_turned()));
        let side = |kinds: &[usize], shift: usize| -> Vec<(usize, bool)> {
            kinds[1..].iter().map(|&k| (k + shift, self.kinds[k].pawn)).collect()
        };
        let pieces = [side(&key.attacker, 0), side(&key.loser, 1 << 16)].concat();
        let others = key.attacker[1..].iter().chain(&key.loser[1..]).enumerate();
        let bent = others.filter(|(_, kind)| !self.kinds[**kind].bent().is_empty());
        Layout::with_bent(group, &pieces, bent.fold(0, |set, (piece, _)| set | 1 << piece))
    }

    /// Returns every one-sided table that this one needs, itself last.
    pub(crate) fn closure(&self, key: &MaterialKey) -> Vec<MaterialKey> {
        let mut order = Vec::new();
        self.collect(key, &mut order);
        order
    }

    pub(crate) fn collect(&self, key: &MaterialKey, order: &mut Vec<MaterialKey>) {
        if order.contains(key) {
            return;
        }
        for after in self.conversions(key) {
            self.collect(&after, order);
        }
        order.push(key.clone());
    }

    /// Returns the keys of all positions one conversion away.
    fn conversions(&self, key: &MaterialKey) -> Vec<MaterialKey> {
        self.converted(key).into_iter().map(|(after, _)| after).collect()
    }

    /// Returns the keys of all positions one conversion away, each with a flag that is true when
    /// the attacker converts.
    pub(crate) fn converted(&self, key: &MaterialKey) -> Vec<(MaterialKey, bool)> {
        self.conversions_of(key).map(|after| (after.key, after.ours)).collect()
    }

    /// Returns all kinds of conversions.
    pub(crate) fn conversions_of(&self, key: &MaterialKey) -> impl Iterator<Item = Conversion> {
        let pieces = key.attacker.len() + key.loser.len() - 2;
        let mut all = Vec::new();
        for victim in 0..pieces {
            let (after, _) = self.changed(key, &[victim], None);
            all.push(Conversion { key: after, ours: !key.is_attacker(victim), promoted: None });
        }
        for pair in self.pairs_taken(key) {
            let (after, _) = self.changed(key, &pair, None);
            all.push(Conversion { key: after, ours: !key.is_attacker(pair[0]), promoted: None });
        }
        for pawn in (0..pieces).filter(|&m| self.kinds[key.piece(m)].pawn) {
            let ours = key.is_attacker(pawn);
            let victims = (0..pieces).filter(|&v| key.is_attacker(v) != ours).map(Some);
            for victim in std::iter::once(None).chain(victims) {
                for &promotion in &self.promotions {
                    let (after, was) =
                        self.changed(key, victim.as_slice(), Some((pawn, promotion)));
                    let promoted = was.iter().position(|&index| index == pawn);
                    all.push(Conversion { key: after, ours, promoted });
                }
            }
        }
        all.into_iter()
    }

    /// Returns the pairs of pieces of one side that one move may capture.
    pub(crate) fn pairs_taken(&self, key: &MaterialKey) -> Vec<[usize; 2]> {
        let takes_two = |kinds: &[usize]| kinds.iter().any(|&kind| self.kinds[kind].takes_two());
        let (attackers, pieces) =
            (key.attacker.len() - 1, key.attacker.len() + key.loser.len() - 2);
        let mut pairs = Vec::new();
        for (takers, victims) in [(&key.attacker, attackers..pieces), (&key.loser, 0..attackers)] {
            if takes_two(takers) {
                let pair = |first| (first + 1..victims.end).map(move |second| [first, second]);
                pairs.extend(victims.clone().flat_map(pair));
            }
        }
        pairs
    }

    /// Returns the key after a conversion, and for each of its pieces the piece it was before.
    pub(crate) fn changed(
        &self,
        key: &MaterialKey,
        victims: &[usize],
        promotion: Option<(usize, usize)>,
    ) -> (MaterialKey, Vec<usize>) {
        let split = key.attacker.len() - 1;
        let pieces = split + key.loser.len() - 1;
        let kind = |index| match promotion {
            Some((pawn, piece)) if pawn == index => piece,
            _ => key.piece(index),
        };
        let side = |range: std::ops::Range<usize>| {
            let mut list: Vec<usize> = range.filter(|m| !victims.contains(m)).collect();
            list.sort_by_key(|&m| self.order(kind(m)));
            list
        };
        let (ours, theirs) = (side(0..split), side(split..pieces));
        let with = |royal: usize, list: &[usize]| {
            std::iter::once(royal).chain(list.iter().map(|&m| kind(m))).collect()
        };
        let after = MaterialKey {
            attacker: with(key.attacker[0], &ours),
            loser: with(key.loser[0], &theirs),
        };
        (after, [ours, theirs].concat())
    }

    /// Returns true when the attacker can never win, so that nothing needs to be computed: it has
    /// only its royal, which cannot give a check that the other royal would not return.
    pub(crate) fn never_wins(&self, key: &MaterialKey) -> bool {
        if self.rules.bare_loses && key.attacker.len() == 1 {
            return true;
        }
        key.attacker.len() == 1
            && self.rules.stalemate == Stalemate::Draw
            && self.move_tables[key.attacker[0]][0].never_checks(&self.move_tables[key.loser[0]][1])
    }

    /// Sorts squares of pieces into the order of a key's layout. `sides` contains the kinds and
    /// squares of the attacker's and the loser's pieces without royals.
    pub(crate) fn arrange(&self, sides: [&mut Vec<(usize, u8)>; 2]) -> Others {
        let mut pieces = [0; OTHERS_MAX];
        let mut at = 0;
        for side in sides {
            side.sort_by_key(|&(kind, _)| self.order(kind));
            for &(_, square) in side.iter() {
                pieces[at] = square;
                at += 1;
            }
        }
        pieces
    }

    /// Returns the number of a piece of the catalog.
    pub(crate) fn number(&self, piece: &Arc<Piece>) -> Option<usize> {
        self.known_kind(piece)
    }

    /// Returns the piece of a number.
    pub(crate) fn piece(&self, kind: usize) -> &Arc<Piece> {
        &self.kinds[kind]
    }

    /// Returns the move tables of a piece of a key besides the royals, as its side moves.
    pub(crate) fn move_tables_of(&self, key: &MaterialKey, index: usize) -> &Arc<MoveTables> {
        &self.move_tables[key.piece(index)][usize::from(!key.is_attacker(index))]
    }

    /// Returns the move tables of the attacker's royal and of the loser's.
    pub(crate) fn royal_tables(&self, key: &MaterialKey) -> [&Arc<MoveTables>; 2] {
        [&self.move_tables[key.attacker[0]][0], &self.move_tables[key.loser[0]][1]]
    }

    /// Returns the numbers of the pieces a pawn can promote to.
    pub(crate) fn promotion_kinds(&self) -> &[usize] {
        &self.promotions
    }
}
