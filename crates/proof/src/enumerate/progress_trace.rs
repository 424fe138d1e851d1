//! Current path of decisions of a seeker, for display.

use crate::enumerate::captures::options::Capture;
use crate::enumerate::matching::Matching;
use crate::enumerate::request::WalkCounts;
use crate::enumerate::tally::WalkTally;
use crate::problem::castling::Wing;
use crate::problem::piece::{PieceId, letter};
use crate::strategy::itinerary::StopKind;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use umbrail_chess::Role;
use umbrail_chess::geometry::Square;
use umbrail_control::Cancel;

/// Interval of polls, in opportunities.
const POLLS: u64 = 32;

/// Maximum number of decisions shown, from the top.
pub const STEPS_MAX: usize = 14;

/// A decision on the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeDecision {
    /// The ends of both colors' survivors: castling wings, and the matchings of the pawns.
    Ends([Option<Wing>; 2], [Matching; 2]),
    /// The promotion square of a surviving pawn.
    Promotion(PieceId, Square, Role),
    /// A capture.
    Capture {
        /// The captor.
        captor: PieceId,
        /// The victim.
        victim: PieceId,
        /// Square where the captor lands.
        square: Square,
        /// True if it is en passant.
        en_passant: bool,
    },
}

impl fmt::Display for NodeDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ends(castling, _) => {
                let [white, black] = castling.map(|wing| match wing {
                    None => "no castling",
                    Some(Wing::King) => "O-O",
                    Some(Wing::Queen) => "O-O-O",
                });
                write!(f, "ends, white {white}, black {black}")
            }
            Self::Promotion(pawn, square, kind) => write!(f, "{pawn}-{square}={}", letter(*kind)),
            Self::Capture { captor, victim, square, en_passant } => {
                write!(f, "{captor}x{victim} {square}")?;
                if *en_passant { f.write_str(" e.p.") } else { Ok(()) }
            }
        }
    }
}

impl NodeDecision {
    /// Returns the decision of a branch of the tree.
    pub(crate) fn of(capture: &Capture) -> Self {
        let ((captor, itinerary), (victim, fallen)) = (capture.captor, capture.victim);
        let passing = |kind| matches!(kind, StopKind::TakesEnPassant(piece) if piece == victim);
        let stop = itinerary.stops().iter().find(|stop| passing(stop.kind));
        let square = stop.map_or(fallen.end, |stop| stop.square);
        Self::Capture { captor, victim, square, en_passant: stop.is_some() }
    }
}

/// A step of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgressStep {
    /// The decision.
    pub decision: NodeDecision,
    /// Index of this alternative, from 1.
    pub number: u32,
    /// Number of alternatives.
    pub of: u32,
    /// Time spent in this alternative; known only above the sync depth, where it may be long.
    pub since: Option<Duration>,
}

/// Path of a seeker as others see it. After a request the seeker writes it at its next poll.
#[derive(Debug, Default)]
pub struct ProgressTrace {
    wanted: AtomicBool,
    /// True if the path was ever requested.
    watched: AtomicBool,
    shown: Mutex<ProgressState>,
}

#[derive(Debug, Default)]
struct ProgressState {
    steps: Vec<ProgressStep>,
    tally: WalkCounts,
    matchings: Arc<[Vec<Matching>; 2]>,
}

impl ProgressTrace {
    /// Requests the path; it is written a few microseconds to milliseconds later.
    pub fn ask(&self) {
        // Relaxed: a lock protects the path itself.
        self.wanted.store(true, Ordering::Relaxed);
        self.watched.store(true, Ordering::Relaxed);
    }

    /// Returns the path as last written, at most [`STEPS_MAX`] decisions from the top.
    pub fn steps(&self) -> Vec<ProgressStep> {
        self.shown.lock().map(|shown| shown.steps.clone()).unwrap_or_default()
    }

    /// Returns the progress of the seeker when it last wrote.
    pub fn tally(&self) -> WalkCounts {
        self.shown.lock().map(|shown| shown.tally).unwrap_or_default()
    }

    /// Returns all matchings of each color's pawns, in the order of the tree; empty if there are
    /// too many end assignments, or before the walk begins.
    pub fn matchings(&self) -> Arc<[Vec<Matching>; 2]> {
        self.shown.lock().map(|shown| Arc::clone(&shown.matchings)).unwrap_or_default()
    }

    /// Records the matchings.
    fn list(&self, matchings: [Vec<Matching>; 2]) {
        if let Ok(mut shown) = self.shown.lock() {
            shown.matchings = Arc::new(matchings);
        }
    }

    /// Returns the finished share of the tree, 0 to 1, assuming that branches have equal size.
    pub fn share(&self) -> f64 {
        let mut width = 1.0;
        let mut done = 0.0;
        for step in self.steps() {
            width /= f64::from(step.of.max(1));
            done += width * f64::from(step.number.saturating_sub(1));
        }
        done
    }

    /// Returns true if the path is requested.
    #[inline]
    fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }

    /// Returns true if the path was ever requested.
    fn is_watched(&self) -> bool {
        self.watched.load(Ordering::Relaxed)
    }

    /// Records the final progress of the seeker; the last path remains.
    fn finish(&self, tally: WalkCounts) {
        if let Ok(mut shown) = self.shown.lock() {
            shown.tally = tally;
        }
    }

    /// Writes the path and the progress of the seeker.
    fn write(&self, path: &DecisionPath, tally: WalkCounts) {
        self.wanted.store(false, Ordering::Relaxed);
        if let Ok(mut shown) = self.shown.lock() {
            shown.tally = tally;
            shown.steps.clear();
            shown.steps.extend(path.steps.iter().take(path.len).flatten().map(|(step, began)| {
                ProgressStep { since: began.map(|began| began.elapsed()), ..*step }
            }));
        }
    }
}

/// Path as the seeker maintains it, and its polls.
pub(crate) struct WalkProgress<'a> {
    cancel: &'a Cancel,
    trace: Option<&'a ProgressTrace>,
    path: DecisionPath,
    /// Number of opportunities to poll.
    polls: u64,
}

impl<'a> WalkProgress<'a> {
    pub(super) fn new(cancel: &'a Cancel, trace: Option<&'a ProgressTrace>) -> Self {
        Self { cancel, trace, path: DecisionPath::default(), polls: 0 }
    }

    /// Polls at intervals: the cancel signal, and requests for the path.
    #[inline]
    pub(super) fn poll(&mut self, tally: &WalkTally) -> ControlFlow<()> {
        self.polls += 1;
        if self.polls.is_multiple_of(POLLS) {
            if self.cancel.is_raised() {
                return ControlFlow::Break(());
            }
            if let Some(trace) = self.trace.filter(|trace| trace.is_wanted()) {
                trace.write(&self.path, tally.counts());
            }
        }
        ControlFlow::Continue(())
    }

    /// Writes the path for display before this worker searches a strategy.
    pub(super) fn show(&self, tally: &WalkTally) {
        if let Some(trace) = self.trace.filter(|trace| trace.is_watched()) {
            trace.write(&self.path, tally.counts());
        }
    }

    /// Lists the matchings, if the walk is displayed.
    pub(super) fn list(&self, matchings: impl FnOnce() -> [Vec<Matching>; 2]) {
        if let Some(trace) = self.trace {
            trace.list(matchings());
        }
    }

    /// Records the decision that leads from this depth to the next.
    #[inline]
    pub(super) fn note(
        &mut self,
        depth: u8,
        decision: NodeDecision,
        place: (usize, usize),
        timed: bool,
    ) {
        self.path.note(usize::from(depth), decision, place, timed);
    }

    /// Records the final counts.
    pub(super) fn finish(&self, tally: &WalkTally) {
        if let Some(trace) = self.trace {
            trace.finish(tally.counts());
        }
    }
}

/// Decisions from the root to the current node.
#[derive(Debug, Default)]
struct DecisionPath {
    steps: [Option<(ProgressStep, Option<Instant>)>; STEPS_MAX],
    len: usize,
}

impl DecisionPath {
    /// Records the decision that leads from this depth to the next.
    #[inline]
    fn note(
        &mut self,
        depth: usize,
        decision: NodeDecision,
        (number, of): (usize, usize),
        timed: bool,
    ) {
        if depth < STEPS_MAX {
            let step =
                ProgressStep { decision, number: number as u32 + 1, of: of as u32, since: None };
            self.steps[depth] = Some((step, timed.then(Instant::now)));
        }
        self.len = (depth + 1).min(STEPS_MAX);
    }
}
