//! Last turns of a steno: counted if counting is enough, listed if games are requested.

use super::compiled_steno::CompiledSteno;
use super::count::GameSum;
use super::layer::{Layer, NodeIndex};
use std::ops::Range;
use umbrail_chess::Move;

/// The last moves, at most two, after a kept position.
#[derive(Clone, Copy)]
pub(super) struct GameEnd {
    pub(super) node: NodeIndex,
    pub(super) moves: [Option<Move>; 2],
}

/// Results of a worker from a chunk of the last layer.
#[derive(Default)]
pub(super) struct ChunkResult {
    pub(super) sum: GameSum,
    pub(super) ends: Vec<GameEnd>,
    pub(super) made: u64,
}

/// Counts the games after some rows of the last layer that is kept.
pub(super) fn finish_rows(
    compiled: &CompiledSteno,
    layer: &Layer,
    rows: Range<usize>,
    (turn, last, fused): (usize, usize, bool),
    room: usize,
) -> ChunkResult {
    let mut found = ChunkResult::default();
    let countable = compiled.filters[last].is_countable();
    for row in rows {
        let node = layer.node(row);
        let (board, history) = layer.get(node);
        let position = board.unpack(compiled.color(turn));
        let mut times = 0;
        let listing = found.ends.len() < room;
        let mask = compiled.state_masks[last];
        if fused {
            found.made += compiled.each(turn, &position, history, |first| {
                let (middle, history) = (&first.after, first.history.masked(mask.history));
                let here = compiled.filters[last].count(middle, history);
                times += here;
                if listing && here > 0 {
                    compiled.each(last, middle, history, |second| {
                        found.ends.push(GameEnd { node, moves: [Some(first.mv), Some(second.mv)] });
                    });
                }
            });
        } else if countable && !listing {
            times = compiled.filters[last].count(&position, history);
            found.made += times;
        } else {
            found.made += compiled.each(last, &position, history, |successor| {
                times += 1;
                if listing {
                    found.ends.push(GameEnd { node, moves: [Some(successor.mv), None] });
                }
            });
        }
        if times > 0 {
            let (shard, at) = node.split();
            found.sum.add(&layer.shards[shard].counts, at, times);
        }
    }
    found
}
