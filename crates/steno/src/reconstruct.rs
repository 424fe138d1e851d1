//! Reconstruction of games backward from the last layer. Every kept position has one link back;
//! other parents are found by making the moves of the previous layer again.

use super::game_history::GameHistory;
use super::last_turns::GameEnd;
use super::layer::NodeIndex;
use super::search::StenoSearch;
use super::successors::Successor;
use std::collections::HashMap;
use umbrail_chess::{Move, PackedPosition};

/// Number of parents examined between two polls of the stop signal.
const STOPPABLE: usize = 1 << 14;

impl StenoSearch<'_> {
    /// Returns the moves after a kept position, last first.
    pub(super) fn tail(&self, end: &GameEnd) -> Vec<Move> {
        end.moves.into_iter().rev().flatten().collect()
    }

    /// Returns one game that leads to a position of the layer before `turn`, followed by the given
    /// moves, which are in reverse order.
    pub(super) fn chain(&self, turn: usize, node: NodeIndex, mut backward: Vec<Move>) -> Vec<Move> {
        let mut node = node;
        for stacked in self.stack[1..=turn].iter().rev() {
            let link = stacked.layer.link(node);
            backward.extend(link.mv());
            node = link.parent;
        }
        backward.reverse();
        backward
    }

    /// Returns up to `room` different games with these ends.
    pub(super) fn games(&self, turn: usize, ends: &[GameEnd], room: usize) -> Vec<Vec<Move>> {
        let mut partial: Vec<(NodeIndex, Vec<Move>)> =
            ends.iter().take(room).map(|end| (end.node, self.tail(end))).collect();
        let mut level = turn;
        // Each partial game can be completed in at least one way: if there are enough, any will do.
        while level > 0 && partial.len() < room {
            let layer = &self.stack[level].layer;
            if partial.iter().all(|(node, _)| layer.is_unique(*node)) {
                break;
            }
            partial = self.step_back(level, partial, room);
            level -= 1;
        }
        partial.into_iter().map(|(node, tail)| self.chain(level, node, tail)).collect()
    }

    /// Returns all ways (up to `room`) to step back one turn from positions of the layer before
    /// turn `level`.
    fn step_back(
        &self,
        level: usize,
        partial: Vec<(NodeIndex, Vec<Move>)>,
        room: usize,
    ) -> Vec<(NodeIndex, Vec<Move>)> {
        let layer = &self.stack[level].layer;
        let mut ways: HashMap<NodeIndex, Vec<(NodeIndex, Move)>> = HashMap::new();
        let mut wanted: HashMap<(PackedPosition, GameHistory), NodeIndex> = HashMap::new();
        for (node, _) in &partial {
            if !layer.is_unique(*node) {
                wanted.insert(layer.get(*node), *node);
            }
        }
        self.parents(level, &wanted, |child, parent, mv| {
            let list = ways.entry(child).or_default();
            if list.len() < room {
                list.push((parent, mv));
            }
        });
        let mut back = Vec::new();
        let mut open = partial.len();
        for (node, tail) in partial {
            open -= 1;
            let link = layer.link(node);
            let single = link.mv().map(|mv| (link.parent, mv));
            let list = ways.get(&node).map_or(single.as_slice(), Vec::as_slice);
            // Leave space for one way of each that is still open.
            let most = room.saturating_sub(back.len() + open).max(1);
            for &(parent, mv) in list.iter().take(most) {
                let mut tail = tail.clone();
                tail.push(mv);
                back.push((parent, tail));
            }
        }
        back
    }

    /// Finds every move that leads to one of the requested positions of the layer before turn
    /// `level`.
    fn parents(
        &self,
        level: usize,
        wanted: &HashMap<(PackedPosition, GameHistory), NodeIndex>,
        mut visit: impl FnMut(NodeIndex, NodeIndex, Move),
    ) {
        let (compiled, turn) = (self.compiled, level - 1);
        let (previous, mask) = (&self.stack[turn].layer, compiled.state_masks[level]);
        // A move changes at most four squares, and rights of two rooks and one pawn.
        let few: Option<Vec<PackedPosition>> =
            (wanted.len() <= 16).then(|| wanted.keys().map(|(board, _)| *board).collect());
        for row in self.stack[level].parents.clone() {
            if row % STOPPABLE == 0 && self.control.check().is_err() {
                // The outcome reports the stop; the games are then completed in one way each.
                return;
            }
            let node = previous.node(row);
            let (board, history) = previous.get(node);
            if let Some(few) = &few
                && few.iter().all(|other| board.difference(*other).len() > 8)
            {
                continue;
            }
            let position = board.unpack(compiled.color(turn));
            compiled.each(turn, &position, history, |successor: &Successor| {
                let reached = (mask.pack(&successor.after), successor.history.masked(mask.history));
                if let Some(&child) = wanted.get(&reached) {
                    visit(child, node, successor.mv);
                }
            });
        }
    }
}
