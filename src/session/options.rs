//! Options, declared once: [`SPECS`] is the only list, and every protocol, the ini file, the command
//! line and the table of the manual are renderings of it.
//!
//! Defaults live only in [`Options::default`]; a [`Spec`] reads and writes its field through two
//! functions, so a line of the table cannot disagree with the code. Names are compared without case,
//! and `_` counts as a blank, because some clients can only send one word.

mod playing;
mod proofs;

use super::errand::Domain;
use crate::search;
use crate::steno::Vocabulary;
use crate::tables::Metric;
use std::fmt;

/// What the user has chosen, typed. A job takes a copy, so nothing changes under its feet.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Workers of every solver.
    pub threads: usize,
    /// How many best lines a search reports.
    pub multipv: usize,
    /// Whether to think on the opponent's time.
    pub ponder: bool,
    /// Castling is written as king takes own rook.
    pub chess960: bool,
    /// The user is looking, not playing: the root move at work is told from the start.
    pub analyse: bool,
    /// Whether lines carry chances of win, draw and loss.
    pub show_wdl: bool,
    /// Who plays on the other side, as the GUI says it (`GM 2800 human Name`).
    pub opponent: String,
    /// File that receives the log; empty for none.
    pub log_file: String,
    /// Who answers `go` instead of the search.
    pub solver: Option<Domain>,
    /// The length that `go` solves the diagram in when proof games are the solver, such as `23.0`.
    pub spg_moves: String,
    /// Memory for positions that failed in proof games, in MiB.
    pub spg_memory_mib: u64,
    /// What the proof games can be told.
    pub proofs: super::spg::settings::ProofOptions,
    /// The steno that `go` solves when Steno-Chess is the solver.
    pub steno_text: String,
    /// In which vocabulary stenos are written when nothing else is said.
    pub steno_vocabulary: Vocabulary,
    /// What the endgame tables can be told.
    pub tables: super::egt::TableOptions,
    /// What the search itself can be told.
    pub search: search::SearchParams,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            threads: 1,
            multipv: 1,
            ponder: false,
            chess960: false,
            analyse: false,
            show_wdl: false,
            opponent: String::new(),
            log_file: String::new(),
            solver: None,
            spg_moves: String::new(),
            spg_memory_mib: 256,
            proofs: super::spg::settings::ProofOptions::default(),
            steno_text: String::new(),
            steno_vocabulary: Vocabulary::default(),
            tables: super::egt::TableOptions::default(),
            search: search::SearchParams::default(),
        }
    }
}

/// What pressing a button option does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    /// Forgets everything that searches have learned.
    ClearHash,
}

/// The type of an option, with the way to its field.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the fields are the same four words throughout")]
pub enum Kind {
    /// True or false.
    Check { get: fn(&Options) -> bool, set: fn(&mut Options, bool) },
    /// The switch of an experiment of the search.
    Experiment(&'static search::Experiment),
    /// A whole number within limits.
    Spin { get: fn(&Options) -> i64, set: fn(&mut Options, i64), min: i64, max: i64 },
    /// One of a few words.
    Combo {
        get: fn(&Options) -> usize,
        set: fn(&mut Options, usize),
        names: &'static [&'static str],
    },
    /// Free text, possibly empty.
    Text { get: fn(&Options) -> &str, set: fn(&mut Options, String) },
    /// Text that is shown and cannot be changed.
    Shown(&'static str),
    /// Something to press.
    Button(Button),
}

/// One option: its name as shown, its type, and one line of help.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Name as shown; may contain blanks, but no `name`, `value`, `type`, `=` or `,`.
    pub name: &'static str,
    /// Type and field.
    pub kind: Kind,
    /// Small first letter, no full stop.
    pub help: &'static str,
}

/// Shown as `UCI_EngineAbout`.
const ABOUT: &str =
    concat!("Umbrail ", env!("CARGO_PKG_VERSION"), ": free software, licence GPL-3.0-or-later");

/// The largest thread count that can be asked for.
pub const THREADS_MAX: i64 = 512;
/// The largest transposition table that can be asked for, MiB.
pub const HASH_MAX_MIB: i64 = 65_536;

/// Every option of the program.
pub const SPECS: &[Spec] = &{
    let parts: [&[Spec]; 4] = [HOUSE, playing::SPECS, &EXPERIMENTS, proofs::SPECS];
    const COUNT: usize =
        HOUSE.len() + playing::SPECS.len() + EXPERIMENTS.len() + proofs::SPECS.len();
    let mut all = [HOUSE[0]; COUNT];
    let (mut at, mut part, mut within) = (0, 0, 0);
    while at < all.len() {
        if within == parts[part].len() {
            (part, within) = (part + 1, 0);
        }
        all[at] = parts[part][within];
        (at, within) = (at + 1, within + 1);
    }
    all
};

/// The switches of the experiments.
const EXPERIMENTS: [Spec; search::EXPERIMENTS.len()] = {
    let mut all = [HOUSE[0]; search::EXPERIMENTS.len()];
    let mut at = 0;
    while at < all.len() {
        let experiment = &search::EXPERIMENTS[at];
        let kind = Kind::Experiment(experiment);
        all[at] = Spec { name: experiment.option, kind, help: experiment.help };
        at += 1;
    }
    all
};

/// What the option "Metric" offers; EGTgen's own count is for its own outputs.
const METRICS: [Metric; 3] = [Metric::Dtc, Metric::Dtm, Metric::Dtz];

/// The options of the program as a whole and of the rooms beside the search.
const HOUSE: &[Spec] = &[
    Spec {
        name: "Hash",
        kind: Kind::Spin {
            get: |o| o.search.hash_mib as i64,
            set: |o, v| o.search.hash_mib = v as usize,
            min: 1,
            max: HASH_MAX_MIB,
        },
        help: "memory for positions already searched, MiB",
    },
    Spec {
        name: "Threads",
        kind: Kind::Spin {
            get: |o| o.threads as i64,
            set: |o, v| o.threads = v as usize,
            min: 1,
            max: THREADS_MAX,
        },
        help: "workers, for every solver; umbrail egt and spg take all processors if nobody says how many",
    },
    Spec {
        name: "MultiPV",
        kind: Kind::Spin {
            get: |o| o.multipv as i64,
            set: |o, v| o.multipv = v as usize,
            min: 1,
            max: 256,
        },
        help: "how many best lines to show",
    },
    Spec {
        name: "Ponder",
        kind: Kind::Check { get: |o| o.ponder, set: |o, v| o.ponder = v },
        help: "think on the opponent's time, and name the reply expected",
    },
    Spec {
        name: "Move Overhead",
        kind: Kind::Spin {
            get: |o| o.search.move_overhead_ms as i64,
            set: |o, v| o.search.move_overhead_ms = v as u64,
            min: 0,
            max: 10_000,
        },
        help: "time lost between engine and clock per move, ms",
    },
    Spec {
        name: "Clear Hash",
        kind: Kind::Button(Button::ClearHash),
        help: "forget every position searched",
    },
    Spec {
        name: "UCI_Chess960",
        kind: Kind::Check { get: |o| o.chess960, set: |o, v| o.chess960 = v },
        help: "Chess960: castling is written as king takes own rook",
    },
    Spec {
        name: "UCI_AnalyseMode",
        kind: Kind::Check { get: |o| o.analyse, set: |o, v| o.analyse = v },
        help: "analysis: tell the root move at work from the start; no book, contempt or handicap",
    },
    Spec {
        name: "UCI_ShowWDL",
        kind: Kind::Check { get: |o| o.show_wdl, set: |o, v| o.show_wdl = v },
        help: "add chances of win, draw and loss, in thousandths, to each line",
    },
    Spec {
        name: "UCI_Opponent",
        kind: Kind::Text { get: |o| &o.opponent, set: |o, v| o.opponent = v },
        help: "title, rating, kind and name of the opponent, for the log",
    },
    Spec {
        name: "UCI_EngineAbout",
        kind: Kind::Shown(ABOUT),
        help: "who this is; cannot be changed",
    },
    Spec {
        name: "Log File",
        kind: Kind::Text { get: |o| &o.log_file, set: |o, v| o.log_file = v },
        help: "write every line heard and said to this file; empty for none",
    },
    Spec {
        name: "Solver",
        kind: Kind::Combo {
            get: |o| o.solver.map_or(0, |domain| domain as usize + 1),
            set: |o, at| o.solver = at.checked_sub(1).and_then(|at| Domain::ALL.get(at).copied()),
            names: &["off", "egt", "spg", "steno"],
        },
        help: "who answers go for the diagram on the board, instead of the search",
    },
    Spec {
        name: "SPG Moves",
        kind: Kind::Text { get: |o| &o.spg_moves, set: |o, v| o.spg_moves = v },
        help: "the length, such as 23.0, of the proof game that go looks for when Solver is spg",
    },
    Spec {
        name: "SPG Memory",
        kind: Kind::Spin {
            get: |o| o.spg_memory_mib.try_into().unwrap_or(i64::MAX),
            set: |o, v| o.spg_memory_mib = v.unsigned_abs(),
            min: 1,
            max: 1 << 20,
        },
        help: "MiB for positions that failed while proof games are sought",
    },
    Spec {
        name: "Steno Text",
        kind: Kind::Text { get: |o| &o.steno_text, set: |o, v| o.steno_text = v },
        help: "the steno that go solves when Solver is steno",
    },
    Spec {
        name: "Steno Vocabulary",
        kind: Kind::Combo {
            get: |o| o.steno_vocabulary as usize,
            set: |o, at| o.steno_vocabulary = Vocabulary::ALL.get(at).copied().unwrap_or_default(),
            names: &["classic", "extended", "pgn", "length"],
        },
        help: "how stenos are read when a command does not say it",
    },
    Spec {
        name: "Endgame",
        kind: Kind::Text { get: |o| &o.tables.endgame, set: |o, v| o.tables.endgame = v },
        help: "endgame such as KQ.KR whose positions are played from its table; empty for none",
    },
    Spec {
        name: "Metric",
        kind: Kind::Combo {
            get: |o| METRICS.iter().position(|m| *m == o.tables.metric).unwrap_or(0),
            set: |o, v| o.tables.metric = METRICS.get(v).copied().unwrap_or_default(),
            names: &["DTC", "DTM", "DTZ"],
        },
        help: "how tables count wins: to the conversion, to mate, or to zeroing (fifty-move rule)",
    },
    Spec {
        name: "Null Move",
        kind: Kind::Check { get: |o| o.tables.null_move, set: |o, v| o.tables.null_move = v },
        help: "tables let the losing side pass",
    },
    Spec {
        name: "Stalemate Wins",
        kind: Kind::Check {
            get: |o| o.tables.stalemate_wins,
            set: |o, v| o.tables.stalemate_wins = v,
        },
        help: "tables count stalemate as a win",
    },
    Spec {
        name: "Forced Pass",
        kind: Kind::Check { get: |o| o.tables.forced_pass, set: |o, v| o.tables.forced_pass = v },
        help: "tables let a stalemated side pass",
    },
    Spec {
        name: "Bare Royal Loses",
        kind: Kind::Check { get: |o| o.tables.bare_loses, set: |o, v| o.tables.bare_loses = v },
        help: "tables count a side without men beside its royal as lost",
    },
    Spec {
        name: "Seed File",
        kind: Kind::Text { get: |o| &o.tables.seed_file, set: |o, v| o.tables.seed_file = v },
        help: "file with positions that the table of the endgame has won or drawn beforehand",
    },
    Spec {
        name: "Piece File",
        kind: Kind::Text { get: |o| &o.tables.piece_file, set: |o, v| o.tables.piece_file = v },
        help: "file with definitions of pieces for tables, such as piecedef.ini",
    },
    Spec {
        name: "Table Folder",
        kind: Kind::Text { get: |o| &o.tables.folder, set: |o, v| o.tables.folder = v },
        help: "folder where finished tables are kept, and read when they are needed",
    },
    Spec {
        name: "Table Memory",
        kind: Kind::Spin {
            get: |o| o.tables.memory_mib.try_into().unwrap_or(i64::MAX),
            set: |o, v| o.tables.memory_mib = v.unsigned_abs(),
            min: 1,
            max: 1 << 20,
        },
        help: "MiB that tables may take while they are built and kept; umbrail egt takes three quarters of what is free if nobody says how many",
    },
];

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// No option has this name; perhaps this one was meant.
    Unknown {
        /// The name as said.
        name: String,
        /// A declared name that differs little.
        meant: Option<&'static str>,
    },
    /// The value is of the wrong type or out of range.
    Value {
        /// The declared name.
        name: &'static str,
        /// What the option wants.
        wants: String,
        /// The value as said.
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
            Self::Value { name, wants, got } if got.is_empty() => {
                write!(f, "{name} wants {wants}, got nothing")
            }
            Self::Value { name, wants, got } => write!(f, "{name} wants {wants}, got {got}"),
            Self::Fixed(name) => write!(f, "{name} cannot be changed"),
        }
    }
}

impl std::error::Error for OptionError {}

/// What setting an option asks for beyond the new value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing: the value is stored.
    Stored,
    /// A button was pressed.
    Pressed(Button),
}

impl Spec {
    /// The value in these options as text; empty for a button.
    pub fn text(&self, options: &Options) -> String {
        match self.kind {
            Kind::Check { get, .. } => get(options).to_string(),
            Kind::Experiment(one) => (one.get)(&options.search.experiments).to_string(),
            Kind::Spin { get, .. } => get(options).to_string(),
            Kind::Combo { get, names, .. } => names.get(get(options)).unwrap_or(&"").to_string(),
            Kind::Text { get, .. } => get(options).to_owned(),
            Kind::Shown(text) => text.to_owned(),
            Kind::Button(_) => String::new(),
        }
    }

    /// Reads a value and stores it. A text may be said as `<empty>`.
    ///
    /// # Errors
    /// [`OptionError::Value`] when it does not fit, [`OptionError::Fixed`] when nothing may be set;
    /// the options are unchanged then.
    pub fn read(&self, options: &mut Options, value: Option<&str>) -> Result<Change, OptionError> {
        let text = value.unwrap_or("").trim();
        let refuse =
            |wants: String| Err(OptionError::Value { name: self.name, wants, got: shorten(text) });
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
            Kind::Combo { set, names, .. } => {
                match names.iter().position(|name| name.eq_ignore_ascii_case(text)) {
                    Some(index) => set(options, index),
                    None => return refuse(names.join(", ")),
                }
            }
            Kind::Text { set, .. } => {
                set(options, if text == "<empty>" { String::new() } else { text.to_owned() });
            }
            Kind::Shown(shown) if text == shown => {}
            Kind::Shown(_) => return Err(OptionError::Fixed(self.name)),
            Kind::Button(button) => return Ok(Change::Pressed(button)),
        }
        Ok(Change::Stored)
    }
}

impl Options {
    /// Sets one option by name, as a GUI or a user says it; the names of the model of the proof games are
    /// understood too.
    ///
    /// # Errors
    /// [`OptionError`] names the option and what it wants; the options are unchanged then.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Change, OptionError> {
        let (name, value) = proofs::translated(name, value);
        find(SPECS, name)?.read(self, value)
    }
}

/// The option of this name, compared without case, with `_` for a blank.
///
/// # Errors
/// [`OptionError::Unknown`], with the nearest name when one differs little.
pub fn find<'a>(specs: &'a [Spec], name: &str) -> Result<&'a Spec, OptionError> {
    let wanted = plain(name);
    specs.iter().find(|spec| plain(spec.name) == wanted).ok_or_else(|| {
        let near = |spec: &&Spec| distance(&plain(spec.name), &wanted) <= 2;
        OptionError::Unknown {
            name: shorten(name),
            meant: specs.iter().find(near).map(|spec| spec.name),
        }
    })
}

fn plain(name: &str) -> String {
    let words: Vec<_> = name.split(|c: char| c.is_whitespace() || c == '_').collect();
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Texts from outside are quoted back only this far.
fn shorten(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// How many letters must be added, dropped or changed (Levenshtein); large texts count as far.
fn distance(a: &str, b: &str) -> usize {
    if a.len().abs_diff(b.len()) > 2 {
        return usize::MAX;
    }
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests;
