//! File of the tables of one endgame of a game. `docs/formats.md` describes it.

use super::definition::Game;
use super::index::PositionIndex;
use super::material::GameMaterial;
use super::solved::{ILLEGAL, SolvedGame, Unit};
use super::statistics::each;
use super::tables::{GameTables, keys};
use crate::rules::Metric;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use umbrail_chess::geometry::Color;
use umbrail_control::write_whole;
use xxhash_rust::xxh3::xxh3_64;

/// First bytes of a file.
const MAGIC: &[u8; 8] = b"UMBGAME1";
/// Length of magic, identity and checksum.
const HEADER: usize = 24;
/// Compression level of zstd.
const LEVEL: i32 = 3;

/// Reason why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum GameStoreError {
    /// The operating system reported an error.
    #[error("{0}: {1}")]
    Io(PathBuf, std::io::Error),
    /// The file is not a table, or a damaged one.
    #[error("{0} is damaged")]
    Damaged(PathBuf),
    /// The file is a table of another game, with other pieces or rules.
    #[error("{0} has other pieces or rules")]
    Other(PathBuf),
}

impl GameTables {
    /// Returns the name of the file of an endgame.
    pub fn file_name(game: &Game, material: &GameMaterial, metric: Metric) -> String {
        format!("{material}.{}.{metric}.egt", game.name)
    }

    /// Writes the file into a folder; returns its size in bytes.
    ///
    /// # Errors
    /// [`GameStoreError::Io`].
    pub fn save(&self, folder: &Path) -> Result<u64, GameStoreError> {
        let (game, material) = (&self.moves.game, &self.material);
        let path = folder.join(Self::file_name(game, material, self.metric));
        let mut cells = vec![];
        for key in keys(game, material) {
            cells.extend_from_slice(&self.solved[&key].won);
            cells.extend_from_slice(&self.solved[&key].lost);
        }
        let packed = zstd::bulk::compress(&cells, LEVEL)
            .map_err(|error| GameStoreError::Io(path.clone(), error))?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(identity(game, material, self.metric).to_le_bytes());
        bytes.extend(xxh3_64(&packed).to_le_bytes());
        bytes.extend(packed);
        write_whole(&path, |out| out.write_all(&bytes))
            .map_err(|error| GameStoreError::Io(error.path, error.source))?;
        Ok(bytes.len() as u64)
    }

    /// Reads the file of an endgame from a folder; nothing in it is trusted.
    ///
    /// # Errors
    /// [`GameStoreError`].
    pub fn load(
        game: &Arc<Game>,
        material: &GameMaterial,
        metric: Metric,
        folder: &Path,
    ) -> Result<Self, GameStoreError> {
        let path = folder.join(Self::file_name(game, material, metric));
        let damaged = || GameStoreError::Damaged(path.clone());
        let bytes =
            std::fs::read(&path).map_err(|error| GameStoreError::Io(path.clone(), error))?;
        let number = |at: usize| bytes.get(at..at + 8)?.try_into().ok().map(u64::from_le_bytes);
        if !bytes.starts_with(MAGIC) {
            return Err(damaged());
        }
        if number(8).ok_or_else(damaged)? != identity(game, material, metric) {
            return Err(GameStoreError::Other(path));
        }
        let packed = bytes.get(HEADER..).ok_or_else(damaged)?;
        if number(16).ok_or_else(damaged)? != xxh3_64(packed) {
            return Err(damaged());
        }
        let mut cells = zstd::stream::read::Decoder::new(packed).map_err(|_| damaged())?;
        let mut tables = Self::empty(game, material, metric);
        for key in keys(game, material) {
            let index = PositionIndex::new(game, &key).ok_or_else(damaged)?;
            let (mut won, mut lost) = (vec![0; index.cells()], vec![0; index.cells()]);
            cells.read_exact(&mut won).map_err(|_| damaged())?;
            cells.read_exact(&mut lost).map_err(|_| damaged())?;
            let stalemates = vec![];
            let solved = SolvedGame { index, unit: Unit::of(metric), won, lost, stalemates };
            tables.solved.insert(key, Arc::new(solved));
        }
        if cells.read(&mut [0]).map_err(|_| damaged())? != 0 {
            return Err(damaged());
        }
        tables.find_stalemates();
        Ok(tables)
    }

    /// Finds the stalemates of the two tables of the endgame, which the file does not list.
    fn find_stalemates(&mut self) {
        for winner in Color::ALL {
            let key = self.material.key(winner);
            let table = &self.solved[&key];
            let quiet = each(&table.index).filter(|(at, cell)| {
                let (won, lost) = (table.won[*at], table.lost[*at]);
                lost != ILLEGAL && lost <= 1 && won != ILLEGAL && {
                    let position = self.at(winner, !winner, *cell);
                    self.moves.legal(&position).is_empty()
                }
            });
            let found =
                quiet.map(|(_, (slot, word, bit))| (slot as u8, word as u32, bit)).collect();
            let mut table = (**table).clone();
            table.stalemates = found;
            self.solved.insert(key, Arc::new(table));
        }
    }
}

/// Returns a number for everything that values depend on: board, rules, metric, and moves of all pieces
/// that can be on it.
fn identity(game: &Game, material: &GameMaterial, metric: Metric) -> u64 {
    let mut bytes =
        format!("{} {:x} {:?} {metric}", game.grid, game.grid.squares(), game.rules).into_bytes();
    let mut kinds: Vec<u8> = material.sides.concat();
    let promoted =
        |&kind: &u8| game.pieces[usize::from(kind)].moves.iter().filter_map(|mv| mv.becomes);
    let more: Vec<u8> = kinds.iter().flat_map(promoted).collect();
    kinds.extend(more);
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        let piece = &game.pieces[usize::from(kind)];
        bytes.extend(piece.letter.to_string().bytes());
        bytes.extend(piece.zone.to_le_bytes());
        for mv in &piece.moves {
            let t = &mv.template;
            bytes.extend([t.from, t.to]);
            for set in [t.empty, t.all, t.one, t.own, t.take] {
                bytes.extend(set.to_le_bytes());
            }
            let becomes = mv.becomes.map(|kind| game.pieces[usize::from(kind)].letter);
            bytes.extend(becomes.unwrap_or('-').to_string().bytes());
        }
    }
    bytes.extend(material.to_string().bytes());
    xxh3_64(&bytes)
}
