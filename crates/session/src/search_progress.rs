//! Progress of a running search, and the events made of it.

use super::event::{Played, Thought};
use std::time::Duration;
use umbrail_chess::{Move, Position};
use umbrail_search as search;

/// Delay before root moves are reported; analysis mode has no delay.
const QUIET: Duration = Duration::from_secs(3);
/// Minimum time between two reports of root moves: shallow iterations pass hundreds in no time.
const ROOT_MOVE_GAP: Duration = Duration::from_millis(20);

/// Progress of a running search.
pub(super) struct SearchProgress {
    pub(super) root: Position,
    pub(super) chess960: bool,
    pub(super) show_wdl: bool,
    pub(super) analyse: bool,
    pub(super) ponder: bool,
    pub(super) several: bool,
    pub(super) root_moves: usize,
    pub(super) last: Option<search::PvLine>,
    pub(super) current: Option<(Move, usize, u32)>,
    /// Time of the last report of a root move, on the job's clock.
    pub(super) given_at: Option<Duration>,
}

impl SearchProgress {
    /// Returns true when the current root move should be reported now.
    pub(super) fn expects_root_move(&mut self, now: Duration) -> bool {
        let long_ago = self.given_at.is_none_or(|then| now >= then + ROOT_MOVE_GAP);
        let wanted = long_ago && (self.analyse || now >= QUIET);
        if wanted {
            self.given_at = Some(now);
        }
        wanted
    }

    pub(super) fn played(&self, mv: Move) -> Played {
        Played { before: self.root, mv, chess960: self.chess960 }
    }

    /// Returns true if a line has news compared with the last reported one.
    pub(super) fn is_newer(&self, line: &search::PvLine) -> bool {
        self.last.as_ref().is_none_or(|last| {
            (last.depth, last.nodes, last.score, last.bound, &last.pv)
                != (line.depth, line.nodes, line.score, line.bound, &line.pv)
        })
    }

    /// Returns true if a line has another depth, score or variation than the last reported one. A
    /// GUI that plays a game lists every line, so newer counts alone are no reason to repeat one.
    pub(super) fn differs(&self, line: &search::PvLine) -> bool {
        self.last.as_ref().is_none_or(|last| {
            (last.depth, last.score, last.bound, &last.pv)
                != (line.depth, line.score, line.bound, &line.pv)
        })
    }

    /// Converts a line to an event: its score in centipawns scaled so that one pawn means even
    /// chances to win, and its win, draw and loss probabilities.
    pub(super) fn thought(&self, mut line: search::PvLine) -> Thought {
        let model = &search::WIN_MODEL;
        let wdl = self.show_wdl.then(|| model.chances(line.score, &self.root));
        line.score = model.shown(line.score, &self.root);
        Thought { root: self.root, chess960: self.chess960, wdl, several: self.several, line }
    }

    /// Returns the move of an answer. If a search has none although there are legal moves, returns
    /// the best move seen, or any: an engine without a reply loses the game.
    pub(super) fn best_move(&self, answer: &search::SearchAnswer) -> Option<Move> {
        if self.root_moves == 0 {
            return None;
        }
        let seen = || self.last.as_ref().and_then(|line| line.pv.first().copied());
        let legal = |mv: &Move| self.root.is_legal(*mv);
        let any = || self.root.legal_moves().into_iter().next();
        answer.best.filter(legal).or_else(|| seen().filter(legal)).or_else(any)
    }
}
