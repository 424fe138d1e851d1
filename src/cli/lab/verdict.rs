//! The plan's promotion rule and its expectations.
//!
//! "Promote only XPs that are non-negative at blitz and do not harm rapid." A number without its error
//! says nothing, so the rule reads intervals: an arm *gains* or *loses* when the whole 95 % interval lies
//! on one side, and everything between is *open*. Whatever the verdict, all experiments stay off by default.

use super::journal::Row;
use crate::search::EXPERIMENTS;

/// The result that the plan expected, by the row's label; empty for other labels.
pub(super) fn expected(label: &str) -> &'static str {
    EXPERIMENTS.iter().find(|one| one.option == label).map_or("", |one| one.expected)
}

/// The reading of one match.
pub(super) fn reading(row: &Row) -> &'static str {
    if !row.elo.is_finite() || !row.error.is_finite() {
        "too few games"
    } else if row.elo - row.error > 0.0 {
        "gains"
    } else if row.elo + row.error < 0.0 {
        "loses"
    } else {
        "open"
    }
}

/// The rule applied to all matches of one experiment.
pub(super) fn verdict(rows: &[&Row]) -> &'static str {
    if rows.iter().all(|row| row.label == "control") {
        return match rows.iter().all(|row| reading(row) == "open" || row.elo == 0.0) {
            true => "equals are equal: the bench is sound",
            false => "equals differ: do not believe this table",
        };
    }
    if rows.iter().any(|row| reading(row) == "loses") {
        return "stays off: it loses";
    }
    let at = |name: &str| rows.iter().find(|row| row.control == name);
    match (at("blitz"), at("rapid")) {
        (Some(blitz), Some(rapid)) if blitz.elo >= 0.0 && rapid.elo >= 0.0 => {
            "may be promoted: not negative at blitz, no harm at rapid"
        }
        (Some(_), Some(_)) => "stays off: negative at one control, within the error",
        _ if rows.iter().any(|row| reading(row) == "gains") => {
            "a candidate: gains here, to be confirmed at blitz and rapid"
        }
        _ => "stays off: not decided",
    }
}

#[cfg(test)]
mod tests {
    use super::{EXPERIMENTS, expected, reading, verdict};
    use crate::cli::lab::journal::Row;

    fn row(label: &str, control: &str, elo: f64, error: f64) -> Row {
        let (label, control) = (label.to_owned(), control.to_owned());
        Row { label, control, elo, error, ..Row::default() }
    }

    #[test]
    fn intervals_decide_and_not_numbers() {
        assert_eq!(reading(&row("XP3 LMRCons", "blitz", 12.0, 15.0)), "open");
        assert_eq!(reading(&row("XP3 LMRCons", "blitz", 16.0, 15.0)), "gains");
        assert_eq!(reading(&row("XP3 LMRCons", "blitz", -16.0, 15.0)), "loses");
        assert_eq!(reading(&row("XP3 LMRCons", "blitz", f64::INFINITY, f64::NAN)), "too few games");
    }

    #[test]
    fn promotion_wants_both_controls() {
        let (good, bad) = (row("XP7 T", "blitz", 3.0, 20.0), row("XP7 T", "rapid", -2.0, 20.0));
        let fine = row("XP7 T", "rapid", 0.0, 20.0);
        assert!(verdict(&[&good, &fine]).starts_with("may be promoted"));
        assert!(verdict(&[&good, &bad]).starts_with("stays off"));
        assert!(verdict(&[&good]).starts_with("stays off: not decided"));
        let nodes = row("XP7 T", "nodes=5000", 30.0, 20.0);
        assert!(verdict(&[&nodes]).starts_with("a candidate"));
        assert!(verdict(&[&nodes, &row("XP7 T", "blitz", -30.0, 20.0)]).contains("loses"));
        assert!(verdict(&[&row("control", "blitz", 0.0, 0.0)]).contains("sound"));
    }

    #[test]
    fn every_experiment_has_an_expectation() {
        for experiment in EXPERIMENTS {
            assert!(!expected(experiment.option).is_empty(), "{}", experiment.option);
        }
        assert_eq!(expected("control"), "");
    }
}
