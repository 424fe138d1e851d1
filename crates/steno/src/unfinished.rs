//! Unfinished searches: the work so far, as a file from which the search can continue.
//!
//! Unlike a [`Checkpoint`](super::checkpoint::Checkpoint) it belongs to one steno: later marks have
//! ruled out positions in its layers. The layers are used like [`ReusableLayers`]: only those that
//! the next search would recompute identically are reused, so they cannot change a result.

use super::checkpoint::{ReusableLayers, start_of, strictness, vocabulary_of};
use super::checkpoint_error::CheckpointError;
use super::compiled_steno::CompiledSteno;
use super::layer_bytes::{self, UNFINISHED as MAGIC};
use super::link_check::check_links;
use super::partial_bytes;
use super::{Steno, StenoRequest};
use std::sync::Arc;

const LOOKAHEAD: &str = "lookahead";

/// Layers of a search that can continue.
#[derive(Clone, Debug)]
pub struct UnfinishedSteno {
    layers: Arc<ReusableLayers>,
    lookahead: bool,
}

impl UnfinishedSteno {
    /// Creates the record of a stopped search from its layers; `lookahead` is that of its
    /// parameters.
    pub fn new(layers: Arc<ReusableLayers>, lookahead: bool) -> Self {
        Self { layers, lookahead }
    }

    /// Returns true if the bytes begin like such a file.
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC.as_bytes())
    }

    /// Returns true if positions are already followed in parts.
    pub fn is_in_parts(&self) -> bool {
        self.layers.partial.is_some()
    }

    /// Returns the number of finished turns.
    pub fn turns(&self) -> usize {
        self.layers.stacked_layers.len() - 1
    }

    /// Returns the layers, for the next search.
    pub fn layers(&self) -> &Arc<ReusableLayers> {
        &self.layers
    }

    /// Returns the contents of a file; `request` is the steno being solved.
    pub fn to_bytes(&self, request: &StenoRequest) -> Vec<u8> {
        let lookahead = if self.lookahead { LOOKAHEAD } else { "none" };
        let vocabulary = request.steno.vocabulary.name();
        let (start, steno) = (request.start.to_string(), request.steno.to_string());
        let head = [MAGIC, vocabulary, strictness(request.strict), lookahead, &start, &steno];
        let ReusableLayers { stacked_layers, partial, .. } = &*self.layers;
        layer_bytes::to_bytes(&head, stacked_layers, |out| {
            partial_bytes::put_partial(out, stacked_layers.len(), partial.as_deref());
        })
    }

    /// Parses the contents of a file.
    ///
    /// # Errors
    /// [`CheckpointError::NotOne`] and [`CheckpointError::Damaged`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let (lines, mut reader) = layer_bytes::opened(bytes, MAGIC)?;
        let [MAGIC, vocabulary, strict, lookahead, fen, text] = lines[..] else {
            return Err(CheckpointError::NotOne);
        };
        let start = start_of(fen)?;
        let steno = Steno::parse(text, vocabulary_of(vocabulary)?);
        let mut steno = steno.map_err(CheckpointError::Steno)?;
        if strict == strictness(true) {
            steno = steno.strict();
        }
        let turns = steno.turns.len();
        let stacked_layers = layer_bytes::layers(&mut reader, &start, turns)?;
        let partial = partial_bytes::partial(&mut reader, &start, turns, &stacked_layers)?;
        reader.end()?;
        let lookahead = lookahead == LOOKAHEAD;
        let compiled = CompiledSteno::new(&steno, &start, lookahead);
        check_links(&compiled, partial.as_ref().map_or(&stacked_layers, |partial| &partial.stack))?;
        Ok(Self::new(Arc::new(ReusableLayers { compiled, stacked_layers, partial }), lookahead))
    }
}
