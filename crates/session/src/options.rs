//! Options, declared once: [`specs`] is the only list. Every protocol, the ini file, the command
//! line and the table in `docs/options.md` are generated from it.
//!
//! [`Options::default`] is the only source of defaults. A [`Spec`] reads and writes its field
//! through two functions, so the table cannot disagree with the code. Names are compared without
//! case, and `_` counts as a blank, because some clients can send only one word.

mod general;
mod names;
mod playing;
mod proofs;
mod steno;
mod tables;

pub use proofs::same;
pub use proofs::{PROOF_SPECS, ProofOptions, meaning};
pub use tables::TableOptions;

use super::domain::Domain;
use names::{distance, letters, plain, shorten};
use std::fmt;
use umbrail_search as search;
use umbrail_steno::Vocabulary;

/// Values of all options, typed. A job takes a copy, so its options do not change while it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Number of workers of every solver.
    pub threads: usize,
    /// Number of best lines that a search reports.
    pub multipv: usize,
    /// Ponder on the opponent's time.
    pub ponder: bool,
    /// Castling is written as king takes rook.
    pub chess960: bool,
    /// Variant of protocols without a command for it; other variants than chess are played from
    /// tables.
    pub variant: &'static str,
    /// Analysis, not a game: the current root move is reported from the start.
    pub analyse: bool,
    /// Lines carry probabilities of win, draw and loss.
    pub show_wdl: bool,
    /// Opponent, as the GUI gives it (`GM 2800 human Name`).
    pub opponent: String,
    /// File that receives the log; empty for none.
    pub log_file: String,
    /// Protocols offer every option, not only those of the playing engine.
    pub show_all: bool,
    /// `go nodes N` ends with the iteration in which the limit is reached.
    pub soft_nodes: bool,
    /// XBoard: the engine resigns lost games and offers draws in even ones.
    pub resigns: bool,
    /// Solver that answers `go` instead of the search.
    pub solver: Option<Domain>,
    /// Options of proof games.
    pub proofs: ProofOptions,
    /// Steno that `go` solves when Steno-Chess is the solver.
    pub steno_text: String,
    /// Default vocabulary of stenos.
    pub steno_vocabulary: Vocabulary,
    /// Options of endgame tables.
    pub tables: TableOptions,
    /// Options of the search.
    pub search: search::SearchParams,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            threads: 1,
            multipv: 1,
            ponder: false,
            chess960: false,
            variant: general::VARIANTS[0],
            analyse: false,
            show_wdl: false,
            opponent: String::new(),
            log_file: String::new(),
            show_all: false,
            soft_nodes: false,
            resigns: false,
            solver: None,
            proofs: ProofOptions::default(),
            steno_text: String::new(),
            steno_vocabulary: Vocabulary::default(),
            tables: TableOptions::default(),
            search: search::SearchParams::default(),
        }
    }
}

/// Effect of a button option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    /// Clears everything that searches have learned.
    ClearHash,
}

/// Type of an option, with access to its field.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the fields are the same few words throughout")]
pub enum Kind {
    /// True or false.
    Check { get: fn(&Options) -> bool, set: fn(&mut Options, bool) },
    /// Switch of a search experiment.
    Experiment(&'static search::Experiment),
    /// A whole number within limits.
    Spin { get: fn(&Options) -> i64, set: fn(&mut Options, i64), min: i64, max: i64 },
    /// One of a few words. A synonym is compared by its letters only; it precedes the word that it
    /// means.
    Combo {
        get: fn(&Options) -> usize,
        set: fn(&mut Options, usize),
        names: &'static [&'static str],
        synonyms: &'static [(&'static str, &'static str)],
    },
    /// Free text, possibly empty.
    Text { get: fn(&Options) -> &str, set: fn(&mut Options, String) },
    /// Path of a file, possibly empty.
    File { get: fn(&Options) -> &str, set: fn(&mut Options, String) },
    /// Path of a folder, or of several, possibly empty.
    Folder { get: fn(&Options) -> &str, set: fn(&mut Options, String) },
    /// A constant of the search.
    Constant(&'static search::Constant),
    /// Numbers of the search, as `name=value` separated by commas; empty for the defaults.
    Constants,
    /// Text that is shown and cannot be changed.
    Shown(&'static str),
    /// A button.
    Button(Button),
}

/// One option: name as shown, type, and one line of help.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Name as shown; may contain blanks, but no `name`, `value`, `type`, `=` or `,`.
    pub name: &'static str,
    /// Other accepted names: former ones, and those of option files of other programs.
    pub aliases: &'static [&'static str],
    /// Key that overrides the option in one task, if its module has one.
    pub key: Option<&'static str>,
    /// Type and field.
    pub kind: Kind,
    /// Small first letter, no full stop.
    pub help: &'static str,
}

/// Maximum number of threads.
pub const THREADS_MAX: i64 = 1_024;
/// Maximum size of the transposition table, in MiB.
pub const HASH_MAX_MIB: i64 = 1 << 20;

/// Options of the playing engine, one list for each part.
const ENGINE: &[&[Spec]] = &[general::SPECS, playing::SPECS, &EXPERIMENTS, CONSTANTS];

/// Options of the solvers.
const SOLVERS: &[&[Spec]] = &[tables::SPECS, PROOF_SPECS, steno::SPECS];

/// Options of the playing engine that few people set.
const RARE: &[&str] = &["Blitz Slow Mover", "Book Depth"];

/// Returns every option of the program, in the order in which they are offered.
pub fn specs() -> impl Iterator<Item = &'static Spec> + Clone {
    ENGINE.iter().chain(SOLVERS).copied().flatten()
}

/// Returns the options that protocols offer to a GUI: those that players set, or all of them if `Show All Options` is on,
/// a solver is chosen or an endgame is played.
pub fn offered(options: &Options) -> impl Iterator<Item = &'static Spec> + Clone {
    let is_all = options.show_all || options.solver.is_some() || !options.tables.endgame.is_empty();
    let engine = ENGINE.iter().copied().flatten();
    let engine = engine.filter(move |spec| is_all || !RARE.contains(&spec.name));
    engine.chain(SOLVERS.iter().filter(move |_| is_all).copied().flatten())
}

/// Switches of the experiments.
const EXPERIMENTS: [Spec; search::EXPERIMENTS.len()] = {
    let mut all = [general::SPECS[0]; search::EXPERIMENTS.len()];
    let mut at = 0;
    while at < all.len() {
        let experiment = &search::EXPERIMENTS[at];
        let kind = Kind::Experiment(experiment);
        all[at] = Spec::new(experiment.option, kind, experiment.help);
        at += 1;
    }
    all
};

/// Constants of the search, each as an option of its own, for programs that tune engines.
#[cfg(feature = "tune")]
const CONSTANTS: &[Spec] = &{
    let mut all = [general::SPECS[0]; search::CONSTANTS.len()];
    let mut at = 0;
    while at < all.len() {
        let constant = &search::CONSTANTS[at];
        all[at] = Spec::new(constant.name, Kind::Constant(constant), constant.help);
        at += 1;
    }
    all
};

/// Only a build with the feature `tune` offers the constants of the search.
#[cfg(not(feature = "tune"))]
const CONSTANTS: &[Spec] = &[];

/// Reason why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// No option has this name.
    Unknown {
        /// Name as given.
        name: String,
        /// A declared name with a small difference, suggested to the user.
        meant: Option<&'static str>,
    },
    /// The value is of the wrong type or out of range.
    Value {
        /// Declared name.
        name: &'static str,
        /// Values that the option accepts.
        expects: String,
        /// Value as given.
        got: String,
    },
    /// The option can only be read.
    Fixed(&'static str),
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, meant: None } => write!(f, "no option is called \"{name}\""),
            Self::Unknown { name, meant: Some(meant) } => {
                write!(f, "no option is called \"{name}\", did you mean {meant}")
            }
            Self::Value { name, expects, got } if got.is_empty() => {
                write!(f, "{name} must be {expects}, got nothing")
            }
            Self::Value { name, expects, got } => write!(f, "{name} must be {expects}, got {got}"),
            Self::Fixed(name) => write!(f, "{name} cannot be changed"),
        }
    }
}

impl std::error::Error for OptionError {}

/// Effect of setting an option beyond the new value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing: the value is stored.
    Stored,
    /// A button was pressed.
    Pressed(Button),
}

impl Spec {
    /// Declares an option with one name and no key.
    pub const fn new(name: &'static str, kind: Kind, help: &'static str) -> Self {
        Self { name, aliases: &[], key: None, kind, help }
    }

    /// Returns the value in these options as text; empty for a button.
    pub fn text(&self, options: &Options) -> String {
        match self.kind {
            Kind::Check { get, .. } => get(options).to_string(),
            Kind::Experiment(one) => (one.get)(&options.search.experiments).to_string(),
            Kind::Spin { get, .. } => get(options).to_string(),
            Kind::Constant(one) => (one.get)(&options.search.constants).to_string(),
            Kind::Combo { get, names, .. } => names.get(get(options)).unwrap_or(&"").to_string(),
            Kind::Text { get, .. } | Kind::File { get, .. } | Kind::Folder { get, .. } => {
                get(options).to_owned()
            }
            Kind::Constants => options.search.constants.to_string(),
            Kind::Shown(text) => text.to_owned(),
            Kind::Button(_) => String::new(),
        }
    }

    /// Parses a value and stores it. An empty text may be given as `<empty>`.
    ///
    /// # Errors
    /// [`OptionError::Value`] when the value is not accepted, [`OptionError::Fixed`] when the
    /// option cannot be set. The options are then unchanged.
    pub fn read(&self, options: &mut Options, value: Option<&str>) -> Result<Change, OptionError> {
        let text = value.unwrap_or("").trim();
        let refuse = |expects: String| {
            Err(OptionError::Value { name: self.name, expects, got: shorten(text) })
        };
        match self.kind {
            Kind::Check { .. } | Kind::Experiment(_) => {
                let on = match text.to_ascii_lowercase().as_str() {
                    "true" | "1" | "on" | "yes" => true,
                    "false" | "0" | "off" | "no" => false,
                    _ => return refuse("true or false".to_owned()),
                };
                match self.kind {
                    Kind::Check { set, .. } => set(options, on),
                    Kind::Experiment(one) => (one.set)(&mut options.search.experiments, on),
                    _ => {}
                }
            }
            Kind::Spin { set, min, max, .. } => match text.parse::<i64>() {
                Ok(number) if (min..=max).contains(&number) => set(options, number),
                _ => return refuse(format!("{min}..{max}")),
            },
            Kind::Constant(one) => match text.parse::<i32>() {
                Ok(number) if (one.min..=one.max).contains(&number) => {
                    (one.set)(&mut options.search.constants, number);
                }
                _ => return refuse(format!("{}..{}", one.min, one.max)),
            },
            Kind::Combo { set, names, synonyms, .. } => {
                let known = synonyms.iter().find(|(word, _)| letters(word) == letters(text));
                let place = |word: &str| names.iter().position(|n| n.eq_ignore_ascii_case(word));
                match place(text).or_else(|| place(known?.1)) {
                    Some(index) => set(options, index),
                    None => return refuse(names.join(", ")),
                }
            }
            Kind::Text { set, .. } | Kind::File { set, .. } | Kind::Folder { set, .. } => {
                set(options, if text == "<empty>" { String::new() } else { text.to_owned() });
            }
            Kind::Constants => match text.trim_start_matches("<empty>").parse() {
                Ok(constants) => options.search.constants = constants,
                Err(error) => {
                    let error: search::ConstantsError = error;
                    return refuse(format!("name=value, ... ({error})"));
                }
            },
            Kind::Shown(shown) if text == shown => {}
            Kind::Shown(_) => return Err(OptionError::Fixed(self.name)),
            Kind::Button(button) => return Ok(Change::Pressed(button)),
        }
        Ok(Change::Stored)
    }
}

impl Options {
    /// Sets one option by name, as a GUI, a user or an option file gives it. Aliases work too.
    ///
    /// # Errors
    /// [`OptionError`] names the option and the accepted values. The options are then unchanged.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Change, OptionError> {
        find(specs(), name)?.read(self, value)
    }

    /// Sets, for one task, the options that its keys override.
    ///
    /// # Errors
    /// The key, and the accepted values.
    pub fn set_by_keys<'a>(
        &mut self,
        specs: &[Spec],
        value: impl Fn(&str) -> Option<&'a str>,
    ) -> Result<(), OptionError> {
        for spec in specs {
            if let Some(key) = spec.key
                && let Some(value) = value(key)
            {
                spec.read(self, Some(value)).map_err(|error| match error {
                    OptionError::Value { expects, got, .. } => {
                        OptionError::Value { name: key, expects, got }
                    }
                    other => other,
                })?;
            }
        }
        Ok(())
    }
}

/// Returns the option with this name, compared without case and with `_` for a blank.
///
/// # Errors
/// [`OptionError::Unknown`], with the nearest name when the difference is small.
pub fn find<'a>(
    specs: impl Iterator<Item = &'a Spec> + Clone,
    name: &str,
) -> Result<&'a Spec, OptionError> {
    let wanted = plain(name);
    let is_alias = |spec: &Spec| spec.aliases.iter().any(|alias| plain(alias) == wanted);
    let is_wanted = |spec: &&Spec| plain(spec.name) == wanted || is_alias(spec);
    specs.clone().find(is_wanted).ok_or_else(|| {
        let near = |spec: &&Spec| distance(&plain(spec.name), &wanted) <= 2;
        let meant = specs.clone().find(near).map(|spec| spec.name);
        OptionError::Unknown { name: shorten(name), meant }
    })
}

#[cfg(test)]
mod tests;
