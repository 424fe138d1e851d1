//! The layers of a case that are kept for its games.

use crate::problem::man::MenSet;
use crate::search::layers::reached::LayerPiece;

/// A layer that was searched: its positions in pieces, as they came.
pub(crate) struct Layer {
    /// Half-moves played.
    pub(crate) ply: u16,
    /// The men that choose the parts.
    pub(crate) men: MenSet,
    /// The pieces of each part.
    pub(crate) parts: Vec<Vec<LayerPiece>>,
}

/// Bytes of the positions of a layer.
pub(crate) fn bytes_of(parts: &[Vec<LayerPiece>]) -> usize {
    parts.iter().flatten().map(|piece| piece.rows.len()).sum()
}

/// All layers so far, or none of them when they need too much memory: most cases have no game, and nothing is looked up then.
pub(crate) struct KeptLayers {
    layers: Option<Vec<Layer>>,
    bytes: usize,
    bytes_max: usize,
}

impl KeptLayers {
    /// Keeps layers as long as they have at most `bytes_max` bytes together.
    pub(crate) const fn new(bytes_max: usize) -> Self {
        Self { layers: Some(vec![]), bytes: 0, bytes_max }
    }

    /// Keeps a layer, or drops all of them for good.
    pub(crate) fn push(&mut self, layer: Layer) {
        self.bytes += bytes_of(&layer.parts);
        if self.bytes > self.bytes_max {
            self.layers = None;
        }
        if let Some(layers) = &mut self.layers {
            layers.push(layer);
        }
    }

    /// All layers in order, unless they were dropped.
    pub(crate) fn all(&self) -> Option<&[Layer]> {
        self.layers.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::{KeptLayers, Layer, LayerPiece, MenSet};

    #[test]
    fn layers_are_kept_as_long_as_they_fit() {
        let layer = |ply, bytes: usize| {
            let piece = LayerPiece { from: 0, rows: vec![0; bytes].into() };
            Layer { ply, men: MenSet::ALL, parts: vec![vec![piece.clone()], vec![], vec![piece]] }
        };
        let mut kept = KeptLayers::new(10);
        [(0, 1), (2, 4)].into_iter().for_each(|(ply, bytes)| kept.push(layer(ply, bytes)));
        assert_eq!(
            kept.all().map(|layers| layers.iter().map(|one| one.ply).collect()),
            Some(vec![0, 2])
        );
        kept.push(layer(4, 1));
        assert!(kept.all().is_none(), "12 bytes");
        kept.push(layer(6, 0));
        assert!(kept.all().is_none(), "for good");
    }
}
