//! Boards, moves and scores of a game from a table.

use super::EndgameSetup;
use std::sync::Arc;
use umbrail_chess::geometry::{Color, Setup, Square};
use umbrail_search::Score;
use umbrail_tables::{
    FairyBoard, FairyBoardError, FairyMove, Material, Stalemate, TableValue as Worth,
};

/// Reason why a move of a game from a table is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum IllegalFairyMove {
    #[error("it leaves the royal en prise")]
    EnPrise,
    #[error("expected a move such as e2e4")]
    Syntax,
    #[error("the {letter} on {from} cannot go there")]
    Unreachable { letter: char, from: Square },
    #[error("no piece of {color} stands on {from}")]
    NoPiece { color: Color, from: Square },
    #[error("a royal in check cannot pass")]
    PassInCheck,
    #[error("a stalemated side cannot pass")]
    PassInStalemate,
    #[error("passing requires the option Null Move")]
    NoPasses,
}

/// Converts a value to a win in moves, a loss in moves, or a draw. Under DTC the moves count to the
/// conversion.
pub(super) fn score(value: Worth) -> Score {
    let moves = |plies: usize| i32::try_from(plies.div_ceil(2)).unwrap_or(i32::MAX);
    match value {
        Worth::Win(plies) => Score::Mate(moves(plies).max(1)),
        Worth::Draw => Score::Cp(0),
        Worth::Loss(plies) => Score::Mate(-moves(plies).max(1)),
    }
}

/// Reads a board. Castling rights count where they were given and the pieces stand on their initial
/// squares; GUIs give rights to every rook on its initial square.
pub(super) fn read(
    setup: &Setup,
    rights: bool,
    endgame_setup: &EndgameSetup,
) -> Result<FairyBoard, Vec<FairyBoardError>> {
    let mut setup = setup.clone();
    let royals = endgame_setup.config.royals(endgame_setup.endgame.as_ref());
    let plain = |setup: &mut Setup| "-".clone_into(&mut setup.castling);
    if !rights {
        plain(&mut setup);
    }
    FairyBoard::read(&setup, &endgame_setup.config.piece_set, royals).or_else(|_| {
        plain(&mut setup);
        FairyBoard::read(&setup, &endgame_setup.config.piece_set, royals)
    })
}

pub(super) fn promotions(endgame_setup: &EndgameSetup) -> Vec<Arc<umbrail_tables::fairy::Piece>> {
    let letters = endgame_setup.config.rules.promotion_letters().chars();
    letters.filter_map(|letter| endgame_setup.config.piece_set.get(letter).cloned()).collect()
}

/// Parses a move on the board, or returns the reason why it is not legal.
pub(super) fn read_move(
    board: &FairyBoard,
    text: &str,
    endgame_setup: &EndgameSetup,
) -> Result<FairyMove, IllegalFairyMove> {
    let promotions = promotions(endgame_setup);
    let given = text.trim().to_ascii_lowercase();
    let given = if given == "@@@@" { "0000".to_owned() } else { given };
    if let Some(mv) = board.moves_to(&promotions).into_iter().find(|mv| mv.to_string() == given) {
        return Ok(mv);
    }
    if given == "0000" {
        return read_pass(board, endgame_setup);
    }
    if board.pseudo_moves(&promotions).iter().any(|mv| mv.to_string() == given) {
        return Err(IllegalFairyMove::EnPrise);
    }
    let from = given.get(..2).and_then(|from| from.parse::<Square>().ok());
    let Some(from) = from.filter(|_| matches!(given.len(), 4 | 5)) else {
        return Err(IllegalFairyMove::Syntax);
    };
    match board.at(from) {
        Some(piece) if piece.color == board.turn => {
            Err(IllegalFairyMove::Unreachable { letter: piece.piece.letter, from })
        }
        _ => Err(IllegalFairyMove::NoPiece { color: board.turn, from }),
    }
}

/// Returns a pass, where the rules allow one.
fn read_pass(
    board: &FairyBoard,
    endgame_setup: &EndgameSetup,
) -> Result<FairyMove, IllegalFairyMove> {
    let stuck = board.moves_to(&promotions(endgame_setup)).is_empty();
    let rules = &endgame_setup.config.rules;
    if board.in_check() {
        Err(IllegalFairyMove::PassInCheck)
    } else if stuck && rules.stalemate != Stalemate::Pass {
        Err(IllegalFairyMove::PassInStalemate)
    } else if !stuck && !rules.null_move {
        Err(IllegalFairyMove::NoPasses)
    } else {
        Ok(FairyMove::pass(board.royal(board.turn)))
    }
}

/// Returns a legal position of the endgame, for a GUI to show.
pub(super) fn example(endgame: &Material, endgame_setup: &EndgameSetup) -> Option<FairyBoard> {
    // Neighbors in the list have different colors: two pieces that keep their color on one color
    // usually draw.
    let places = ["a1", "b1", "d2", "e2", "c3"];
    for royal in ["d5", "e7", "g8", "h6", "c8", "f4"] {
        for first in ["d4", "g5", "b6", "h7", "a7", "e3"] {
            let theirs = [royal, first, "f7", "b7", "c6"];
            let mut setup = Setup::default();
            for (color, squares) in [(Color::White, places), (Color::Black, theirs)] {
                for (piece, square) in endgame.side(color).iter().zip(squares) {
                    let square: Square = square.parse().ok()?;
                    let square = match (piece.pawn, square.rank()) {
                        (true, 0) => square.offset(0, 1)?,
                        _ => square,
                    };
                    setup.put(square, color, piece.letter);
                }
            }
            if setup.pieces().count() == endgame.count()
                && let Ok(board) = read(&setup, false, endgame_setup)
            {
                return Some(board);
            }
        }
    }
    None
}
