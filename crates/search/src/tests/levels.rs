//! Tests of weak levels in play.

use super::{position, request};
use crate::{Engine, Limits, SearchParams, solve};
use std::time::Instant;
use umbrail_chess::{Move, Position};
use umbrail_control::{Cancel, Clock, Control, Pool, Progress};

/// Returns the move of an engine with these parameters.
fn choose(engine: &Engine, game: &Game, params: &SearchParams, nodes: u64, pool: &Pool) -> Move {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut request = request("4k3/8/8/8/8/8/8/4K3 w - - 0 1", limits);
    (request.position, request.history) = (game.position, game.history.clone());
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    let control = Control::new(Cancel::default(), &clock, &progress, pool, &|_| {});
    solve(engine, &request, params, &control).best.unwrap()
}

struct Game {
    position: Position,
    history: Vec<u64>,
}

#[test]
fn a_level_of_1000_mates_with_a_rook_within_fifty_moves() {
    let weak = SearchParams { limit_strength: true, elo: 1_000, ..SearchParams::default() };
    let pool = Pool::new(1).unwrap();
    for fen in [
        "8/8/8/3k4/8/8/8/R3K3 w - - 0 1",
        "8/8/4k3/8/8/1R6/8/K7 w - - 0 1",
        "8/8/8/8/3k4/4R3/8/7K w - - 0 1",
        "1K6/8/8/4k3/8/8/8/6Q1 w - - 0 1",
    ] {
        let mut game = Game { position: position(fen), history: vec![] };
        let (attacker, defender) = (Engine::new(1), Engine::new(1));
        while !game.position.legal_moves().is_empty() {
            assert!(game.history.len() < 100, "{fen}: no mate");
            let mv = match game.position.turn().is_white() {
                true => choose(&attacker, &game, &weak, u64::MAX, &pool),
                false => choose(&defender, &game, &SearchParams::default(), 2_000, &pool),
            };
            game.history.push(game.position.key());
            game.position = game.position.after(mv);
        }
        assert!(game.position.is_mate(), "{fen}: {}", game.position.to_setup());
    }
}
