//! The options of the endgame tables.

use super::{Kind, Spec};
use umbrail_tables::Metric;

/// Values of the table options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableOptions {
    /// Endgame that is played from its table; empty for none.
    pub endgame: String,
    /// Metric of wins.
    pub metric: Metric,
    /// The losing side may pass.
    pub null_move: bool,
    /// Stalemate wins.
    pub stalemate_wins: bool,
    /// A stalemated side passes; takes precedence over `stalemate_wins`.
    pub forced_pass: bool,
    /// A side that has lost all its pieces except the royal piece has lost.
    pub bare_loses: bool,
    /// File with positions won by decree; empty for none.
    pub seed_file: String,
    /// File with definitions of pieces; empty for the built-in ones.
    pub piece_file: String,
    /// Folder where finished tables are stored and found again; empty for none.
    pub folder: String,
    /// Memory limit for building and holding tables, in MiB.
    pub memory_mib: u64,
    /// EGTgen's dialogue at a terminal. Not a declared option: the old command line sets it.
    pub dialogue: bool,
    /// Write `rep2.txt` into the working folder when the endgame is built. Not a declared option:
    /// the old command line sets it.
    pub rep2: bool,
}

impl Default for TableOptions {
    fn default() -> Self {
        Self {
            endgame: String::new(),
            metric: Metric::default(),
            null_move: false,
            stalemate_wins: false,
            forced_pass: false,
            bare_loses: false,
            seed_file: String::new(),
            piece_file: String::new(),
            folder: String::new(),
            memory_mib: 4096,
            dialogue: false,
            rep2: false,
        }
    }
}

/// Values of the option "EGT Metric"; EGTgen's own count is only for its own output files.
const METRICS: [Metric; 3] = [Metric::Dtc, Metric::Dtm, Metric::Dtz];

/// An option with its former name.
const fn named(
    name: &'static str,
    aliases: &'static [&'static str],
    kind: Kind,
    help: &'static str,
) -> Spec {
    Spec { aliases, ..Spec::new(name, kind, help) }
}

/// The options, in the order in which they are offered.
pub(super) const SPECS: &[Spec] = &[
    named(
        "EGT Endgame",
        &["Endgame"],
        Kind::Text { get: |o| &o.tables.endgame, set: |o, v| o.tables.endgame = v },
        "endgame such as KQ.KR whose positions are played from its table; empty for none",
    ),
    named(
        "EGT Metric",
        &["Metric"],
        Kind::Combo {
            get: |o| METRICS.iter().position(|m| *m == o.tables.metric).unwrap_or(0),
            set: |o, v| o.tables.metric = METRICS.get(v).copied().unwrap_or_default(),
            names: &["DTC", "DTM", "DTZ"],
            synonyms: &[],
        },
        "distance metric: to conversion, to mate, or to zeroing (fifty-move rule)",
    ),
    named(
        "EGT Null Move",
        &["Null Move"],
        Kind::Check { get: |o| o.tables.null_move, set: |o, v| o.tables.null_move = v },
        "rule of tables: the losing side may pass",
    ),
    named(
        "EGT Stalemate Wins",
        &["Stalemate Wins"],
        Kind::Check { get: |o| o.tables.stalemate_wins, set: |o, v| o.tables.stalemate_wins = v },
        "rule of tables: stalemate wins",
    ),
    named(
        "EGT Forced Pass",
        &["Forced Pass"],
        Kind::Check { get: |o| o.tables.forced_pass, set: |o, v| o.tables.forced_pass = v },
        "rule of tables: a stalemated side passes",
    ),
    named(
        "EGT Bare Royal Loses",
        &["Bare Royal Loses"],
        Kind::Check { get: |o| o.tables.bare_loses, set: |o, v| o.tables.bare_loses = v },
        "rule of tables: a side with only its royal piece has lost",
    ),
    named(
        "EGT Seed File",
        &["Seed File"],
        Kind::File { get: |o| &o.tables.seed_file, set: |o, v| o.tables.seed_file = v },
        "file with positions of the endgame that are won or drawn by decree",
    ),
    named(
        "EGT Piece File",
        &["Piece File"],
        Kind::File { get: |o| &o.tables.piece_file, set: |o, v| o.tables.piece_file = v },
        "file with definitions of pieces for tables, such as piecedef.ini",
    ),
    named(
        "EGT Folder",
        &["Table Folder"],
        Kind::Folder { get: |o| &o.tables.folder, set: |o, v| o.tables.folder = v },
        "folder in which finished tables are stored and looked up",
    ),
    named(
        "EGT Memory",
        &["Table Memory"],
        Kind::Spin {
            get: |o| o.tables.memory_mib.try_into().unwrap_or(i64::MAX),
            set: |o, v| o.tables.memory_mib = v.unsigned_abs(),
            min: 1,
            max: 1 << 20,
        },
        "memory limit of tables while they are built and kept, MiB; umbrail egt uses three quarters of what the process may have by default",
    ),
];
