//! Time limit of one problem: the work on the others has limits of its own.

use std::time::{Duration, Instant};
use umbrail_control::Clock;
use umbrail_session::job_context::JobContext;

/// What a time is.
pub(super) const EXPECTED: &str = "a time such as 500, in milliseconds, or 90s, 5min or 1h";

/// Units with their names, in milliseconds.
const UNITS: [(&[&str], f64); 4] = [
    (&["", "ms"], 1.0),
    (&["s", "sec", "seconds"], 1e3),
    (&["m", "min", "minutes"], 60e3),
    (&["h", "hour", "hours"], 3600e3),
];

/// Longest time, in milliseconds: ten years, so that no sum overflows.
const MS_MAX: f64 = 3.2e11;

/// Reads a time: a number of milliseconds, or a number with its unit.
pub(super) fn read(text: &str) -> Option<Duration> {
    let text = text.trim();
    let end = text.find(|symbol: char| !symbol.is_ascii_digit() && symbol != '.');
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let unit = unit.trim().to_ascii_lowercase();
    let (_, factor) = UNITS.into_iter().find(|(names, _)| names.contains(&unit.as_str()))?;
    let ms = number.parse::<f64>().ok()? * factor;
    (ms.is_finite() && ms >= 0.0).then(|| Duration::from_secs_f64(ms.min(MS_MAX) / 1e3))
}

/// Does work that sees a job which ends after this time, unless that of the whole job is over before.
pub(super) fn limited<R>(
    job: &JobContext<'_>,
    limit: Option<Duration>,
    work: impl FnOnce(&JobContext<'_>) -> R,
) -> R {
    let Some(limit) = limit else { return work(job) };
    let clock = Clock::started(Instant::now());
    clock.limit(job.clock.left().map_or(limit, |left| left.min(limit)));
    work(&JobContext {
        // A solver may raise the signal when its time is over, which is not the end of the job.
        cancel: job.cancel.child(),
        clock: &clock,
        progress: job.progress,
        pool: job.pool,
        skips: job.skips,
        notify: job.notify,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, ms) in [
            ("500", Some(500)),
            ("500 ms", Some(500)),
            ("90s", Some(90_000)),
            ("1.5 min", Some(90_000)),
            ("2 H", Some(7_200_000)),
            ("0", Some(0)),
            ("", None),
            ("s", None),
            ("-5", None),
            ("1.2.3", None),
            ("5 days", None),
            ("1e9", None),
        ] {
            assert_eq!(read(text), ms.map(Duration::from_millis), "{text}");
        }
        assert!(read(&"9".repeat(400)).is_none_or(|time| time < Duration::MAX / 2));
    }
}
