//! Tables after changes of material.

use super::known::KnownTable;
use super::moves::{MaterialChange, QUIET};
use super::{NONE, Verifier};
use crate::material_key::MaterialKey;
use crate::table_set::TableSet;

impl<'a> Verifier<'a> {
    /// Looks up the table of every change that a move can cause.
    pub(super) fn find_tables(&mut self, table_set: &'a TableSet) {
        let pieces = self.pieces.len() as u8;
        let mut victims: Vec<(u8, u8)> = (2..pieces).map(|victim| (victim, NONE)).collect();
        victims.push((NONE, NONE));
        for victim in 2..pieces {
            let attacker = self.pieces[victim as usize].attacker;
            let takers = self.pieces.iter().filter(|piece| piece.attacker != attacker);
            if takers.into_iter().any(|piece| piece.takes_two) {
                let twins = (victim + 1..pieces)
                    .filter(|&also| self.pieces[also as usize].attacker == attacker);
                victims.extend(twins.map(|also| (victim, also)));
            }
        }
        for &(victim, also) in &victims {
            let mut changes = vec![MaterialChange { victim, also, ..QUIET }];
            for pawn in (2..pieces).filter(|&m| self.pieces[m as usize].pawn) {
                changes.extend(self.promotions.iter().map(|&becomes| MaterialChange {
                    victim,
                    also,
                    pawn,
                    becomes,
                }));
            }
            for change in changes {
                if change == QUIET || change.victim == change.pawn {
                    continue;
                }
                let kind = |m: u8| {
                    if m == change.pawn { change.becomes } else { self.pieces[m as usize].kind }
                };
                let side = |attacker: bool| {
                    let mut list: Vec<u8> = (2..pieces)
                        .filter(|&m| {
                            m != victim && m != also && self.pieces[m as usize].attacker == attacker
                        })
                        .collect();
                    list.sort_by_key(|&m| table_set.catalog.order(kind(m)));
                    list
                };
                let (ours, theirs) = (side(true), side(false));
                let kinds = |royal: usize, list: &[u8]| {
                    std::iter::once(self.pieces[royal].kind)
                        .chain(list.iter().map(|&m| kind(m)))
                        .collect()
                };
                let key = MaterialKey { attacker: kinds(0, &ours), loser: kinds(1, &theirs) };
                if let Some(table) = KnownTable::of(table_set, &key) {
                    let source = ours.iter().chain(&theirs).map(|&m| m as usize).collect();
                    self.after.insert(change, (table, source));
                }
            }
        }
    }
}
