//! Proof games with fairy conditions, fairy pieces or another start as a job.

use crate::job::{Job, Means, granted, refused};
use crate::positions::setup;
use pyo3::prelude::*;
use umbrail_chess::geometry::Bitboard;
use umbrail_proof::positions::{
    ConditionName, FairyProblem, FairyStart, PieceName, PositionEvent, PositionSettings, Turns,
    castling_of, count_fairy_games, fairy_verdict_of, men_of,
};
use umbrail_proof::{Length, PLIES_MAX};

/// The fields of `umbrail.FairyGame`.
#[derive(IntoPyObject)]
struct FairyGameOut {
    moves: Vec<String>,
    text: String,
    boards: Vec<String>,
}

/// The fields of `umbrail.FairyProofResult`.
#[derive(IntoPyObject)]
struct FairyOut {
    verdict: String,
    statement: String,
    /// Number of games in decimal: it may have 128 bits.
    count: String,
    lengths: Vec<(u16, String)>,
    games: Vec<FairyGameOut>,
    complete: bool,
    nodes: u64,
}

/// Starts a proof game with conditions; the answer is a dictionary of the fields of `umbrail.FairyProofResult`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the fields of the Python function, in its order")]
pub(crate) fn start_fairy(
    fen: &str,
    plies: u16,
    conditions: Vec<String>,
    pieces: Vec<(char, String)>,
    start: Option<&str>,
    series: bool,
    exact: bool,
    games_max: usize,
    threads: usize,
    memory_mib: Option<u64>,
    seconds: Option<f64>,
) -> PyResult<Job> {
    if plies > PLIES_MAX {
        let most = if series { PLIES_MAX } else { PLIES_MAX / 2 };
        return Err(refused(format!("a proof game has at most {most} moves")));
    }
    let piece = |(letter, name): (char, String)| {
        let unknown = || refused(format!("the piece {name} is not supported"));
        Ok((letter, PieceName::named(&name).ok_or_else(unknown)?))
    };
    let pieces: Vec<(char, PieceName)> = pieces.into_iter().map(piece).collect::<PyResult<_>>()?;
    let conditions = conditions.iter().map(|text| ConditionName::read(text).map_err(refused));
    let men = |fen: &str| {
        let setup = setup(fen)?;
        let men = men_of(&setup, &pieces, Bitboard::EMPTY).map_err(refused)?;
        PyResult::Ok((setup, men))
    };
    let start = match start {
        None => FairyStart::ARRAY,
        Some(fen) => {
            let (setup, men) = men(fen)?;
            FairyStart {
                men: Some(men),
                turn: setup.turn,
                castling: castling_of(&setup.castling),
                en_passant: setup.en_passant,
            }
        }
    };
    let problem = FairyProblem {
        start,
        target: men(fen)?.1,
        states_boards: false,
        imitator_end: None,
        plies,
        length: if exact { Length::Exact } else { Length::Parity },
        turns: if series { Turns::Series } else { Turns::Alternating },
        conditions: conditions.collect::<PyResult<_>>()?,
        pieces: pieces.iter().map(|(_, piece)| *piece).collect(),
        letters: pieces,
        uncolored: false,
        added: vec![],
    };
    problem.check().map_err(refused)?;
    let settings = PositionSettings {
        table_bytes: granted(memory_mib, 256),
        listed_max: games_max,
        ..PositionSettings::default()
    };
    Job::start(&Means::new(threads, seconds)?, move |place| {
        let notify = |event| match event {
            PositionEvent::FairyGame(game) => place.notify(format!("game: {}", game.text)),
            PositionEvent::Game(_) => {}
            PositionEvent::SmallerTable { wanted, granted } => {
                let (wanted, granted) = (wanted >> 20, granted >> 20);
                place.notify(format!("memory is low: {granted} of {wanted} MiB"));
            }
        };
        let found = count_fairy_games(&problem, &settings, None, &place.control(&notify));
        let found = found.map_err(refused)?;
        if let Some(fault) = found.faults.first() {
            return Err(pyo3::exceptions::PyRuntimeError::new_err(fault.clone()));
        }
        let verdict = fairy_verdict_of(&problem, 1, &found);
        let game = |game: &umbrail_proof::positions::FairyGame| FairyGameOut {
            moves: game.moves.clone(),
            text: game.text.clone(),
            boards: problem.placements(game),
        };
        Ok(FairyOut {
            verdict: verdict.word.to_string(),
            statement: verdict.text,
            count: found.count().to_string(),
            lengths: found.counts.iter().map(|one| (one.plies, one.games.to_string())).collect(),
            games: found.fairy_games.iter().map(game).collect(),
            complete: verdict.complete,
            nodes: found.nodes,
        })
    })
}
