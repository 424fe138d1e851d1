//! Move sequences, counted so that the count can be stopped between subtrees.

use crate::chess::Position;
use crate::control::Control;

/// Subtrees of this depth are counted without asking whether to stop: about 0.1 s at most.
const UNSTOPPABLE: u32 = 4;

/// Counts the sequences of a length from a position; none when stopped.
pub(super) fn count_sequences(
    position: &Position,
    depth: u32,
    control: &Control<'_, ()>,
) -> Option<u64> {
    if depth <= UNSTOPPABLE {
        control.check().ok()?;
        let count = crate::chess::perft::perft(position, depth);
        control.progress.nodes.add(count);
        return Some(count);
    }
    position
        .legal_moves()
        .into_iter()
        .map(|mv| count_sequences(&position.after(mv), depth - 1, control))
        .sum()
}
