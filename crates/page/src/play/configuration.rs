//! Options of one side of a comparison, in lines such as `XP3 LMRCons=true`.

use super::super::page_error::PageError;
use umbrail_session::Options;
use umbrail_session::options::{Kind, find};
use umbrail_session::specs;

/// Options of the whole program: one search of a page may not take the resources of others, and the
/// board of the page has one set of castling rules.
const FIXED: [&str; 4] = ["Hash", "Threads", "MultiPV", "UCI_Chess960"];

/// Returns the options with these settings.
///
/// # Errors
/// The first setting that cannot be used, with the reason.
pub(super) fn configured(base: &Options, lines: &str) -> Result<Options, PageError> {
    let mut options = base.clone();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (name, value) =
            line.split_once('=').ok_or_else(|| PageError::Setting(line.to_owned()))?;
        let spec = find(specs(), name.trim())?;
        let is_own = match spec.kind {
            Kind::Check { .. }
            | Kind::Experiment(_)
            | Kind::Combo { .. }
            | Kind::Spin { .. }
            | Kind::Constant(_) => !FIXED.contains(&spec.name),
            Kind::Text { .. }
            | Kind::File { .. }
            | Kind::Folder { .. }
            | Kind::Constants
            | Kind::Shown(_)
            | Kind::Button(_) => false,
        };
        if !is_own {
            return Err(PageError::Shared(spec.name));
        }
        spec.read(&mut options, Some(value.trim()))?;
    }
    Ok(options)
}

/// Returns the experiments of the search, for the page: name and help.
pub(super) fn experiments() -> impl Iterator<Item = (&'static str, &'static str)> {
    let experiments = specs().filter(|spec| matches!(spec.kind, Kind::Experiment(_)));
    experiments.map(|spec| (spec.name, spec.help))
}

#[cfg(test)]
mod tests {
    use super::{configured, experiments};
    use umbrail_session::Options;

    #[test]
    fn settings_are_read_line_by_line() {
        let base = Options::default();
        assert_eq!(configured(&base, "\n ").unwrap(), base);
        assert_ne!(configured(&base, " XP3 LMRCons = true\n").unwrap(), base);
        for (lines, part) in [
            ("XP3 LMRCons", "NAME=VALUE"),
            ("XP3 LMRCons=perhaps", "XP3"),
            ("No Such Option=1", "No Such Option"),
            ("Log File=x", "cannot be set for one side"),
            ("Hash=999999", "cannot be set for one side"),
            ("UCI_Chess960=true", "cannot be set for one side"),
        ] {
            let why = configured(&base, lines).unwrap_err().to_string();
            assert!(why.contains(part), "{lines}: {why}");
        }
        assert_eq!(experiments().count(), 10);
    }
}
