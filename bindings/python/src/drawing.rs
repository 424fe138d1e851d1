//! Diagrams as SVG.

use crate::positions::{move_of, played, setup};
use pyo3::prelude::*;
use umbrail_chess::CastlingMode;
use umbrail_report::drawing::{Board, Figure, self_contained};
use umbrail_tables::fairy::PieceSet;

/// Draws the position after these moves, with the squares of the last one marked. Without moves the position need not be
/// legal, and may have pieces of other kinds.
#[pyfunction]
pub(crate) fn board_svg(
    py: Python<'_>,
    fen: &str,
    moves: Vec<String>,
    chess960: bool,
    flipped: bool,
) -> PyResult<String> {
    let mut placement = setup(fen)?.placement();
    let mut marked = vec![];
    if let [before @ .., last] = moves.as_slice() {
        let game = played(py, fen, before, CastlingMode::of(chess960))?;
        let mv = move_of(&game.position, last)?;
        placement = game.position.after(mv).to_setup().placement();
        let squares = [mv.from(), mv.to()].map(|square| u8::try_from(square.index()));
        marked.extend(squares.into_iter().flatten().map(|square| (square, "last")));
    }
    let figures: Vec<(char, Figure)> = PieceSet::default()
        .pieces()
        .filter(|piece| piece.letter.is_ascii_uppercase())
        .filter_map(|piece| Some((piece.letter, Figure::named(&piece.name)?)))
        .filter(|(letter, _)| {
            !"KQRBNP".contains(*letter) && placement.to_ascii_uppercase().contains(*letter)
        })
        .collect();
    let board = Board {
        placement: &placement,
        flipped,
        marked: &marked,
        figures: &figures,
        ..Board::default()
    };
    Ok(self_contained(&board))
}
