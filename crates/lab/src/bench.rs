//! The workbench of one run of the laboratory: its folder, its programs and its matches.

use super::control::{Control, Pace};
use super::engine_match::{Ending, EngineMatch, FaultPolicy, Side};
use super::error::LabError;
use super::journal::{Journal, Row};
use super::lock::FolderLock;
use super::records::{LabRecord, MatchRecord};
use super::runner::Runner;
use super::{SPRT_GAMES_MAX, Workbench, engine_match, keystats, page, preflight};
use std::path::PathBuf;

/// What the matches of one command share, checked.
pub(super) struct Bench {
    workbench: Workbench,
    /// Options of both sides beside `Hash` and `Threads`.
    options: Vec<(String, String)>,
    /// The match runner and what it calls itself.
    runner: Option<(PathBuf, String)>,
    book: Option<PathBuf>,
    /// The folder belongs to this command; none in a dry run.
    _lock: Option<FolderLock>,
}

impl std::ops::Deref for Bench {
    type Target = Workbench;

    fn deref(&self) -> &Workbench {
        &self.workbench
    }
}

impl Bench {
    /// Checks what can be checked before a folder is touched.
    pub(super) fn open(
        workbench: Workbench,
        settings: &[(String, Option<String>)],
    ) -> Result<Self, LabError> {
        let options = common_options(&workbench, settings)?;
        if workbench.dry_run {
            return Ok(Self {
                book: workbench.book.clone(),
                workbench,
                options,
                runner: None,
                _lock: None,
            });
        }
        let runner = preflight::find_runner(&workbench.fastchess)?;
        let book = workbench.book.as_deref().map(engine_match::absolute).transpose()?;
        if let Some(book) = &book {
            let openings = preflight::check_book(book)?;
            let pairs = workbench.games.unwrap_or(0) as usize / 2;
            if openings < pairs {
                umbrail_control::print_error!(
                    "{}: {openings} openings for {pairs} pairs: some are played again",
                    book.display()
                );
            }
        }
        let lock = FolderLock::take(&workbench.out)?;
        Ok(Self { workbench, options, runner: Some(runner), book, _lock: Some(lock) })
    }

    pub(super) fn journal(&self) -> Result<Journal, LabError> {
        Journal::open(&self.out)
    }

    pub(super) fn controls(&self, ending: Ending) -> Result<Vec<Control>, LabError> {
        let games = self.games.or_else(|| (ending == Ending::Decision).then_some(SPRT_GAMES_MAX));
        let controls = self.control.iter().map(|text| {
            let control = Control::read(text, games)?;
            if matches!(control.pace, Pace::Counted(_)) {
                return Err(LabError::Counted(control.name));
            }
            let elo = (self.elo0.unwrap_or(control.elo.0), self.elo1.unwrap_or(control.elo.1));
            match elo.0 < elo.1 {
                true => Ok(Control { elo, ..control }),
                false => Err(LabError::Hypotheses(elo.0, elo.1)),
            }
        });
        controls.collect()
    }

    /// One side; without a command it is this program.
    pub(super) fn side(&self, name: &str, command: Option<&PathBuf>) -> Result<Side, LabError> {
        let command = match command {
            Some(command) => engine_match::absolute(command)?,
            None => std::env::current_exe().map_err(LabError::OwnPath)?,
        };
        let mut options = vec![("Hash".to_owned(), self.hash.to_string())];
        let printed =
            |wanted: &str| self.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(wanted));
        if printed("Hash") {
            options.clear();
        }
        if !printed("Threads") {
            options.push(("Threads".to_owned(), "1".to_owned()));
        }
        options.extend(self.options.iter().cloned());
        Ok(Side { name: name.to_owned(), command, options })
    }

    pub(super) fn engine_match(
        &self,
        label: &str,
        dev: Side,
        base: Side,
        control: &Control,
    ) -> Result<EngineMatch, LabError> {
        Ok(EngineMatch {
            label: label.to_owned(),
            dev,
            base,
            control: control.clone(),
            book: self.book.clone(),
            concurrency: self.concurrency,
            ending: if self.decide { Ending::Decision } else { Ending::Games },
            fault_policy: FaultPolicy::Strict,
        })
    }

    /// Plays a match, or the rest of it, unless the table has it already, and enters it; none in a dry run.
    pub(super) fn measure(
        &self,
        journal: &mut Journal,
        engine_match: &EngineMatch,
        switch: &str,
    ) -> Result<Option<Row>, LabError> {
        let EngineMatch { label, control, dev, base, .. } = engine_match;
        let Some((runner, version)) = &self.runner else {
            umbrail_control::print_error!("{}", engine_match.command_line(&self.fastchess)?);
            return Ok(None);
        };
        let identity = engine_match.identity(version)?;
        let id = engine_match::digest(&identity);
        if let Some(row) = journal.find(&id) {
            umbrail_control::print_error!(
                "{label} at {}: in the table already: {}",
                control.name,
                row.summary()
            );
            print_match(row);
            return Ok(Some(row.clone()));
        }
        for side in [dev, base] {
            preflight::check_engine(&side.name, &side.command, &side.options)?;
        }
        let transcript = Runner::open(engine_match, runner, &identity, &self.out)?.play()?;
        // The result is in the table before anything else is measured.
        let row = Row::new(&id, (label, switch, &control.name), &transcript);
        journal.add(row.clone())?;
        umbrail_control::print_error!("{label} at {}: {}", control.name, row.summary());
        let keys = keystats::measure(dev);
        if let Err(why) = &keys {
            umbrail_control::print_error!("no key statistics: {why}");
        }
        let row = row.with_keys(keys.ok());
        journal.add(row.clone())?;
        print_match(&row);
        Ok(Some(row))
    }

    pub(super) fn page(&self, journal: &Journal) -> Result<(), LabError> {
        if self.dry_run { Ok(()) } else { page::write(&self.out, journal) }
    }
}

/// Returns the options of both sides beside `Hash` and `Threads`.
///
/// # Errors
/// An option has another form, or the number of games is odd.
pub(super) fn common_options(
    workbench: &Workbench,
    settings: &[(String, Option<String>)],
) -> Result<Vec<(String, String)>, LabError> {
    let mut options: Vec<(String, String)> = vec![];
    for (name, value) in settings {
        // A button has no value; nothing of the laboratory is one.
        options.extend(value.clone().map(|value| (name.clone(), value)));
    }
    for option in &workbench.option {
        let (name, value) = option
            .split_once('=')
            .ok_or_else(|| LabError::option("--option", "NAME=VALUE", option))?;
        options.push((name.trim().to_owned(), value.trim().to_owned()));
    }
    if workbench.games.is_some_and(|games| games % 2 == 1) {
        return Err(LabError::OddGames);
    }
    Ok(options)
}

/// Prints a finished match for scripts; people read its line on standard error.
pub(super) fn print_match(row: &Row) {
    umbrail_server::print_record(&LabRecord::Match(Box::new(MatchRecord::finished(row))), "");
}
