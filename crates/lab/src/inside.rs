//! `lab sprt --inside`: a sequential test within this process, without fastchess and without clocks.
//!
//! Both engines are this program with other options. A pair of games at 5,000 nodes a move takes about half a second of
//! a processor, so that an hour sees differences of a few Elo. The match has a folder with `match.txt` (its identity) and
//! `pairs.txt` (its results so far), and the same command resumes it.

use super::control::{Control, Pace};
use super::engine_match::{absolute, digest};
use super::error::LabError;
use super::interrupt;
use super::journal::{Journal, Row};
use super::lock::FolderLock;
use super::pentanomial::{BOUND, PairStatistics};
use super::preflight;
use super::progress::duration;
use super::runner::IDENTITY;
use super::{SPRT_GAMES_MAX, Workbench, bench, page};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use umbrail_control::{
    Cancel, FILE_BYTES_MAX, Unreadable, lock, print_error, read_own, text_of, write_whole,
};
use umbrail_search::{Experiment, SearchParams};
use umbrail_session::Options;
use umbrail_training::{PairMatchOptions, PairMatchState, pair_match};

/// Results of a match so far, in its folder.
pub(super) const PAIRS: &str = "pairs.txt";
/// First line of that file.
const TITLE: &str = "umbrail pairs 1";
/// Seed of the openings.
const SEED: u64 = 20_261_128;
/// Interval between two lines of progress, and between two writes of the results.
const REPORTED: Duration = Duration::from_secs(10);
/// Interval at which Ctrl-C is noticed.
const TICK: Duration = Duration::from_millis(100);

/// Options of the two sides beside those of both.
#[derive(Clone, Debug, Default)]
pub(super) struct SideOptions {
    pub(super) dev: Vec<String>,
    pub(super) base: Vec<String>,
}

/// Runs the test of an experiment, or of the options of both sides, at each control.
///
/// # Errors
/// An option cannot be used inside one process, the folder cannot be used, or Ctrl-C was pressed.
pub(super) fn run(
    experiment: Option<&Experiment>,
    sides: &SideOptions,
    workbench: &Workbench,
    settings: &[(String, Option<String>)],
) -> Result<(), LabError> {
    let both = bench::common_options(workbench, settings)?;
    if workbench.dev.is_some() || workbench.base.is_some() {
        return Err(LabError::Inside("--dev and --base name other programs"));
    }
    if workbench.dry_run {
        return Err(LabError::Inside("--dry-run prints commands for fastchess"));
    }
    let mut dev = sides.dev.clone();
    dev.extend(experiment.map(|experiment| format!("{}=true", experiment.option)));
    if dev.is_empty() && sides.base.is_empty() {
        return Err(LabError::InsideSubject);
    }
    let engines = [("--dev-option", &dev), ("--base-option", &sides.base)];
    let [dev_params, base_params] =
        engines.map(|(option, list)| params(&both, (option, list), workbench.hash));
    let engines = [dev_params?, base_params?];
    let label = match experiment {
        Some(experiment) => experiment.option.to_owned(),
        None => dev.iter().chain(&sides.base).cloned().collect::<Vec<_>>().join(" "),
    };
    let book = workbench.book.as_deref().map(absolute).transpose()?;
    let openings = book.as_deref().map_or(Ok(vec![]), preflight::positions)?;
    let controls = controls(workbench)?;
    let _lock = FolderLock::take(&workbench.out)?;
    let mut journal = Journal::open(&workbench.out)?;
    for control in controls {
        let pace = match control.pace {
            Pace::Nodes(nodes) => umbrail_training::PlayLimit::Nodes(nodes),
            Pace::Counted(pace) => pace,
            Pace::Clock(_) => {
                return Err(LabError::Inside(
                    "--control must be nodes=N, or a clock that counts nodes such as 8+0.08@60",
                ));
            }
        };
        let mut identity = format!(
            "label {label}\ninside {}\n",
            umbrail_control::BuildFacts::of_program().title()
        );
        for (role, options) in
            [("both", &both), ("dev", &pairs_of(&dev)?), ("base", &pairs_of(&sides.base)?)]
        {
            for (name, value) in options {
                let _ = writeln!(identity, "{role} option {name}={value}");
            }
        }
        let _ = writeln!(identity, "book {} openings, seed {SEED}", openings.len());
        let _ = writeln!(identity, "hash {} nodes {pace} games {}", workbench.hash, control.games);
        let _ = writeln!(identity, "decision between {:?}", control.elo);
        let options = PairMatchOptions {
            engines: engines.clone(),
            limit: pace,
            pairs: u64::from(control.games / 2),
            openings: openings.clone(),
            seed: SEED,
            threads: workbench.concurrency as usize,
            hash_mib: workbench.hash as usize,
        };
        InsideMatch { label: &label, control: &control, identity, out: &workbench.out }.measure(
            &options,
            experiment.is_some(),
            &mut journal,
        )?;
    }
    page::write(&workbench.out, &journal)
}

fn controls(workbench: &Workbench) -> Result<Vec<Control>, LabError> {
    let games = workbench.games.unwrap_or(SPRT_GAMES_MAX);
    let read = |text: &String| {
        let control = Control::read(text, Some(games))?;
        let elo =
            (workbench.elo0.unwrap_or(control.elo.0), workbench.elo1.unwrap_or(control.elo.1));
        if elo.0 >= elo.1 {
            return Err(LabError::Hypotheses(elo.0, elo.1));
        }
        Ok(Control { elo, ..control })
    };
    workbench.control.iter().map(read).collect()
}

/// Splits `NAME=VALUE`.
fn pairs_of(list: &[String]) -> Result<Vec<(String, String)>, LabError> {
    let pair = |text: &String| {
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| LabError::option("--dev-option", "NAME=VALUE", text))?;
        Ok((name.trim().to_owned(), value.trim().to_owned()))
    };
    list.iter().map(pair).collect()
}

/// Returns the search parameters of a side.
fn params(
    both: &[(String, String)],
    (option, list): (&'static str, &[String]),
    hash_mib: u32,
) -> Result<SearchParams, LabError> {
    let mut options = Options::default();
    for (name, value) in both.iter().cloned().chain(pairs_of(list)?) {
        options.set(&name, Some(&value)).map_err(|error| LabError::Setting { option, error })?;
    }
    let params =
        SearchParams { hash_mib: hash_mib as usize, own_book: false, ..options.search.clone() };
    // What the games do not use would be a test of equals.
    options.search = Options::default().search;
    match options == Options::default() {
        true => Ok(params),
        false => Err(LabError::Inside("only options of the search have an effect")),
    }
}

/// One match within this process.
struct InsideMatch<'a> {
    label: &'a str,
    control: &'a Control,
    identity: String,
    out: &'a Path,
}

impl InsideMatch<'_> {
    /// Plays a match, or the rest of it, unless the table has it already, and enters it.
    fn measure(
        &self,
        options: &PairMatchOptions,
        is_experiment: bool,
        journal: &mut Journal,
    ) -> Result<(), LabError> {
        let id = digest(&self.identity);
        let name = &self.control.name;
        if let Some(row) = journal.find(&id) {
            print_error!("{} at {name}: in the table already: {}", self.label, row.summary());
            bench::print_match(row);
            return Ok(());
        }
        let stem = format!("inside_{}_{}", name.replace('=', "-"), &id[..8]);
        let folder = self.out.join(stem);
        std::fs::create_dir_all(&folder).map_err(LabError::at(&folder))?;
        write_whole(&folder.join(IDENTITY), |out| {
            std::io::Write::write_all(out, self.identity.as_bytes())
        })?;
        let state = read_state(&folder.join(PAIRS))?.unwrap_or_default();
        let state = self.play(options, state, &folder.join(PAIRS))?;
        let switch = if is_experiment { "on" } else { "off" };
        let row = self.row(&state, switch, &id);
        if state.pairs_done() < options.pairs && row.decision.is_empty() {
            let title = format!("{} at {name}", self.label);
            return Err(LabError::Interrupted { title, games: row.games });
        }
        journal.add(row.clone())?;
        print_error!("{} at {name}: {}", self.label, row.summary());
        bench::print_match(&row);
        Ok(())
    }

    /// Plays until the test has decided, all pairs are played, or Ctrl-C is pressed.
    fn play(
        &self,
        options: &PairMatchOptions,
        state: PairMatchState,
        path: &Path,
    ) -> Result<PairMatchState, LabError> {
        interrupt::listen();
        let before = state.pairs_done();
        if !self.decision(&state).is_empty() {
            return Ok(state);
        }
        let started = Instant::now();
        let reported = Mutex::new((started, None));
        let goes_on = |state: &PairMatchState| {
            let mut reported = lock(&reported);
            if reported.0.elapsed() >= REPORTED {
                reported.0 = Instant::now();
                reported.1 = write_state(path, state).err();
                let pace = started.elapsed().as_secs_f64() / (state.pairs_done() - before) as f64;
                let left = options.pairs.saturating_sub(state.pairs_done()) as f64 * pace;
                let summary = self.row(state, "", "").summary();
                print_error!("{summary}, at most {} left", duration(left));
            }
            reported.1.is_none() && self.decision(state).is_empty()
        };
        let cancel = Cancel::default();
        let played = std::thread::scope(|scope| {
            let work = scope.spawn(|| pair_match(options, state, &cancel, &goes_on));
            while !work.is_finished() {
                std::thread::sleep(TICK);
                if interrupt::is_requested() {
                    cancel.raise();
                }
            }
            work.join()
        });
        let played = played.map_err(|_| LabError::Panic)??;
        if let Some(error) = lock(&reported).1.take() {
            return Err(error);
        }
        write_state(path, &played)?;
        Ok(played)
    }

    fn decision(&self, state: &PairMatchState) -> &'static str {
        let ratio = PairStatistics::new(state.pairs).map(|known| known.ratio(self.control.elo));
        match ratio {
            Some(ratio) if ratio >= BOUND => "H1",
            Some(ratio) if ratio <= -BOUND => "H0",
            _ => "",
        }
    }

    fn row(&self, state: &PairMatchState, switch: &str, id: &str) -> Row {
        let known = PairStatistics::new(state.pairs);
        let elo = known.and_then(|known| known.elo());
        let count = |at: usize| u32::try_from(state.games[at]).unwrap_or(u32::MAX);
        let [wins, draws, losses] = [0, 1, 2].map(count);
        Row {
            label: self.label.to_owned(),
            switch: switch.to_owned(),
            control: format!("inside {}", self.control.name),
            games: wins + draws + losses,
            wins,
            losses,
            draws,
            elo: elo.map(|(elo, _)| elo),
            error: elo.map(|(_, error)| error),
            los: elo.and(known).map(|known| known.superiority()),
            llr: known.map(|known| known.ratio(self.control.elo)),
            pairs: state.pairs.map(|count| count.to_string()).join("/"),
            decision: self.decision(state).to_owned(),
            id: id.to_owned(),
            ..Row::default()
        }
    }
}

fn write_state(path: &Path, state: &PairMatchState) -> Result<(), LabError> {
    let words = |list: &[u64]| list.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
    let text = format!(
        "{TITLE}\ngames {}\npairs {}\nstarted {}\nunfinished {}\n",
        words(&state.games),
        words(&state.pairs),
        state.started,
        words(&state.unfinished)
    );
    write_whole(path, |out| std::io::Write::write_all(out, text.as_bytes()))?;
    Ok(())
}

/// Reads the results of a match; none if there is no file.
pub(super) fn read_state(path: &Path) -> Result<Option<PairMatchState>, LabError> {
    let text = match read_own(path, FILE_BYTES_MAX) {
        Ok(bytes) => text_of(bytes),
        Err(error) if error.reason == Unreadable::Absent => return Ok(None),
        Err(error) => return Err(LabError::own(error)),
    };
    state_of(&text).map(Some).ok_or_else(|| LabError::Pairs(PathBuf::from(path)))
}

fn state_of(text: &str) -> Option<PairMatchState> {
    let mut lines = text.lines();
    if lines.next() != Some(TITLE) {
        return None;
    }
    let mut numbers = |key: &str| -> Option<Vec<u64>> {
        let rest = lines.next()?.strip_prefix(key)?;
        rest.split_whitespace().map(|word| word.parse().ok()).collect()
    };
    let (games, pairs) = (numbers("games ")?, numbers("pairs ")?);
    let (started, unfinished) = (numbers("started ")?, numbers("unfinished")?);
    let state = PairMatchState {
        games: games.try_into().ok()?,
        pairs: pairs.try_into().ok()?,
        started: *started.first()?,
        unfinished,
    };
    let counted = state.pairs_done().checked_add(state.unfinished.len() as u64)?;
    let games = state.games.iter().try_fold(0u64, |sum, &count| sum.checked_add(count))?;
    let is_whole = counted == state.started
        && state.pairs_done().checked_mul(2)? == games
        && state.unfinished.iter().all(|&pair| pair < state.started);
    is_whole.then_some(state)
}

#[cfg(test)]
mod tests {
    use super::{params, read_state, state_of, write_state};
    use umbrail_training::PairMatchState;

    #[test]
    fn results_are_read_as_they_were_written_and_damage_is_found() {
        let path = std::env::temp_dir().join(format!("umbrail-pairs-{}", std::process::id()));
        let state = PairMatchState {
            games: [3, 2, 1],
            pairs: [0, 1, 0, 2, 0],
            started: 5,
            unfinished: vec![1, 4],
        };
        write_state(&path, &state).unwrap();
        assert_eq!(read_state(&path).unwrap(), Some(state));
        let text = std::fs::read_to_string(&path).unwrap();
        for (from, to) in [("games 3", "games 4"), ("started 5", "started 6"), ("1 4", "1 9")] {
            assert_eq!(state_of(&text.replace(from, to)), None, "{to}");
        }
        std::fs::remove_file(&path).unwrap();
        assert_eq!(read_state(&path).unwrap(), None);
    }

    #[test]
    fn options_that_games_inside_do_not_use_are_refused() {
        let of = |text: &str| params(&[], ("--dev-option", &[text.to_owned()]), 4);
        let params = of("Search Constants=lmr_base=90").unwrap();
        assert_eq!((params.constants.to_string().as_str(), params.hash_mib), ("lmr_base=90", 4));
        assert!(of("XP3 LMRCons=true").unwrap().experiments != Default::default());
        for (wrong, word) in
            [("MultiPV=3", "only options of the search"), ("lmr", "NAME=VALUE"), ("Lmr=1", "Lmr")]
        {
            let why = of(wrong).unwrap_err().to_string();
            assert!(why.contains(word), "{why}");
        }
    }
}
