//! Tables after captures and promotions.

use super::definition::Game;
use super::index::{Men, PositionIndex};
use super::material::{GameKey, OTHERS_MAX};
use super::solved::SolvedGame;
use std::collections::HashMap;
use std::sync::Arc;

/// ChangeKey of material: the captured pieces, and the piece that promotes with its new kind.
pub(super) type ChangeKey = (u32, Option<(usize, u8)>);

/// Table after a change.
#[derive(Clone, Debug)]
pub(super) struct After {
    pub(super) table: Arc<SolvedGame>,
    /// For each piece there, its number here.
    pub(super) source: Vec<u8>,
}

impl After {
    pub(super) fn men(&self, men: &Men) -> Men {
        let mut theirs = [0; OTHERS_MAX];
        for (to, &from) in theirs.iter_mut().zip(&self.source) {
            *to = men[usize::from(from)];
        }
        theirs
    }

    pub(super) fn index(&self) -> &PositionIndex {
        &self.table.index
    }
}

/// Tables after all changes.
pub(super) type Changes = HashMap<ChangeKey, After>;

/// Returns all changes that a move of this material can cause.
pub(super) fn changes(game: &Game, key: &GameKey) -> Vec<ChangeKey> {
    let moves = |kind: u8| &game.pieces[usize::from(kind)].moves;
    let (strikers, others) = (key.strikers(), key.others());
    // Movers: the royals (no number), then the other pieces.
    let mut movers = vec![(None, key.attackers[0], true), (None, key.losers[0], false)];
    movers.extend((0..others).map(|man| (Some(man), key.kind(man), man < strikers)));
    let mut found = vec![];
    for (man, kind, attacker) in movers {
        let victims = if attacker { strikers..others } else { 0..strikers };
        let mut targets: Vec<Option<u8>> = moves(kind).iter().map(|mv| mv.becomes).collect();
        targets.sort_unstable();
        targets.dedup();
        let most = moves(kind).iter().map(|mv| mv.template.take.count_ones()).max().unwrap_or(0);
        let mut sets = vec![0];
        for a in victims.clone() {
            sets.push(1u32 << a);
            if most > 1 {
                sets.extend((a + 1..victims.end).map(|b| 1 << a | 1 << b));
            }
        }
        for target in targets {
            let promoted = man.zip(target);
            found.extend(sets.iter().map(|&set| (set, promoted)));
        }
    }
    found.retain(|change| *change != (0, None));
    found.sort_unstable();
    found.dedup();
    found
}
