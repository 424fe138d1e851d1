//! The games that lead to the ends that were found, from there back through the layers.

use crate::search::depth_first::{SearchHalt, StrategySearch};
use crate::search::layers::piece::Packer;
use crate::search::layers::row::RowFormat;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use umbrail_chess::Move;

/// A layer that was searched: its positions in pieces, as they came.
pub(crate) struct Layer {
    /// Half-moves played.
    pub(crate) ply: u16,
    /// The pieces of all parts.
    pub(crate) pieces: Vec<Arc<[u8]>>,
}

/// A position of a layer: half-moves played, and its row.
type LayerPosition = (u16, Vec<u8>);

/// Positions of the layer before, each with the moves from there.
type Origins = Arc<BTreeSet<(LayerPosition, Vec<Move>)>>;

/// Finds games backward.
pub(crate) struct Ascent<'s, 'a> {
    pub(crate) search: &'s mut StrategySearch<'a>,
    pub(crate) format: &'s RowFormat,
    /// In order, the first one with the array alone.
    pub(crate) layers: &'s [Layer],
    /// Games wanted at most.
    pub(crate) games_max: usize,
    pub(crate) games: Vec<Vec<Move>>,
    pub(crate) known: BTreeMap<LayerPosition, Origins>,
}

impl Ascent<'_, '_> {
    /// Adds the games that go through a position and end with `rest`, up to the number that is wanted. Every position of a layer was
    /// reached, so each step back finds one at least.
    ///
    /// # Errors
    /// When it was stopped.
    pub(crate) fn games_to(
        &mut self,
        position: &LayerPosition,
        rest: &[Move],
    ) -> Result<(), SearchHalt> {
        if position.0 == 0 {
            self.games.push(rest.to_vec());
            return Ok(());
        }
        for (from, way) in self.origins(position)?.iter() {
            if self.games.len() >= self.games_max {
                break;
            }
            self.games_to(from, &[way.as_slice(), rest].concat())?;
        }
        Ok(())
    }

    fn origins(&mut self, position: &LayerPosition) -> Result<Origins, SearchHalt> {
        if let Some(known) = self.known.get(position) {
            return Ok(Arc::clone(known));
        }
        let (ply, row) = (position.0, position.1.as_slice());
        let before = self.layers.iter().take_while(|layer| layer.ply < ply).last();
        let (mut origins, mut rows, mut packer) = (BTreeSet::new(), vec![], Packer::default());
        for (at, piece) in
            before.into_iter().flat_map(|layer| layer.pieces.iter().map(|piece| (layer.ply, piece)))
        {
            rows.clear();
            // Pieces were read before, when their positions were searched.
            let _ = packer.unpack(piece, self.format.width(), &mut rows);
            for from in rows.chunks_exact(self.format.width()) {
                for way in self.search.ways(self.format, (from, at), (row, ply))? {
                    origins.insert(((at, from.to_vec()), way));
                }
            }
        }
        let origins = Arc::new(origins);
        self.known.insert(position.clone(), Arc::clone(&origins));
        Ok(origins)
    }
}
