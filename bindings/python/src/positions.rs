//! Positions and games on their way between Python and the libraries: FEN and coordinate moves in, games out.

use crate::job::refused;
use pyo3::prelude::*;
use umbrail_chess::geometry::Setup;
use umbrail_chess::{Move, Position, parse_uci, to_san, to_uci};

/// A game for Python: the fields of `umbrail.Game`.
#[derive(Clone, Debug, IntoPyObject)]
pub(crate) struct GameOut {
    /// FEN of its first position.
    pub(crate) start: String,
    /// Coordinates, as UCI writes them.
    pub(crate) moves: Vec<String>,
    /// Short notation.
    pub(crate) sans: Vec<String>,
}

impl GameOut {
    pub(crate) fn new(start: &Position, game: &[Move], chess960: bool) -> Self {
        let mut position = *start;
        let mut out = Self { start: start.to_string(), moves: vec![], sans: vec![] };
        for &mv in game {
            out.moves.push(to_uci(&position, mv, chess960));
            out.sans.push(to_san(&position, mv));
            position = position.after(mv);
        }
        out
    }
}

/// The setup of a FEN, or of its first fields.
pub(crate) fn setup(fen: &str) -> PyResult<Setup> {
    fen.parse().map_err(refused)
}

/// The legal position of a FEN.
pub(crate) fn position(fen: &str) -> PyResult<Position> {
    Position::try_from(&setup(fen)?).map_err(refused)
}

/// A position with the game that led to it.
pub(crate) struct Played {
    pub(crate) position: Position,
    /// Keys of the earlier positions, oldest first.
    pub(crate) keys: Vec<u64>,
}

/// The legal move of a coordinate text.
pub(crate) fn move_of(position: &Position, text: &str) -> PyResult<Move> {
    parse_uci(position, text).map_err(|error| refused(format!("{text}: {error}")))
}

/// Plays coordinate moves from a FEN.
pub(crate) fn played(fen: &str, moves: &[String]) -> PyResult<Played> {
    let mut position = position(fen)?;
    let mut keys = Vec::with_capacity(moves.len());
    for text in moves {
        let mv = move_of(&position, text)?;
        keys.push(position.key());
        position = position.after(mv);
    }
    Ok(Played { position, keys })
}
