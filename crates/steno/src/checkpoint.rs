//! Saved searches: up to a `$`, or up to the first turn in which two stenos differ.
//!
//! A [`Checkpoint`] is saved at `$`. While a steno contains `$`, the turns up to it are searched
//! without any knowledge of the turns after it, and everything that later marks might depend on is
//! kept. The later marks can therefore be changed freely.
//!
//! A [`ReusableLayers`] holds the layers of a finished search. The next search reuses them as far
//! as it would compute identical ones: with equal filters, equal demands from later marks, and
//! equal kept state. Reused layers can therefore neither change a result nor cost time.
//!
//! Format of a checkpoint file: a head of text lines (magic and version, vocabulary, `strict` or
//! `usual`, FEN, the string so far), an empty line, the layers in little-endian binary, and a
//! checksum of all that.

pub use super::checkpoint_error::CheckpointError;
use super::compiled_steno::CompiledSteno;
use super::layer::StackedLayer;
use super::layer_bytes;
use super::link_check::check_links;
use super::partial::PartialSearch;
use super::{Steno, StenoRequest, Vocabulary};
use std::sync::Arc;
use umbrail_chess::geometry::Setup;
use umbrail_chess::{CastlingMode, Position};

/// Layers of a search up to its `$`.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// Vocabulary of the string.
    pub(crate) vocabulary: Vocabulary,
    /// True if `+` excludes mates.
    pub(crate) strict: bool,
    /// Start position of the game.
    pub(crate) start: Position,
    /// String up to `$`, in canonical characters.
    pub(crate) prefix: String,
    pub(super) stacked_layers: Vec<StackedLayer>,
}

impl Checkpoint {
    /// Returns the number of saved turns.
    pub fn turns(&self) -> usize {
        self.stacked_layers.len() - 1
    }

    /// Returns the number of positions after the last saved turn.
    pub fn positions(&self) -> usize {
        self.stacked_layers.last().map_or(0, |stacked| stacked.layer.len())
    }
}

/// Creates a request that continues from a checkpoint: `text` begins with `$`.
///
/// # Errors
/// Returns a [`CheckpointError`] if text and checkpoint do not belong together.
pub fn resume(
    text: &str,
    vocabulary: Vocabulary,
    strict: bool,
    start: &Position,
    checkpoint: &Arc<Checkpoint>,
) -> Result<StenoRequest, CheckpointError> {
    let rest = Steno::parse(text, vocabulary).map_err(CheckpointError::Steno)?;
    if !rest.resumes {
        return Err(CheckpointError::NoDollar);
    }
    if checkpoint.vocabulary != vocabulary {
        let saved = checkpoint.vocabulary;
        return Err(CheckpointError::Vocabulary { saved, wanted: vocabulary });
    }
    if checkpoint.strict != strict {
        return Err(CheckpointError::Strictness);
    }
    if checkpoint.start != *start {
        return Err(CheckpointError::Start(checkpoint.start.to_string()));
    }
    let mut steno = Steno::parse(&checkpoint.prefix, vocabulary).map_err(CheckpointError::Steno)?;
    steno.turns.iter_mut().for_each(|turn| turn.checkpoint = false);
    if rest.checkpoint().is_none()
        && let Some(last) = steno.turns.last_mut()
    {
        last.checkpoint = true;
    }
    let tail: String = rest.to_string().chars().filter(|&symbol| symbol != '$').collect();
    let text = format!("{}{tail}", checkpoint.prefix);
    steno.turns.extend(rest.turns);
    if strict {
        steno = steno.strict();
    }
    let resume = Some(Arc::clone(checkpoint));
    Ok(StenoRequest {
        steno,
        text,
        strict,
        start: *start,
        intended: None,
        resume,
        reusable_layers: None,
    })
}

/// Layers of a finished search, and the compiled steno that they belong to.
#[derive(Clone, Debug)]
pub struct ReusableLayers {
    pub(super) compiled: CompiledSteno,
    pub(super) stacked_layers: Vec<StackedLayer>,
    /// Where the search continues, if it was stopped while it followed positions in parts.
    pub(super) partial: Option<Arc<PartialSearch>>,
}

impl ReusableLayers {
    /// Returns where a search of this compiled steno continues; `None` for another steno, for which
    /// only [`Self::common`] layers can be reused.
    pub(super) fn partial(&self, compiled: &CompiledSteno) -> Option<&Arc<PartialSearch>> {
        let old = &self.compiled;
        let same = old.filters == compiled.filters
            && old.counts_pieces == compiled.counts_pieces
            && old.state_masks == compiled.state_masks
            && old.lookaheads == compiled.lookaheads
            && old.start == compiled.start
            && old.checkpoint == compiled.checkpoint;
        self.partial.as_ref().filter(|_| same)
    }

    /// Returns the layers that a search of this compiled steno would recompute identically.
    pub(super) fn common(&self, compiled: &CompiledSteno) -> &[StackedLayer] {
        let old = &self.compiled;
        if old.start != compiled.start || old.state_masks[0] != compiled.state_masks[0] {
            return &[];
        }
        let same = |turn: usize| {
            turn < compiled.len()
                && old.filters[turn] == compiled.filters[turn]
                && old.counts_pieces[turn] == compiled.counts_pieces[turn]
                && old.state_masks[turn + 1] == compiled.state_masks[turn + 1]
                && old.lookaheads[turn + 1] == compiled.lookaheads[turn + 1]
        };
        let turns = (0..self.stacked_layers.len() - 1).take_while(|&turn| same(turn)).count();
        &self.stacked_layers[..=turns]
    }
}

const MAGIC: &str = "umbrail steno checkpoint 1";

impl Checkpoint {
    /// Returns the checkpoint as the contents of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (strict, start) = (strictness(self.strict), self.start.to_string());
        let head = [MAGIC, self.vocabulary.name(), strict, &start, &self.prefix];
        layer_bytes::to_bytes(&head, &self.stacked_layers, |_| ())
    }

    /// Parses the contents of a file.
    ///
    /// # Errors
    /// [`CheckpointError::NotOne`], [`CheckpointError::Unfinished`] and
    /// [`CheckpointError::Damaged`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointError> {
        if bytes.starts_with(layer_bytes::UNFINISHED.as_bytes()) {
            return Err(CheckpointError::Unfinished);
        }
        let (lines, mut reader) = layer_bytes::opened(bytes, MAGIC)?;
        let [MAGIC, vocabulary, strict, fen, prefix] = lines[..] else {
            return Err(CheckpointError::NotOne);
        };
        let (vocabulary, start) = (vocabulary_of(vocabulary)?, start_of(fen)?);
        let mut steno = Steno::parse(prefix, vocabulary).map_err(CheckpointError::Steno)?;
        let stacked_layers = layer_bytes::layers(&mut reader, &start, steno.turns.len())?;
        reader.end()?;
        if stacked_layers.len() != steno.turns.len() + 1 {
            return Err(CheckpointError::Damaged("its number of layers"));
        }
        let last = steno.turns.len().saturating_sub(1);
        for (at, turn) in steno.turns.iter_mut().enumerate() {
            turn.checkpoint = at == last;
        }
        let steno = if strict == STRICT { steno.strict() } else { steno };
        check_links(&CompiledSteno::new(&steno, &start, false), &stacked_layers)?;
        let prefix = prefix.to_owned();
        Ok(Self { vocabulary, strict: strict == STRICT, start, prefix, stacked_layers })
    }
}

const STRICT: &str = "strict";

pub(super) fn strictness(strict: bool) -> &'static str {
    if strict { STRICT } else { "usual" }
}

pub(super) fn vocabulary_of(name: &str) -> Result<Vocabulary, CheckpointError> {
    Vocabulary::from_name(name).ok_or(CheckpointError::Damaged("its vocabulary"))
}

pub(super) fn start_of(fen: &str) -> Result<Position, CheckpointError> {
    let setup: Setup = fen.parse().map_err(|_| CheckpointError::Damaged("its FEN"))?;
    // Rights of Chess960 were written only when the solver's own start position had them.
    let start = Position::from_setup(&setup, CastlingMode::Chess960);
    start.map_err(|_| CheckpointError::Damaged("its start position"))
}
