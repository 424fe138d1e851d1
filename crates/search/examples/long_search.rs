//! Searches quiet openings for long and checks that scores and effort stay sound.
//!
//! `long_search [--nodes N] [--threads N] [--hash MIB] [--constants LIST] [--opening NAME]`, by default 25,000,000 nodes for
//! each opening with one thread and a table of 64 MiB. Prints depth, nodes and score for each iteration, and ends with
//! exit status 1 if in some opening
//!
//! - the score of an iteration beyond 1,000,000 nodes differs by more than [`STEP_MAX`] from the one before,
//! - or an iteration beyond 1,000,000 nodes takes more than [`EFFORT_MAX`] times the nodes of all before it, finished or not.
//!
//! Statistics that feed themselves do no harm in short searches, so the bench and matches at a few thousand nodes a move
//! do not see them.

use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;
use umbrail_chess::Position;
use umbrail_chess::geometry::Setup;
use umbrail_control::{Cancel, Clock, Control, Pool, Progress, read_file};
use umbrail_search::{
    Bound, Engine, Limits, Score, SearchInfo, SearchParams, SearchRequest, WIN_MODEL, solve,
};

/// Greatest difference between the scores of two iterations, in centipawns as UCI shows them.
const STEP_MAX: i32 = 60;
/// Greatest effort of an iteration, as a multiple of all before it.
const EFFORT_MAX: u64 = 5;
/// Iterations that end before are not judged, nodes.
const SETTLED: u64 = 1_000_000;

/// Quiet openings: name and moves from the initial position.
const OPENINGS: [(&str, &str); 12] = [
    ("start", ""),
    ("kings-pawn", "e2e4"),
    ("sicilian", "e2e4 c7c5 g1f3"),
    ("caro-kann", "e2e4 c7c6 d2d4 d7d5 b1c3 d5e4 c3e4 c8f5 e4g3 f5g6 h2h4 h7h6"),
    ("philidor", "e2e4 d7d6 d2d4 g8f6 b1c3 e7e5 g1f3 b8d7 f1c4 f8e7 e1g1 e8g8"),
    ("indian", "d2d4 g8f6 c2c4 e7e6"),
    ("queens-gambit", "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8"),
    ("kings-indian", "d2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6 g1f3 e8g8 f1e2 e7e5"),
    ("ruy-lopez", "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7"),
    ("english", "c2c4 e7e5 b1c3 g8f6 g1f3 b8c6 g2g3"),
    ("slav", "d2d4 d7d5 c2c4 c7c6 g1f3 g8f6 b1c3 d5c4 a2a4 c8f5"),
    ("hedgehog", "c2c4 c7c5 g1f3 g8f6 b1c3 e7e6 g2g3 b7b6 f1g2 c8b7 e1g1 f8e7 d2d4 c5d4 d1d4 d7d6"),
];

/// What the command line sets.
struct Arguments {
    nodes: u64,
    threads: usize,
    hash_mib: usize,
    constants: String,
    opening: Option<String>,
}

fn arguments() -> Result<Arguments, String> {
    let mut arguments = Arguments {
        nodes: 25_000_000,
        threads: 1,
        hash_mib: 64,
        constants: String::new(),
        opening: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} expects a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("{word} expects a number"));
        match word.as_str() {
            "--nodes" => arguments.nodes = number()?,
            "--threads" => arguments.threads = number()?.clamp(1, 512) as usize,
            "--hash" => arguments.hash_mib = number()?.clamp(1, 65_536) as usize,
            "--constants" => arguments.constants = value,
            "--opening" => arguments.opening = Some(value),
            _ => return Err(format!("unknown argument {word}")),
        }
    }
    Ok(arguments)
}

/// A finished iteration.
struct Iteration {
    depth: u32,
    nodes: u64,
    /// Centipawns as UCI shows them; mates count as 10,000.
    shown: i32,
}

/// The position after these moves, and the keys of the positions before.
fn play(moves: &str) -> (Position, Vec<u64>) {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let mut position = Position::try_from(&start.parse::<Setup>().unwrap()).unwrap();
    let mut keys = Vec::new();
    for text in moves.split_whitespace() {
        let legal = position.legal_moves();
        let mv = legal.into_iter().find(|&mv| umbrail_chess::to_uci(&position, mv, false) == text);
        keys.push(position.key());
        position = position.after(mv.unwrap_or_else(|| panic!("{text} is not legal")));
    }
    (position, keys)
}

/// Searches an opening and returns its finished iterations and the nodes of the whole search.
fn search(moves: &str, arguments: &Arguments, params: &SearchParams) -> (Vec<Iteration>, u64) {
    let pool = Pool::new(arguments.threads).expect("threads");
    let engine = Engine::new(arguments.hash_mib);
    let faults = engine.configure(params, &|path| read_file(path, &|| false));
    assert!(faults.is_empty(), "{faults:?}");
    let (progress, clock) = (Progress::default(), Clock::started(Instant::now()));
    let (position, history) = play(moves);
    let found = Mutex::new(Vec::new());
    let report = |info: SearchInfo| {
        if let SearchInfo::Depth(line) = info
            && line.bound == Bound::Exact
        {
            let shown = match WIN_MODEL.shown(line.score, &position) {
                Score::Cp(cp) => cp,
                Score::Mate(moves) => 10_000 * moves.signum(),
            };
            let iteration = Iteration { depth: line.depth, nodes: line.nodes, shown };
            found.lock().unwrap().push(iteration);
        }
    };
    let control = Control::new(Cancel::default(), &clock, &progress, &pool, &report);
    let limits = Limits { nodes: Some(arguments.nodes), ..Limits::default() };
    let request = SearchRequest { position, history, limits, root_moves: None, multipv: 1 };
    solve(&engine, &request, params, &control);
    (found.into_inner().unwrap(), progress.nodes.get())
}

/// Complaints about the iterations of a search.
fn faults(iterations: &[Iteration], total: u64) -> Vec<String> {
    let mut faults = Vec::new();
    let mut before: Option<&Iteration> = None;
    for iteration in iterations {
        if let Some(before) = before.filter(|it| it.nodes >= SETTLED) {
            let step = iteration.shown - before.shown;
            if step.abs() > STEP_MAX {
                faults.push(format!("depth {}: score changes by {step}", iteration.depth));
            }
            let effort = iteration.nodes - before.nodes;
            if effort > EFFORT_MAX * before.nodes {
                faults.push(format!("depth {}: {effort} nodes", iteration.depth));
            }
        }
        before = Some(iteration);
    }
    if let Some(last) = before.filter(|it| it.nodes >= SETTLED)
        && total - last.nodes > EFFORT_MAX * last.nodes
    {
        faults.push(format!("depth {}: unfinished at {total} nodes", last.depth + 1));
    }
    faults
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(why) => {
            eprintln!("long_search: {why}");
            return ExitCode::from(2);
        }
    };
    let constants = match arguments.constants.parse() {
        Ok(constants) => constants,
        Err(why) => {
            eprintln!("long_search: {why}");
            return ExitCode::from(2);
        }
    };
    let params =
        SearchParams { hash_mib: arguments.hash_mib, constants, ..SearchParams::default() };
    let mut sound = true;
    for (name, moves) in OPENINGS {
        if arguments.opening.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let (iterations, total) = search(moves, &arguments, &params);
        let table: Vec<String> = (iterations.iter().filter(|it| it.nodes >= SETTLED / 4))
            .map(|it| format!("{}:{}@{:.1}M", it.depth, it.shown, it.nodes as f64 / 1e6))
            .collect();
        println!("{name:<14} {}  total {:.1}M", table.join(" "), total as f64 / 1e6);
        for fault in faults(&iterations, total) {
            println!("{name:<14} FAULT {fault}");
            sound = false;
        }
    }
    if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
