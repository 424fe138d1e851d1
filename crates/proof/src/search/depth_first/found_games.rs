//! Games that a search has found, and continuations from their positions.

use umbrail_chess::Move;
use umbrail_control::FastMap;

/// Different games of one strategy.
#[derive(Default)]
pub(super) struct FoundGames {
    games: Vec<Vec<Move>>,
    /// Shortest known continuation from each position of a game.
    continuations: FastMap<u128, Vec<Move>>,
}

impl FoundGames {
    pub(super) const fn len(&self) -> usize {
        self.games.len()
    }

    pub(super) fn into_games(self) -> Vec<Vec<Move>> {
        self.games
    }

    /// Returns the known continuation from a position to the end of a game.
    pub(super) fn continuation(&self, key: u128) -> Option<&[Move]> {
        self.continuations.get(&key).map(Vec::as_slice)
    }

    /// Records a game, with the keys of its first positions, unless it is known.
    pub(super) fn record(&mut self, game: Vec<Move>, keys: &[u128]) {
        if self.games.contains(&game) {
            return;
        }
        for (ply, &key) in keys.iter().enumerate() {
            let known = self.continuations.entry(key).or_insert_with(|| game[ply..].to_vec());
            if known.len() > game.len() - ply {
                *known = game[ply..].to_vec();
            }
        }
        self.games.push(game);
    }
}
