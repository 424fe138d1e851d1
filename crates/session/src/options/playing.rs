//! The options of the playing engine: time, strength, books and tables, experiments.

use super::{Kind, Options, Spec};
use umbrail_search::{ELO_MAX, ELO_MIN};

type Get<T> = fn(&Options) -> T;
type Set<T> = fn(&mut Options, T);

const fn check(name: &'static str, get: Get<bool>, set: Set<bool>, help: &'static str) -> Spec {
    Spec::new(name, Kind::Check { get, set }, help)
}

const fn spin(
    name: &'static str,
    (min, max): (i64, i64),
    get: Get<i64>,
    set: Set<i64>,
    help: &'static str,
) -> Spec {
    Spec::new(name, Kind::Spin { get, set, min, max }, help)
}

const fn file(
    name: &'static str,
    get: fn(&Options) -> &str,
    set: Set<String>,
    help: &'static str,
) -> Spec {
    Spec::new(name, Kind::File { get, set }, help)
}

/// The options, in the order in which they are offered.
pub(super) const SPECS: &[Spec] = &[
    spin(
        "Slow Mover",
        (10, 500),
        |o| i64::from(o.search.slow_mover),
        |o, v| o.search.slow_mover = v as u32,
        "time per move, in per cent of the usual time",
    ),
    check(
        "Blitz Slow Mover",
        |o| o.search.blitz_slow_mover,
        |o, v| o.search.blitz_slow_mover = v,
        "use 10 to 20 per cent less time in short games with small increments",
    ),
    spin(
        "nodestime",
        (0, 10000),
        |o| i64::from(o.search.nodestime),
        |o, v| o.search.nodestime = v as u32,
        "nodes that count as one millisecond; 0 for real time",
    ),
    check(
        "SoftNodes",
        |o| o.soft_nodes,
        |o, v| o.soft_nodes = v,
        "go nodes N ends with the iteration in which N is reached, at ten times N at the latest",
    ),
    spin(
        "Contempt",
        (-100, 100),
        |o| i64::from(o.search.contempt),
        |o, v| o.search.contempt = v as i32,
        "penalty of a draw, centipawns",
    ),
    spin(
        "Skill Level",
        (0, 20),
        |o| i64::from(o.search.skill),
        |o, v| o.search.skill = v as u8,
        "playing strength; 20 is full strength",
    ),
    check(
        "UCI_LimitStrength",
        |o| o.search.limit_strength,
        |o, v| o.search.limit_strength = v,
        "limit the playing strength to UCI_Elo",
    ),
    spin(
        "UCI_Elo",
        (ELO_MIN as i64, ELO_MAX as i64),
        |o| i64::from(o.search.elo),
        |o, v| o.search.elo = v as u32,
        "rating of the limited playing strength",
    ),
    check(
        "OwnBook",
        |o| o.search.own_book,
        |o, v| o.search.own_book = v,
        "play opening moves from the Book File",
    ),
    file(
        "Book File",
        |o| &o.search.book_file,
        |o, v| o.search.book_file = v,
        "opening book in the Polyglot format; empty for none",
    ),
    spin(
        "Book Depth",
        (0, 1000),
        |o| i64::from(o.search.book_depth),
        |o, v| o.search.book_depth = v as u32,
        "last move number that is played from the book",
    ),
    file(
        "Experience File",
        |o| &o.search.experience_file,
        |o, v| o.search.experience_file = v,
        "file that stores results of searches and gives hints for later ones; empty for none",
    ),
    check(
        "Use NNUE",
        |o| o.search.use_nnue,
        |o, v| o.search.use_nnue = v,
        "evaluate positions with the built-in network, or that of EvalFile, instead of the hand-written evaluation",
    ),
    file(
        "EvalFile",
        |o| &o.search.eval_file,
        |o, v| o.search.eval_file = v,
        "network written by umbrail train; empty for the built-in one",
    ),
    Spec::new(
        "Search Constants",
        Kind::Constants,
        "margins, depths and weights of the search that differ from the defaults, such as lmr_base=90,aspiration=10; for tuning",
    ),
    Spec::new(
        "SyzygyPath",
        Kind::Folder { get: |o| &o.search.syzygy_path, set: |o, v| o.search.syzygy_path = v },
        "folders with Syzygy endgame tables; empty for none",
    ),
    spin(
        "SyzygyProbeDepth",
        (1, 100),
        |o| i64::from(o.search.syzygy_probe_depth),
        |o, v| o.search.syzygy_probe_depth = v as u32,
        "minimal depth for probing the largest Syzygy tables",
    ),
    spin(
        "SyzygyProbeLimit",
        (0, 7),
        |o| i64::from(o.search.syzygy_probe_limit),
        |o, v| o.search.syzygy_probe_limit = v as u32,
        "maximal number of pieces for probing Syzygy tables",
    ),
    check(
        "Syzygy50MoveRule",
        |o| o.search.syzygy_fifty,
        |o, v| o.search.syzygy_fifty = v,
        "count Syzygy wins that the fifty-move rule prevents as draws",
    ),
];
