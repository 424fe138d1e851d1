//! `umbrail lab`: the laboratory. It has two versions of the engine play each other under fastchess,
//! writes one line a match into a table, and draws a page from the table.
//!
//! - `sprt`: a sequential test of one experiment, or of two programs.
//! - `xp-matrix`: the control match, then every experiment against the baseline.
//! - `gauntlet`: this program against a list of rated engines, with an estimate of its own rating.
//! - `suites`: test positions at fixed nodes.
//! - `status`: what runs and what is open.
//! - `report`: the page again, from the table.
//!
//! Everything of one run lies in one folder. A match is known by all that changes its result: both programs and the book
//! by what they hold, options, control, length. The same command goes on where a killed match was; another command is
//! another match.

mod control;
mod engine_match;
mod faults;
mod gauntlet;
mod journal;
mod keystats;
mod ledger;
mod lock;
mod outcome;
mod page;
mod preflight;
mod progress;
mod runner;
mod sprt;
mod suites;
mod verdict;

use crate::search::{EXPERIMENTS, Experiment};
use crate::session::Options;
use clap::{Args, Subcommand};
use control::Control;
use engine_match::{Ending, EngineMatch, FaultPolicy, Side};
use journal::{Journal, Row};
use lock::FolderLock;
use runner::Runner;
use std::path::{Path, PathBuf};

/// Reads the number of an experiment.
fn experiment(text: &str) -> Result<&'static Experiment, String> {
    let number = text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    number
        .and_then(|index| EXPERIMENTS.get(index))
        .ok_or_else(|| format!("expected an experiment from 1 to {}", EXPERIMENTS.len()))
}

/// What the laboratory can do.
#[derive(Subcommand)]
pub(crate) enum Lab {
    /// Test one experiment, or another program, against the baseline until the test has decided
    ///
    /// Without --games it goes on until the log-likelihood ratio meets a bound, 100,000 games at most.
    Sprt {
        /// The experiment by number, 1 for XP1; without, --dev names another program
        #[arg(long, value_parser = experiment)]
        xp: Option<&'static Experiment>,
        #[command(flatten)]
        bench: Workbench,
    },
    /// Match every experiment against the baseline, after a control match of equals
    XpMatrix {
        /// Only these experiments, such as 2,3,7
        #[arg(long, value_delimiter = ',', value_parser = experiment)]
        xp: Vec<&'static Experiment>,
        #[command(flatten)]
        bench: Workbench,
    },
    /// Play against rated engines and estimate the own rating
    Gauntlet {
        /// An opponent as NAME=RATING=COMMAND; several times for several
        #[arg(long, value_name = "NAME=RATING=COMMAND", required = true)]
        rival: Vec<String>,
        #[command(flatten)]
        bench: Workbench,
    },
    /// Search test positions (EPD with bm, am, or points in c0) at fixed nodes
    Suites {
        /// The files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Positions to look at, for each test position
        #[arg(long, default_value_t = 100_000)]
        nodes: u64,
        /// Only every n-th position
        #[arg(long, default_value_t = 1)]
        every: usize,
    },
    /// Tell what runs in a folder, what is finished and what is open
    Status {
        /// The folder
        #[arg(long, default_value = "lab")]
        out: PathBuf,
    },
    /// Draw the page of a folder again
    Report {
        /// The folder
        #[arg(long, default_value = "lab")]
        out: PathBuf,
    },
}

/// What every match needs.
#[derive(Args, Clone, Debug)]
pub(crate) struct Workbench {
    /// Path of fastchess; without, it must be on the search path
    #[arg(long, value_name = "PATH", default_value = "fastchess")]
    fastchess: PathBuf,
    /// Openings, EPD or PGN; the game array without, which makes a poor match
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// blitz (10+0.1), rapid (60+0.6), or an own control such as nodes=5000 or 1+0.01
    #[arg(long, value_delimiter = ',', default_value = "blitz")]
    control: Vec<String>,
    /// Games of each match, an even number; the control's own number without
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..))]
    games: Option<u32>,
    /// Lower hypothesis of the sequential test, Elo; that of the control without
    #[arg(long, allow_negative_numbers = true)]
    elo0: Option<f64>,
    /// Upper hypothesis of the sequential test, Elo; that of the control without
    #[arg(long, allow_negative_numbers = true)]
    elo1: Option<f64>,
    /// Stop a match as soon as the test of the hypotheses has decided (`sprt` always does)
    #[arg(long)]
    decide: bool,
    /// The program that is tested; this one without
    #[arg(long, value_name = "COMMAND")]
    dev: Option<PathBuf>,
    /// The baseline; this program without
    #[arg(long, value_name = "COMMAND")]
    base: Option<PathBuf>,
    /// Games at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: u32,
    /// Transposition table of each side, MiB
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Another option for both sides, such as "Move Overhead=50"
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
    /// Folder for everything that is written
    #[arg(long, default_value = "lab")]
    out: PathBuf,
    /// Print the commands and do nothing
    #[arg(long)]
    dry_run: bool,
}

/// Largest number of games of a sequential test without `--games`.
const SPRT_GAMES_MAX: u32 = 100_000;

/// Runs a command of the laboratory; gives the exit status. `settings` are the options that the command line set before
/// `lab`: both sides get them.
pub(super) fn run(lab: Lab, options: &Options, settings: &[(String, Option<String>)]) -> u8 {
    let done = match lab {
        Lab::Sprt { xp, bench } => Bench::open(bench, settings).and_then(|bench| sprt(xp, &bench)),
        Lab::XpMatrix { xp, bench } => {
            Bench::open(bench, settings).and_then(|bench| matrix(&xp, &bench))
        }
        Lab::Gauntlet { rival, bench } => {
            Bench::open(bench, settings).and_then(|bench| gauntlet::run(&rival, &bench))
        }
        Lab::Suites { files, nodes, every } => {
            suites::run(&files, nodes, every.max(1), &options.search)
        }
        Lab::Status { out } => status(&out),
        Lab::Report { out } => Journal::open(&out).and_then(|journal| page::write(&out, &journal)),
    };
    match done {
        Ok(()) => 0,
        Err(why) => super::complain(&why),
    }
}

/// What the matches of one command share, checked.
struct Bench {
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
    fn open(workbench: Workbench, settings: &[(String, Option<String>)]) -> Result<Self, String> {
        let mut options: Vec<(String, String)> = vec![];
        for (name, value) in settings {
            // A button has no value; nothing of the laboratory is one.
            options.extend(value.clone().map(|value| (name.clone(), value)));
        }
        for option in &workbench.option {
            let (name, value) = option
                .split_once('=')
                .ok_or_else(|| format!("--option wants NAME=VALUE, got {option}"))?;
            options.push((name.trim().to_owned(), value.trim().to_owned()));
        }
        if workbench.games.is_some_and(|games| games % 2 == 1) {
            return Err(
                "--games wants an even number: each opening is played with both colors".to_owned()
            );
        }
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
                eprintln!(
                    "{}: {openings} openings for {pairs} pairs: some are played again",
                    book.display()
                );
            }
        }
        let lock = FolderLock::take(&workbench.out)?;
        Ok(Self { workbench, options, runner: Some(runner), book, _lock: Some(lock) })
    }

    fn journal(&self) -> Result<Journal, String> {
        Journal::open(&self.out)
    }

    fn controls(&self, ending: Ending) -> Result<Vec<Control>, String> {
        let games = self.games.or_else(|| (ending == Ending::Decision).then_some(SPRT_GAMES_MAX));
        let controls = self.control.iter().map(|text| {
            let control = Control::read(text, games)?;
            let elo = (self.elo0.unwrap_or(control.elo.0), self.elo1.unwrap_or(control.elo.1));
            match elo.0 < elo.1 {
                true => Ok(Control { elo, ..control }),
                false => {
                    Err(format!("--elo0 must be less than --elo1, got {} and {}", elo.0, elo.1))
                }
            }
        });
        controls.collect()
    }

    /// One side; without a command it is this program.
    fn side(&self, name: &str, command: Option<&PathBuf>) -> Result<Side, String> {
        let command = match command {
            Some(command) => engine_match::absolute(command)?,
            None => std::env::current_exe()
                .map_err(|error| format!("cannot tell where this program lies: {error}"))?,
        };
        let mut options = vec![("Hash".to_owned(), self.hash.to_string())];
        let said =
            |wanted: &str| self.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(wanted));
        if said("Hash") {
            options.clear();
        }
        if !said("Threads") {
            options.push(("Threads".to_owned(), "1".to_owned()));
        }
        options.extend(self.options.iter().cloned());
        Ok(Side { name: name.to_owned(), command, options })
    }

    fn engine_match(
        &self,
        label: &str,
        dev: Side,
        base: Side,
        control: &Control,
    ) -> Result<EngineMatch, String> {
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
    fn measure(
        &self,
        journal: &mut Journal,
        engine_match: &EngineMatch,
        switch: &str,
    ) -> Result<Option<Row>, String> {
        let EngineMatch { label, control, dev, base, .. } = engine_match;
        let Some((runner, version)) = &self.runner else {
            eprintln!("{}", engine_match.command_line(&self.fastchess)?);
            return Ok(None);
        };
        let identity = engine_match.identity(version)?;
        let id = engine_match::digest(&identity);
        if let Some(row) = journal.find(&id) {
            eprintln!("{label} at {}: in the table already: {}", control.name, row.summary());
            return Ok(Some(row.clone()));
        }
        for side in [dev, base] {
            preflight::check_engine(&side.name, &side.command, &side.options)?;
        }
        let outcome = Runner::open(engine_match, runner, &identity, &self.out)?.play()?;
        // The result is in the table before anything else is measured.
        let row = Row::new(&id, (label, switch, &control.name), &outcome);
        journal.add(row.clone())?;
        eprintln!("{label} at {}: {}", control.name, row.summary());
        let keys = keystats::measure(dev);
        if let Err(why) = &keys {
            eprintln!("no key statistics: {why}");
        }
        let row = row.with_keys(keys.ok());
        journal.add(row.clone())?;
        Ok(Some(row))
    }

    fn page(&self, journal: &Journal) -> Result<(), String> {
        if self.dry_run { Ok(()) } else { page::write(&self.out, journal) }
    }
}

/// DEV against BASE, with an option of DEV on.
fn experiment_match(
    bench: &Bench,
    (label, option): (&str, Option<&str>),
    control: &Control,
    ending: Ending,
) -> Result<EngineMatch, String> {
    let mut dev = bench.side("DEV", bench.dev.as_ref())?;
    let base = bench.side("BASE", bench.base.as_ref())?;
    if let Some(option) = option {
        dev.options.push((option.to_owned(), "true".to_owned()));
    }
    // At the plan's controls no engine may lose on time; shorter ones measure how often it happens.
    let planned = ["blitz", "rapid"].contains(&control.name.as_str());
    let fault_policy = match option == Some(EXPERIMENTS[0].option) && !planned {
        true => FaultPolicy::Flags,
        false => FaultPolicy::Strict,
    };
    Ok(EngineMatch { ending, fault_policy, ..bench.engine_match(label, dev, base, control)? })
}

fn sprt(xp: Option<&Experiment>, bench: &Bench) -> Result<(), String> {
    let option = xp.map(|experiment| experiment.option);
    if option.is_none() && bench.dev.is_none() && bench.base.is_none() {
        return Err("expected --xp N, or another program with --dev or --base".to_owned());
    }
    let mut journal = bench.journal()?;
    for control in bench.controls(Ending::Decision)? {
        let program = |path: &Option<PathBuf>| {
            path.as_deref()
                .and_then(Path::file_name)
                .map(|name| name.to_string_lossy().into_owned())
        };
        let label = match option {
            Some(option) => option.to_owned(),
            None => program(&bench.dev).unwrap_or_else(|| "DEV".to_owned()),
        };
        let one = experiment_match(bench, (&label, option), &control, Ending::Decision)?;
        bench.measure(&mut journal, &one, if option.is_some() { "on" } else { "off" })?;
    }
    bench.page(&journal)
}

fn matrix(wanted: &[&Experiment], bench: &Bench) -> Result<(), String> {
    let mut journal = bench.journal()?;
    let ending = if bench.decide { Ending::Decision } else { Ending::Games };
    for control in bench.controls(Ending::Games)? {
        // Equals first: a table that makes one of them stronger measures the machine. They are never decided early.
        let equals = experiment_match(bench, ("control", None), &control, Ending::Games)?;
        bench.measure(&mut journal, &equals, "off")?;
        for &Experiment { option, .. } in EXPERIMENTS {
            if wanted.is_empty() || wanted.iter().any(|one| one.option == option) {
                let one = experiment_match(bench, (option, Some(option)), &control, ending)?;
                if bench.measure(&mut journal, &one, "on")?.is_some() {
                    bench.page(&journal)?;
                }
            }
        }
    }
    Ok(())
}

/// Tells of every match of a folder: finished, running, open, ended by a fault.
fn status(out: &Path) -> Result<(), String> {
    let journal = Journal::open(out)?;
    let runs = FolderLock::is_taken(out);
    let mut text = match runs {
        true => format!("{}: a run works here now\n", out.display()),
        false => format!("{}: nothing runs\n", out.display()),
    };
    for row in &journal.rows {
        text += &format!("finished  {} at {}: {}\n", row.label, row.control, row.summary());
    }
    for (folder, identity, games, fault) in runner::matches_in(out) {
        if journal.find(&engine_match::digest(&identity)).is_some() {
            continue;
        }
        text += &match fault {
            Some(fault) => format!("faulted   {folder}: {games} games, then {}\n", fault.trim()),
            None => format!("open      {folder}: {games} games; the same command goes on\n"),
        };
    }
    super::print(&text);
    Ok(())
}
