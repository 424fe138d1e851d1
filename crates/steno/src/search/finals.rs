//! Last layer: games and final positions are counted and collected.

use super::super::last_turns::{ChunkResult, GameEnd, finish_rows};
use super::super::{Final, StenoEvent, StenoRequest, verify};
use super::{CHUNK, ENDS_MAX, ROUNDS, SearchEnd, StenoSearch};
use num_bigint::BigUint;
use rayon::prelude::*;
use std::sync::Arc;
use umbrail_chess::Move;
use umbrail_chess::geometry::Bitboard;

impl StenoSearch<'_> {
    /// Counts the games after the layer on top of the stack: its last turn, or the last two.
    pub(super) fn finish(&mut self, turn: usize, fused: bool) -> Result<(), SearchEnd> {
        let layer = Arc::clone(&self.stack[turn].layer);
        let (compiled, last) = (self.compiled, self.compiled.len() - 1);
        let listing = self.games.len() < self.wanted() || self.finals.is_some();
        let mut found = ChunkResult::default();
        self.control.progress.total.set(layer.len() as u64);
        let batch = CHUNK * ROUNDS * self.workers();
        let mut at = 0;
        while at < layer.len() {
            self.check()?;
            let end = (at + batch).min(layer.len());
            let room = if listing { ENDS_MAX.saturating_sub(found.ends.len()) } else { 0 };
            let work = |start: usize| {
                let rows = start..(start + CHUNK).min(end);
                finish_rows(compiled, &layer, rows, (turn, last, fused), room)
            };
            let starts: Vec<usize> = (at..end).step_by(CHUNK).collect();
            let parts: Vec<ChunkResult> = if self.workers() > 1 && starts.len() > 1 {
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
                return Err(SearchEnd::Enough);
            }
        }
        self.take(turn, fused, found);
        // Listing games may have been stopped.
        self.control.check()?;
        Ok(())
    }

    /// Adds the results found after a layer.
    fn take(&mut self, turn: usize, fused: bool, found: ChunkResult) {
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
            self.control.notify(StenoEvent::Mark(self.marks[last].clone()));
        }
        self.take_ends(turn, &found.ends);
    }

    pub(super) fn take_ends(&mut self, turn: usize, ends: &[GameEnd]) {
        self.take_finals(turn, ends, ends.len() < ENDS_MAX);
        let room = self.wanted().saturating_sub(self.games.len());
        for game in self.games(turn, ends, room) {
            self.take_game(game);
        }
    }

    /// Returns the number of games to find: one more if the intended one will be omitted.
    fn wanted(&self) -> usize {
        self.params.games_max.saturating_add(usize::from(self.request.intended.is_some()))
    }

    fn take_game(&mut self, game: Vec<Move>) {
        let StenoRequest { text, steno, strict, start, intended, .. } = self.request;
        if intended.as_ref() == Some(&game) || self.games.len() >= self.params.games_max {
            return;
        }
        match verify::fits(text, steno.vocabulary, *strict, start, &game) {
            Ok(()) => {
                self.control.notify(StenoEvent::Game(game.clone()));
                self.games.push(game);
            }
            Err(mismatch) => self.refuted.push((game, mismatch)),
        }
    }

    fn take_finals(&mut self, turn: usize, ends: &[GameEnd], complete: bool) {
        let Some(mut finals) = self.finals.take().filter(|_| complete) else { return };
        let layer = Arc::clone(&self.stack[turn].layer);
        for end in ends {
            let kept = layer.get(end.node).0.unpack(self.compiled.color(turn));
            let position = end.moves.iter().flatten().fold(kept, |before, &mv| before.after(mv));
            let pieces = position.pack(Bitboard::EMPTY, false);
            let (shard, at) = end.node.split();
            let games = layer.shards[shard].counts.get(at);
            if let Some(&number) = finals.numbers.get(&pieces) {
                finals.list[number].games += games;
            } else {
                finals.numbers.insert(pieces, finals.list.len());
                let example = self.chain(turn, end.node, self.tail(end));
                finals.list.push(Final { example, games });
            }
        }
        self.finals = Some(finals).filter(|finals| finals.list.len() < ENDS_MAX);
    }
}
