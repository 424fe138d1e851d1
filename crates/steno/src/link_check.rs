//! Check of the layers of a saved search: each position follows from its parent by a legal move.
//!
//! A checksum detects damage, but not a file that another program wrote. The number of games of each
//! position is only checked for being possible: to recompute it is the search itself.

use super::checkpoint_error::CheckpointError;
use super::compiled_steno::CompiledSteno;
use super::layer::{Layer, StackedLayer};

/// Checks the layers of a search of a compiled steno, from the first.
///
/// # Errors
/// [`CheckpointError::Damaged`] with the defect.
pub(super) fn check_links(
    compiled: &CompiledSteno,
    stacked_layers: &[StackedLayer],
) -> Result<(), CheckpointError> {
    use CheckpointError::Damaged;
    let masks = &compiled.state_masks;
    if stacked_layers.len() > masks.len() {
        return Err(Damaged("its number of layers"));
    }
    let Some((first, later)) = stacked_layers.split_first() else { return Ok(()) };
    let root = masks[0].pack(&compiled.start);
    let starts = nodes(&first.layer).all(|node| first.layer.get(node).0 == root);
    if !starts || !first.layer.shards.iter().all(|shard| shard.counts.are_positive()) {
        return Err(Damaged("its first position"));
    }
    let mut previous = &first.layer;
    for (turn, stacked) in later.iter().enumerate() {
        let (layer, mask) = (&stacked.layer, masks[turn + 1]);
        if !layer.shards.iter().all(|shard| shard.counts.are_positive()) {
            return Err(Damaged("a number of games"));
        }
        for node in nodes(layer) {
            let link = layer.link(node);
            let before = previous.get(link.parent).0.unpack(compiled.color(turn));
            let follows = link
                .mv()
                .filter(|&mv| before.is_legal(mv))
                .is_some_and(|mv| mask.pack(&before.after(mv)) == layer.get(node).0);
            if !follows {
                return Err(Damaged("a position does not follow from its parent"));
            }
        }
        previous = layer;
    }
    Ok(())
}

fn nodes(layer: &Layer) -> impl Iterator<Item = super::layer::NodeIndex> {
    (0..layer.len()).map(|row| layer.node(row))
}
