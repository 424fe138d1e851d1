//! The plan's promotion rule and its expectations.
//!
//! "Promote only XPs that are non-negative at blitz and do not harm rapid." A number without its error says nothing, so
//! the rule reads intervals: an arm *gains* or *loses* when the whole 95 % interval lies on one side of 0 or the
//! sequential test says so, and everything between is *open*. Whatever the verdict, all experiments stay off by default.

use super::journal::Row;
use umbrail_search::EXPERIMENTS;

/// Games of a control match before it allows a verdict on the test bench.
const CONTROL_GAMES_MIN: u32 = 100;

/// The result that the plan expected, by the row's label; empty for other labels.
pub(super) fn expected(label: &str) -> &'static str {
    EXPERIMENTS.iter().find(|one| one.option == label).map_or("", |one| one.expected)
}

/// What one match shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// There is no interval.
    TooFew,
    /// The interval lies above 0, or H1 was accepted.
    Gains,
    /// The interval lies below 0.
    Loses,
    /// H0 was accepted: the gain is not what was hoped for.
    NoGain,
    /// The interval holds 0.
    Open,
}

impl Reading {
    /// The reading in words.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::TooFew => "too few games",
            Self::Gains => "gains",
            Self::Loses => "loses",
            Self::NoGain => "no gain",
            Self::Open => "open",
        }
    }
}

/// The reading of one match.
pub(super) fn reading(row: &Row) -> Reading {
    match (row.interval(), row.decision.as_str()) {
        (None, _) => Reading::TooFew,
        (Some((elo, error)), _) if elo + error < 0.0 => Reading::Loses,
        (Some((elo, error)), _) if elo - error > 0.0 => Reading::Gains,
        (Some(_), "H1") => Reading::Gains,
        (Some(_), "H0") => Reading::NoGain,
        (Some(_), _) => Reading::Open,
    }
}

/// The rule applied to all matches of one experiment.
pub(super) fn verdict(rows: &[&Row]) -> &'static str {
    let any = |wanted| rows.iter().any(|row| reading(row) == wanted);
    if rows.iter().all(|row| row.label == "control") {
        let games: u32 = rows.iter().map(|row| row.games).sum();
        return match () {
            () if games < CONTROL_GAMES_MIN => "too few games to judge the test bench",
            () if any(Reading::Gains) || any(Reading::Loses) => {
                "equals differ: the table is not reliable"
            }
            () => "equals are equal: the test bench is sound",
        };
    }
    if any(Reading::Loses) {
        return "stays off: it loses";
    }
    let at = |name: &str| rows.iter().find(|row| row.control == name).map(|row| reading(row));
    match (at("blitz"), at("rapid")) {
        (Some(Reading::Gains), Some(Reading::Gains | Reading::Open)) => {
            "may be promoted: gains at blitz, no harm shown at rapid"
        }
        (Some(Reading::Gains), _) => "a candidate: gains at blitz, to be confirmed at rapid",
        _ if any(Reading::Gains) => "a candidate: gains here, to be confirmed at blitz and rapid",
        _ if any(Reading::NoGain) => "stays off: no gain",
        _ => "stays off: not decided, the interval holds 0",
    }
}

#[cfg(test)]
mod tests {
    use super::{EXPERIMENTS, Reading, expected, reading, verdict};
    use crate::journal::Row;

    fn row(label: &str, control: &str, elo: f64, error: f64) -> Row {
        let (label, control) = (label.to_owned(), control.to_owned());
        Row { label, control, games: 300, elo: Some(elo), error: Some(error), ..Row::default() }
    }

    #[test]
    fn intervals_decide_and_not_numbers() {
        assert_eq!(reading(&row("XP3 LMRCons", "blitz", 12.0, 15.0)), Reading::Open);
        assert_eq!(reading(&row("XP3 LMRCons", "blitz", 16.0, 15.0)), Reading::Gains);
        assert_eq!(reading(&row("XP3 LMRCons", "blitz", -16.0, 15.0)), Reading::Loses);
        assert_eq!(reading(&row("XP3 LMRCons", "blitz", f64::INFINITY, f64::NAN)), Reading::TooFew);
        assert_eq!(reading(&Row::default()), Reading::TooFew);
        let decided = |decision: &str| Row {
            decision: decision.to_owned(),
            ..row("XP3 LMRCons", "blitz", 2.0, 3.0)
        };
        assert_eq!(reading(&decided("H1")), Reading::Gains);
        assert_eq!(reading(&decided("H0")), Reading::NoGain);
    }

    #[test]
    fn promotion_requires_an_interval_above_zero_and_no_loss_at_rapid() {
        let (open, gains) = (row("XP7 T", "blitz", 3.0, 20.0), row("XP7 T", "blitz", 23.0, 20.0));
        let (fine, bad) = (row("XP7 T", "rapid", 1.0, 20.0), row("XP7 T", "rapid", -22.0, 20.0));
        assert!(verdict(&[&gains, &fine]).starts_with("may be promoted"));
        assert!(verdict(&[&open, &fine]).starts_with("stays off: not decided"));
        assert!(verdict(&[&gains, &bad]).contains("loses"));
        assert!(verdict(&[&gains]).starts_with("a candidate"));
        let nodes = row("XP7 T", "nodes=5000", 30.0, 20.0);
        assert!(verdict(&[&nodes]).starts_with("a candidate"));
        assert!(verdict(&[&nodes, &row("XP7 T", "blitz", -30.0, 20.0)]).contains("loses"));
        assert!(verdict(&[&row("control", "blitz", 0.0, 0.0)]).contains("sound"));
        let six = Row { games: 6, ..row("control", "blitz", 0.0, 0.0) };
        assert!(verdict(&[&six]).contains("too few games"));
    }

    #[test]
    fn every_experiment_has_an_expectation() {
        for experiment in EXPERIMENTS {
            assert!(!expected(experiment.option).is_empty(), "{}", experiment.option);
        }
        assert_eq!(expected("control"), "");
    }
}
