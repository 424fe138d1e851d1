//! A match of two sets of search parameters within this process: pairs of games at a fixed number of nodes.

use crate::pairs::{PairScore, on_threads, play_pair, random_opening};
use crate::play_limit::PlayLimit;
use crate::random::{RandomNumbers, mixed};
use crate::self_play_engine::{SelfPlayEngine, SelfPlayError};
use std::sync::Mutex;
use umbrail_chess::Position;
use umbrail_control::{Cancel, Pool, lock};
use umbrail_search::SearchParams;

/// Settings of a match.
#[derive(Clone, Debug)]
pub struct PairMatchOptions {
    /// Parameters of both engines.
    pub engines: [SearchParams; 2],
    /// Limit of the moves of each engine.
    pub limit: PlayLimit,
    /// Largest number of pairs.
    pub pairs: u64,
    /// Openings, played in an order that the seed determines; random ones of eight or nine plies if there are none.
    pub openings: Vec<Position>,
    /// Seed of the openings.
    pub seed: u64,
    /// Number of threads, each with two engines.
    pub threads: usize,
    /// Size of the transposition table of each engine, MiB.
    pub hash_mib: usize,
}

/// Results of a match so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairMatchState {
    /// Games that the first engine won, drew and lost.
    pub games: [u64; 3],
    /// Number of pairs by the points of the first engine: 0, 0.5, 1, 1.5 and 2.
    pub pairs: [u64; 5],
    /// Number of pairs started.
    pub started: u64,
    /// Pairs that were started and are not over, which a later run plays first.
    pub unfinished: Vec<u64>,
}

impl PairMatchState {
    /// Returns the number of pairs played.
    pub fn pairs_done(&self) -> u64 {
        self.pairs.iter().sum()
    }

    fn add(&mut self, pair: u64, score: PairScore) {
        self.unfinished.retain(|&other| other != pair);
        self.pairs[score.halves()] += 1;
        self.games[0] += u64::from(score.won);
        self.games[1] += u64::from(2 - score.won - score.lost);
        self.games[2] += u64::from(score.lost);
    }
}

/// Plays the rest of a match until all pairs are played, `cancel` is raised or `goes_on` returns false; that function is
/// called after each pair.
///
/// # Errors
/// [`SelfPlayError`] if an engine cannot be created.
pub fn pair_match(
    options: &PairMatchOptions,
    state: PairMatchState,
    cancel: &Cancel,
    goes_on: &(dyn Fn(&PairMatchState) -> bool + Sync),
) -> Result<PairMatchState, SelfPlayError> {
    let mut openings = options.openings.clone();
    RandomNumbers::new(options.seed, 0).shuffle(&mut openings);
    let over = cancel.child();
    let waiting = state.unfinished.clone();
    let shared = Mutex::new((state, waiting));
    let next = || {
        let mut shared = lock(&shared);
        let (state, waiting) = &mut *shared;
        if over.is_raised() {
            return None;
        }
        if let Some(pair) = waiting.pop() {
            return Some(pair);
        }
        if state.started >= options.pairs {
            return None;
        }
        state.started += 1;
        state.unfinished.push(state.started - 1);
        Some(state.started - 1)
    };
    on_threads(options.threads, |pool: &Pool| -> Result<(), SelfPlayError> {
        let [first, second] = &options.engines;
        let engine = |params: &SearchParams| {
            SelfPlayEngine::new(pool, params, options.hash_mib, options.limit)
        };
        let mut players = [engine(first)?, engine(second)?];
        while let Some(pair) = next() {
            let start = match openings.len() {
                0 => random_opening(&mut players[1], mixed(options.seed) ^ pair, &over),
                count => Some((openings[(pair % count as u64) as usize], vec![])),
            };
            let Some(score) = start.and_then(|start| play_pair(&mut players, &start, &over)) else {
                return Ok(());
            };
            let mut shared = lock(&shared);
            shared.0.add(pair, score);
            if !over.is_raised() && !goes_on(&shared.0) {
                over.raise();
            }
        }
        Ok(())
    })?;
    Ok(shared.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).0)
}

#[cfg(test)]
mod tests {
    use super::{PairMatchOptions, PairMatchState, PlayLimit, pair_match};
    use umbrail_control::Cancel;
    use umbrail_search::SearchParams;

    fn options(pairs: u64) -> PairMatchOptions {
        let params = SearchParams { use_nnue: false, ..SearchParams::default() };
        PairMatchOptions {
            engines: [params.clone(), params],
            limit: PlayLimit::Nodes(60),
            pairs,
            openings: vec![],
            seed: 7,
            threads: 1,
            hash_mib: 1,
        }
    }

    #[test]
    fn equal_engines_split_every_pair() {
        let options = PairMatchOptions { threads: 2, ..options(4) };
        let played = pair_match(&options, PairMatchState::default(), &Cancel::default(), &|_| true);
        let played = played.unwrap();
        // Both games of a pair are the same game, since both engines are deterministic.
        assert_eq!((played.pairs, played.started), ([0, 0, 4, 0, 0], 4));
        assert_eq!(played.games.iter().sum::<u64>(), 8);
        assert_eq!(played.games[0], played.games[2]);
        assert!(played.unfinished.is_empty());
    }

    #[test]
    fn a_clock_that_counts_nodes_gives_the_same_games_and_is_used() {
        let clock = |text: &str| PairMatchOptions { limit: text.parse().unwrap(), ..options(3) };
        let play = |options: &PairMatchOptions| {
            let state = PairMatchState::default();
            pair_match(options, state, &Cancel::default(), &|_| true).unwrap()
        };
        let equal = clock("0.4+0.01@5");
        assert_eq!(play(&equal).pairs, [0, 0, 3, 0, 0]);
        let mut slow = clock("0.4+0.01@30");
        slow.engines[0].slow_mover = 10;
        let played = play(&slow);
        assert!(played.games[0] < played.games[2], "{played:?}");
        assert_eq!(play(&slow), played);
    }

    #[test]
    fn a_stopped_match_continues_with_the_same_pairs() {
        let mut options = options(4);
        options.engines[0].use_nnue = true;
        let none = Cancel::default();
        let whole = pair_match(&options, PairMatchState::default(), &none, &|_| true).unwrap();
        let stop = |state: &PairMatchState| state.pairs_done() < 2;
        let half = pair_match(&options, PairMatchState::default(), &none, &stop).unwrap();
        assert_eq!((half.pairs_done(), half.started), (2, 2));
        // A killed process has started a pair.
        let killed = PairMatchState { started: 3, unfinished: vec![2], ..half };
        assert_eq!(pair_match(&options, killed, &none, &|_| true).unwrap(), whole);
    }
}
