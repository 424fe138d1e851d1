//! `umbrail lab`: the laboratory. It has two versions of the engine play each other under fastchess,
//! writes one line a match into a table, and draws a page from the table.
//!
//! - `sprt`: one experiment, or two programs.
//! - `xp-matrix`: the control match, then every experiment against the baseline.
//! - `gauntlet`: this program against a list of rated engines, with an estimate of its own rating.
//! - `suites`: test positions at fixed nodes.
//! - `report`: the page again, from the table.
//!
//! Everything of one run lies in one folder. A match that was killed goes on where it was when the same
//! command is given again; one that is in the table is not played again.

mod control;
mod engine_match;
mod faults;
mod gauntlet;
mod journal;
mod keystats;
mod outcome;
mod page;
mod suites;
mod verdict;

use crate::search::{EXPERIMENTS, Experiment};
use crate::session::Options;
use clap::{Args, Subcommand};
use control::Control;
use engine_match::{EngineMatch, FaultPolicy, Side};
use journal::{Journal, Row};
use std::path::PathBuf;

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
    /// Match one experiment, or another program, against the baseline
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
    /// Games of each match; the control's own number without
    #[arg(long)]
    games: Option<u32>,
    /// Stop a match as soon as the test of the control's hypotheses has decided
    #[arg(long)]
    decide: bool,
    /// The program that is tested; this one without
    #[arg(long, value_name = "COMMAND")]
    dev: Option<PathBuf>,
    /// The baseline; this program without
    #[arg(long, value_name = "COMMAND")]
    base: Option<PathBuf>,
    /// Games at a time
    #[arg(long, default_value_t = 1)]
    concurrency: u32,
    /// Transposition table of each side, MiB
    #[arg(long, default_value_t = 32)]
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

/// Does it; gives the exit status.
pub(super) fn run(lab: Lab, options: &Options) -> u8 {
    let done = match lab {
        Lab::Sprt { xp, bench } => sprt(xp, &bench),
        Lab::XpMatrix { xp, bench } => matrix(&xp, &bench),
        Lab::Gauntlet { rival, bench } => gauntlet::run(&rival, &bench),
        Lab::Suites { files, nodes, every } => {
            suites::run(&files, nodes, every.max(1), &options.search)
        }
        Lab::Report { out } => page::write(&out, &Journal::open(&out)),
    };
    match done {
        Ok(()) => 0,
        Err(why) => super::complain(&why),
    }
}

impl Workbench {
    fn controls(&self) -> Result<Vec<Control>, String> {
        self.control.iter().map(|text| Control::read(text, self.games)).collect()
    }

    /// One side; without a command it is this program.
    fn side(&self, name: &str, command: Option<&PathBuf>) -> Result<Side, String> {
        let command = match command {
            Some(command) => engine_match::absolute(command)?,
            None => std::env::current_exe()
                .map_err(|error| format!("cannot tell where this program lies: {error}"))?,
        };
        let mut options = vec![("Hash".to_owned(), self.hash.to_string())];
        options.push(("Threads".to_owned(), "1".to_owned()));
        for option in &self.option {
            let (name, value) = option
                .split_once('=')
                .ok_or_else(|| format!("--option wants NAME=VALUE, got {option}"))?;
            options.push((name.trim().to_owned(), value.trim().to_owned()));
        }
        Ok(Side { name: name.to_owned(), command, options })
    }

    fn engine_match(&self, label: &str, dev: Side, base: Side, control: &Control) -> EngineMatch {
        EngineMatch {
            label: label.to_owned(),
            sides: vec![dev, base],
            control: control.clone(),
            book: self.book.clone(),
            concurrency: self.concurrency,
            decide: self.decide,
            fault_policy: FaultPolicy::Strict,
            fastchess: self.fastchess.clone(),
            folder: self.out.clone(),
        }
    }
}

/// Plays DEV against BASE unless the table has it already, and enters it.
fn measure(
    bench: &Workbench,
    journal: &mut Journal,
    (label, option): (&str, Option<&str>),
    control: &Control,
) -> Result<(), String> {
    if journal.has(label, &control.name) {
        eprintln!("{label} at {}: in the table already", control.name);
        return Ok(());
    }
    let (mut dev, base) =
        (bench.side("DEV", bench.dev.as_ref())?, bench.side("BASE", bench.base.as_ref())?);
    if let Some(option) = option {
        dev.options.push((option.to_owned(), "true".to_owned()));
    }
    let mut engine_match = bench.engine_match(label, dev.clone(), base, control);
    // At the plan's controls no engine may lose on time; shorter ones measure how often it happens.
    let planned = ["blitz", "rapid"].contains(&control.name.as_str());
    if option == Some(EXPERIMENTS[0].option) && !planned {
        engine_match.fault_policy = FaultPolicy::Flags;
    }
    if bench.dry_run {
        eprintln!("{}", engine_match.command_line());
        return Ok(());
    }
    let outcome = engine_match.play()?;
    let keys = keystats::measure(&dev.command, option);
    if let Err(why) = &keys {
        eprintln!("no key statistics: {why}");
    }
    let switch = if option.is_some() { "on" } else { "off" };
    let row = Row::new(label, switch, &control.name, &outcome, keys.ok());
    eprintln!("{label} at {}: {}", control.name, row.summary());
    journal.add(row)
}

fn sprt(xp: Option<&Experiment>, bench: &Workbench) -> Result<(), String> {
    let option = xp.map(|experiment| experiment.option);
    if option.is_none() && bench.dev.is_none() && bench.base.is_none() {
        return Err("expected --xp N, or another program with --dev or --base".to_owned());
    }
    let mut journal = Journal::open(&bench.out);
    for control in bench.controls()? {
        measure(bench, &mut journal, (option.unwrap_or("DEV"), option), &control)?;
    }
    if bench.dry_run { Ok(()) } else { page::write(&bench.out, &journal) }
}

fn matrix(wanted: &[&Experiment], bench: &Workbench) -> Result<(), String> {
    let mut journal = Journal::open(&bench.out);
    for control in bench.controls()? {
        // Equals first: a table that makes one of them stronger measures the machine.
        measure(bench, &mut journal, ("control", None), &control)?;
        for &Experiment { option, .. } in EXPERIMENTS {
            if wanted.is_empty() || wanted.iter().any(|one| one.option == option) {
                measure(bench, &mut journal, (option, Some(option)), &control)?;
                if !bench.dry_run {
                    page::write(&bench.out, &journal)?;
                }
            }
        }
    }
    Ok(())
}
