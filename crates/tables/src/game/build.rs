//! Builds the tables of a game, smaller materials first.

use super::change::changes;
use super::definition::Game;
use super::index::PositionIndex;
use super::material::{GameKey, GameMaterial};
use super::slice::{HomeSlice, Touched};
use super::solved::{SolvedGame, SolvedGames};
use super::table::Table;
use crate::grid::SquareSet;
use crate::rules::Metric;
use rayon::prelude::*;
use umbrail_control::{Control, Stopped};

/// Number of words from which slices are shared between workers.
const PARALLEL_WORDS: usize = 1 << 12;

/// Reason why an endgame has no distances by a metric.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameMetricError {
    /// EGTgen's count.
    #[error("level is EGTgen's count, which exists only on a board of 8x8 without rules")]
    Level,
    /// The game does not have the fifty-move rule.
    #[error(
        "dtz counts the fifty-move rule, which {0} does not have; dtc counts to the next capture or promotion"
    )]
    NoFiftyMoves(String),
    /// The moves of a piece that promotes reset the count.
    #[error(
        "dtz of an endgame with a piece that promotes ({0}) exists only on a board of 8x8 without rules"
    )]
    Promotes(char),
}

/// Reason why the tables of a game were not built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameBuildError {
    /// The build was stopped.
    #[error("stopped")]
    Stopped,
    /// The tables exceed the memory limit.
    #[error("the tables need about {0} MiB of memory, and the limit is {1} MiB")]
    Memory(u64, u64),
    /// There are too many positions.
    #[error("the endgame has too many positions on this board")]
    TooLarge,
    /// A win takes too long.
    #[error("a win takes more than {0} plies, the most that a table can store")]
    TooLong(usize),
    /// The metric is not defined for this endgame.
    #[error(transparent)]
    Metric(#[from] GameMetricError),
}

impl From<Stopped> for GameBuildError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// Returns the keys that an endgame leads to, itself last, without those that are known.
pub(super) fn order(game: &Game, key: &GameKey, known: &SolvedGames) -> Vec<GameKey> {
    fn visit(game: &Game, key: &GameKey, known: &SolvedGames, found: &mut Vec<GameKey>) {
        if known.contains_key(key) || found.contains(key) {
            return;
        }
        for (victims, promoted) in changes(game, key) {
            visit(game, &key.changed(victims, promoted).0, known, found);
        }
        found.push(key.clone());
    }
    let mut found = vec![];
    visit(game, key, known, &mut found);
    found
}

/// Returns the memory that a table takes while it is solved, in bytes.
pub(super) fn bytes(game: &Game, key: &GameKey) -> Result<u64, GameBuildError> {
    let index = PositionIndex::new(game, key).ok_or(GameBuildError::TooLarge)?;
    let words = (index.homes.len() * index.words) as u64;
    let width = index.axis.squares.len() as u64;
    let word = if width <= 16 {
        2
    } else if width <= 64 {
        8
    } else {
        16
    };
    Ok(words * (3 * width + 6 * word))
}

/// Checks that the distances of an endgame are defined by a metric.
pub(super) fn check_metric(
    game: &Game,
    material: &GameMaterial,
    metric: Metric,
) -> Result<(), GameMetricError> {
    let promotes = |kind: &u8| {
        let piece = &game.pieces[usize::from(*kind)];
        piece.moves.iter().any(|mv| mv.becomes.is_some()).then_some(piece.letter)
    };
    match metric {
        Metric::Dtm | Metric::Dtc => Ok(()),
        Metric::Level => Err(GameMetricError::Level),
        Metric::Dtz if !game.rules.fifty_moves => {
            Err(GameMetricError::NoFiftyMoves(game.name.clone()))
        }
        Metric::Dtz => match material.sides.iter().flatten().find_map(promotes) {
            Some(letter) => Err(GameMetricError::Promotes(letter)),
            None => Ok(()),
        },
    }
}

/// Solves one table; those after its conversions are solved.
pub(super) fn solve(
    game: &Game,
    key: &GameKey,
    known: &SolvedGames,
    metric: Metric,
    control: &Control<'_, ()>,
) -> Result<SolvedGame, GameBuildError> {
    let index = PositionIndex::new(game, key).ok_or(GameBuildError::TooLarge)?;
    match (game.grid.size(), index.axis.squares.len()) {
        (..=64, _) => Table::<u64, u64>::new(game, metric, key, index, known).solve(control),
        (_, ..=16) => Table::<u128, u16>::new(game, metric, key, index, known).solve(control),
        (_, ..=64) => Table::<u128, u64>::new(game, metric, key, index, known).solve(control),
        _ => Table::<u128, u128>::new(game, metric, key, index, known).solve(control),
    }
}

impl<S: SquareSet, W: SquareSet> Table<'_, S, W> {
    fn solve(self, control: &Control<'_, ()>) -> Result<SolvedGame, GameBuildError> {
        let homes = &self.index.homes;
        let grain = if homes.len() * self.index.words < PARALLEL_WORDS { homes.len() } else { 1 };
        let mut slices: Vec<HomeSlice<W>> = homes
            .par_iter()
            .with_min_len(grain)
            .map(|&home| control.check().map(|()| self.prepare(home)))
            .collect::<Result<_, _>>()?;
        let none = || -> Vec<Touched<W>> {
            homes.iter().map(|_| Touched::new(self.index.words)).collect()
        };
        // Losses of this ply and of the ply before.
        let (mut lost, mut before) = (none(), none());
        for ply in 0.. {
            control.check()?;
            let too_long = GameBuildError::TooLong(self.unit.plies_max());
            let at = (ply, self.unit.cell(ply).ok_or(too_long.clone())?);
            slices
                .par_iter_mut()
                .with_min_len(grain)
                .zip(lost.par_iter_mut())
                .for_each(|(slice, lost)| self.find_losses(slice, lost, at));
            let won: u64 = slices
                .par_iter_mut()
                .with_min_len(grain)
                .enumerate()
                .map(|(number, slice)| self.find_wins(slice, number, &before, at))
                .sum();
            control.progress.nodes.add(won);
            let found: usize = lost.iter().map(|lost| lost.list.len()).sum();
            std::mem::swap(&mut lost, &mut before);
            let rests = found == 0 && won == 0;
            if rests && slices.iter().all(|slice| slice.due.is_empty() && slice.held.is_empty()) {
                break;
            }
            if slices.iter().any(|slice| slice.overflow) {
                return Err(too_long);
            }
        }
        let (mut won, mut lost, mut stalemates) = (vec![], vec![], vec![]);
        for (number, slice) in slices.into_iter().enumerate() {
            won.extend(slice.won);
            lost.extend(slice.lost);
            stalemates
                .extend(slice.stalemates.iter().map(|&(word, bit)| (number as u8, word, bit)));
        }
        Ok(SolvedGame { index: self.index, unit: self.unit, won, lost, stalemates })
    }
}
