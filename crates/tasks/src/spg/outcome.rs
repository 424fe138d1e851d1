//! What became of a problem: a report, with the time that it took.

use super::posed::PosedProblem;
use super::posing::UnreadProblem;
use super::sheet_problem::{FairyPosed, SheetProblem};
use std::time::{Duration, Instant, SystemTime};
use umbrail_control::processor_time;
use umbrail_proof::positions::{PositionProblem, PositionReport, verdict_of};
use umbrail_proof::report::{ProblemVerdict, Verdict};
use umbrail_proof::run::RunReport;
use umbrail_session::message::{Kind, Message};
use umbrail_session::status::Status;

/// A problem that was worked on.
pub(super) struct Outcome<'a> {
    /// The problem.
    pub posed: &'a PosedProblem,
    /// What was found.
    pub report: RunReport,
    /// What that proves.
    pub verdict: Verdict,
    /// How long it took, and when it was done.
    pub times: Times,
}

impl<'a> Outcome<'a> {
    /// The outcome of a run that ended with this report.
    pub(super) fn new(posed: &'a PosedProblem, report: RunReport, times: Times) -> Self {
        let verdict = Verdict::of(&posed.problem, &posed.params, &report);
        Self { posed, report, verdict, times }
    }
}

/// A problem that the search of positions worked on.
pub(super) struct PositionOutcome<'a> {
    /// The problem as it was posed.
    pub posed: &'a PosedProblem,
    /// The problem as it was searched.
    pub problem: PositionProblem,
    /// The report of the run.
    pub report: PositionReport,
    /// The verdict.
    pub verdict: Verdict,
    /// Elapsed and processor time, and the moment of the end.
    pub times: Times,
}

impl<'a> PositionOutcome<'a> {
    /// Returns the outcome of a run that ended with this report.
    pub(super) fn new(
        posed: &'a PosedProblem,
        problem: PositionProblem,
        report: PositionReport,
        times: Times,
    ) -> Self {
        let verdict = verdict_of(&problem, posed.params.intended, &report);
        Self { posed, problem, report, verdict, times }
    }
}

/// A problem beyond orthodox proof games that was worked on.
pub(super) struct FairyOutcome<'a> {
    /// The problem.
    pub posed: &'a FairyPosed,
    /// The report of the run.
    pub report: PositionReport,
    /// The verdict.
    pub verdict: Verdict,
    /// Elapsed and processor time, and the moment of the end.
    pub times: Times,
}

/// A problem of a sheet, whatever became of it.
pub(super) enum SheetResult<'a> {
    /// It was worked on.
    Solved(Box<Outcome<'a>>),
    /// The search of positions worked on it.
    Counted(Box<PositionOutcome<'a>>),
    /// The search of positions worked on it, with conditions, series or fairy pieces.
    Fairy(Box<FairyOutcome<'a>>),
    /// It cannot be read.
    Unread(&'a UnreadProblem),
    /// Its archive cannot be used, and why.
    Failed(&'a SheetProblem, String),
    /// The work was stopped before.
    NotReached(&'a SheetProblem),
}

impl SheetResult<'_> {
    /// Returns true if a solver worked on it.
    pub(super) fn is_solved(&self) -> bool {
        matches!(self, Self::Solved(_) | Self::Counted(_) | Self::Fairy(_))
    }

    /// Its verdict in one word: that of a run, or `error` for a problem of which nothing was searched because of a
    /// mistake.
    pub(super) fn word(&self) -> String {
        match self {
            Self::Solved(outcome) => outcome.verdict.word.to_string(),
            Self::Counted(outcome) => outcome.verdict.word.to_string(),
            Self::Fairy(outcome) => outcome.verdict.word.to_string(),
            Self::Unread(_) | Self::Failed(..) => "error".to_owned(),
            Self::NotReached(_) => ProblemVerdict::Partial.to_string(),
        }
    }

    /// Its verdict as a sentence.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Solved(outcome) => outcome.verdict.text.clone(),
            Self::Counted(outcome) => outcome.verdict.text.clone(),
            Self::Fairy(outcome) => outcome.verdict.text.clone(),
            Self::Unread(problem) => format!("the problem cannot be read: {}", problem.why),
            Self::Failed(_, why) => format!("the problem was not searched: {why}"),
            Self::NotReached(_) => "stopped before this problem".to_owned(),
        }
    }

    /// Its title, or its number on the sheet.
    pub(super) fn title(&self, number: usize) -> String {
        let title = match self {
            Self::Solved(outcome) => &outcome.posed.title,
            Self::Counted(outcome) => &outcome.posed.title,
            Self::Fairy(outcome) => &outcome.posed.title,
            Self::Unread(problem) => &problem.title,
            Self::Failed(posed, _) | Self::NotReached(posed) => posed.title(),
        };
        title.clone().unwrap_or_else(|| format!("Nr {number}"))
    }
}

/// Kind and record of the message with the verdict.
pub(super) struct VerdictWords {
    /// Kind of the message.
    pub kind: Kind,
    /// Record of the message.
    pub record: &'static str,
    /// Place of the strategies that the page omits.
    pub rest: String,
}

/// A problem that was worked on.
pub(super) struct Solved<'p> {
    /// The result.
    pub result: SheetResult<'p>,
    /// The message with the verdict.
    pub message: Message,
    /// Completeness of the work.
    pub status: Status,
    /// Failures of the files of the run.
    pub faults: Vec<String>,
}

/// What was measured of a run.
#[derive(Clone, Debug)]
pub(super) struct Times {
    /// Elapsed time.
    pub elapsed: Duration,
    /// Processor time of all threads of the process, where the system reports it.
    pub processor: Option<Duration>,
    /// When the run ended.
    pub ended: SystemTime,
}

/// The beginning of a run.
pub(super) struct Stopwatch(Instant, Option<Duration>);

impl Stopwatch {
    /// Begins now.
    pub(super) fn start() -> Self {
        Self(Instant::now(), processor_time())
    }

    /// What was measured until now.
    pub(super) fn stop(&self) -> Times {
        let used = processor_time().zip(self.1).map(|(now, then)| now.saturating_sub(then));
        Times { elapsed: self.0.elapsed(), processor: used, ended: SystemTime::now() }
    }
}
