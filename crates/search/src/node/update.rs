//! What a finished node teaches the histories.

use super::super::worker::Worker;
use umbrail_chess::{Move, Position, Role};

impl Worker<'_> {
    /// Updates killers, countermove and histories after a cutoff: a bonus for the move, a malus for those tried
    /// before it.
    pub(super) fn update_histories(
        &mut self,
        position: &Position,
        depth: i32,
        ply: usize,
        mv: Move,
        tried: &Tried<'_>,
    ) {
        let &Tried { quiets, captures, hash_move } = tried;
        let ordering = self.shared.policies.ordering;
        let (bonus, malus) = (ordering.bonus(depth), ordering.malus(depth));
        let context = self.context(position, ply);
        let Some(role) = position.role_at(mv.from()) else { return };
        let quiet = mv.promotion().is_none() && !position.is_capture(mv);
        if quiet {
            let entry = self.stack(ply);
            let keeps = ordering.keeps_killer(Some(mv) == hash_move);
            if keeps && entry.killers[0] != Some(mv) {
                entry.killers = [Some(mv), entry.killers[0]];
            }
            self.histories.set_counter_move(context.earlier[0], mv);
            if ordering.rewards(depth, quiets.len()) {
                self.histories.update_quiet(&context, role, mv, bonus);
            }
            for &(role, other) in quiets.iter().filter(|(_, other)| *other != mv) {
                self.histories.update_quiet(&context, role, other, -malus);
            }
        } else if let Some(victim) = position.captured(mv) {
            self.histories.update_capture(role, mv, victim, bonus);
        }
        for &(role, other) in captures.iter().filter(|(_, other)| *other != mv) {
            if let Some(victim) = position.captured(other) {
                self.histories.update_capture(role, other, victim, -malus);
            }
        }
    }
}

/// Whether no quiet move but the table's was searched before.
pub(super) fn is_first_quiet(quiets: &[(Role, Move)], hash_move: Option<Move>) -> bool {
    quiets.iter().all(|&(_, earlier)| Some(earlier) == hash_move)
}

/// The moves searched at a node, the last one included.
pub(super) struct Tried<'a> {
    pub(super) quiets: &'a [(Role, Move)],
    pub(super) captures: &'a [(Role, Move)],
    pub(super) hash_move: Option<Move>,
}
