//! The last turns of a steno: counted where counting is enough, listed where games are wanted.

use super::count::Sum;
use super::layer::{Layer, Place};
use super::plan::Plan;
use std::ops::Range;
use umbrail_chess::Move;

/// The last moves, two at most, behind a kept position.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub(super) place: Place,
    pub(super) moves: [Option<Move>; 2],
}

/// What a worker has found in a chunk of the last layer.
#[derive(Default)]
pub(super) struct Found {
    pub(super) sum: Sum,
    pub(super) ends: Vec<End>,
    pub(super) made: u64,
}

/// Counts the games behind some rows of the last layer that is kept.
pub(super) fn finish_rows(
    plan: &Plan,
    layer: &Layer,
    rows: Range<usize>,
    (turn, last, fused): (usize, usize, bool),
    room: usize,
) -> Found {
    let mut found = Found::default();
    let countable = plan.filters[last].is_countable();
    for row in rows {
        let place = layer.place(row);
        let (board, past) = layer.get(place);
        let position = board.unpack(plan.color(turn));
        let mut times = 0;
        let listing = found.ends.len() < room;
        let keep = plan.keep[last];
        if fused {
            found.made += plan.each(turn, &position, past, |first| {
                let (middle, past) = (&first.after, first.past.masked(keep.past));
                let here = plan.filters[last].count(middle, past);
                times += here;
                if listing && here > 0 {
                    plan.each(last, middle, past, |second| {
                        found.ends.push(End { place, moves: [Some(first.mv), Some(second.mv)] });
                    });
                }
            });
        } else if countable && !listing {
            times = plan.filters[last].count(&position, past);
            found.made += times;
        } else {
            found.made += plan.each(last, &position, past, |step| {
                times += 1;
                if listing {
                    found.ends.push(End { place, moves: [Some(step.mv), None] });
                }
            });
        }
        if times > 0 {
            let (shard, at) = place.split();
            found.sum.add(&layer.shards[shard].counts, at, times);
        }
    }
    found
}
