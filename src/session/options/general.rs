//! The options of the program as a whole.

use super::{Button, HASH_MAX_MIB, Kind, Spec, THREADS_MAX};
use crate::session::domain::Domain;

/// Shown as `UCI_EngineAbout`.
const ABOUT: &str =
    concat!("Umbrail ", env!("CARGO_PKG_VERSION"), ": free software, licence GPL-3.0-or-later");

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
        "memory for positions already searched, MiB",
    ),
    Spec::new(
        "Threads",
        Kind::Spin {
            get: |o| o.threads as i64,
            set: |o, v| o.threads = v as usize,
            min: 1,
            max: THREADS_MAX,
        },
        "workers, for every solver; umbrail egt and spg take all processors if nobody says how many",
    ),
    Spec::new(
        "MultiPV",
        Kind::Spin {
            get: |o| o.multipv as i64,
            set: |o, v| o.multipv = v as usize,
            min: 1,
            max: 256,
        },
        "how many best lines to show",
    ),
    Spec::new(
        "Ponder",
        Kind::Check { get: |o| o.ponder, set: |o, v| o.ponder = v },
        "think on the opponent's time, and name the reply expected",
    ),
    Spec::new(
        "Move Overhead",
        Kind::Spin {
            get: |o| o.search.move_overhead_ms as i64,
            set: |o, v| o.search.move_overhead_ms = v as u64,
            min: 0,
            max: 10_000,
        },
        "time lost between engine and clock per move, ms",
    ),
    Spec::new("Clear Hash", Kind::Button(Button::ClearHash), "forget every position searched"),
    Spec::new(
        "UCI_Chess960",
        Kind::Check { get: |o| o.chess960, set: |o, v| o.chess960 = v },
        "Chess960: castling is written as king takes own rook",
    ),
    Spec::new(
        "UCI_AnalyseMode",
        Kind::Check { get: |o| o.analyse, set: |o, v| o.analyse = v },
        "analysis: tell the root move at work from the start; no book, contempt or handicap",
    ),
    Spec::new(
        "UCI_ShowWDL",
        Kind::Check { get: |o| o.show_wdl, set: |o, v| o.show_wdl = v },
        "add chances of win, draw and loss, in thousandths, to each line",
    ),
    Spec::new(
        "UCI_Opponent",
        Kind::Text { get: |o| &o.opponent, set: |o, v| o.opponent = v },
        "title, rating, kind and name of the opponent, for the log",
    ),
    Spec::new("UCI_EngineAbout", Kind::Shown(ABOUT), "who this is; cannot be changed"),
    Spec::new(
        "Log File",
        Kind::Text { get: |o| &o.log_file, set: |o, v| o.log_file = v },
        "write every line heard and said to this file; empty for none",
    ),
    Spec::new(
        "Solver",
        Kind::Combo {
            get: |o| o.solver.map_or(0, |domain| domain as usize + 1),
            set: |o, at| o.solver = at.checked_sub(1).and_then(|at| Domain::ALL.get(at).copied()),
            names: &["off", "egt", "spg", "steno"],
            synonyms: &[],
        },
        "who answers go for the diagram on the board, instead of the search",
    ),
];
