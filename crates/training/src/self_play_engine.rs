//! Self-play: random openings, limits of nodes or time, adjudication by scores.

use crate::play_limit::PlayLimit;
use crate::random::mixed;
use crate::record::{GameRecord, GameResult, Ply};
use std::time::Instant;
use umbrail_chess::geometry::Color;
use umbrail_chess::{Move, Position};
use umbrail_control::{Cancel, Clock, Control, Pool, Progress, read_file};
use umbrail_search::bench::network_only;
use umbrail_search::{Engine, GameClock, Limits, Score, SearchParams, SearchRequest, solve};

/// Largest absolute score of an accepted opening, centipawns.
pub(crate) const OPENING_MAX: i32 = 300;
/// Score beyond which a game is won after [`WIN_PLIES`] plies, centipawns.
const WIN_SCORE: i32 = 1_500;
const WIN_PLIES: u32 = 4;
/// Score within which a game is drawn after [`DRAW_PLIES`] plies, from [`DRAW_FROM`] plies on,
/// centipawns.
const DRAW_SCORE: i32 = 10;
const DRAW_PLIES: u32 = 8;
const DRAW_FROM: usize = 80;
/// Number of plies after which a game is drawn.
const PLIES_MAX: usize = 600;
/// Factor of the soft limit at which a search ends even within an iteration.
const HARD: u64 = 8;

/// Reason why an engine cannot be created.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// The network that the parameters name cannot be used; the reason.
    #[error("{0}")]
    Network(String),
    /// The worker thread of the search cannot be started.
    #[error("no thread for the search: {0}")]
    Thread(String),
}

/// Engine with one thread and a limit for each move.
pub(crate) struct SelfPlayEngine<'a> {
    pub(crate) engine: Engine,
    pub(crate) params: SearchParams,
    pool: &'a Pool,
    limit: PlayLimit,
}

/// Creates a pool of one worker, in which players search.
pub(crate) fn pool() -> Result<Pool, SelfPlayError> {
    Pool::new(1).map_err(|error| SelfPlayError::Thread(error.to_string()))
}

impl<'a> SelfPlayEngine<'a> {
    /// Creates an engine with these parameters and a table of `hash_mib` MiB, which searches in
    /// this pool of one worker. Within that worker ([`Pool::install`]) a search starts immediately.
    /// Elsewhere two threads wait for each other at every move, which costs a fifth of the time at
    /// 200 nodes.
    pub(crate) fn new(
        pool: &'a Pool,
        params: &SearchParams,
        hash_mib: usize,
        limit: PlayLimit,
    ) -> Result<Self, SelfPlayError> {
        let engine = Engine::new(hash_mib);
        let opened = network_only(params);
        if let Some(fault) = engine.configure(&opened, &|path| read_file(path, &|| false)).first() {
            return Err(SelfPlayError::Network(fault.to_string()));
        }
        let mut params = params.clone();
        if let PlayLimit::Clock { nodes_per_ms, .. } = limit {
            params.nodestime = nodes_per_ms;
        }
        Ok(Self { engine, params, pool, limit })
    }

    /// Returns the best move and its score; none if the position has no move or the search was
    /// cancelled.
    pub(crate) fn search(
        &self,
        position: &Position,
        history: &[u64],
        cancel: &Cancel,
    ) -> Option<(Move, i16)> {
        let limits = match self.limit {
            PlayLimit::Nodes(nodes) => Limits {
                soft_nodes: Some(nodes),
                nodes: Some(nodes.saturating_mul(HARD)),
                ..Limits::default()
            },
            PlayLimit::Clock { base, increment, .. } => {
                // The engine counts what is left of it.
                let clock = GameClock { left: base, base, increment, moves_to_go: None };
                Limits { clock: Some(clock), ..Limits::default() }
            }
        };
        // Captures can take all nodes before the first move has a score; the first iteration is
        // then completed regardless of its length.
        let least = Limits { soft_nodes: Some(1), ..Limits::default() };
        (self.search_within(limits, position, history, cancel))
            .or_else(|| self.search_within(least, position, history, cancel))
    }

    fn search_within(
        &self,
        limits: Limits,
        position: &Position,
        history: &[u64],
        cancel: &Cancel,
    ) -> Option<(Move, i16)> {
        let history = history.to_vec();
        let request =
            SearchRequest { position: *position, history, limits, root_moves: None, multipv: 1 };
        let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
        let control = Control::new(cancel.clone(), &clock, &progress, self.pool, &|_| {});
        let answer = solve(&self.engine, &request, &self.params, &control);
        let score = match answer.line.as_ref()?.score {
            Score::Cp(score) => score.clamp(-30_000, 30_000) as i16,
            Score::Mate(moves) if moves > 0 => GameRecord::MATE - moves.min(500) as i16,
            Score::Mate(moves) => -GameRecord::MATE - moves.max(-500) as i16,
        };
        Some((answer.best?, score))
    }
}

/// Plays from an opening, with moves and scores from `choose`, until the rules or the scores end
/// the game. Returns none if `choose` does. A game that was already over has no moves.
pub(crate) fn play_out(
    (start, mut history): (Position, Vec<u64>),
    mut choose: impl FnMut(&Position, &[u64]) -> Option<(Move, i16)>,
) -> Option<GameRecord> {
    let (mut position, mut plies) = (start, vec![]);
    let (mut winning, mut drawing) = (0i32, 0);
    let (outcome, adjudicated) = loop {
        if let Some(outcome) = ended(&position, &history) {
            break (outcome, false);
        }
        if winning.unsigned_abs() >= WIN_PLIES {
            break (if winning > 0 { GameResult::Win } else { GameResult::Loss }, true);
        }
        if plies.len() >= PLIES_MAX || plies.len() >= DRAW_FROM && drawing >= DRAW_PLIES {
            break (GameResult::Draw, true);
        }
        let (best, score) = choose(&position, &history)?;
        plies.push(Ply { best, score });
        history.push(position.key());
        let white = i32::from(score) * if position.turn().is_white() { 1 } else { -1 };
        position = position.after(best);
        winning = match white {
            WIN_SCORE.. => winning.max(0) + 1,
            _ if white <= -WIN_SCORE => winning.min(0) - 1,
            _ => 0,
        };
        drawing = if white.abs() <= DRAW_SCORE { drawing + 1 } else { 0 };
    };
    Some(GameRecord { start, outcome, adjudicated, plies })
}

/// Plays eight or nine random plies from the initial position; none if the game ends within them.
pub(crate) fn opening(seed: u64) -> Option<(Position, Vec<u64>)> {
    random_moves(&Position::startpos(), seed, 8 + seed as usize % 2)
}

/// Plays random moves from a position; none if the game ends within them.
pub(crate) fn random_moves(
    start: &Position,
    seed: u64,
    plies: usize,
) -> Option<(Position, Vec<u64>)> {
    let (mut position, mut history, mut state) = (*start, vec![], seed);
    for _ in 0..plies {
        state = mixed(state);
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        history.push(position.key());
        position = position.after(moves[state as usize % moves.len()]);
    }
    position.has_legal_move().then_some((position, history))
}

/// Returns the result if the rules end the game: mate, stalemate, no mating material, fifty moves,
/// third repetition.
pub(crate) fn ended(position: &Position, history: &[u64]) -> Option<GameResult> {
    if !position.has_legal_move() {
        return Some(match (position.in_check(), position.turn()) {
            (false, _) => GameResult::Draw,
            (true, Color::White) => GameResult::Loss,
            (true, Color::Black) => GameResult::Win,
        });
    }
    let drawn =
        position.is_dead() || position.halfmoves() >= 100 || position.repetitions(history) >= 3;
    drawn.then_some(GameResult::Draw)
}
