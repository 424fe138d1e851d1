//! Tables of an endgame of a game: built, probed, listed.

use super::build::{GameBuildError, bytes, check_metric, order, solve};
use super::definition::{BareRoyal, Game};
use super::index::{Men, PositionIndex};
use super::material::{GameKey, GameMaterial, OTHERS_MAX};
use super::position::{
    GameMan, GameMove, GameMoves, GamePosition, GamePositionError, after, is_bare,
};
use super::referee::GameEndReason;
use super::solved::SolvedGames;
use crate::BuildNeeds;
use crate::rules::Metric;
use crate::value::TableValue;
use std::sync::Arc;
use umbrail_chess::geometry::Color;
use umbrail_control::Control;

/// Seconds of one processor for a million positions of one side to move: measured with `egt stats`
/// under DTM on a shared Intel Xeon. KBN.K on 8x8 took 0.16, KQ.KR on 9x9 0.35.
const SECONDS_PER_MILLION: f64 = 0.3;

/// Reason why a position could not be looked up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameProbeError {
    /// The material of the position is not built.
    #[error("the position is not one of {0} or of an endgame after its captures")]
    Material(String),
}

/// Tables of one endgame and of all that it leads to.
#[derive(Clone, Debug)]
pub struct GameTables {
    pub(super) moves: GameMoves,
    pub(super) material: GameMaterial,
    pub(super) metric: Metric,
    pub(super) solved: SolvedGames,
}

impl GameTables {
    /// Creates tables without content.
    pub(super) fn empty(game: &Arc<Game>, material: &GameMaterial, metric: Metric) -> Self {
        let solved = SolvedGames::new();
        Self { moves: GameMoves::new(game), material: material.clone(), metric, solved }
    }

    /// Builds the tables of an endgame within this memory, in bytes.
    ///
    /// # Errors
    /// [`GameBuildError`] when the build is stopped or the endgame is too large.
    pub fn build(
        game: &Arc<Game>,
        material: &GameMaterial,
        metric: Metric,
        memory_bytes: u64,
        control: &Control<'_, ()>,
    ) -> Result<Self, GameBuildError> {
        check_metric(game, material, metric)?;
        let mut tables = Self::empty(game, material, metric);
        let needed = Self::estimate_bytes(game, material)?;
        if needed > memory_bytes {
            return Err(GameBuildError::Memory(needed.div_ceil(1 << 20), memory_bytes >> 20));
        }
        for winner in Color::ALL {
            for key in order(game, &material.key(winner), &tables.solved) {
                let solved =
                    control.pool.install(|| solve(game, &key, &tables.solved, metric, control))?;
                tables.solved.insert(key, Arc::new(solved));
            }
        }
        Ok(tables)
    }

    /// Returns the memory that a build takes, in bytes.
    ///
    /// # Errors
    /// [`GameBuildError::TooLarge`] when there are too many positions.
    pub fn estimate_bytes(game: &Game, material: &GameMaterial) -> Result<u64, GameBuildError> {
        let sizes = keys(game, material);
        let sizes = sizes.iter().map(|key| bytes(game, key)).collect::<Result<Vec<u64>, _>>()?;
        // Finished tables keep their distances only.
        let most = sizes.iter().copied().max().unwrap_or(0);
        Ok(sizes.iter().sum::<u64>() * 2 / 3 + most)
    }

    /// Estimates the resources of a build, if nothing is built yet. Tables keep all distances.
    ///
    /// # Errors
    /// [`GameBuildError`] when the metric is not defined or there are too many positions.
    pub fn needs(
        game: &Game,
        material: &GameMaterial,
        metric: Metric,
    ) -> Result<BuildNeeds, GameBuildError> {
        check_metric(game, material, metric)?;
        let keys = keys(game, material);
        let mut positions = 0;
        for key in &keys {
            let index = PositionIndex::new(game, key).ok_or(GameBuildError::TooLarge)?;
            positions += index.cells() as u64;
        }
        let bytes = Self::estimate_bytes(game, material)?;
        Ok(BuildNeeds {
            pieces: material.count(),
            tables: keys.len(),
            positions,
            counted_bytes: bytes,
            kept_bytes: bytes,
            paged_bytes: None,
            seconds: positions as f64 / 1e6 * SECONDS_PER_MILLION,
        })
    }

    /// Returns the game.
    pub fn game(&self) -> &Game {
        &self.moves.game
    }

    /// Returns the metric of the distances.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Returns the material.
    pub fn material(&self) -> &GameMaterial {
        &self.material
    }

    /// Reads a position of this material or of one after captures.
    ///
    /// # Errors
    /// [`GamePositionError`] when the text is not a legal position of the game.
    pub fn position(&self, fen: &str) -> Result<GamePosition, GamePositionError> {
        self.moves.read(fen, [self.material.sides[0][0], self.material.sides[1][0]])
    }

    /// Returns the name of a position: FEN without history.
    pub fn fen(&self, position: &GamePosition) -> String {
        self.moves.fen(position)
    }

    /// Returns the name of a move in coordinates.
    pub fn name(&self, mv: &GameMove) -> String {
        self.moves.name(mv)
    }

    /// Returns the position after a move.
    pub fn after(&self, position: &GamePosition, mv: &GameMove) -> GamePosition {
        after(position, mv)
    }

    /// Returns the plies until this side wins; none when it does not.
    pub(super) fn distance(
        &self,
        position: &GamePosition,
        winner: Color,
    ) -> Result<Option<usize>, GameProbeError> {
        let unknown = || GameProbeError::Material(self.material.to_string());
        if position.men.len() > OTHERS_MAX + 2 {
            return Err(unknown());
        }
        let (key, home, men, loser) = self.one_sided(position, winner);
        let attacker_moves = position.turn == winner;
        let table = self.solved.get(&key);
        let table = table.ok_or_else(unknown)?;
        let cell = table.cell(attacker_moves, home, &men, loser);
        Ok(cell.and_then(|cell| table.plies(cell, attacker_moves)))
    }

    /// Returns the key and the squares of the table "this side wins", which plays up the board.
    fn one_sided(&self, position: &GamePosition, winner: Color) -> (GameKey, u8, Men, u8) {
        let game = &self.moves.game;
        let turned = |man: &GameMan| {
            if winner.is_white() { man.square } else { game.grid.flipped(man.square) }
        };
        let royal = |color: Color| &position.men[color.index()];
        let (mut men, mut at) = ([0; OTHERS_MAX], 0);
        let sides = [winner, !winner].map(|color| {
            let mut others: Vec<&GameMan> =
                position.men[2..].iter().filter(|man| man.color == color).collect();
            others.sort_by_key(|man| man.kind);
            let mut kinds = vec![royal(color).kind];
            for man in others {
                kinds.push(man.kind);
                men[at] = turned(man);
                at += 1;
            }
            kinds
        });
        let [attackers, losers] = sides;
        let key = GameKey { attackers, losers };
        (key, turned(royal(winner)), men, turned(royal(!winner)))
    }

    /// Returns the value of a legal position.
    ///
    /// # Errors
    /// [`GameProbeError::Material`] for other material.
    pub fn value(&self, position: &GamePosition) -> Result<TableValue, GameProbeError> {
        let turn = position.turn;
        if self.moves.game.rules.bare != BareRoyal::Plays {
            match (is_bare(position, turn), is_bare(position, !turn)) {
                (true, true) => return Ok(TableValue::Draw),
                (false, true) => return Ok(TableValue::Win(0)),
                _ => {}
            }
        }
        if let Some(plies) = self.distance(position, turn)? {
            return Ok(TableValue::Win(plies));
        }
        Ok(self.distance(position, !turn)?.map_or(TableValue::Draw, TableValue::Loss))
    }

    /// Returns the legal moves with their values to the mover, the best first.
    ///
    /// # Errors
    /// [`GameProbeError::Material`] for other material.
    pub fn moves(
        &self,
        position: &GamePosition,
    ) -> Result<Vec<(GameMove, TableValue)>, GameProbeError> {
        if self.is_decided(position) {
            return Ok(vec![]);
        }
        let mut moves = vec![];
        for mv in self.moves.legal(position) {
            let value = match self.value(&after(position, &mv))? {
                TableValue::Win(plies) => TableValue::Loss(self.before(&mv, plies)),
                TableValue::Draw => TableValue::Draw,
                TableValue::Loss(plies) => TableValue::Win(self.before(&mv, plies)),
            };
            moves.push((mv, value));
        }
        moves.sort_by(|(a, x), (b, y)| {
            y.cmp(x).then_with(|| self.moves.name(a).cmp(&self.moves.name(b)))
        });
        Ok(moves)
    }

    /// Returns the distance before a move that leads to this distance.
    pub(super) fn before(&self, mv: &GameMove, plies: usize) -> usize {
        let converts = mv.take != 0 || mv.becomes.is_some();
        if converts { self.metric.through(plies) } else { plies + 1 }
    }

    /// Returns true when the game has ended because a royal is bare.
    fn is_decided(&self, position: &GamePosition) -> bool {
        self.moves.game.rules.bare != BareRoyal::Plays
            && self.moves.end(position).is_some_and(|end| end.reason == GameEndReason::Bared)
    }

    /// Returns best play of both sides from a position.
    ///
    /// # Errors
    /// [`GameProbeError::Material`] for other material.
    pub fn line(
        &self,
        position: &GamePosition,
        plies_max: usize,
    ) -> Result<Vec<GameMove>, GameProbeError> {
        let (mut line, mut now) = (vec![], position.clone());
        while line.len() < plies_max && self.value(&now)? != TableValue::Draw {
            let Some((mv, _)) = self.moves(&now)?.first().copied() else { break };
            now = after(&now, &mv);
            line.push(mv);
        }
        Ok(line)
    }
}

/// Returns the keys of all tables of an endgame in the order in which they are solved.
pub(super) fn keys(game: &Game, material: &GameMaterial) -> Vec<GameKey> {
    let none = SolvedGames::new();
    let mut keys = order(game, &material.key(Color::White), &none);
    let others = order(game, &material.key(Color::Black), &none);
    keys.extend(others.into_iter().filter(|key| !keys.contains(key)).collect::<Vec<_>>());
    keys
}
