//! A case that is searched in layers, and how large its parts are.

use crate::search::layers::message::NumberInRun;
use crate::search::split::left_case::LeftCase;
use crate::strategy::Strategy;

/// What a search in layers is about.
pub(crate) struct LayeredCase<'c> {
    /// The number of the strategy in the run.
    pub(crate) number: NumberInRun,
    /// The strategy.
    pub(crate) strategy: &'c Strategy,
    /// A number that no other strategy has that uses the player's table.
    pub(crate) key: u64,
    /// The case.
    pub(crate) case: LeftCase,
    /// How large its parts are.
    pub(crate) sizes: LayerSizes,
}

/// Sizes of a search in layers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayerSizes {
    /// Moves that are searched depth first before, to learn conflicts.
    pub(crate) learning_moves: u64,
    /// A layer with fewer positions is searched by its own worker.
    pub(crate) alone: u64,
    /// Positions of a task that is not divided further.
    pub(crate) small: usize,
    /// Positions of a part, when there are not too many.
    pub(crate) part: u64,
    /// Bytes of a layer, and of all layers together, which are kept for the games. A case with a larger layer is searched depth
    /// first, and one with games whose layers do not fit together.
    pub(crate) bytes: usize,
}

impl Default for LayerSizes {
    fn default() -> Self {
        Self { learning_moves: 200_000, alone: 2_000, small: 1_000, part: 4_000, bytes: 1 << 30 }
    }
}
