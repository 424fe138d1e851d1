//! The options of the program as a whole.

use super::{Button, HASH_MAX_MIB, Kind, Spec, THREADS_MAX};
use crate::domain::Domain;

/// Value of `UCI_EngineAbout`.
const ABOUT: &str =
    concat!("Umbrail ", env!("CARGO_PKG_VERSION"), ": free software, licence GPL-3.0-or-later");

/// Values of `UCI_Variant`: chess, and the games of the tables.
pub(super) const VARIANTS: &[&str] = &[
    "chess",
    "capablanca",
    "gardner",
    "gothic",
    "grand",
    "losalamos",
    "makruk",
    "shatranj",
    "xiangqi",
];

/// The options, in the order in which they are offered.
pub(super) const SPECS: &[Spec] = &[
    Spec::new(
        "Hash",
        Kind::Spin {
            get: |o| o.search.hash_mib as i64,
            set: |o, v| o.search.hash_mib = v as usize,
            min: 1,
            max: HASH_MAX_MIB,
        },
        "size of the transposition table, MiB",
    ),
    Spec::new(
        "Threads",
        Kind::Spin {
            get: |o| o.threads as i64,
            set: |o, v| o.threads = v as usize,
            min: 1,
            max: THREADS_MAX,
        },
        "number of threads of every solver; umbrail egt and spg use all processors by default",
    ),
    Spec::new(
        "MultiPV",
        Kind::Spin {
            get: |o| o.multipv as i64,
            set: |o, v| o.multipv = v as usize,
            min: 1,
            max: 256,
        },
        "number of best lines",
    ),
    Spec::new(
        "Ponder",
        Kind::Check { get: |o| o.ponder, set: |o, v| o.ponder = v },
        "think on the opponent's time; the expected reply is reported",
    ),
    Spec::new(
        "Move Overhead",
        Kind::Spin {
            get: |o| o.search.move_overhead_ms as i64,
            set: |o, v| o.search.move_overhead_ms = v as u64,
            min: 0,
            max: 10_000,
        },
        "time lost between engine and GUI per move, ms",
    ),
    Spec::new("Clear Hash", Kind::Button(Button::ClearHash), "empty the transposition table"),
    Spec::new(
        "UCI_Chess960",
        Kind::Check { get: |o| o.chess960, set: |o, v| o.chess960 = v },
        "Chess960: castling from any square, written as king takes own rook",
    ),
    Spec::new(
        "UCI_Variant",
        Kind::Combo {
            get: |o| VARIANTS.iter().position(|name| *name == o.variant).unwrap_or(0),
            set: |o, at| o.variant = VARIANTS.get(at).copied().unwrap_or(VARIANTS[0]),
            names: VARIANTS,
            synonyms: &[("standard", "chess"), ("normal", "chess")],
        },
        "variant: chess, or a game whose endings are played from tables",
    ),
    Spec::new(
        "UCI_AnalyseMode",
        Kind::Check { get: |o| o.analyse, set: |o, v| o.analyse = v },
        "analysis mode: report the current root move from the start; no book, contempt or handicap",
    ),
    Spec::new(
        "UCI_ShowWDL",
        Kind::Check { get: |o| o.show_wdl, set: |o, v| o.show_wdl = v },
        "report win, draw and loss probabilities, in thousandths",
    ),
    Spec::new(
        "UCI_Opponent",
        Kind::Text { get: |o| &o.opponent, set: |o, v| o.opponent = v },
        "title, rating, kind and name of the opponent, for the log",
    ),
    Spec::new("UCI_EngineAbout", Kind::Shown(ABOUT), "about this engine; cannot be changed"),
    Spec {
        aliases: &["Debug Log File"],
        ..Spec::new(
            "Log File",
            Kind::File { get: |o| &o.log_file, set: |o, v| o.log_file = v },
            "log file of all input and output; empty for none",
        )
    },
    Spec::new(
        "Show All Options",
        Kind::Check { get: |o| o.show_all, set: |o, v| o.show_all = v },
        "offer the options of tables, proof games, stenos and clusters, too; they can be set without being offered",
    ),
    Spec::new(
        "Resign",
        Kind::Check { get: |o| o.resigns, set: |o, v| o.resigns = v },
        "XBoard: resign lost games and offer draws in even ones",
    ),
    Spec::new(
        "Solver",
        Kind::Combo {
            get: |o| o.solver.map_or(0, |domain| domain as usize + 1),
            set: |o, at| o.solver = at.checked_sub(1).and_then(|at| Domain::ALL.get(at).copied()),
            names: &["off", "egt", "spg", "steno"],
            synonyms: &[],
        },
        "module that answers go for the diagram on the board instead of the search",
    ),
];
