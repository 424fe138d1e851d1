//! The games that lead to the ends that were found, from there back through the layers.

use crate::problem::man::MenSet;
use crate::search::depth_first::{SearchHalt, StrategySearch};
use crate::search::layers::kept::Layer;
use crate::search::layers::piece::Packer;
use crate::search::layers::reached::{LayerPiece, LayerPosition};
use crate::search::layers::row::RowFormat;
use crate::search::layers::step::StepShape;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use umbrail_chess::Move;

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
    /// Adds the games that end with this position, which was reached from these parts of the layer before, up to the number that is
    /// wanted.
    ///
    /// # Errors
    /// When it was stopped.
    pub(crate) fn games_that_end(
        &mut self,
        end: &LayerPosition,
        from: &BTreeSet<usize>,
    ) -> Result<(), SearchHalt> {
        for (from, way) in &self.origins_in(end, from)? {
            if self.games.len() >= self.games_max {
                break;
            }
            self.games_to(from, way)?;
        }
        Ok(())
    }

    /// Adds the games that go through a position of a layer and end with `rest`. Every position of a layer was reached, so each step
    /// back finds one at least.
    fn games_to(&mut self, position: &LayerPosition, rest: &[Move]) -> Result<(), SearchHalt> {
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

    /// The positions from which a position of a layer was reached.
    ///
    /// Only the parts of the layer before are looked at whose tasks reached it. None is missing: a task leaves out a position only
    /// when it is known to lead to no game, and this one leads to one.
    fn origins(&mut self, position: &LayerPosition) -> Result<Origins, SearchHalt> {
        if let Some(known) = self.known.get(position) {
            return Ok(Arc::clone(known));
        }
        let (ply, row) = (position.0, position.1.as_slice());
        let layer = self.layers.iter().find(|layer| layer.ply == ply);
        let parts = layer.map_or(&[][..], |layer| &layer.parts);
        let men = layer.map_or(MenSet::ALL, |layer| layer.men);
        let part = StepShape::part_of(self.format, men, row, parts.len());
        let mut from = BTreeSet::new();
        for piece in parts.get(part).into_iter().flatten() {
            if !from.contains(&piece.from)
                && self.rows_of(piece).chunks_exact(self.format.width()).any(|other| other == row)
            {
                from.insert(piece.from);
            }
        }
        let origins = Arc::new(self.origins_in(position, &from)?);
        self.known.insert(position.clone(), Arc::clone(&origins));
        Ok(origins)
    }

    /// The positions in these parts of the layer before from which a position can be reached.
    fn origins_in(
        &mut self,
        (ply, row): &LayerPosition,
        parts: &BTreeSet<usize>,
    ) -> Result<BTreeSet<(LayerPosition, Vec<Move>)>, SearchHalt> {
        let before = self.layers.iter().take_while(|layer| layer.ply < *ply).last();
        let mut origins = BTreeSet::new();
        let Some(before) = before else { return Ok(origins) };
        for piece in parts.iter().filter_map(|&part| before.parts.get(part)).flatten() {
            for from in self.rows_of(piece).chunks_exact(self.format.width()) {
                for way in self.search.ways(self.format, (from, before.ply), (row, *ply))? {
                    origins.insert(((before.ply, from.to_vec()), way));
                }
            }
        }
        Ok(origins)
    }

    fn rows_of(&self, piece: &LayerPiece) -> Vec<u8> {
        let mut rows = vec![];
        // Pieces were read before, when their positions were searched.
        let _ = Packer::new(self.format.widths()).unpack(&piece.rows, &mut rows);
        rows
    }
}
