//! The problem that the keys of a task pose.

use super::problems::{SolveSettings, diagram, in_moves, plies};
use umbrail_chess::geometry::{Bitboard, Color, Setup, Square};
use umbrail_proof::positions::{
    ConditionName, FairyError, FairyProblem, FairyStart, NameError, PieceName, Turns, castling_of,
    men_of, without_neutral_signs,
};
use umbrail_session::domain::Task;
use umbrail_session::module::Context;
use umbrail_session::task_error::TaskError;

/// Reads the problem: diagram, length, and what distinguishes it from a shortest proof game.
///
/// # Errors
/// The first key that cannot be used, and what was expected.
pub(super) fn problem(
    task: &Task,
    settings: &SolveSettings,
    context: &Context,
) -> Result<FairyProblem, TaskError> {
    let setup =
        |text: &str| text.parse::<Setup>().map_err(|error| TaskError::from(error.to_string()));
    let mut pieces = vec![];
    for text in task.all("piece") {
        let given = piece(text)?;
        if let Some(why) = PieceName::conflict(&pieces, given) {
            return Err(why.into());
        }
        pieces.push(given);
    }
    let fen = task.key("fen").map(|fen| plain("fen", fen, &mut pieces)).transpose()?;
    let start = task.key("start").map(|fen| plain("start", fen, &mut pieces)).transpose()?;
    let refused = |error: FairyError| TaskError::from(error.to_string());
    let target = match &fen {
        Some(fen) if !pieces.is_empty() => setup(fen)?,
        _ => diagram(task, context)?.to_string().parse::<Setup>().map_err(|e| e.to_string())?,
    };
    let mut conditions: Vec<ConditionName> = vec![];
    let mut imitator_end = None;
    for text in task.all("condition") {
        let name = ConditionName::read(text).map_err(|error| refused_condition(text, &error))?;
        let is_imitator = name.name == "Imitator";
        if is_imitator && conditions.iter().any(|known| known.name == "Imitator") {
            let square = name.squares.first().copied();
            imitator_end = Some(
                square.ok_or_else(|| TaskError::expected("a square of the imitator at the end"))?,
            );
        } else {
            conditions.push(name);
        }
    }
    let board = |key: &'static str| match task.key(key) {
        Some(text) => {
            squares(text).ok_or_else(|| TaskError::expects(key, "squares such as f3c6").got(text))
        }
        None => Ok(Bitboard::EMPTY),
    };
    let mut from = FairyStart::ARRAY;
    if let Some(text) = &start {
        let given =
            text.parse::<Setup>().map_err(|error| TaskError::from(format!("start: {error}")))?;
        let men = men_of(&given, &pieces, board("start-board-b")?).map_err(refused)?;
        from = FairyStart {
            men: Some(men),
            turn: given.turn,
            castling: castling_of(&given.castling),
            en_passant: given.en_passant,
        };
    }
    let is_series = task.key("series").is_some();
    let turns = if is_series { Turns::Series } else { Turns::Alternating };
    let problem = FairyProblem {
        start: from,
        target: men_of(&target, &pieces, board("board-b")?).map_err(refused)?,
        states_boards: task.key("board-b").is_some(),
        imitator_end,
        plies: if turns == Turns::Series { series_moves(task)? } else { plies(task)? },
        length: settings.length(),
        turns,
        conditions,
        pieces: pieces
            .iter()
            .map(|(_, piece)| *piece)
            .filter(|piece| !matches!(piece, PieceName::Any | PieceName::Anything))
            .collect(),
        letters: pieces,
        uncolored: task.key("uncolored").is_some(),
        added: task.all("add").map(added).collect::<Result<Vec<_>, _>>()?,
    };
    problem.check().map_err(refused)?;
    Ok(problem)
}

/// The number of moves of a series: `6.0` and `6` are six moves, each of which is a half-move.
fn series_moves(task: &Task) -> Result<u16, TaskError> {
    match task.key("moves") {
        Some(moves) if task.key("plies").is_none() => match in_moves(moves)? {
            halves if halves.is_multiple_of(2) => Ok(halves / 2),
            _ => Err(TaskError::expects(
                "moves",
                "a whole number of moves for a series, such as 6.0",
            )
            .got(moves)),
        },
        _ => plies(task),
    }
}

/// Returns a FEN without the signs of neutral pieces, whose letters get a meaning: `=N7/8/...`.
fn plain(
    key: &'static str,
    fen: &str,
    pieces: &mut Vec<(char, PieceName)>,
) -> Result<String, TaskError> {
    without_neutral_signs(fen, pieces)
        .map_err(|letter| TaskError::expects(key, "a piece after each =").got(letter))
}

/// The error about a condition, which may be several in one key.
fn refused_condition(text: &str, error: &NameError) -> TaskError {
    let parts: Vec<&str> = text.split([',', ';']).map(str::trim).collect();
    if parts.len() > 1 && parts.iter().all(|part| ConditionName::read(part).is_ok()) {
        let keys: Vec<String> =
            parts.iter().map(|part| format!("--condition \"{part}\"")).collect();
        return format!("one key condition for each condition: {}", keys.join(" ")).into();
    }
    format!("{error}; umbrail spg list prints all names").into()
}

/// Reads the color and the name of a piece: `black queen`.
fn added(text: &str) -> Result<(Color, PieceName), TaskError> {
    let expected =
        || TaskError::expects("add", "a color and a piece, such as black queen").got(text);
    let (color, name) = text.trim().split_once(' ').ok_or_else(expected)?;
    let color = match color.to_ascii_lowercase().as_str() {
        "white" => Color::White,
        "black" => Color::Black,
        _ => return Err(expected()),
    };
    match PieceName::named(name) {
        None | Some(PieceName::Any | PieceName::Anything) => Err(expected()),
        Some(piece) => Ok((color, piece)),
    }
}

/// Reads `LETTER=NAME`.
fn piece(text: &str) -> Result<(char, PieceName), TaskError> {
    let name = text.split_once('=').map_or("", |(_, name)| name);
    match PieceName::assigned(text) {
        Some(piece) => Ok(piece),
        None if !name.is_empty() && PieceName::named(name).is_none() => {
            Err(TaskError::from(PieceName::unknown(name)))
        }
        None => Err(TaskError::expects("piece", "LETTER=NAME, such as G=grasshopper").got(text)),
    }
}

fn squares(text: &str) -> Option<Bitboard> {
    let text = text.replace([' ', ','], "").to_ascii_lowercase();
    let pairs = text.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).ok());
    pairs.map(|pair| pair.and_then(|name| name.parse::<Square>().ok())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_a_letter_and_a_name() {
        assert_eq!(piece("G=Grasshopper").unwrap(), ('G', PieceName::Fairy("grasshopper")));
        let refused = piece("G=gryphonx").unwrap_err().to_string();
        assert_eq!(refused, "the piece gryphonx is not known");
        assert!(piece("Grasshopper").is_err() && piece("GG=zebra").is_err());
        assert_eq!(squares("f3, C6").map(Bitboard::len), Some(2));
        assert_eq!(squares("f9"), None);
    }
}
