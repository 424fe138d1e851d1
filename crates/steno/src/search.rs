//! Search: builds layer after layer, and reconstructs the games from the last one.
//!
//! Each layer is expanded in chunks that workers share, and its candidates are merged shard by
//! shard. If a layer exceeds its share of memory, the parents are processed in parts, and each part
//! is followed to the end before the next. The result does not change; only positions of different
//! parts are not merged.

mod finals;
mod parts;

use super::checkpoint::{Checkpoint, ReusableLayers};
use super::compiled_steno::CompiledSteno;
use super::game_history::GameHistory;
use super::last_turns::GameEnd;
use super::layer::{
    Layer, LayerBuilder, LayerCandidate, NodeIndex, ParentLink, SHARDS, StackedLayer,
};
use super::partial::PartialSearch;
use super::verify;
use super::{Final, MarkReport, StenoEnd, StenoEvent, StenoOutcome, StenoParams, StenoRequest};
use num_bigint::BigUint;
use rayon::prelude::*;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;
use umbrail_chess::{Move, PackedPosition};
use umbrail_control::{Control, DeferredDrop, Stopped};

/// Number of positions that a worker expands at a time.
const CHUNK: usize = 256;
/// Number of chunks per worker between two merges.
const ROUNDS: usize = 4;
/// Divisor of a layer's rows: after this share of the rows the size of the next layer is estimated.
const FORETOLD: usize = 16;
/// Size of a layer in positions from which the last two turns are counted in one pass, if counting
/// the last one makes no moves. Below it, merging the last layer pays.
const FUSE_FROM: usize = 100_000;
/// Maximum number of final moves stored for listing games and final positions.
const ENDS_MAX: usize = 10_000;
/// Size in bytes that a layer may always reach, however small the memory limit is.
const LAYER_BYTES_MIN: usize = 256 << 10;

/// Solves a steno.
///
/// The count is exact if the outcome is complete. A stopped search returns its results so far.
pub fn solve(
    request: &StenoRequest,
    params: &StenoParams,
    control: &Control<'_, StenoEvent>,
) -> StenoOutcome {
    let compiled = CompiledSteno::new(&request.steno, &request.start, params.lookahead);
    let mut search = StenoSearch::new(request, params, control, &compiled);
    let halt = match search.begin() {
        Some(row) => search.go_on(row).err(),
        None => search.descend(search.stack.len() - 1).err(),
    };
    search.answer(halt)
}

/// Reason for the early end of a search.
pub(super) enum SearchEnd {
    Stopped,
    Enough,
    Moves,
    Positions(usize),
}

impl From<Stopped> for SearchEnd {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

pub(super) struct StenoSearch<'a> {
    pub(super) request: &'a StenoRequest,
    pub(super) params: &'a StenoParams,
    pub(super) control: &'a Control<'a, StenoEvent>,
    pub(super) compiled: &'a CompiledSteno,
    pub(super) stack: Vec<StackedLayer>,
    pub(super) count: BigUint,
    pub(super) marks: Vec<MarkReport>,
    pub(super) games: Vec<Vec<Move>>,
    pub(super) finals: Option<Finals>,
    pub(super) refuted: Vec<(Vec<Move>, verify::Mismatch)>,
    pub(super) made: u64,
    /// True if positions are searched in parts.
    pub(super) split: bool,
    /// Layers made before the first split, for the next search.
    reusable_layers: Vec<StackedLayer>,
    /// Last state between two parts, and the time when it was taken.
    pub(super) partial: Option<(Duration, Arc<PartialSearch>)>,
    checkpoint: Option<Arc<Checkpoint>>,
    /// Time of the last report of unfinished work, and its duration.
    reported: (Duration, Duration),
}

/// Final positions in the order of discovery.
#[derive(Default)]
pub(super) struct Finals {
    pub(super) numbers: HashMap<PackedPosition, usize>,
    pub(super) list: Vec<Final>,
}

impl<'a> StenoSearch<'a> {
    fn new(
        request: &'a StenoRequest,
        params: &'a StenoParams,
        control: &'a Control<'a, StenoEvent>,
        compiled: &'a CompiledSteno,
    ) -> Self {
        let mark = |turn| MarkReport { turn, positions: Some(0), ..MarkReport::default() };
        Self {
            request,
            params,
            control,
            compiled,
            stack: Vec::new(),
            count: BigUint::ZERO,
            marks: (1..=compiled.len()).map(mark).collect(),
            games: Vec::new(),
            finals: Some(Finals::default()),
            refuted: Vec::new(),
            made: 0,
            split: false,
            reusable_layers: Vec::new(),
            partial: None,
            checkpoint: None,
            reported: (control.clock.elapsed(), Duration::ZERO),
        }
    }

    /// Puts the known layers on the stack: those of a checkpoint, those left by the last search, or
    /// the start alone. Returns the row of the top layer from which a search in parts continues.
    fn begin(&mut self) -> Option<usize> {
        let StenoRequest { resume, reusable_layers, .. } = self.request;
        self.stack = match (resume, reusable_layers) {
            (Some(checkpoint), _) => checkpoint.stacked_layers.clone(),
            (None, Some(reusable_layers)) => reusable_layers.common(self.compiled).to_vec(),
            (None, None) => Vec::new(),
        };
        // The last turn is counted rather than kept, unless a checkpoint follows it.
        self.stack.truncate(self.compiled.len() + 1);
        if self.stack.is_empty() {
            let root = ParentLink { parent: NodeIndex(0), mv: 0 };
            let board = self.compiled.state_masks[0].pack(&self.compiled.start);
            let layer = Layer::of(board, GameHistory::default(), root);
            self.stack.push(StackedLayer { layer: Arc::new(layer), parents: 0..0 });
        }
        self.reusable_layers.clone_from(&self.stack);
        for (stacked, mark) in self.stack[1..].iter().zip(&mut self.marks) {
            mark.positions = Some(stacked.layer.len() as u64);
            mark.games.clone_from(&stacked.layer.total);
        }
        self.take_up(reusable_layers.as_ref().filter(|_| resume.is_none())?)
    }

    fn answer(self, halt: Option<SearchEnd>) -> StenoOutcome {
        let reached = self.marks.iter().rposition(|mark| mark.made > 0).map_or(0, |at| at + 1);
        let complete = halt.is_none();
        let mut marks = self.marks;
        // In a complete search, a mark without moves is one that nothing satisfies.
        marks.truncate(if complete { marks.len() } else { reached });
        StenoOutcome {
            ended: match halt {
                None => StenoEnd::Complete,
                Some(SearchEnd::Stopped) => StenoEnd::Stopped,
                Some(SearchEnd::Enough) => StenoEnd::Enough,
                Some(SearchEnd::Moves) => StenoEnd::Moves,
                Some(SearchEnd::Positions(turn)) => StenoEnd::Positions(turn),
            },
            count: self.count,
            games: self.games,
            finals: self.finals.map(|finals| finals.list).filter(|_| complete),
            marks,
            contradiction: self.compiled.contradiction.map(|turn| turn + 1),
            dead_turn: None,
            made: self.made,
            refuted: self.refuted,
            reusable_layers: Arc::new(ReusableLayers {
                compiled: self.compiled.clone(),
                stacked_layers: self.reusable_layers,
                partial: self.partial.map(|(_, partial)| partial).filter(|_| !complete),
            }),
            checkpoint: self.checkpoint,
        }
    }

    fn workers(&self) -> usize {
        self.control.pool.size()
    }

    /// Follows the layer on top of the stack, which is the one before turn `turn`, to the end.
    fn descend(&mut self, turn: usize) -> Result<(), SearchEnd> {
        let layer = Arc::clone(&self.stack[turn].layer);
        let last = self.compiled.len() - 1;
        if turn > last {
            self.take_layer(turn);
            return Ok(());
        }
        let saves_last = self.compiled.checkpoint == Some(self.compiled.len());
        if turn == last && !saves_last {
            return self.finish(turn, false);
        }
        let fusible = turn + 1 == last
            && self.compiled.filters[last].is_countable()
            && self.compiled.checkpoint.is_none_or(|at| at < last);
        if fusible && layer.len() >= FUSE_FROM {
            return self.finish(turn, true);
        }
        self.expand(turn, 0)
    }

    /// Follows the layer on top of the stack from a row onward.
    pub(super) fn expand(&mut self, turn: usize, mut row: usize) -> Result<(), SearchEnd> {
        let layer = Arc::clone(&self.stack[turn].layer);
        while row < layer.len() {
            let (next, end) = self.build(turn, &layer, row)?;
            if end < layer.len() && !self.split {
                self.notify_unfinished();
                self.split = true;
                self.control.notify(StenoEvent::Split(turn + 1));
            }
            let mark = &mut self.marks[turn];
            mark.positions = mark.positions.map(|positions| positions + next.len() as u64);
            mark.games += &next.total;
            if !self.split {
                self.control.notify(StenoEvent::Mark(mark.clone()));
            }
            let empty = next.is_empty();
            self.stack.push(StackedLayer { layer: Arc::new(next), parents: row..end });
            if !self.split {
                self.reusable_layers.clone_from(&self.stack);
                self.save(turn + 1);
                if empty {
                    self.save_nothing(turn + 1);
                } else {
                    self.notify_unfinished();
                }
            }
            let result = if empty { Ok(()) } else { self.descend(turn + 1) };
            self.stack.pop();
            result?;
            row = end;
            if self.split {
                self.part_done(row);
            }
        }
        Ok(())
    }

    /// Builds the layer after a turn from the positions of this layer, from `row` onward, as far as
    /// memory permits. Returns it and the first remaining row.
    fn build(
        &mut self,
        turn: usize,
        layer: &Layer,
        row: usize,
    ) -> Result<(Layer, usize), SearchEnd> {
        let compiled = self.compiled;
        let mask = compiled.state_masks[turn + 1];
        // At most 420 moves are possible in a position.
        let big = layer.total.bits() + 9 > 64;
        // A stopped search does not wait for it to be freed.
        let mut builder = DeferredDrop::new(LayerBuilder::new(!mask.history.is_empty(), big));
        let on_stack: usize = self.stack.iter().map(|stacked| stacked.layer.bytes()).sum();
        let beside = self.partial.as_ref().map(|(_, partial)| partial.bytes_beside(&self.stack));
        let held = on_stack + beside.unwrap_or(0);
        let left = usize::try_from(self.params.memory_bytes).unwrap_or(usize::MAX);
        let allowance = (left.saturating_sub(held) / 2).max(LAYER_BYTES_MIN);
        let chunk = |rows: Range<usize>, out: &mut [Vec<LayerCandidate>; SHARDS]| {
            let mut made = 0;
            for row in rows {
                let node = layer.node(row);
                let (board, history) = layer.get(node);
                let position = board.unpack(compiled.color(turn));
                made += compiled.each(turn, &position, history, |successor| {
                    let link = ParentLink { parent: node, mv: successor.mv.bits() };
                    let history = successor.history.masked(mask.history);
                    let candidate = LayerCandidate::new(mask.pack(&successor.after), history, link);
                    out[candidate.shard()].push(candidate);
                });
            }
            made
        };
        self.control.progress.total.set(layer.len() as u64);
        let control = self.control;
        let is_over = || control.check().is_err();
        let parallel = self.workers() > 1 && layer.len() - row > CHUNK;
        let batch = if parallel { CHUNK * ROUNDS * self.workers() } else { CHUNK };
        let mut reused: [Vec<LayerCandidate>; SHARDS] = Default::default();
        let mut at = row;
        // Number of rows after which the rest is estimated from their yield.
        let mut foretell = row + (layer.len() - row) / FORETOLD;
        while at < layer.len() {
            self.check()?;
            let end = (at + batch).min(layer.len());
            if at > foretell && at > row {
                // Later rows reach more positions that already exist, so the estimate is reduced a
                // little.
                let foretold = builder.len() * (layer.len() - row) / (at - row) / 8 * 7;
                builder.expect(foretold, allowance / 2);
                foretell = usize::MAX;
            }
            let made = if parallel {
                self.control.pool.install(|| {
                    let starts: Vec<usize> = (at..end).step_by(CHUNK).collect();
                    let outs: Vec<(u64, [Vec<LayerCandidate>; SHARDS])> = starts
                        .into_par_iter()
                        .map(|start| {
                            let mut out = Default::default();
                            (chunk(start..(start + CHUNK).min(end), &mut out), out)
                        })
                        .collect();
                    builder.shards.par_iter_mut().enumerate().for_each(|(number, shard)| {
                        for (_, out) in &outs {
                            shard.merge(&out[number], layer, &is_over);
                        }
                    });
                    outs.iter().map(|(made, _)| made).sum()
                })
            } else {
                reused.iter_mut().for_each(Vec::clear);
                let made = chunk(at..end, &mut reused);
                for (shard, out) in builder.shards.iter_mut().zip(&reused) {
                    shard.merge(out, layer, &is_over);
                }
                made
            };
            self.control.check()?;
            self.made += made;
            self.marks[turn].made += made;
            self.control.progress.nodes.add(made);
            at = end;
            self.control.progress.done.set(at as u64);
            self.control.progress.queued.set(builder.len() as u64);
            if self.params.positions_max.is_some_and(|max| builder.len() as u64 > max) {
                return Err(SearchEnd::Positions(turn + 1));
            }
            if builder.bytes() > allowance || builder.is_full() {
                break;
            }
        }
        Ok((builder.into_inner().finish(), at))
    }

    /// Saves the layers on the stack if `$` follows this number of turns.
    fn save(&mut self, turns: usize) {
        if self.compiled.checkpoint != Some(turns) {
            return;
        }
        let steno = &self.request.steno;
        let prefix = steno.turns[..turns].iter().map(|turn| steno.turn_text(turn)).collect();
        let checkpoint = Checkpoint {
            vocabulary: steno.vocabulary,
            strict: self.request.strict,
            start: self.request.start,
            prefix,
            stacked_layers: self.stack.clone(),
        };
        let checkpoint = Arc::new(checkpoint);
        self.checkpoint = Some(Arc::clone(&checkpoint));
        self.control.notify(StenoEvent::Saved(checkpoint));
    }

    /// Ends the search at the stop signal, and at the limit of moves.
    fn check(&self) -> Result<(), SearchEnd> {
        self.control.check()?;
        match self.params.moves_max {
            Some(most) if self.control.progress.nodes.get() >= most => Err(SearchEnd::Moves),
            _ => Ok(()),
        }
    }

    /// Saves empty layers up to `$` if nothing satisfies the turns before it, so that the next
    /// string can continue from there.
    fn save_nothing(&mut self, turns: usize) {
        let Some(wanted) = self.compiled.checkpoint.filter(|&wanted| wanted > turns) else {
            return;
        };
        let height = self.stack.len();
        while self.stack.len() <= wanted {
            let empty = LayerBuilder::new(false, false).finish();
            self.stack.push(StackedLayer { layer: Arc::new(empty), parents: 0..0 });
        }
        self.save(wanted);
        self.stack.truncate(height);
    }

    /// Counts the games that lead to the layer after the last turn, which is kept for a checkpoint.
    fn take_layer(&mut self, turn: usize) {
        let layer = Arc::clone(&self.stack[turn].layer);
        self.count += &layer.total;
        let rows = 0..layer.len().min(ENDS_MAX);
        let ends: Vec<GameEnd> =
            rows.map(|row| GameEnd { node: layer.node(row), moves: [None; 2] }).collect();
        self.take_ends(turn, &ends);
    }
}
