//! State of a tuning in a readable text file.

use super::SpsaOptions;
use crate::self_play_engine::SelfPlayError;
use std::path::PathBuf;
use umbrail_control::{
    FILE_BYTES_MAX, ReadError, Unreadable, WriteError, read_own, text_of, write_whole,
};
use umbrail_search::{Constant, SearchConstants};

/// First line of the file.
const TITLE: &str = "umbrail spsa 1";

/// Constant that is tuned.
#[derive(Clone, Copy, Debug)]
pub struct TunedConstant {
    /// Name, range and default.
    pub constant: &'static Constant,
    /// Current value.
    pub value: f64,
    /// Final distance of the values in games from the current value.
    pub step: f64,
}

/// Progress of a tuning.
#[derive(Clone, Debug)]
pub struct SpsaState {
    /// Number of pairs played.
    pub pairs_done: u64,
    /// Games that the raised side won, drew and lost.
    pub games: [u64; 3],
    /// Constants with their values.
    pub tuned: Vec<TunedConstant>,
    /// Initial constants.
    start: SearchConstants,
}

/// Reason why a tuning ended early.
#[derive(Debug, thiserror::Error)]
pub enum SpsaError {
    /// The file cannot be read.
    #[error("{0}")]
    Read(ReadError),
    /// The file cannot be written.
    #[error("{0}")]
    Write(WriteError),
    /// The file is not a state of a tuning; the reason.
    #[error("{0}: {1}; expected a file that umbrail spsa has written")]
    Damaged(PathBuf, String),
    /// The file belongs to a tuning with other options.
    #[error(
        "{0} belongs to a tuning with \"{1}\"; give the same options to continue, or another --out"
    )]
    Other(PathBuf, String),
    /// The engine cannot be created.
    #[error("{0}")]
    SelfPlayEngine(#[from] SelfPlayError),
}

impl SpsaState {
    /// Returns the search constants with the current values, rounded.
    pub fn constants(&self) -> SearchConstants {
        let mut constants = self.start;
        for number in &self.tuned {
            (number.constant.set)(&mut constants, number.value.round() as i32);
        }
        constants
    }

    /// Returns the options as the lines of the file that must not change.
    fn head(options: &SpsaOptions) -> [String; 5] {
        [
            format!("pairs {}", options.pairs),
            format!("nodes {}", options.limit),
            format!("rate {}", options.rate),
            format!("seed {}", options.seed),
            format!("start {}", options.params.constants),
        ]
    }

    /// Reads the state from the file of the options, or returns a new one if there is no file.
    pub(super) fn open(options: &SpsaOptions) -> Result<Self, SpsaError> {
        let start = options.params.constants;
        let fresh = |constant: &'static Constant| TunedConstant {
            constant,
            value: f64::from((constant.get)(&start)),
            step: TunedConstant::step(constant),
        };
        let tuned = options.constants.iter().copied().map(fresh).collect();
        let mut state = Self { pairs_done: 0, games: [0; 3], tuned, start };
        let path = &options.file;
        let text = match read_own(path, FILE_BYTES_MAX) {
            Ok(bytes) => text_of(bytes),
            Err(error) if error.reason == Unreadable::Absent => return Ok(state),
            Err(error) => return Err(SpsaError::Read(error)),
        };
        let damaged = |why: &str| SpsaError::Damaged(path.clone(), why.to_owned());
        let mut lines = text.lines();
        if lines.next() != Some(TITLE) {
            return Err(damaged("it does not begin with \"umbrail spsa 1\""));
        }
        for expected in Self::head(options) {
            let line = lines.next().ok_or_else(|| damaged("it is cut off"))?;
            if line.trim_end() != expected.trim_end() {
                return Err(SpsaError::Other(path.clone(), line.to_owned()));
            }
        }
        let done = lines.next().and_then(|line| line.strip_prefix("done "));
        let done: Vec<u64> =
            done.unwrap_or("").split(' ').filter_map(|it| it.parse().ok()).collect();
        let [pairs, won, drawn, lost] = done[..] else {
            return Err(damaged("its seventh line does not count pairs and games"));
        };
        (state.pairs_done, state.games) = (pairs, [won, drawn, lost]);
        let numbers: Vec<&str> = lines.collect();
        let names = |line: &&str| line.split(' ').next().unwrap_or("").to_owned();
        if !numbers.iter().map(names).eq(state.tuned.iter().map(|it| it.constant.name.to_owned())) {
            let names: Vec<String> = numbers.iter().map(names).collect();
            return Err(SpsaError::Other(path.clone(), names.join(",")));
        }
        for (number, line) in state.tuned.iter_mut().zip(&numbers) {
            let value = line.split(' ').nth(1).and_then(|value| value.parse::<f64>().ok());
            let (least, most) = (f64::from(number.constant.min), f64::from(number.constant.max));
            number.value = value
                .filter(|value| (least..=most).contains(value))
                .ok_or_else(|| damaged(&format!("\"{line}\" is not a number within its range")))?;
        }
        Ok(state)
    }

    /// Writes the file atomically.
    pub(super) fn write(&self, options: &SpsaOptions) -> Result<(), SpsaError> {
        let written = write_whole(&options.file, |out| {
            writeln!(out, "{TITLE}")?;
            for line in Self::head(options) {
                writeln!(out, "{line}")?;
            }
            let [won, drawn, lost] = self.games;
            writeln!(out, "done {} {won} {drawn} {lost}", self.pairs_done)?;
            self.tuned
                .iter()
                .try_for_each(|it| writeln!(out, "{} {:?}", it.constant.name, it.value))
        });
        written.map_err(SpsaError::Write)
    }
}
