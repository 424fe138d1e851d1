//! The search itself: layer after layer, and the games walked back from the last one.
//!
//! Each layer is expanded in chunks that workers share, and its candidates are merged shard by shard.
//! When a layer does not fit into its share of memory, the parents are taken in parts, and each part
//! is followed to the end before the next: the answer is the same, only positions of different parts
//! are not merged.

use super::checkpoint::{Checkpoint, Trail};
use super::expand::Step;
use super::finish::{End, Found, finish_rows};
use super::layer::{Builder, Candidate, Layer, Link, Place, SHARDS};
use super::plan::Plan;
use super::verify;
use super::{Answer, Ended, Fact, Final, MarkReport, Params, Past, Request};
use num_bigint::BigUint;
use rayon::prelude::*;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use umbrail_chess::geometry::Bitboard;
use umbrail_chess::{Move, Packed};
use umbrail_control::{Control, Stopped};

/// Positions that a worker expands at a time.
const CHUNK: usize = 256;
/// Chunks per worker between two merges.
const ROUNDS: usize = 4;
/// From this share of a layer's rows the size of the next one is foretold.
const FORETOLD: usize = 16;
/// From so many positions on, the last two turns are counted in one go if the last needs no moves to
/// be made. Below, the merged layer is worth having.
const FUSE_FROM: usize = 100_000;
/// Final moves remembered for listing games and final positions.
const ENDS_MAX: usize = 10_000;
/// A layer may always grow to this size, however short memory is.
const LAYER_BYTES_MIN: usize = 256 << 10;

/// Solves a steno.
///
/// The count is exact when the answer is complete. A stopped job tells what it knows.
pub fn solve(request: &Request, params: &Params, control: &Control<'_, Fact>) -> Answer {
    let plan = Plan::new(&request.steno, &request.start, params.lookahead);
    let mut search = Search::new(request, params, control, &plan);
    search.begin();
    let halt = search.descend(search.stack.len() - 1).err();
    search.answer(halt)
}

/// Why a search ends early.
enum Halt {
    Stopped,
    Enough,
    Positions(usize),
}

impl From<Stopped> for Halt {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// A layer on the way from the start, and from which part of the layer below it was made.
#[derive(Clone, Debug)]
pub(super) struct Floor {
    pub(super) layer: Arc<Layer>,
    pub(super) parents: Range<usize>,
}

struct Search<'a> {
    request: &'a Request,
    params: &'a Params,
    control: &'a Control<'a, Fact>,
    plan: &'a Plan,
    stack: Vec<Floor>,
    count: BigUint,
    marks: Vec<MarkReport>,
    games: Vec<Vec<Move>>,
    finals: Option<Finals>,
    refuted: Vec<(Vec<Move>, verify::Misfit)>,
    made: u64,
    split: bool,
    /// Layers made before the first split, for the next search.
    trail: Vec<Floor>,
    checkpoint: Option<Arc<Checkpoint>>,
}

/// Final positions in the order of their finding.
#[derive(Default)]
struct Finals {
    numbers: HashMap<Packed, usize>,
    list: Vec<Final>,
}

impl<'a> Search<'a> {
    fn new(
        request: &'a Request,
        params: &'a Params,
        control: &'a Control<'a, Fact>,
        plan: &'a Plan,
    ) -> Self {
        let mark = |turn| MarkReport { turn, positions: Some(0), ..MarkReport::default() };
        Self {
            request,
            params,
            control,
            plan,
            stack: Vec::new(),
            count: BigUint::ZERO,
            marks: (1..=plan.len()).map(mark).collect(),
            games: Vec::new(),
            finals: Some(Finals::default()),
            refuted: Vec::new(),
            made: 0,
            split: false,
            trail: Vec::new(),
            checkpoint: None,
        }
    }

    /// Puts the layers on the stack that are known already: those of a checkpoint, those that the last
    /// search left behind, or the start alone.
    fn begin(&mut self) {
        let Request { resume, trail, .. } = self.request;
        self.stack = match (resume, trail) {
            (Some(checkpoint), _) => checkpoint.floors.clone(),
            (None, Some(trail)) => trail.common(self.plan).to_vec(),
            (None, None) => Vec::new(),
        };
        // The last turn is counted rather than kept, unless a checkpoint stands behind it.
        self.stack.truncate(self.plan.len() + 1);
        if self.stack.is_empty() {
            let root = Link { parent: Place(0), mv: 0 };
            let board = self.plan.keep[0].pack(&self.plan.start);
            let layer = Layer::of(board, Past::default(), root);
            self.stack.push(Floor { layer: Arc::new(layer), parents: 0..0 });
        }
        self.trail.clone_from(&self.stack);
        for (floor, mark) in self.stack[1..].iter().zip(&mut self.marks) {
            mark.positions = Some(floor.layer.len() as u64);
            mark.games.clone_from(&floor.layer.total);
        }
    }

    fn answer(self, halt: Option<Halt>) -> Answer {
        let reached = self.marks.iter().rposition(|mark| mark.made > 0).map_or(0, |at| at + 1);
        let complete = halt.is_none();
        let mut marks = self.marks;
        // In a complete search a mark without moves is one that nothing satisfies.
        marks.truncate(if complete { marks.len() } else { reached });
        Answer {
            ended: match halt {
                None => Ended::Complete,
                Some(Halt::Stopped) => Ended::Stopped,
                Some(Halt::Enough) => Ended::Enough,
                Some(Halt::Positions(turn)) => Ended::Positions(turn),
            },
            count: self.count,
            games: self.games,
            finals: self.finals.map(|finals| finals.list).filter(|_| complete),
            marks,
            contradiction: self.plan.contradiction.map(|turn| turn + 1),
            made: self.made,
            refuted: self.refuted,
            trail: Arc::new(Trail { plan: self.plan.clone(), floors: self.trail }),
            checkpoint: self.checkpoint,
        }
    }

    fn workers(&self) -> usize {
        self.control.pool.size()
    }

    /// Follows the layer on top of the stack, the one before turn `turn`, to the end.
    fn descend(&mut self, turn: usize) -> Result<(), Halt> {
        let layer = Arc::clone(&self.stack[turn].layer);
        let last = self.plan.len() - 1;
        if turn > last {
            self.take_layer(turn);
            return Ok(());
        }
        let saves_last = self.plan.checkpoint == Some(self.plan.len());
        if turn == last && !saves_last {
            return self.finish(turn, false);
        }
        let fusible = turn + 1 == last
            && self.plan.filters[last].is_countable()
            && self.plan.checkpoint.is_none_or(|at| at < last);
        if fusible && layer.len() >= FUSE_FROM {
            return self.finish(turn, true);
        }
        let mut row = 0;
        while row < layer.len() {
            let (next, end) = self.build(turn, &layer, row)?;
            if end < layer.len() && !self.split {
                self.split = true;
                self.control.tell(Fact::Split(turn + 1));
            }
            let mark = &mut self.marks[turn];
            mark.positions = mark.positions.map(|positions| positions + next.len() as u64);
            mark.games += &next.total;
            if !self.split {
                self.control.tell(Fact::Mark(mark.clone()));
            }
            let empty = next.is_empty();
            self.stack.push(Floor { layer: Arc::new(next), parents: row..end });
            if !self.split {
                self.trail.clone_from(&self.stack);
                self.save(turn + 1);
                if empty {
                    self.save_nothing(turn + 1);
                }
            }
            let result = if empty { Ok(()) } else { self.descend(turn + 1) };
            self.stack.pop();
            result?;
            row = end;
        }
        Ok(())
    }

    /// Makes the layer after a turn from the positions of this layer, from `row` on, as far as memory
    /// goes. Returns it and the first row that was left.
    fn build(&mut self, turn: usize, layer: &Layer, row: usize) -> Result<(Layer, usize), Halt> {
        let plan = self.plan;
        let keep = plan.keep[turn + 1];
        // At most 420 moves lead on from a position.
        let big = layer.total.bits() + 9 > 64;
        let mut builder = Builder::new(!keep.past.is_empty(), big);
        let held: usize = self.stack.iter().map(|floor| floor.layer.bytes()).sum();
        let left = usize::try_from(self.params.memory_bytes).unwrap_or(usize::MAX);
        let allowance = (left.saturating_sub(held) / 2).max(LAYER_BYTES_MIN);
        let chunk = |rows: Range<usize>, out: &mut [Vec<Candidate>; SHARDS]| {
            let mut made = 0;
            for row in rows {
                let place = layer.place(row);
                let (board, past) = layer.get(place);
                let position = board.unpack(plan.color(turn));
                made += plan.each(turn, &position, past, |step| {
                    let link = Link { parent: place, mv: step.mv.bits() };
                    let past = step.past.masked(keep.past);
                    let candidate = Candidate::new(keep.pack(&step.after), past, link);
                    out[candidate.shard()].push(candidate);
                });
            }
            made
        };
        self.control.progress.total.set(layer.len() as u64);
        let parallel = self.workers() > 1 && layer.len() - row > CHUNK;
        let batch = if parallel { CHUNK * ROUNDS * self.workers() } else { CHUNK };
        let mut reused: [Vec<Candidate>; SHARDS] = Default::default();
        let mut at = row;
        // Rows after which the rest is foretold from what they gave.
        let mut foretell = row + (layer.len() - row) / FORETOLD;
        while at < layer.len() {
            self.control.check()?;
            let end = (at + batch).min(layer.len());
            if at > foretell && at > row {
                // Later rows meet more positions that are there already, so a little less.
                let foretold = builder.len() * (layer.len() - row) / (at - row) / 8 * 7;
                builder.expect(foretold, allowance / 2);
                foretell = usize::MAX;
            }
            let made = if parallel {
                self.control.pool.install(|| {
                    let starts: Vec<usize> = (at..end).step_by(CHUNK).collect();
                    let outs: Vec<(u64, [Vec<Candidate>; SHARDS])> = starts
                        .into_par_iter()
                        .map(|start| {
                            let mut out = Default::default();
                            (chunk(start..(start + CHUNK).min(end), &mut out), out)
                        })
                        .collect();
                    builder.shards.par_iter_mut().enumerate().for_each(|(number, shard)| {
                        for (_, out) in &outs {
                            shard.merge(&out[number], layer);
                        }
                    });
                    outs.iter().map(|(made, _)| made).sum()
                })
            } else {
                reused.iter_mut().for_each(Vec::clear);
                let made = chunk(at..end, &mut reused);
                for (shard, out) in builder.shards.iter_mut().zip(&reused) {
                    shard.merge(out, layer);
                }
                made
            };
            self.made += made;
            self.marks[turn].made += made;
            self.control.progress.nodes.add(made);
            at = end;
            self.control.progress.done.set(at as u64);
            self.control.progress.queued.set(builder.len() as u64);
            if self.params.positions_max.is_some_and(|max| builder.len() as u64 > max) {
                return Err(Halt::Positions(turn + 1));
            }
            if builder.bytes() > allowance || builder.is_full() {
                break;
            }
        }
        Ok((builder.finish(), at))
    }

    /// Saves the layers on the stack when `$` stands behind this many turns.
    fn save(&mut self, turns: usize) {
        if self.plan.checkpoint != Some(turns) {
            return;
        }
        let steno = &self.request.steno;
        let prefix = steno.turns[..turns].iter().map(|turn| steno.turn_text(turn)).collect();
        let checkpoint = Checkpoint {
            vocabulary: steno.vocabulary,
            strict: self.request.strict,
            start: self.request.start,
            prefix,
            floors: self.stack.clone(),
        };
        self.checkpoint = Some(Arc::new(checkpoint));
        self.control.tell(Fact::Saved(turns));
    }

    /// Saves empty layers up to `$` when nothing satisfies the turns before it: that is what the next
    /// string shall continue from.
    fn save_nothing(&mut self, turns: usize) {
        let Some(wanted) = self.plan.checkpoint.filter(|&wanted| wanted > turns) else { return };
        let height = self.stack.len();
        while self.stack.len() <= wanted {
            let empty = Builder::new(false, false).finish();
            self.stack.push(Floor { layer: Arc::new(empty), parents: 0..0 });
        }
        self.save(wanted);
        self.stack.truncate(height);
    }

    /// Counts the games that lead to the layer after the last turn, which is kept for a checkpoint.
    fn take_layer(&mut self, turn: usize) {
        let layer = Arc::clone(&self.stack[turn].layer);
        self.count += &layer.total;
        let rows = 0..layer.len().min(ENDS_MAX);
        let ends: Vec<End> =
            rows.map(|row| End { place: layer.place(row), moves: [None; 2] }).collect();
        self.take_ends(turn, &ends);
    }

    /// Counts the games behind the layer on top of the stack: its last turn, or the last two.
    fn finish(&mut self, turn: usize, fused: bool) -> Result<(), Halt> {
        let layer = Arc::clone(&self.stack[turn].layer);
        let (plan, last) = (self.plan, self.plan.len() - 1);
        let listing = self.games.len() < self.wanted() || self.finals.is_some();
        let mut found = Found::default();
        self.control.progress.total.set(layer.len() as u64);
        let batch = CHUNK * ROUNDS * self.workers();
        let mut at = 0;
        while at < layer.len() {
            self.control.check()?;
            let end = (at + batch).min(layer.len());
            let room = if listing { ENDS_MAX.saturating_sub(found.ends.len()) } else { 0 };
            let work = |start: usize| {
                let rows = start..(start + CHUNK).min(end);
                finish_rows(plan, &layer, rows, (turn, last, fused), room)
            };
            let starts: Vec<usize> = (at..end).step_by(CHUNK).collect();
            let parts: Vec<Found> = if self.workers() > 1 && starts.len() > 1 {
                self.control.pool.install(|| starts.into_par_iter().map(work).collect())
            } else {
                starts.into_iter().map(work).collect()
            };
            for mut part in parts {
                found.sum.join(&part.sum);
                found.made += part.made;
                found.ends.append(&mut part.ends);
                self.control.progress.nodes.add(part.made);
            }
            at = end;
            self.control.progress.done.set(at as u64);
            let enough = self.params.enough.map(BigUint::from);
            if enough.is_some_and(|enough| &self.count + found.sum.value() >= enough) {
                self.take(turn, fused, found);
                return Err(Halt::Enough);
            }
        }
        self.take(turn, fused, found);
        Ok(())
    }

    /// Adds what was found behind a layer.
    fn take(&mut self, turn: usize, fused: bool, found: Found) {
        let count = found.sum.value();
        self.count += &count;
        self.made += found.made;
        let last = self.marks.len() - 1;
        if fused {
            self.marks[turn].positions = None;
            self.marks[turn].made += found.made;
        }
        self.marks[last].made += found.made;
        self.marks[last].positions = None;
        self.marks[last].games += &count;
        if !self.split {
            self.control.tell(Fact::Mark(self.marks[last].clone()));
        }
        self.take_ends(turn, &found.ends);
    }

    fn take_ends(&mut self, turn: usize, ends: &[End]) {
        self.take_finals(turn, ends, ends.len() < ENDS_MAX);
        let room = self.wanted().saturating_sub(self.games.len());
        for game in self.games(turn, ends, room) {
            self.take_game(game);
        }
    }

    /// Games to look for: one more when the intended one will be left out.
    fn wanted(&self) -> usize {
        self.params.games_max.saturating_add(usize::from(self.request.intended.is_some()))
    }

    fn take_game(&mut self, game: Vec<Move>) {
        let Request { text, steno, strict, start, intended, .. } = self.request;
        if intended.as_ref() == Some(&game) || self.games.len() >= self.params.games_max {
            return;
        }
        match verify::fits(text, steno.vocabulary, *strict, start, &game) {
            Ok(()) => {
                self.control.tell(Fact::Game(game.clone()));
                self.games.push(game);
            }
            Err(misfit) => self.refuted.push((game, misfit)),
        }
    }

    fn take_finals(&mut self, turn: usize, ends: &[End], complete: bool) {
        let Some(mut finals) = self.finals.take().filter(|_| complete) else { return };
        let layer = Arc::clone(&self.stack[turn].layer);
        for end in ends {
            let kept = layer.get(end.place).0.unpack(self.plan.color(turn));
            let position = end.moves.iter().flatten().fold(kept, |before, &mv| before.after(mv));
            let men = position.pack(Bitboard::EMPTY, false);
            let (shard, at) = end.place.split();
            let games = layer.shards[shard].counts.get(at);
            if let Some(&number) = finals.numbers.get(&men) {
                finals.list[number].games += games;
            } else {
                finals.numbers.insert(men, finals.list.len());
                let example = self.chain(turn, end.place, self.tail(end));
                finals.list.push(Final { example, games });
            }
        }
        self.finals = Some(finals).filter(|finals| finals.list.len() < ENDS_MAX);
    }

    /// The moves behind a kept position, last first.
    fn tail(&self, end: &End) -> Vec<Move> {
        end.moves.into_iter().rev().flatten().collect()
    }

    /// One game that leads to a position of the layer before `turn`, with the moves behind it, which
    /// are given last first.
    fn chain(&self, turn: usize, place: Place, mut backward: Vec<Move>) -> Vec<Move> {
        let mut place = place;
        for floor in self.stack[1..=turn].iter().rev() {
            let link = floor.layer.link(place);
            backward.extend(link.mv());
            place = link.parent;
        }
        backward.reverse();
        backward
    }

    /// Up to `room` different games with these ends.
    fn games(&self, turn: usize, ends: &[End], room: usize) -> Vec<Vec<Move>> {
        let mut partial: Vec<(Place, Vec<Move>)> =
            ends.iter().take(room).map(|end| (end.place, self.tail(end))).collect();
        let mut level = turn;
        // Each partial game can be completed in one way at least: when there are enough, any will do.
        while level > 0 && partial.len() < room {
            let layer = &self.stack[level].layer;
            if partial.iter().all(|(place, _)| layer.is_unique(*place)) {
                break;
            }
            partial = self.step_back(level, partial, room);
            level -= 1;
        }
        partial.into_iter().map(|(place, tail)| self.chain(level, place, tail)).collect()
    }

    /// All ways (up to `room`) to go back one turn from positions of the layer before turn `level`.
    fn step_back(
        &self,
        level: usize,
        partial: Vec<(Place, Vec<Move>)>,
        room: usize,
    ) -> Vec<(Place, Vec<Move>)> {
        let layer = &self.stack[level].layer;
        let mut ways: HashMap<Place, Vec<(Place, Move)>> = HashMap::new();
        let mut wanted: HashMap<(Packed, Past), Place> = HashMap::new();
        for (place, _) in &partial {
            if !layer.is_unique(*place) {
                wanted.insert(layer.get(*place), *place);
            }
        }
        self.parents(level, &wanted, |child, parent, mv| {
            let list = ways.entry(child).or_default();
            if list.len() < room {
                list.push((parent, mv));
            }
        });
        let mut back = Vec::new();
        let mut open = partial.len();
        for (place, tail) in partial {
            open -= 1;
            let link = layer.link(place);
            let single = link.mv().map(|mv| (link.parent, mv));
            let list = ways.get(&place).map_or(single.as_slice(), Vec::as_slice);
            // Room for one way of each that is still open.
            let most = room.saturating_sub(back.len() + open).max(1);
            for &(parent, mv) in list.iter().take(most) {
                let mut tail = tail.clone();
                tail.push(mv);
                back.push((parent, tail));
            }
        }
        back
    }

    /// Finds every move that leads to one of the wanted positions of the layer before turn `level`.
    fn parents(
        &self,
        level: usize,
        wanted: &HashMap<(Packed, Past), Place>,
        mut visit: impl FnMut(Place, Place, Move),
    ) {
        let (plan, turn) = (self.plan, level - 1);
        let (below, keep) = (&self.stack[turn].layer, plan.keep[level]);
        // A move changes four squares at most, and rights of two rooks and one pawn.
        let few: Option<Vec<Packed>> =
            (wanted.len() <= 16).then(|| wanted.keys().map(|(board, _)| *board).collect());
        for row in self.stack[level].parents.clone() {
            let place = below.place(row);
            let (board, past) = below.get(place);
            if let Some(few) = &few
                && few.iter().all(|other| board.difference(*other).len() > 8)
            {
                continue;
            }
            let position = board.unpack(plan.color(turn));
            plan.each(turn, &position, past, |step: &Step| {
                let reached = (keep.pack(&step.after), step.past.masked(keep.past));
                if let Some(&child) = wanted.get(&reached) {
                    visit(child, place, step.mv);
                }
            });
        }
    }
}
