//! Tests of the public interface: results, mates, limits, reproducibility.

mod levels;
mod mates;

use super::{
    Bound, Ended, Engine, GameClock, Limits, PvLine, Score, SearchAnswer, SearchInfo, SearchParams,
    SearchRequest, solve,
};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use umbrail_chess::geometry::Setup;
use umbrail_chess::{Move, Position, parse_uci, to_uci};
use umbrail_control::{Cancel, Clock, Control, Pool, Progress};

fn position(fen: &str) -> Position {
    Position::try_from(&fen.parse::<Setup>().unwrap()).unwrap()
}

fn request(fen: &str, limits: Limits) -> SearchRequest {
    SearchRequest {
        position: position(fen),
        history: Vec::new(),
        limits,
        root_moves: None,
        multipv: 1,
    }
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn run_on(
    engine: &Engine,
    request: &SearchRequest,
    threads: usize,
) -> (SearchAnswer, Vec<SearchInfo>, u64) {
    let reported = Mutex::new(Vec::new());
    let notify = |fact: SearchInfo| reported.lock().unwrap().push(fact);
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    let pool = Pool::new(threads).unwrap();
    let control = Control::new(Cancel::default(), &clock, &progress, &pool, &notify);
    let answer = solve(engine, request, &SearchParams::default(), &control);
    (answer, reported.into_inner().unwrap(), progress.nodes.get())
}

fn run(fen: &str, limits: Limits) -> SearchAnswer {
    run_on(&Engine::new(4), &request(fen, limits), 1).0
}

fn plays(fen: &str, limits: Limits, expected: &str) {
    let answer = run(fen, limits);
    let position = position(fen);
    assert_eq!(
        answer.best.map(|mv| to_uci(&position, mv, false)).as_deref(),
        Some(expected),
        "{fen}"
    );
}

#[test]
fn mates_are_found_and_counted() {
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1),
        ("r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ] {
        let answer = run(fen, depth(8));
        let line = answer.line.unwrap();
        assert_eq!(line.score, Score::Mate(moves), "{fen}");
        let mut end = position(fen);
        for &mv in &line.pv {
            assert!(end.is_legal(mv));
            end = end.after(mv);
        }
        assert!(end.is_mate(), "{fen}: the line ends in mate");
        assert_eq!(line.pv.len() as i32, 2 * moves - 1, "{fen}");
    }
}

/// Regression: averages with mates gave scores of 70 to 318 pawns that no line proved, and repeated
/// moves.
#[test]
fn a_bare_king_is_mated_and_no_score_lies_between_material_and_mate() {
    let engine = Engine::new(4);
    let fens = [
        "8/8/8/4k3/8/8/8/3QK3 w - - 0 1",
        "8/8/8/3k4/8/8/8/R3K3 w - - 0 1",
        "8/8/3k4/8/8/4R3/8/7K w - - 0 1",
        "8/8/8/3k4/8/8/8/2B1KB2 w - - 0 1",
    ];
    let mut looked_at = 0;
    // In the second round the table is full of entries of the first games.
    for fen in fens.into_iter().chain(fens) {
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let mut request = request(fen, limits);
        while !request.position.is_mate() {
            assert!(request.history.len() < 120, "{fen}: no mate");
            let (answer, reported, _) = run_on(&engine, &request, 1);
            for info in reported {
                let SearchInfo::Depth(line) = info else { continue };
                looked_at += 1;
                let sound = matches!(line.score, Score::Mate(_))
                    || matches!(line.score, Score::Cp(cp) if cp.abs() < 3_000);
                assert!(sound, "{fen} {}: {}", request.history.len(), line.score);
            }
            request.history.push(request.position.key());
            request.position = request.position.after(answer.best.unwrap());
        }
    }
    assert!(looked_at > 1_000, "{looked_at}");
}

#[test]
fn a_position_without_moves_has_no_best_move() {
    for fen in ["7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"] {
        let answer = run(fen, depth(5));
        assert!(answer.best.is_none() && answer.line.is_none());
    }
}

#[test]
fn hanging_pieces_are_taken() {
    plays("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", depth(4), "e4d5");
    plays("4k3/8/8/8/8/P7/q7/1K6 w - - 0 1", depth(4), "b1a2");
}

#[test]
fn node_limits_are_exact() {
    for nodes in [100, 101, 5_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let (answer, _, counted) = run_on(&Engine::new(1), &request(Setup::START_FEN, limits), 1);
        assert!(answer.best.is_some());
        assert!(counted <= nodes, "{counted} of {nodes}");
        assert!(counted + 1 >= nodes, "{counted} of {nodes}");
    }
}

#[test]
fn the_smallest_search_scores_every_root_move() {
    for (fen, moves) in [
        (Setup::START_FEN, 20),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 48),
    ] {
        for multipv in [1, 500] {
            let limits = Limits { nodes: Some(1), ..Limits::default() };
            let asked = SearchRequest { multipv, ..request(fen, limits) };
            let (answer, reported, nodes) = run_on(&Engine::new(1), &asked, 1);
            let lines: Vec<_> = (reported.iter())
                .filter_map(|fact| match fact {
                    SearchInfo::Depth(line) => Some((line.depth, line.multipv)),
                    _ => None,
                })
                .collect();
            let expected: Vec<_> = (1..=multipv.min(moves)).map(|rank| (1, rank)).collect();
            assert_eq!(lines, expected, "{fen}");
            assert!(answer.line.is_some() && nodes < 60_000, "{fen}: {nodes}");
        }
    }
}

/// A search that started this long ago, in one worker.
fn run_late(fen: &str, limits: Limits, age: Duration) -> (Vec<PvLine>, Progress) {
    let reported = Mutex::new(Vec::new());
    let notify = |fact: SearchInfo| {
        if let SearchInfo::Depth(line) = fact {
            reported.lock().unwrap().push(line);
        }
    };
    let (clock, progress) = (Clock::started(Instant::now() - age), Progress::default());
    let pool = Pool::new(1).unwrap();
    let control = Control::new(Cancel::default(), &clock, &progress, &pool, &notify);
    solve(&Engine::new(1), &request(fen, limits), &SearchParams::default(), &control);
    (reported.into_inner().unwrap(), progress)
}

#[test]
fn a_long_search_reports_bounds() {
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 1";
    let (lines, _) = run_late(fen, depth(12), Duration::from_secs(2));
    let bounds: Vec<_> = lines.iter().filter(|line| line.bound != Bound::Exact).collect();
    assert!(!bounds.is_empty());
    for line in &bounds {
        assert!(!line.pv.is_empty() && matches!(line.score, Score::Cp(_)), "{line:?}");
    }
    let exact = lines.iter().filter(|line| line.bound == Bound::Exact).map(|line| line.depth);
    assert_eq!(exact.collect::<Vec<_>>(), (1..=12).collect::<Vec<_>>());
    assert!(lines.is_sorted_by_key(|line| line.depth));
    // A decisive score needs no bound: the mate is near.
    let mate = "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1";
    let (lines, _) = run_late(mate, depth(9), Duration::from_secs(2));
    assert!(lines.iter().all(|line| {
        line.bound == Bound::Exact || matches!(line.score, Score::Cp(cp) if cp.abs() < 26_000)
    }));
}

#[test]
fn the_occupancy_of_the_table_is_sampled() {
    let limits = Limits { nodes: Some(60_000), ..Limits::default() };
    let (_, progress) = run_late(Setup::START_FEN, limits, Duration::ZERO);
    assert!(progress.fullness.get() > 0);
}

#[test]
fn time_limits_are_kept() {
    let start = Instant::now();
    let limits = Limits { movetime: Some(Duration::from_millis(60)), ..Limits::default() };
    assert!(run(Setup::START_FEN, limits).best.is_some());
    assert!(start.elapsed() < Duration::from_millis(400));
}

#[test]
fn the_same_search_is_the_same_search() {
    let mut engine = Engine::new(4);
    let count = |engine: &Engine| run_on(engine, &request(Setup::START_FEN, depth(8)), 1).2;
    let first = count(&engine);
    let warm = count(&engine);
    engine.clear();
    assert_eq!(count(&engine), first);
    assert_ne!(first, warm, "the table helps the second time");
}

#[test]
fn several_lines_are_reported_in_order() {
    let mut asked = request(Setup::START_FEN, depth(6));
    asked.multipv = 4;
    let (answer, facts, _) = run_on(&Engine::new(4), &asked, 1);
    let last: Vec<_> = facts
        .iter()
        .filter_map(|fact| match fact {
            SearchInfo::Depth(line) if line.depth == 6 => Some(line),
            _ => None,
        })
        .collect();
    assert_eq!(last.iter().map(|line| line.multipv).collect::<Vec<_>>(), [1, 2, 3, 4]);
    let firsts: std::collections::HashSet<Move> = last.iter().map(|line| line.pv[0]).collect();
    assert_eq!(firsts.len(), 4);
    assert_eq!(answer.best, Some(last[0].pv[0]));
}

#[test]
fn only_the_asked_root_moves_are_searched() {
    let mut asked = request(Setup::START_FEN, depth(5));
    let only = parse_uci(&asked.position, "a2a3").unwrap();
    asked.root_moves = Some(vec![only]);
    let (answer, _, _) = run_on(&Engine::new(1), &asked, 1);
    assert_eq!(answer.best, Some(only));
}

#[test]
fn two_workers_agree_on_a_mate_and_stop_together() {
    let fen = "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1";
    let (answer, _, _) = run_on(&Engine::new(4), &request(fen, depth(9)), 2);
    assert_eq!(answer.ended, Ended::Complete);
    assert_eq!(answer.line.unwrap().score, Score::Mate(2));
}

#[test]
fn a_repetition_saves_the_loser() {
    // White is lost, except for a perpetual check by Qe8+ and Qh5+.
    let line = run("6k1/6p1/8/7Q/8/8/rq4PP/7K w - - 0 1", depth(9)).line.unwrap();
    assert_eq!(line.score, Score::Cp(0));
}

#[test]
fn a_stop_before_the_start_still_gives_a_legal_move() {
    let cancel = Cancel::default();
    cancel.raise();
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    let pool = Pool::new(1).unwrap();
    let control = Control::new(cancel, &clock, &progress, &pool, &|_| {});
    let asked = request(Setup::START_FEN, Limits { infinite: true, ..Limits::default() });
    let answer = solve(&Engine::new(1), &asked, &SearchParams::default(), &control);
    assert!(answer.best.is_some_and(|mv| asked.position.is_legal(mv)));
}

/// Regression: averages of table wins and evaluations rose over several iterations, from 600 over
/// 3,000 and 7,000 to 28,000.
#[cfg(feature = "syzygy")]
#[test]
fn no_score_lies_between_evaluations_and_table_wins() {
    let syzygy_path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/syzygy").to_owned();
    let params = SearchParams { hash_mib: 16, syzygy_path, ..SearchParams::default() };
    for fen in [
        "8/2k5/8/1p6/8/1K6/P7/R7 w - - 0 1",
        "8/3k4/8/p7/8/1K6/P7/1R6 w - - 0 1",
        "8/8/4k3/8/3p4/8/3PK3/4R3 w - - 0 1",
        "8/8/3k4/4p3/8/3K4/3P4/7Q w - - 0 1",
    ] {
        let engine = Engine::new(16);
        let faults = engine.configure(&params, &|path| umbrail_control::read_file(path, &|| false));
        assert!(faults.is_empty(), "{faults:?}");
        let reported = Mutex::new(Vec::new());
        let notify = |fact: SearchInfo| {
            if let SearchInfo::Depth(line) = fact {
                reported.lock().unwrap().push(line.score);
            }
        };
        let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
        let pool = Pool::new(1).unwrap();
        let control = Control::new(Cancel::default(), &clock, &progress, &pool, &notify);
        solve(&engine, &request(fen, depth(18)), &params, &control);
        assert!(progress.table_hits.get() > 0, "{fen}: the tables take part");
        for score in reported.into_inner().unwrap() {
            let Score::Cp(cp) = score else { continue };
            assert!(!(4_000..26_000).contains(&cp.abs()), "{fen}: {cp}");
        }
    }
}

#[test]
fn after_a_second_each_line_is_reported_when_it_is_searched() {
    let reported = Mutex::new(Vec::new());
    let notify = |fact: SearchInfo| reported.lock().unwrap().push(fact);
    let clock = Clock::started(Instant::now() - Duration::from_secs(2));
    let (progress, pool) = (Progress::default(), Pool::new(1).unwrap());
    let control = Control::new(Cancel::default(), &clock, &progress, &pool, &notify);
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    let request = SearchRequest { multipv: 3, ..request(fen, depth(4)) };
    solve(&Engine::new(4), &request, &SearchParams::default(), &control);
    let reported = reported.into_inner().unwrap();
    let ranks: Vec<usize> = reported
        .iter()
        .filter_map(|fact| match fact {
            SearchInfo::Depth(line) if line.depth == 4 && line.bound == Bound::Exact => {
                Some(line.multipv)
            }
            _ => None,
        })
        .collect();
    assert_eq!(ranks, [1, 2, 3, 1, 2, 3]);
}

#[test]
fn a_ponder_hit_after_a_long_wait_is_answered_at_once() {
    let clock = Clock::standing(Instant::now() - Duration::from_secs(60));
    let hit = Mutex::new(0);
    let notify = |fact: SearchInfo| {
        if let SearchInfo::Depth(line) = fact {
            let mut hit = hit.lock().unwrap();
            if *hit == 0 && line.depth == 5 && line.bound == Bound::Exact {
                clock.start(Instant::now());
                *hit = 5;
            } else if *hit > 0 {
                *hit = line.depth;
            }
        }
    };
    let (progress, pool) = (Progress::default(), Pool::new(1).unwrap());
    let control = Control::new(Cancel::default(), &clock, &progress, &pool, &notify);
    let left = Duration::from_secs(300);
    let game = GameClock { left, base: left, increment: Duration::ZERO, moves_to_go: None };
    let limits = Limits { clock: Some(game), ..Limits::default() };
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    let answer = solve(&Engine::new(4), &request(fen, limits), &SearchParams::default(), &control);
    // Pondering took a minute, and a move of this game about eight seconds.
    assert_eq!((*hit.lock().unwrap(), answer.line.map(|line| line.depth)), (5, Some(5)));
}
