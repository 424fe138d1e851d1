//! What became of a problem: a report, with the time that it took.

use super::problems::{PosedProblem, UnreadProblem};
use std::time::{Duration, Instant, SystemTime};
use umbrail_control::processor_time;
use umbrail_proof::positions::{PositionProblem, PositionReport, verdict_of};
use umbrail_proof::report::{ProblemVerdict, Verdict};
use umbrail_proof::run::RunReport;

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

/// A problem of a sheet, whatever became of it.
pub(super) enum SheetResult<'a> {
    /// It was worked on.
    Solved(Box<Outcome<'a>>),
    /// The search of positions worked on it.
    Counted(Box<PositionOutcome<'a>>),
    /// It cannot be read.
    Unread(&'a UnreadProblem),
    /// Its archive cannot be used, and why.
    Failed(&'a PosedProblem, String),
    /// The work was stopped before.
    NotReached(&'a PosedProblem),
}

impl SheetResult<'_> {
    /// Its verdict in one word: that of a run, or `error` for a problem of which nothing was searched because of a
    /// mistake.
    pub(super) fn word(&self) -> String {
        match self {
            Self::Solved(outcome) => outcome.verdict.word.to_string(),
            Self::Counted(outcome) => outcome.verdict.word.to_string(),
            Self::Unread(_) | Self::Failed(..) => "error".to_owned(),
            Self::NotReached(_) => ProblemVerdict::Partial.to_string(),
        }
    }

    /// Its verdict as a sentence.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Solved(outcome) => outcome.verdict.text.clone(),
            Self::Counted(outcome) => outcome.verdict.text.clone(),
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
            Self::Unread(problem) => &problem.title,
            Self::Failed(posed, _) | Self::NotReached(posed) => &posed.title,
        };
        title.clone().unwrap_or_else(|| format!("Nr {number}"))
    }
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

/// A moment as date and time of day: `2026-11-23 12:31:07 UTC`.
pub(super) fn date(moment: SystemTime) -> String {
    let seconds = moment.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Years that begin in March, in cycles of 400, since the first of March of the year 0.
    let days = days + 719_468;
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, next) = (day - (153 * month + 2) / 5 + 1, month >= 10);
    let month = if next { month - 9 } else { month + 3 };
    let year = 400 * cycle + year + u64::from(next);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

#[cfg(test)]
mod tests {
    use super::date;
    use std::time::{Duration, SystemTime};

    #[test]
    fn moments_have_dates() {
        let reported = |seconds| date(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(reported(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(reported(951_782_399), "2000-02-28 23:59:59 UTC");
        assert_eq!(reported(951_782_400), "2000-02-29 00:00:00 UTC");
        assert_eq!(reported(1_795_437_067), "2026-11-23 12:31:07 UTC");
        assert_eq!(reported(4_107_542_400), "2100-03-01 00:00:00 UTC");
    }
}
