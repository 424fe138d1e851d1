//! Unfinished searches: what a search has done so far, as a file from which the same search goes on.
//!
//! Other than a [`Checkpoint`](super::checkpoint::Checkpoint) it belongs to one steno: later marks have ruled out
//! positions in its layers. It is used as [`ReusableLayers`] are, so only layers that the next search would make
//! again are taken up, and it can change no result.

use super::checkpoint::{ReusableLayers, start_of, strictness, vocabulary_of};
use super::checkpoint_error::CheckpointError;
use super::compiled_steno::CompiledSteno;
use super::layer_bytes::{self, UNFINISHED as MAGIC};
use super::partial_bytes;
use super::{Steno, StenoRequest};
use std::sync::Arc;

const LOOKAHEAD: &str = "lookahead";

/// The layers of a search that goes on.
#[derive(Clone, Debug)]
pub struct UnfinishedSteno {
    layers: Arc<ReusableLayers>,
    lookahead: bool,
}

impl UnfinishedSteno {
    /// The layers of a search that was stopped; `lookahead` is that of its parameters.
    pub fn new(layers: Arc<ReusableLayers>, lookahead: bool) -> Self {
        Self { layers, lookahead }
    }

    /// True when these bytes begin as such a file does.
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC.as_bytes())
    }

    /// Whether positions are followed in parts by now.
    pub fn is_in_parts(&self) -> bool {
        self.layers.partial.is_some()
    }

    /// Number of turns that are done.
    pub fn turns(&self) -> usize {
        self.layers.stacked_layers.len() - 1
    }

    /// The layers, for the next search.
    pub fn layers(&self) -> &Arc<ReusableLayers> {
        &self.layers
    }

    /// The contents of a file; `request` is what is solved.
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

    /// Reads the contents of a file.
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
        Ok(Self::new(Arc::new(ReusableLayers { compiled, stacked_layers, partial }), lookahead))
    }
}
