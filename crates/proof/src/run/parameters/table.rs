//! Table of parameters: one entry declares a field of [`Params`], its default, its values, its part
//! in the identity of a run, its key and option, and its help.
//!
//! The fields and defaults of [`Params`], the header of archives, the settings line of runs of
//! units, the options and the keys of tasks follow from the entry.

use crate::enumerate::EnumerationOptions;
use crate::problem::PLIES_MAX;
use crate::problem::retraction::Retraction;
use crate::rules::{Rules, UnknownRule};
use crate::run::parameters::policies::{Collisions, SolverChoice, StopAt, TwoWaySplitting};
use crate::run::parameters::words::Words;
use crate::search::{SPLITS_MAX, SearchOptions};
use crate::strategy::condition::{Condition, SyntaxError};

/// Maximum number of workers of one kind.
const WORKERS_MAX: u64 = 512;

/// Part of a parameter in the identity of a run. The text is its name in files.
///
/// A new name changes the format of the file. Increase the number of the format with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunIdentity {
    /// None: the results of runs with different values can be joined.
    Free,
    /// A field of the header of archives and of runs of units. Archives that differ in it are never
    /// merged.
    Question(&'static str),
    /// As `Question`, for a text with blanks; the header ends with it, or with `-` for none.
    QuestionText(&'static str),
    /// The shard in the header of archives; archives that differ only in it are merged.
    Shard,
    /// A setting of runs of units. Units are never exchanged between runs that differ in it.
    Units(&'static str),
}

/// Values that a parameter accepts, as the error for any other value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// True or false.
    #[error("true or false")]
    Flag,
    /// A whole number.
    #[error("a number")]
    Number,
    /// A number with a lower limit.
    #[error("at least {0}")]
    AtLeast(u64),
    /// A number within limits.
    #[error("{0}..{1}")]
    Within(u64, u64),
    /// One of several words.
    #[error("{}", .0.join(", "))]
    Words(&'static [&'static str]),
    /// Rules of this program.
    #[error(transparent)]
    Rules(#[from] UnknownRule),
    /// A condition in its syntax.
    #[error(transparent)]
    Condition(#[from] SyntaxError),
    /// Index and number of a shard.
    #[error("two numbers, such as 0/8")]
    Shard,
}

/// Values of a parameter, with access to its field.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the fields are the same few words throughout")]
pub enum ParameterKind {
    /// True or false.
    Flag { get: fn(&Params) -> bool, set: fn(&mut Params, bool) },
    /// A whole number within limits.
    Number { get: fn(&Params) -> u64, set: fn(&mut Params, u64), min: u64, max: u64 },
    /// The index of a word. A synonym precedes the word that it means.
    Word {
        get: fn(&Params) -> usize,
        set: fn(&mut Params, usize),
        words: &'static [&'static str],
        synonyms: &'static [(&'static str, &'static str)],
    },
    /// A text with a syntax of its own.
    Text { get: fn(&Params) -> String, set: fn(&mut Params, &str) -> Result<(), ValueError> },
}

/// One parameter.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Key that sets the parameter in one task, if there is one.
    pub key: Option<&'static str>,
    /// Option that sets the parameter for all tasks, if there is one.
    pub option: Option<&'static str>,
    /// Other names of the key and the option, among them those of Stelvio.
    pub aliases: &'static [&'static str],
    /// Values, with access to the field.
    pub kind: ParameterKind,
    /// Part in the identity of a run.
    pub identity: RunIdentity,
    /// One line of help with a small first letter and no full stop; empty without key and option.
    pub help: &'static str,
}

impl Parameter {
    /// Returns the value as text.
    pub fn text(&self, params: &Params) -> String {
        match self.kind {
            ParameterKind::Flag { get, .. } => get(params).to_string(),
            ParameterKind::Number { get, .. } => get(params).to_string(),
            ParameterKind::Word { get, words, .. } => {
                words.get(get(params)).copied().unwrap_or("").to_owned()
            }
            ParameterKind::Text { get, .. } => get(params),
        }
    }

    /// Parses a value as [`Self::text`] writes it.
    ///
    /// # Errors
    /// Describes the values that are accepted. The parameters are then unchanged.
    pub fn read(&self, params: &mut Params, text: &str) -> Result<(), ValueError> {
        match self.kind {
            ParameterKind::Flag { set, .. } => {
                set(params, text.parse().map_err(|_| ValueError::Flag)?);
            }
            ParameterKind::Number { set, min, max, .. } => {
                let number = text.parse().map_err(|_| ValueError::Number)?;
                match number {
                    _ if (min..=max).contains(&number) => set(params, number),
                    _ if max == u64::MAX => return Err(ValueError::AtLeast(min)),
                    _ => return Err(ValueError::Within(min, max)),
                }
            }
            ParameterKind::Word { set, words, .. } => {
                let place = words.iter().position(|&word| word == text);
                set(params, place.ok_or(ValueError::Words(words))?);
            }
            ParameterKind::Text { set, .. } => set(params, text)?,
        }
        Ok(())
    }
}

/// A value with a syntax of its own.
trait TextValue: Sized {
    fn write(&self) -> String;
    fn parse(text: &str) -> Result<Self, ValueError>;
}

impl TextValue for Rules {
    fn write(&self) -> String {
        self.to_string()
    }

    fn parse(text: &str) -> Result<Self, ValueError> {
        Ok(text.parse()?)
    }
}

impl TextValue for Option<Condition> {
    fn write(&self) -> String {
        self.as_ref().map_or("-".to_owned(), ToString::to_string)
    }

    fn parse(text: &str) -> Result<Self, ValueError> {
        let condition = Some(text).filter(|text| *text != "-").map(str::parse);
        Ok(condition.transpose()?)
    }
}

impl TextValue for (u64, u64) {
    fn write(&self) -> String {
        format!("{}/{}", self.0, self.1)
    }

    fn parse(text: &str) -> Result<Self, ValueError> {
        let both = text.split_once('/');
        let both = both.and_then(|(shard, count)| Some((shard.parse().ok()?, count.parse().ok()?)));
        both.ok_or(ValueError::Shard)
    }
}

macro_rules! kind {
    ($field:ident: $type:ty, flag) => {
        ParameterKind::Flag { get: |p| p.$field, set: |p, value| p.$field = value }
    };
    ($field:ident: $type:ty, number($min:expr, $max:expr)) => {
        ParameterKind::Number {
            get: |p| p.$field as u64,
            set: |p, value| p.$field = value as $type,
            min: $min,
            max: $max,
        }
    };
    ($field:ident: $type:ty, mebibytes($min:expr, $max:expr)) => {
        ParameterKind::Number {
            get: |p| p.$field >> 20,
            set: |p, value| p.$field = value << 20,
            min: $min,
            max: $max,
        }
    };
    ($field:ident: $type:ty, word) => {
        ParameterKind::Word {
            get: |p| p.$field.place(),
            set: |p, place| p.$field = <$type>::VALUES.get(place).copied().unwrap_or_default(),
            words: <$type>::WORDS,
            synonyms: <$type>::SYNONYMS,
        }
    };
    ($field:ident: $type:ty, text) => {
        ParameterKind::Text {
            get: |p| p.$field.write(),
            set: |p, text| {
                p.$field = TextValue::parse(text)?;
                Ok(())
            },
        }
    };
}

/// Returns the last of these, or `none`.
macro_rules! or_none {
    () => {
        None
    };
    ($value:literal) => {
        Some($value)
    };
}

macro_rules! parameters {
    ($(
        $(#[$doc:meta])*
        $field:ident: $type:ty = $default:expr,
            $kind:ident $(($($range:expr),*))?, $identity:ident $(($name:literal))?
            $(, key $key:literal)? $(, option $option:literal)? $(, aliases [$($alias:literal),*])?
            $(, help $help:literal)?;
    )*) => {
        /// Parameters of a run. None of them changes the set of games.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl Default for Params {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl Params {
            /// Every parameter, in the order of the names in files.
            pub const TABLE: &'static [Parameter] = &[$(Parameter {
                key: or_none!($($key)?),
                option: or_none!($($option)?),
                aliases: &[$($($alias),*)?],
                kind: kind!($field: $type, $kind $(($($range),*))?),
                identity: RunIdentity::$identity $(($name))?,
                help: concat!($($help)?),
            }),*];
        }
    };
}

parameters! {
    /// Enabled deductions.
    rules: Rules = Rules::default(), text, Question("rules"), key "rules",
        help "deductions to switch off, such as -B1,-A7, or none; all are on by default";
    /// Depth of the tree at which claims divide the work.
    sync_depth: u8 = EnumerationOptions::default().sync_depth, number(1, 100), Question("sync"),
        key "sync-depth", option "SPG Sync Depth", aliases ["strategySeekingSyncDepth"],
        help "depth of the strategy tree at which seekers divide the work";
    /// Maximum number of games counted per strategy, at least 1; two suffice for a verdict.
    games_max: usize = 2, number(1, u64::MAX), Question("games"),
        key "max-solutions", aliases ["max"],
        help "limit of games per strategy, 2 by default; also the limit for a cook";
    /// Condition for retracting the last move.
    retraction: Retraction = Retraction::default(), word, Question("retraction"),
        key "retraction", option "SPG Retraction", aliases ["retractionMode"],
        help "taking back the last move: check (when a king is in check), never, always";
    /// Index of this shard and number of shards. The claims of the shard are those whose number has
    /// this remainder.
    shard: (u64, u64) = (0, 1), text, Shard, key "shard",
        help "only part I/N of the work (from 0/N on), or auto in a job array";
    /// Condition that strategies must fulfil to be searched.
    condition: Option<Condition> = None, text, QuestionText("condition"),
        key "conditions", aliases ["StrategyConditions"],
        help "search only strategies that meet this condition, such as Pa2=R AND NOT Sb1<.a";
    /// Number of moves after which a strategy is given up.
    moves_max: u64 = u64::MAX, number(0, u64::MAX), Units("moves-max");
    /// Policy for analysing all pairs of pieces.
    collisions: Collisions = Collisions::default(), word, Units("collisions"),
        key "collisions", option "SPG Collisions", aliases ["expensiveCollisionDetectionMode"],
        help "pairwise interaction analysis: adaptive (slow strategies only), by-men (28+ men), on, off";
    /// Policy for splitting strategies by two-way legs.
    splitter: TwoWaySplitting = TwoWaySplitting::default(), word, Units("splitter"),
        key "splitter", option "SPG Splitter", aliases ["speculativeSplitterMode"],
        help "treatment of two-move legs with two possible intermediate squares: none, probe, always split";
    /// Condition for ending early.
    stop_at: StopAt = StopAt::Complete, word, Free, key "stop-at",
        help "complete, counted (max-solutions games of a cook), cooked (the first proof of a cook) or first (the first game)";
    /// Solver of the problem. Archives and runs of units are of strategies.
    solver: SolverChoice = SolverChoice::default(), word, Free, key "solver", option "SPG Solver",
        help "auto (by an estimate), search of strategies, of positions (any start, exact number of games), or both, compared";
    /// True if strategies are only counted by their free moves, without searching them.
    histogram: bool = false, flag, Free, key "histogram",
        help "only count strategies by free moves, do not search them";
    /// Claims before this one are skipped.
    from_claim: u64 = 0, number(0, u64::MAX), Free, key "from-strategy", aliases ["from"],
        help "skip the claims of the tree before this number (strategy 12.3 belongs to claim 12)";
    /// Number of solutions that the author intends, 1 by default.
    intended: usize = 1, number(0, u64::MAX), Free, key "intended",
        help "number of intended solutions, 1 by default";
    /// Memory of the position table, in bytes.
    table_bytes: u64 = 256 << 20, mebibytes(1, 1 << 20), Free, option "SPG Memory",
        help "memory for the table of positions that failed, MiB";
    /// Number of parts of the table, as a power of two.
    table_splits: u8 = 0, number(0, SPLITS_MAX as u64), Free,
        key "cache-splits", option "SPG Cache Splits", aliases ["positionCacheSplitExponent"],
        help "number of memory blocks of the table of positions, as a power of two";
    /// Number of moves after which a strategy is analysed deeply; one that takes many times as long
    /// is split into cases.
    trial_max: u64 = SearchOptions::default().trial_max, number(0, u64::MAX), Free;
    /// Number of workers that enumerate, from the first; 0 for all.
    seekers: usize = 0, number(0, WORKERS_MAX), Free,
        key "seekers", option "SPG Seekers", aliases ["strategySeekers", "numberOfStrategySeekers"],
        help "workers that enumerate strategies; 0 for all of Threads";
    /// Number of workers that search, from the last; 0 for all. Seekers that do not search wait
    /// when the queue is full.
    players: usize = 0, number(0, WORKERS_MAX), Free,
        key "players", option "SPG Players", aliases ["strategyPlayers", "numberOfStrategyPlayers"],
        help "workers that play strategies; 0 for all of Threads";
    /// Number of threads per strategy; 0 counts as 1.
    threads_per_strategy: usize = 1, number(1, 64), Free,
        key "threads-per-strategy", option "SPG Threads Per Strategy",
        aliases ["SPG_Slaves", "slaves", "slavePlayers", "numberOfSlavePlayers"],
        help "threads with which each player plays a slow strategy";
    /// Half-move before which threads of one strategy avoid each other's positions; 0 for all
    /// half-moves.
    team_sync_plies: u16 = 0, number(0, PLIES_MAX as u64), Free,
        key "strategy-sync-depth", option "SPG Strategy Sync Depth",
        aliases ["SPG_Slave_Sync_Depth", "slave-sync-depth", "slavePlayerHalfMoveSyncDepth"],
        help "half-move before which the threads of a strategy divide the work; 0 for every half-move";
}
