//! Positions and games on their way between Python and the libraries: FEN and coordinate moves in, games out.

use crate::job::refused;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use std::ffi::CString;
use umbrail_chess::geometry::Setup;
use umbrail_chess::{CastlingMode, DroppedCastling, Move, Position, parse_uci, to_san, to_uci};

/// A game for Python: the fields of `umbrail.Game`.
#[derive(Clone, Debug, IntoPyObject)]
pub(crate) struct GameOut {
    /// FEN of its first position.
    pub(crate) start: String,
    /// Coordinates, as UCI writes them.
    pub(crate) moves: Vec<String>,
    /// Short notation.
    pub(crate) sans: Vec<String>,
    /// The game is one of Chess960: castling in coordinates is king takes own rook.
    pub(crate) chess960: bool,
}

impl GameOut {
    pub(crate) fn new(start: &Position, game: &[Move], mode: CastlingMode) -> Self {
        let (mut position, chess960) = (*start, mode.is_chess960());
        let mut out = Self { start: start.to_string(), moves: vec![], sans: vec![], chess960 };
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

/// The legal position of a FEN. A Python warning reports castling rights that the mode does not have.
pub(crate) fn position(py: Python<'_>, fen: &str, mode: CastlingMode) -> PyResult<Position> {
    let setup = setup(fen)?;
    let position = Position::from_setup(&setup, mode).map_err(refused)?;
    if let Some(dropped) = DroppedCastling::of(&setup, &position) {
        let text = CString::new(format!("{dropped} (for Chess960 pass chess960=True)"))?;
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 2)?;
    }
    Ok(position)
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
pub(crate) fn played(
    py: Python<'_>,
    fen: &str,
    moves: &[String],
    mode: CastlingMode,
) -> PyResult<Played> {
    let mut position = position(py, fen, mode)?;
    let mut keys = Vec::with_capacity(moves.len());
    for text in moves {
        let mv = move_of(&position, text)?;
        keys.push(position.key());
        position = position.after(mv);
    }
    Ok(Played { position, keys })
}

/// The game of coordinate moves from a FEN.
#[pyfunction]
pub(crate) fn read_moves(
    py: Python<'_>,
    fen: &str,
    moves: Vec<String>,
    chess960: bool,
) -> PyResult<GameOut> {
    let mode = CastlingMode::of(chess960);
    let start = position(py, fen, mode)?;
    let (mut position, mut game) = (start, vec![]);
    for text in &moves {
        let mv = move_of(&position, text)?;
        game.push(mv);
        position = position.after(mv);
    }
    Ok(GameOut::new(&start, &game, mode))
}
