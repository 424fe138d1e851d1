//! Perft that can be stopped between subtrees.

use umbrail_chess::Position;
use umbrail_control::Control;

/// Maximum depth of subtrees that are counted without a check for a stop: about 0.1 s at most.
const UNSTOPPABLE: u32 = 4;

/// Counts the move sequences of a length from a position; `None` when stopped.
pub(super) fn count_sequences(
    position: &Position,
    depth: u32,
    control: &Control<'_, ()>,
) -> Option<u64> {
    if depth <= UNSTOPPABLE {
        control.check().ok()?;
        let count = umbrail_chess::perft::perft(position, depth);
        control.progress.nodes.add(count);
        return Some(count);
    }
    position
        .legal_moves()
        .into_iter()
        .map(|mv| count_sequences(&position.after(mv), depth - 1, control))
        .sum()
}
