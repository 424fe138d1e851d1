//! Searches in a game: for the engine's move, for analysis, and on the opponent's time.

use super::Session;
use super::event::{Event, Played};
use super::negotiation::Gesture;
use super::partner::Mode;
use super::running_job::{AnswerState, BestAnswer, JobKind, RunningJob};
use std::time::{Duration, Instant};
use umbrail_chess::{Move, Position};
use umbrail_search as search;

/// Tolerance of the clock: after a ponder hit the search continues unless the clock shows this much
/// less than expected.
const CLOCK_SLACK: Duration = Duration::from_millis(100);

impl Session {
    /// Starts the search for the engine's move.
    pub(super) fn think(&mut self, at: Instant) {
        if self.at_tables() {
            return self.table_think(at);
        }
        if self.explain() || self.claim_end() {
            return;
        }
        if self.chess_move_from_table(at) {
            return;
        }
        if self.running.is_some() {
            // A task runs; the move follows when the task has ended.
            self.partner.owes_move = true;
            return;
        }
        let limits = self.partner.limits();
        self.search_game(limits, JobKind::Reply, at);
    }

    pub(super) fn analyse(&mut self, at: Instant) {
        if self.at_tables() {
            return self.table_analyse(at);
        }
        if self.explain() || self.running.is_some() {
            return;
        }
        let limits = search::Limits { infinite: true, ..search::Limits::default() };
        self.search_game(limits, JobKind::Analysis, at);
    }

    pub(super) fn search_game(&mut self, limits: search::Limits, kind: JobKind, at: Instant) {
        let Ok(&position) = self.game.position() else { return };
        let root_moves = self.root_moves(&position);
        let watch = self.watch(position, root_moves.as_deref());
        if watch.root_moves > 0 {
            self.search(watch, limits, root_moves, self.game.history(), kind, at);
        }
    }

    fn root_moves(&self, position: &Position) -> Option<Vec<Move>> {
        let excluded = &self.partner.excluded;
        let rest = position.legal_moves().into_iter().filter(|mv| !excluded.contains(mv));
        // If all moves are excluded, the exclusion has no effect.
        Some(rest.collect::<Vec<_>>()).filter(|rest| !excluded.is_empty() && !rest.is_empty())
    }

    /// Handles the answer of a search in a game, or of one that has no answer to give.
    pub(super) fn game_answer(&mut self, mut running: RunningJob, answer: search::SearchAnswer) {
        let Some(watch) = &running.watch else { return };
        let best = watch.best_move(&answer);
        match &mut running.kind {
            JobKind::Reply => {
                if let Some(line) = answer.line.clone().filter(|line| watch.differs(line)) {
                    self.write(Event::Thought(watch.thought(line)));
                }
                let took = running.clock.since_start();
                let score = answer.line.as_ref().map(|line| watch.thought(line.clone()).line.score);
                if let Some(mv) = best
                    && !score.is_some_and(|score| self.resigns(score))
                {
                    self.reply(watch.played(mv), answer.ponder, took);
                }
                self.flush_pings();
            }
            JobKind::Hint => {
                if let Some(mv) = best {
                    self.write(Event::Hint(watch.played(mv)));
                }
            }
            JobKind::Ponder { .. } => {
                running.answer = AnswerState::Withheld(BestAnswer::Search(answer));
                self.running = Some(running);
            }
            // The analysis is exhausted; it stays until the user acts.
            _ => {
                running.answer = AnswerState::Unused;
                self.running = Some(running);
            }
        }
    }

    /// Takes the score of the engine's move; returns true if the engine resigns in place of it.
    fn resigns(&mut self, score: search::Score) -> bool {
        let move_number = u32::from(self.game.setup().fullmoves);
        let contempt = self.options.search.contempt;
        match self.partner.negotiation.scored(score, contempt, move_number) {
            Gesture::Resign if self.options.resigns => {
                self.partner.mode = Mode::Force;
                self.write(Event::Resigned);
                return true;
            }
            Gesture::Accept => self.write(Event::DrawOffered),
            Gesture::Offer if self.options.resigns => self.write(Event::DrawOffered),
            Gesture::Offer | Gesture::Resign | Gesture::None => {}
        }
        false
    }

    pub(super) fn reply(&mut self, played: Played, expected: Option<Move>, took: Duration) {
        let after = played.before.after(played.mv);
        let expected = expected.filter(|&mv| after.is_legal(mv));
        self.game.play(played.mv);
        self.write(Event::Moved(played));
        self.partner.moved(took);
        self.partner.new_position();
        self.partner.expected = expected.map(|mv| (after.key(), mv));
        if !self.claim_end() {
            self.ponder();
        }
    }

    /// Ponders on the expected reply.
    fn ponder(&mut self) {
        let (true, Some((key, expected))) = (self.options.ponder, self.partner.expected) else {
            return;
        };
        let Ok(&position) = self.game.position() else { return };
        let limits = self.partner.limits();
        let left = limits.clock.map(|clock| clock.left);
        let mut history = self.game.history();
        history.push(position.key());
        let watch = self.watch(position.after(expected), None);
        if watch.root_moves > 0 {
            let kind = JobKind::Ponder { expected, key, left };
            self.search(watch, limits, None, history, kind, self.now);
        }
    }

    /// Handles the expected move of the user: the pondering search becomes the real one, unless the
    /// clock shows less time than it was started with.
    pub(super) fn ponder_hit_in_game(&mut self, mv: Move, at: Instant) -> bool {
        let key = self.game.position().map_or(0, Position::key);
        let short = |left: Option<Duration>, now: Option<Duration>| match (left, now) {
            (Some(left), Some(now)) => now + CLOCK_SLACK < left,
            _ => false,
        };
        let now = self.partner.limits().clock.map(|clock| clock.left);
        match &self.running {
            Some(RunningJob {
                kind: JobKind::Ponder { expected, key: here, left, .. }, ..
            }) if *expected == mv && *here == key && !short(*left, now) => {}
            _ => return false,
        }
        let Some(mut running) = self.running.take() else { return false };
        self.game.play(mv);
        self.partner.new_position();
        if self.claim_end() {
            running.cancel.raise();
            return true;
        }
        running.clock.start(at);
        if let Some(watch) = &running.watch
            && let Some(line) = watch.last.clone()
        {
            self.write(Event::Thought(watch.thought(line)));
        }
        running.kind = JobKind::Reply;
        match std::mem::take(&mut running.answer) {
            AnswerState::Withheld(BestAnswer::Search(answer)) => self.game_answer(running, answer),
            _ => self.running = Some(running),
        }
        true
    }
}
