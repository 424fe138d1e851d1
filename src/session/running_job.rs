//! What the session remembers of the job that runs: the other ends of its handles, and what its
//! answer is for.

use super::domain::Domain;
use super::event::Event;
use super::message::{Kind, Message};
use super::sample::Sample;
use super::search_progress::SearchProgress;
use super::stage::JobId;
use crate::chess::Move;
use crate::control::{Cancel, Clock, Progress};
use crate::search;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

/// The job that runs, or an answer that is held back.
pub(super) struct RunningJob {
    pub(super) id: JobId,
    pub(super) cancel: Cancel,
    pub(super) clock: Arc<Clock>,
    pub(super) progress: Arc<Progress>,
    pub(super) skips: Arc<AtomicU64>,
    pub(super) kind: JobKind,
    /// Where the search started; for a search only.
    pub(super) watch: Option<SearchProgress>,
    /// What has become of its answer.
    pub(super) answer: AnswerState,
}

/// What has become of the answer of a job.
#[derive(Default)]
pub(super) enum AnswerState {
    /// The job works on it.
    #[default]
    Awaited,
    /// It has come before it may be given.
    Withheld(BestAnswer),
    /// It has come and is of no use: an analysis has no answer.
    Unused,
}

/// The answer to a request for a move.
pub(super) enum BestAnswer {
    /// Of a search.
    Search(search::SearchAnswer),
    /// A move in a game that is played from a table.
    Table(String),
}

/// What the answer of the running job is for.
pub(super) enum JobKind {
    /// A request for a best move.
    Best(AnswerGate),
    /// The engine's move in a game.
    Reply,
    /// The same, should the user play the expected move.
    Ponder { expected: Move, key: u64, left: Option<Duration> },
    /// An analysis: only the lines matter, there is no answer.
    Analysis,
    /// The user asked what to play.
    Hint,
    /// Move sequences are counted.
    Perft { depth: u32, since: Instant },
    /// The benchmark runs.
    Bench { since: Instant },
    /// A table is built for playing; everything else goes on.
    Build,
    /// A task; with a gate, a best move (none) has to follow.
    /// One in the background goes on while the board changes.
    /// It has begun when its files are read.
    Task { domain: Domain, since: Instant, begun: bool, background: bool, best: Option<AnswerGate> },
}

/// Decides whether an answer may be given. `stop` opens it.
pub(super) struct AnswerGate {
    /// Closed until the opponent has moved (`ponderhit`).
    pub(super) ponder: bool,
    /// When the work ends that it is for.
    pub(super) end: WorkEnd,
}

/// When work ends that is not stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WorkEnd {
    /// At a limit, or as soon as it is solved.
    Bounded,
    /// When nothing is left to search: there is no limit.
    Unlimited,
    /// Never: its answer waits for `stop`.
    AtStop,
}

impl AnswerGate {
    pub(super) fn is_open(&self) -> bool {
        !self.ponder && self.end != WorkEnd::AtStop
    }

    pub(super) fn open(&mut self) {
        *self = Self { ponder: false, end: WorkEnd::Bounded };
    }

    /// True while the answer comes only after `stop` or `ponderhit`, or at a time that cannot be foretold.
    fn is_unbounded(&self) -> bool {
        self.ponder || self.end != WorkEnd::Bounded
    }
}

impl RunningJob {
    /// What to say at this pulse of four a second.
    pub(super) fn pulse(&self, number: u64) -> Option<Event> {
        let sample = Sample::take(&self.progress, &self.clock);
        if !matches!(self.answer, AnswerState::Awaited) {
            return None;
        }
        match self.kind {
            // Once a second, and not at all for a short think.
            JobKind::Best(_)
                if number.is_multiple_of(4) && sample.time >= Duration::from_secs(1) =>
            {
                Some(Event::Pulse(sample))
            }
            // Twice a second.
            JobKind::Task { domain, begun: true, .. } if number.is_multiple_of(2) => {
                Some(Event::Message(progress_message(domain, &sample)))
            }
            _ => None,
        }
    }

    /// What it is busy with, in a word.
    pub(super) fn word(&self) -> &'static str {
        match self.kind {
            JobKind::Best(_) | JobKind::Reply | JobKind::Ponder { .. } | JobKind::Hint => {
                "a search"
            }
            JobKind::Analysis => "an analysis",
            JobKind::Perft { .. } => "perft",
            JobKind::Bench { .. } => "bench",
            JobKind::Build => "building a table",
            JobKind::Task { domain, .. } => domain.word(),
        }
    }

    /// True while a table is built for playing.
    pub(super) fn is_building(&self) -> bool {
        matches!(self.kind, JobKind::Build)
    }

    /// True for perft and bench, which hold back everything behind them.
    pub(super) fn is_counting(&self) -> bool {
        matches!(self.kind, JobKind::Perft { .. } | JobKind::Bench { .. })
    }

    /// True for what runs, or withholds its answer, until `stop` or `ponderhit`.
    pub(super) fn is_unbounded(&self) -> bool {
        match &self.kind {
            JobKind::Best(gate) | JobKind::Task { best: Some(gate), .. } => gate.is_unbounded(),
            JobKind::Analysis | JobKind::Ponder { .. } => true,
            _ => false,
        }
    }

    /// Whether a request for a move may be answered now.
    pub(super) fn may_answer(&self) -> bool {
        match &self.kind {
            JobKind::Best(gate) | JobKind::Task { best: Some(gate), .. } => gate.is_open(),
            _ => false,
        }
    }

    /// True for searches in a game or an analysis, which the next board event makes pointless.
    pub(super) fn is_abandonable(&self) -> bool {
        use JobKind::{Analysis, Hint, Ponder, Reply};
        matches!(self.kind, Reply | Ponder { .. } | Analysis | Hint)
    }
}

fn progress_message(domain: Domain, sample: &Sample) -> Message {
    let ms = u64::try_from(sample.time.as_millis()).unwrap_or(u64::MAX);
    let mut message =
        Message::new(domain, Kind::Progress).with("time", ms).with("nodes", sample.nodes);
    if sample.total > 0 {
        message = message.with("done", sample.done).with("total", sample.total);
        // The gauges of two layers may meet in one sample.
        let percent = (sample.done.saturating_mul(100) / sample.total).min(100);
        message = message.with("percent", percent);
    }
    if sample.queued > 0 {
        message = message.with("queued", sample.queued);
    }
    if let Some(expected) = expected(domain, sample) {
        message = message.with("expected", expected);
    }
    message
}

/// How large a layer of a steno will get if the rest of the one before is as fertile as what is done.
/// The queue of other domains is a real one and grows with nothing.
fn expected(domain: Domain, sample: &Sample) -> Option<u64> {
    let counted = domain == Domain::Steno && sample.done > 0 && sample.queued > 0;
    let scaled = u128::from(sample.queued) * u128::from(sample.total);
    counted.then(|| u64::try_from(scaled / u128::from(sample.done)).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::{Domain, Sample, progress_message};
    use crate::session::message::Value;

    #[test]
    fn a_layer_tells_its_share_and_how_large_the_next_will_be() {
        let sample = Sample { done: 30, total: 120, queued: 500, ..Sample::default() };
        let told = |domain, key: &str| {
            let message = progress_message(domain, &sample);
            message.words.into_iter().find(|(name, _)| *name == key).map(|(_, value)| value)
        };
        assert_eq!(told(Domain::Steno, "percent"), Some(Value::Number(25)));
        assert_eq!(told(Domain::Steno, "expected"), Some(Value::Number(2_000)));
        assert_eq!(told(Domain::Spg, "expected"), None);
        let first = Sample { done: 0, total: 120, ..Sample::default() };
        assert!(
            progress_message(Domain::Steno, &first)
                .words
                .iter()
                .all(|(name, _)| *name != "expected")
        );
    }
}
