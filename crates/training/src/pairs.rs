//! Pairs of games between two engines: one opening, both colors.

use crate::random::mixed;
use crate::record::{GameRecord, GameResult};
use crate::self_play_engine::{
    OPENING_MAX, SelfPlayEngine, SelfPlayError, opening, play_out, pool,
};
use umbrail_chess::Position;
use umbrail_control::{Cancel, Pool};

/// Result of two games for the first engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PairScore {
    /// Games won.
    pub(crate) won: u8,
    /// Games lost.
    pub(crate) lost: u8,
}

impl PairScore {
    /// Returns wins minus losses.
    pub(crate) fn sum(self) -> i8 {
        self.won as i8 - self.lost as i8
    }

    /// Returns the points in halves, 0 to 4.
    pub(crate) fn halves(self) -> usize {
        usize::from(2 + self.won - self.lost)
    }
}

/// Runs `work` on several threads, each with a pool of one worker.
///
/// # Errors
/// The first error of a thread, or that it cannot be started.
pub(crate) fn on_threads<E: From<SelfPlayError> + Send>(
    threads: usize,
    work: impl Fn(&Pool) -> Result<(), E> + Sync,
) -> Result<(), E> {
    std::thread::scope(|scope| {
        let start = |_| {
            std::thread::Builder::new().spawn_scoped(scope, || {
                let pool = pool()?;
                pool.install(|| work(&pool))
            })
        };
        let started: Vec<_> = (0..threads.max(1)).map(start).collect();
        let results: Vec<Result<(), E>> = started
            .into_iter()
            .filter_map(|thread| match thread {
                Ok(thread) => thread.join().ok(),
                Err(error) => Some(Err(SelfPlayError::Thread(error.to_string()).into())),
            })
            .collect();
        results.into_iter().collect()
    })
}

/// Returns a random opening that the engine considers playable; none if cancelled.
pub(crate) fn random_opening(
    engine: &mut SelfPlayEngine,
    mut seed: u64,
    cancel: &Cancel,
) -> Option<(Position, Vec<u64>)> {
    loop {
        seed = mixed(seed);
        let Some(opening) = opening(seed) else { continue };
        engine.engine.clear();
        let (_, score) = engine.search(&opening.0, &opening.1, cancel)?;
        if cancel.is_raised() {
            return None;
        }
        if i32::from(score).abs() <= OPENING_MAX {
            return Some(opening);
        }
    }
}

/// Plays two games from an opening with alternating colors, each with empty tables; none if cancelled.
pub(crate) fn play_pair(
    players: &mut [SelfPlayEngine; 2],
    start: &(Position, Vec<u64>),
    cancel: &Cancel,
) -> Option<PairScore> {
    let mut score = PairScore::default();
    for white in 0..2 {
        players.iter_mut().for_each(|player| player.engine.clear());
        let game: GameRecord = play_out(start.clone(), |position, history| {
            let player = if position.turn().is_white() { white } else { 1 - white };
            let found = players[player].search(position, history, cancel)?;
            (!cancel.is_raised()).then_some(found)
        })?;
        match (game.outcome, white) {
            (GameResult::Draw, _) => {}
            (GameResult::Win, 0) | (GameResult::Loss, 1) => score.won += 1,
            _ => score.lost += 1,
        }
    }
    Some(score)
}
