//! Search of positions in parts: its state between two parts is reported from time to time, and can
//! be resumed.

use super::super::checkpoint::ReusableLayers;
use super::super::partial::{PartialSearch, final_position};
use super::super::unfinished::UnfinishedSteno;
use super::{Finals, SearchEnd, StenoSearch};
use crate::StenoEvent;
use std::sync::Arc;
use std::time::Duration;

/// Minimum interval between two snapshots of the state, unless reports are more frequent.
const EVERY: Duration = Duration::from_millis(500);
/// Minimum interval between reports of unfinished work, in multiples of the last one's duration.
const REPORTING_SHARE: u32 = 20;

impl StenoSearch<'_> {
    /// Takes the state from time to time when a part was searched to the end, and reports it.
    pub(super) fn part_done(&mut self, row: usize) {
        let now = self.control.clock.elapsed();
        let every = self.params.unfinished_every.map_or(EVERY, |reported| reported.min(EVERY));
        let due = self.partial.as_ref().is_none_or(|(at, _)| now >= *at + every);
        if !due || !self.refuted.is_empty() {
            return;
        }
        let partial = PartialSearch {
            stack: self.stack.clone(),
            row,
            count: self.count.clone(),
            games: self.games.clone(),
            games_max: self.params.games_max,
            intended: self.request.intended.clone(),
            finals: self.finals.as_ref().map(|finals| finals.list.clone()),
            marks: self.marks.clone(),
            made: self.made,
        };
        self.partial = Some((now, Arc::new(partial)));
        self.notify_unfinished();
    }

    /// Resumes the state of a stopped search if it fits the current one; returns the row of the top
    /// layer from which it continues.
    pub(super) fn take_up(&mut self, layers: &ReusableLayers) -> Option<usize> {
        let partial = layers.partial(self.compiled)?;
        if !partial.fits(self.request, self.params.games_max) {
            return None;
        }
        self.reusable_layers.clone_from(&layers.stacked_layers);
        self.stack.clone_from(&partial.stack);
        self.split = true;
        self.count.clone_from(&partial.count);
        self.games.clone_from(&partial.games);
        self.games.iter().for_each(|game| self.control.notify(StenoEvent::Game(game.clone())));
        self.marks.clone_from(&partial.marks);
        self.made = partial.made;
        self.finals = partial.finals.as_ref().and_then(|list| {
            let start = &self.compiled.start;
            let numbered = list.iter().enumerate();
            let numbers = numbered.map(|(at, it)| Some((final_position(start, &it.example)?, at)));
            Some(Finals { numbers: numbers.collect::<Option<_>>()?, list: list.clone() })
        });
        self.partial = Some((self.control.clock.elapsed(), Arc::clone(partial)));
        Some(partial.row)
    }

    /// Continues a stopped search: with the rest of the top layer, then with the rest of each layer
    /// below.
    pub(super) fn go_on(&mut self, mut row: usize) -> Result<(), SearchEnd> {
        while let Some(turn) = self.stack.len().checked_sub(1) {
            self.expand(turn, row)?;
            let Some(done) = self.stack.pop() else { break };
            row = done.parents.end;
        }
        Ok(())
    }

    /// Reports the work so far from time to time. Taking it, perhaps writing it to a file, may use
    /// one part in [`REPORTING_SHARE`] of the time.
    pub(super) fn notify_unfinished(&mut self) {
        let Some(every) = self.params.unfinished_every else { return };
        let before = self.control.clock.elapsed();
        if before < self.reported.0 + every.max(self.reported.1 * REPORTING_SHARE) {
            return;
        }
        let layers = ReusableLayers {
            compiled: self.compiled.clone(),
            stacked_layers: self.reusable_layers.clone(),
            partial: self.partial.as_ref().map(|(_, partial)| Arc::clone(partial)),
        };
        let work = UnfinishedSteno::new(Arc::new(layers), self.params.lookahead);
        self.control.notify(StenoEvent::Unfinished(work));
        let after = self.control.clock.elapsed();
        self.reported = (after, after.saturating_sub(before));
    }
}
