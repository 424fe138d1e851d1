//! `umbrail lab`: the laboratory. It has two versions of the engine play each other under fastchess,
//! writes one line a match into a table, and draws a page from the table.
//!
//! - `sprt`: a sequential test of one experiment, or of two programs; with `--inside`, of options within this process.
//! - `xp-matrix`: the control match, then every experiment against the baseline.
//! - `gauntlet`: this program against a list of rated engines, with an estimate of its own rating.
//! - `suites`: test positions at fixed nodes.
//! - `status`: what runs and what is open.
//! - `report`: the page again, from the table.
//!
//! Everything of one run lies in one folder. A match is known by all that changes its result: both programs and the book
//! by what they hold, options, control, length. The same command resumes a killed match; another command is
//! another match.

mod bench;
mod control;
mod engine_match;
mod error;
mod gauntlet;
mod inside;
mod interrupt;
mod journal;
mod keystats;
mod lock;
mod page;
mod pentanomial;
mod preflight;
mod progress;
mod records;
mod results;
mod runner;
mod suites;
mod transcript;
mod verdict;
mod view;

pub use error::LabError;
pub use results::{LabMatch, LabPoint, LabResults, LabState};
pub use transcript::BOUND;
pub use view::{course, results, stamp};

use bench::Bench;
use clap::{Args, Subcommand};
use control::Control;
use engine_match::{Ending, EngineMatch, FaultPolicy};
use journal::Journal;
use lock::FolderLock;
use records::{LabRecord, MatchRecord};
use std::path::{Path, PathBuf};
use transcript::Transcript;
use umbrail_search::{EXPERIMENTS, Experiment};
use umbrail_server::print_record;
use umbrail_session::Options;

/// Reads the number of an experiment.
fn experiment(text: &str) -> Result<&'static Experiment, LabError> {
    let number = text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    number.and_then(|index| EXPERIMENTS.get(index)).ok_or(LabError::Experiment(EXPERIMENTS.len()))
}

/// What the laboratory can do.
#[derive(Subcommand)]
pub enum Lab {
    /// Test one experiment, or another program, against the baseline until the test has decided
    ///
    /// Without --games it continues until the log-likelihood ratio meets a bound, up to 100,000 games.
    #[command(after_help = "Example: umbrail lab sprt --xp 3 --control blitz --book openings.epd")]
    Sprt {
        /// Number of the experiment, 1 for XP1; without one, --dev names another program
        #[arg(long, value_parser = experiment)]
        xp: Option<&'static Experiment>,
        /// Play within this process at --control nodes=N, with this program on both sides and an empty table before
        /// each game; --concurrency is the number of threads
        #[arg(long)]
        inside: bool,
        /// Option of DEV alone, such as "Search Constants=lmr_base=90"
        #[arg(long, value_name = "NAME=VALUE", requires = "inside")]
        dev_option: Vec<String>,
        /// Option of BASE alone
        #[arg(long, value_name = "NAME=VALUE", requires = "inside")]
        base_option: Vec<String>,
        /// Settings of the matches
        #[command(flatten)]
        bench: Workbench,
    },
    /// Match every experiment against the baseline, after a control match of equals
    #[command(
        after_help = "Example: umbrail lab xp-matrix --control nodes=5000 --games 1000 --book openings.epd"
    )]
    XpMatrix {
        /// Only these experiments, such as 2,3,7
        #[arg(long, value_delimiter = ',', value_parser = experiment)]
        xp: Vec<&'static Experiment>,
        /// Settings of the matches
        #[command(flatten)]
        bench: Workbench,
    },
    /// Play against rated engines and estimate this program's rating
    #[command(
        after_help = "Example: umbrail lab gauntlet --rival Other=2500=./other --book openings.epd"
    )]
    Gauntlet {
        /// Opponent as NAME=RATING=COMMAND; repeat for several
        #[arg(long, value_name = "NAME=RATING=COMMAND", required = true)]
        rival: Vec<String>,
        /// Settings of the matches
        #[command(flatten)]
        bench: Workbench,
    },
    /// Search test positions (EPD with bm, am, or points in c0) at fixed nodes
    #[command(after_help = "Example: umbrail lab suites suite.epd --nodes 10000")]
    Suites {
        /// The files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Nodes to search for each test position
        #[arg(long, default_value_t = 100_000)]
        nodes: u64,
        /// Only every n-th position
        #[arg(long, default_value_t = 1)]
        every: usize,
    },
    /// Show which matches of a folder are running, finished and open
    #[command(after_help = "Example: umbrail lab status --out lab")]
    Status {
        /// The folder
        #[arg(long, default_value = "lab")]
        out: PathBuf,
    },
    /// Draw the page of a folder again
    #[command(after_help = "Example: umbrail lab report --out lab")]
    Report {
        /// The folder
        #[arg(long, default_value = "lab")]
        out: PathBuf,
    },
}

/// What every match needs.
#[derive(Args, Clone, Debug)]
pub struct Workbench {
    /// Path of fastchess; a bare name is searched for on PATH
    #[arg(long, value_name = "PATH", default_value = "fastchess")]
    fastchess: PathBuf,
    /// Opening book (EPD or PGN); without one, every game starts from the initial position
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// blitz (10+0.1), rapid (60+0.6), or any control such as nodes=5000 or 1+0.01
    #[arg(long, value_delimiter = ',', default_value = "blitz")]
    control: Vec<String>,
    /// Games of each match, an even number (default: that of the control)
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..))]
    games: Option<u32>,
    /// Lower hypothesis of the sequential test, Elo (default: that of the control)
    #[arg(long, allow_negative_numbers = true)]
    elo0: Option<f64>,
    /// Upper hypothesis of the sequential test, Elo (default: that of the control)
    #[arg(long, allow_negative_numbers = true)]
    elo1: Option<f64>,
    /// Stop a match as soon as the test of the hypotheses has decided (`sprt` always does)
    #[arg(long)]
    decide: bool,
    /// Program to test (default: this one)
    #[arg(long, value_name = "COMMAND")]
    dev: Option<PathBuf>,
    /// Baseline program (default: this one)
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
    /// Folder for all output
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
pub fn run(lab: Lab, options: &Options, settings: &[(String, Option<String>)]) -> u8 {
    let done = match lab {
        Lab::Sprt { xp, inside: true, dev_option: dev, base_option: base, bench } => {
            inside::run(xp, &inside::SideOptions { dev, base }, &bench, settings)
        }
        Lab::Sprt { xp, bench, .. } => {
            Bench::open(bench, settings).and_then(|bench| sprt(xp, &bench))
        }
        Lab::XpMatrix { xp, bench } => {
            Bench::open(bench, settings).and_then(|bench| matrix(&xp, &bench))
        }
        Lab::Gauntlet { rival, bench } => {
            Bench::open(bench, settings).and_then(|bench| gauntlet::run(&rival, &bench))
        }
        Lab::Suites { files, nodes, every } => suites::run(&files, nodes, every.max(1), options),
        Lab::Status { out } => status(&out),
        Lab::Report { out } => Journal::open(&out).and_then(|journal| page::write(&out, &journal)),
    };
    match done {
        Ok(()) => 0,
        Err(why) => umbrail_server::complain(&why.to_string()),
    }
}

/// DEV against BASE, with an option of DEV on.
fn experiment_match(
    bench: &Bench,
    (label, option): (&str, Option<&str>),
    control: &Control,
    ending: Ending,
) -> Result<EngineMatch, LabError> {
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

fn sprt(xp: Option<&Experiment>, bench: &Bench) -> Result<(), LabError> {
    let option = xp.map(|experiment| experiment.option);
    if option.is_none() && bench.dev.is_none() && bench.base.is_none() {
        return Err(LabError::Subject);
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

fn matrix(wanted: &[&Experiment], bench: &Bench) -> Result<(), LabError> {
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

/// Reports every match of a folder: finished, running, open, ended by an error.
fn status(out: &Path) -> Result<(), LabError> {
    let journal = Journal::open(out)?;
    let (folder, is_running) = (out.display().to_string(), FolderLock::is_taken(out));
    let state = if is_running { "a run works here now" } else { "nothing runs" };
    let text = format!("{folder}: {state}\n");
    print_record(&LabRecord::Laboratory { folder, is_running }, &text);
    for row in &journal.rows {
        let text = format!("finished  {} at {}: {}\n", row.label, row.control, row.summary());
        print_record(&LabRecord::Match(Box::new(MatchRecord::finished(row))), &text);
    }
    for runner::MatchFolder { name, identity, fault } in runner::matches_in(out) {
        if journal.find(&engine_match::digest(&identity)).is_some() {
            continue;
        }
        let transcript = Transcript::of_folder(&out.join(&name), "", "");
        let mut last = transcript.last().cloned().unwrap_or_default();
        if let Some(state) = inside::read_state(&out.join(&name).join(inside::PAIRS))? {
            let count = |at: usize| u32::try_from(state.games[at]).unwrap_or(u32::MAX);
            [last.wins, last.draws, last.losses] = [0, 1, 2].map(count);
            last.games = last.wins + last.draws + last.losses;
        }
        let (games, fault) = (last.games, fault.map(|fault| fault.trim().to_owned()));
        let text = match &fault {
            Some(fault) => format!("faulted   {name}: {games} games, then {fault}\n"),
            None => format!("open      {name}: {games} games; the same command resumes it\n"),
        };
        let record = MatchRecord {
            state: if fault.is_some() { "faulted" } else { "open" },
            label: name,
            games,
            wins: last.wins,
            losses: last.losses,
            draws: last.draws,
            fault,
            ..MatchRecord::default()
        };
        print_record(&LabRecord::Match(Box::new(record)), &text);
    }
    Ok(())
}
