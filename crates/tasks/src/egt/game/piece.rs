//! `egt piece` on other boards: the moves of a piece of the game, or of a movement.

use super::super::piece::{piece_of, text};
use super::super::{done, ended, notify};
use super::GameInputs;
use crate::records::egt::{PieceMove, PieceMoves};
use umbrail_session::module::Work;
use umbrail_session::task_error::TaskError;
use umbrail_tables::fairy::Template;
use umbrail_tables::game::GamePiece;
use umbrail_tables::{Grid, SquareSet};

pub(super) fn piece(inputs: GameInputs<'_>) -> Result<Work, TaskError> {
    let grid = inputs.game.grid;
    let text = text(inputs.task)?;
    let from = match inputs.task.key("from") {
        Some(name) => grid.square(name).map_err(|error| error.to_string())?,
        None => (grid.height() / 2) * grid.width() + (grid.width() - 1) / 2,
    };
    let mut letters = text.trim().chars();
    let letter = letters.next().filter(|_| letters.next().is_none());
    let of_game = inputs.task.key("rules").and(letter);
    let named = |letter| inputs.game.pieces().iter().find(|piece| piece.letter == letter);
    let (letter, movement, moves): (char, String, Vec<Template<u128>>) = match of_game {
        Some(letter) => {
            let piece: &GamePiece = named(letter)
                .ok_or_else(|| format!("{} has no piece {letter}", inputs.game.name))?;
            (letter, piece.movement.clone(), piece.moves_from(from).copied().collect())
        }
        None => {
            let piece = piece_of(&text, &inputs.config.piece_set)?;
            let all = piece.moves_on(&grid).into_iter().filter(|mv| mv.from == from);
            (piece.letter, piece.betza(), all.collect())
        }
    };
    let names = |set: u128| set.squares().map(|square| grid.name(square)).collect::<Vec<_>>();
    let record = |template: &Template<u128>| PieceMove {
        to: grid.name(template.to),
        takes: names(template.take),
        empty: names(template.empty & !u128::bit(template.from)),
        occupied: names(template.all),
        exactly_one: names(template.one),
        own: names(template.own),
        text: template.in_words(&grid),
    };
    let record = PieceMoves {
        piece: letter.to_string(),
        betza: movement,
        xboard: None,
        piecedef: None,
        from: grid.name(from),
        moves: moves.iter().map(record).collect(),
    };
    let mut message = notify::result(&record)
        .with("piece", record.piece.as_str())
        .with("betza", record.betza.as_str());
    message.page = vec![format!("{} = {}", record.piece, record.betza), String::new()];
    message.page.extend(draw(&grid, letter, from, &moves));
    message.page.push("o moves and captures   m only moves   c only captures (alone)".to_owned());
    message.page.push(String::new());
    message.page.extend(record.moves.iter().map(|mv| mv.text.clone()));
    if record.moves.is_empty() {
        message.page.push(format!("no move from {}", record.from));
    }
    Ok(done(vec![message, ended(1)]))
}

/// Draws where the piece moves when no other piece, or only the captured one, is on the board.
fn draw(grid: &Grid, letter: char, from: u8, moves: &[Template<u128>]) -> Vec<String> {
    let (mut quiet, mut captures) = (0u128, 0u128);
    for template in moves {
        if template.is_quiet() && template.holds(0, 0) {
            quiet |= u128::bit(template.to);
        }
        if template.take.count() == 1 && template.holds(0, template.take) {
            captures |= template.take;
        }
    }
    let sign = |square: u8| match (quiet.has(square), captures.has(square)) {
        _ if square == from => letter,
        _ if !grid.squares().has(square) => '*',
        (true, true) => 'o',
        (true, false) => 'm',
        (false, true) => 'c',
        _ => '.',
    };
    let mut lines: Vec<String> = (0..grid.height())
        .rev()
        .map(|rank| {
            let row = (0..grid.width()).map(|file| sign(rank * grid.width() + file).to_string());
            format!("{:>2} {}", rank + 1, row.collect::<Vec<_>>().join(" "))
        })
        .collect();
    let files: Vec<String> = (0..grid.width()).map(|f| char::from(b'a' + f).to_string()).collect();
    lines.push(format!("   {}", files.join(" ")));
    lines
}
