//! Positions where having to move is a misfortune: they tell whether passing prunes too much. XP4 must
//! not solve fewer of them than the baseline.

use std::time::Instant;
use umbrail_chess::geometry::Setup;
use umbrail_chess::{Position, parse_san};
use umbrail_control::{Cancel, Clock, Control, Pool, Progress};
use umbrail_search::{Engine, Limits, SearchParams, SearchRequest, solve};

/// How many positions are solved at these nodes.
fn solved(nmp_soft: bool, nodes: u64) -> usize {
    let suite = include_str!("golden/zugzwang.epd");
    let pool = Pool::new(1).expect("a thread");
    let mut params = SearchParams { hash_mib: 4, ..SearchParams::default() };
    params.experiments.nmp_soft = nmp_soft;
    let solves = |line: &&str| {
        let (fields, best) = line.split_once(" bm ").expect("a best move");
        let setup: Setup = fields.parse().expect("a position");
        let position = Position::try_from(&setup).expect("a legal position");
        let best = best.split(';').next().unwrap_or("").split_whitespace();
        let best: Vec<_> = best.map(|san| parse_san(&position, san).expect("a move")).collect();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let request =
            SearchRequest { position, history: vec![], limits, root_moves: None, multipv: 1 };
        let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
        let control = Control::new(Cancel::default(), &clock, &progress, &pool, &|_| {});
        let answer = solve(&Engine::new(params.hash_mib), &request, &params, &control);
        answer.best.is_some_and(|mv| best.contains(&mv))
    };
    suite.lines().filter(|line| !line.starts_with('#')).filter(solves).count()
}

#[test]
fn as_many_zugzwangs_are_solved_as_documented() {
    assert_eq!((solved(false, 30_000), solved(true, 30_000)), GOLDEN);
}

/// Of 30 at 30,000 nodes: the baseline and XP4.
const GOLDEN: (usize, usize) = (13, 12);
