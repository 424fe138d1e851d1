//! State of the running job in the session: the other ends of its handles, and the purpose of its
//! answer.

use super::domain::Domain;
use super::event::Event;
use super::job_context::JobId;
use super::message::{Kind, Message};
use super::sample::Sample;
use super::search_progress::SearchProgress;
use super::task_records::TaskProgress;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};
use umbrail_chess::Move;
use umbrail_control::{Cancel, Clock, Progress};
use umbrail_search as search;

/// The running job, or an answer that is withheld.
pub(super) struct RunningJob {
    pub(super) id: JobId,
    pub(super) cancel: Cancel,
    pub(super) clock: Arc<Clock>,
    pub(super) progress: Arc<Progress>,
    pub(super) skips: Arc<AtomicU64>,
    pub(super) kind: JobKind,
    /// Progress record; for a search only.
    pub(super) watch: Option<SearchProgress>,
    /// State of its answer.
    pub(super) answer: AnswerState,
}

/// State of the answer of a job.
#[derive(Default)]
pub(super) enum AnswerState {
    /// The job is still computing it.
    #[default]
    Awaited,
    /// Received before it may be given.
    Withheld(BestAnswer),
    /// Received and not used: an analysis has no answer.
    Unused,
}

/// Answer to a request for a move.
pub(super) enum BestAnswer {
    /// Answer of a search.
    Search(search::SearchAnswer),
    /// Move in a game played from a table.
    Table(String),
}

/// Purpose of the answer of the running job.
pub(super) enum JobKind {
    /// A request for a best move.
    Best(AnswerGate),
    /// The engine's move in a game.
    Reply,
    /// The engine's move in a game, if the user plays the expected move.
    Ponder { expected: Move, key: u64, left: Option<Duration> },
    /// An analysis: only the lines matter, there is no answer.
    Analysis,
    /// A hint for the user.
    Hint,
    /// Perft.
    Perft { depth: u32, since: Instant },
    /// The benchmark.
    Bench { since: Instant },
    /// A table is built for playing; other commands continue.
    Build,
    /// A task. With a gate, a best move (none) must follow. A background task continues while the
    /// board changes. It has started when its files are read.
    Task {
        domain: Domain,
        since: Instant,
        started: bool,
        background: bool,
        best: Option<AnswerGate>,
    },
}

/// Decides whether an answer may be given. `stop` opens it.
pub(super) struct AnswerGate {
    /// Closed until the opponent has moved (`ponderhit`).
    pub(super) ponder: bool,
    /// End of the work.
    pub(super) end: WorkEnd,
}

/// End of work that is not stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WorkEnd {
    /// At a limit, or as soon as the work is solved.
    Bounded,
    /// When nothing is left to search: there is no limit.
    Unlimited,
    /// At `stop` only.
    AtStop,
}

impl AnswerGate {
    pub(super) fn is_open(&self) -> bool {
        !self.ponder && self.end != WorkEnd::AtStop
    }

    pub(super) fn open(&mut self) {
        *self = Self { ponder: false, end: WorkEnd::Bounded };
    }

    /// Returns true while the answer comes only after `stop` or `ponderhit`, or at an unpredictable
    /// time.
    fn is_unbounded(&self) -> bool {
        self.ponder || self.end != WorkEnd::Bounded
    }
}

impl RunningJob {
    /// Returns the event for this pulse, of four a second. `sampled` reports every sample of a search.
    pub(super) fn pulse(&self, number: u64, sampled: bool) -> Option<Event> {
        let sample = Sample::take(&self.progress, &self.clock);
        if !matches!(self.answer, AnswerState::Awaited) {
            return None;
        }
        match self.kind {
            JobKind::Best(_) if sampled => Some(Event::Pulse(sample)),
            // Once a second, and not during a short search.
            JobKind::Best(_)
                if number.is_multiple_of(4) && sample.time >= Duration::from_secs(1) =>
            {
                Some(Event::Pulse(sample))
            }
            // Twice a second.
            JobKind::Task { domain, started: true, .. } if number.is_multiple_of(2) => {
                Some(Event::Message(progress_message(domain, &sample)))
            }
            _ => None,
        }
    }

    /// Returns a word for the work.
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

    /// Returns true while a table is built for playing.
    pub(super) fn is_building(&self) -> bool {
        matches!(self.kind, JobKind::Build)
    }

    /// Returns true for perft and bench, which delay all later commands.
    pub(super) fn is_counting(&self) -> bool {
        matches!(self.kind, JobKind::Perft { .. } | JobKind::Bench { .. })
    }

    /// Returns true for work that runs, or withholds its answer, until `stop` or `ponderhit`.
    pub(super) fn is_unbounded(&self) -> bool {
        match &self.kind {
            JobKind::Best(gate) | JobKind::Task { best: Some(gate), .. } => gate.is_unbounded(),
            JobKind::Analysis | JobKind::Ponder { .. } => true,
            _ => false,
        }
    }

    /// Returns true if a request for a move may be answered now.
    pub(super) fn may_answer(&self) -> bool {
        match &self.kind {
            JobKind::Best(gate) | JobKind::Task { best: Some(gate), .. } => gate.is_open(),
            _ => false,
        }
    }

    /// Returns true for searches in a game or an analysis, which the next change of the board makes
    /// pointless.
    pub(super) fn is_abandonable(&self) -> bool {
        use JobKind::{Analysis, Hint, Ponder, Reply};
        matches!(self.kind, Reply | Ponder { .. } | Analysis | Hint)
    }
}

fn progress_message(domain: Domain, sample: &Sample) -> Message {
    let ms = u64::try_from(sample.time.as_millis()).unwrap_or(u64::MAX);
    let has_parts = sample.total > 0;
    let percent = || (sample.done.saturating_mul(100) / sample.total).min(100);
    let record = TaskProgress {
        elapsed_ms: ms,
        nodes: sample.nodes,
        done: has_parts.then_some(sample.done),
        total: has_parts.then_some(sample.total),
        // One sample may mix the counters of two layers.
        percent: has_parts.then(percent),
        left_ms: (sample.left_ms > 0).then_some(sample.left_ms),
        queued: (sample.queued > 0).then_some(sample.queued),
        expected: expected(domain, sample),
    };
    let words = [
        ("time", Some(ms)),
        ("nodes", Some(record.nodes)),
        ("done", record.done),
        ("total", record.total),
        ("percent", record.percent),
        ("left", record.left_ms),
        ("queued", record.queued),
        ("expected", record.expected),
    ];
    let mut message = Message::new(domain, Kind::Progress).holding(&record);
    message.words =
        words.into_iter().filter_map(|(key, value)| Some((key, value?.into()))).collect();
    message
}

/// Estimates the size of the next layer of a steno, assuming that the rest of the previous layer
/// yields as much as the part done. The queue of other domains is a real queue; it is not
/// extrapolated.
fn expected(domain: Domain, sample: &Sample) -> Option<u64> {
    let counted = domain == Domain::Steno && sample.done > 0 && sample.queued > 0;
    let scaled = u128::from(sample.queued) * u128::from(sample.total);
    counted.then(|| u64::try_from(scaled / u128::from(sample.done)).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::{Domain, Sample, progress_message};
    use crate::message::Value;

    #[test]
    fn a_layer_reports_its_share_and_the_size_of_the_next() {
        let sample = Sample { done: 30, total: 120, queued: 500, ..Sample::default() };
        let reported = |domain, key: &str| {
            let message = progress_message(domain, &sample);
            message.words.into_iter().find(|(name, _)| *name == key).map(|(_, value)| value)
        };
        assert_eq!(reported(Domain::Steno, "percent"), Some(Value::Number(25)));
        assert_eq!(reported(Domain::Steno, "expected"), Some(Value::Number(2_000)));
        assert_eq!(reported(Domain::Spg, "expected"), None);
        let first = Sample { done: 0, total: 120, ..Sample::default() };
        assert!(
            progress_message(Domain::Steno, &first)
                .words
                .iter()
                .all(|(name, _)| *name != "expected")
        );
    }
}
