//! All distances that follow from one set of still pieces, and their cache.

use crate::distance::OFFICERS;
use crate::distance::bars::Bars;
use crate::distance::officers::OfficerTable;
use crate::distance::pawns::PawnTable;
use crate::problem::piece::PieceId;
use crate::rules::{Rule, Rules};
use std::collections::HashMap;
use std::sync::Arc;
use umbrail_chess::geometry::{Bitboard, Color};
use umbrail_chess::{Role, attacks};

/// All distances that follow from one set of still pieces.
#[derive(Debug)]
pub(crate) struct Distances {
    /// Home squares of the still pieces.
    pub still: Bitboard,
    /// Pawns that stay on their files.
    pub bars: Bars,
    /// Squares that the king of a color can never enter, because a still piece attacks them in
    /// contact.
    pub guarded: [Bitboard; 2],
    /// By color and role: squares from which such a piece would check the still enemy king in
    /// contact. Only taking the piece could answer the check, so it stops there only to be taken or
    /// as the last ply.
    pub forbidden: [[Bitboard; 6]; 2],
    pub(super) officers: [[Arc<OfficerTable>; 5]; 2],
    pawns: [Arc<PawnTable>; 2],
}

impl Distances {
    /// Returns the table of a color's officers. A pawn gets the queen's, which is never longer than
    /// that of its promotion.
    #[inline]
    pub(crate) fn table(&self, color: Color, role: Role) -> &OfficerTable {
        let kind = match role {
            Role::King => 0,
            Role::Queen | Role::Pawn => 1,
            Role::Rook => 2,
            Role::Bishop => 3,
            Role::Knight => 4,
        };
        &self.officers[color.index()][kind]
    }

    /// Returns the pawn paths of a color.
    #[inline]
    pub(crate) fn pawns(&self, color: Color) -> &PawnTable {
        &self.pawns[color.index()]
    }

    /// Returns the squares from which this piece would check the still enemy king in contact.
    #[inline]
    pub(crate) fn forbidden(&self, color: Color, role: Role) -> Bitboard {
        self.forbidden[color.index()][role.index()]
    }
}

type TableKey = (Role, Bitboard, Bitboard, Bars);

type PawnKey = (Color, Bitboard, Bitboard);

/// Distances by still pieces, each computed once. A problem has a few dozen to a few hundred such
/// sets.
#[derive(Debug)]
pub(crate) struct TableCache {
    rules: Rules,
    all: HashMap<(u64, Bars), Arc<Distances>>,
    officers: HashMap<TableKey, Arc<OfficerTable>>,
    pawns: HashMap<PawnKey, Arc<PawnTable>>,
}

impl TableCache {
    /// Creates an empty cache. The rules determine whether guarded ([`Rule::GuardedSquares`]) and
    /// forbidden ([`Rule::UnanswerableChecks`]) squares are respected.
    pub(crate) fn new(rules: Rules) -> Self {
        Self { rules, all: HashMap::new(), officers: HashMap::new(), pawns: HashMap::new() }
    }

    /// Returns the distances for these still pieces, given by their home squares, and these bars.
    pub(crate) fn of(&mut self, still: Bitboard, bars: Bars) -> Arc<Distances> {
        if let Some(known) = self.all.get(&(still.0, bars)) {
            return Arc::clone(known);
        }
        let new = Arc::new(self.compute(still, bars));
        self.all.insert((still.0, bars), Arc::clone(&new));
        new
    }

    fn compute(&mut self, still: Bitboard, bars: Bars) -> Distances {
        let guarded = Color::ALL.map(|color| {
            if self.rules.has(Rule::GuardedSquares) {
                contacts(still, !color)
            } else {
                Bitboard::EMPTY
            }
        });
        let forbidden = Color::ALL.map(|color| {
            let king = PieceId::king(!color).origin();
            let checked = self.rules.has(Rule::UnanswerableChecks) && still.contains(king);
            Role::ALL.map(|role| {
                if checked && role != Role::King {
                    // A pawn attacks from the squares that an enemy pawn on the king's square would
                    // attack.
                    let contact = attacks::of(role, !color, king, attacks::king(king));
                    contact - still
                } else {
                    Bitboard::EMPTY
                }
            })
        });
        let officers = Color::ALL.map(|color| {
            OFFICERS.map(|role| {
                let forbidden = forbidden[color.index()][role.index()];
                let closed =
                    if role == Role::King { guarded[color.index()] } else { Bitboard::EMPTY };
                let straight = matches!(role, Role::Rook | Role::Queen);
                let bars = if straight { bars } else { Bars::default() };
                let key = (role, still | closed, forbidden, bars);
                let id = self.officers.len();
                let new = || Arc::new(OfficerTable::new(key.0, key.1, key.2, key.3, id));
                Arc::clone(self.officers.entry(key).or_insert_with(new))
            })
        });
        let pawns = Color::ALL.map(|color| {
            let key = (color, still, forbidden[color.index()][Role::Pawn.index()]);
            let new = || Arc::new(PawnTable::new(key.0, key.1, key.2));
            Arc::clone(self.pawns.entry(key).or_insert_with(new))
        });
        Distances { still, bars, guarded, forbidden, officers, pawns }
    }
}

/// Returns the squares that still pieces of a color attack with no square in between.
pub(crate) fn contacts(still: Bitboard, color: Color) -> Bitboard {
    still
        .squares()
        .filter_map(PieceId::starting_on)
        .filter(|piece| piece.color() == color)
        .map(|piece| {
            let home = piece.origin();
            attacks::of(piece.role(), color, home, attacks::king(home))
        })
        .fold(Bitboard::EMPTY, |all, attacked| all | attacked)
}
