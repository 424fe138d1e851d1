//! `spg legal`: whether any game leads to a position.

use super::notify;
use super::problems::{SolveSettings, in_moves};
use crate::records::spg_legal::{LeastOfSide, LegalEnd};
use umbrail_chess::geometry::{Color, Setup};
use umbrail_chess::{Position, to_uci};
use umbrail_control::Control;
use umbrail_proof::Diagram;
use umbrail_proof::legality::{LeastLength, Legality, examine, least_length};
use umbrail_proof::report::{length, text};
use umbrail_proof::san_of;
use umbrail_session::domain::Task;
use umbrail_session::message::{Completion, Kind};
use umbrail_session::module::{Context, Prepared};
use umbrail_session::status::Status;
use umbrail_session::task_error::TaskError;

/// Last length in half-moves that is searched for the least one, unless a key says otherwise.
const SEARCHED_MAX: u16 = 10;
/// The same for a position without an argument and without a game: a short game would decide it.
const SEARCHED_UNDECIDED: u16 = 14;

/// `spg legal`: an argument, a game, or what was tried; and the least length for each side to move. Castling rights and
/// en passant of a FEN count; fields that it lacks are left open.
pub(super) fn legal(
    task: &Task,
    _: SolveSettings,
    context: &Context,
) -> Result<Prepared, TaskError> {
    let setup = match task.key("fen") {
        Some(fen) => fen.parse::<Setup>().map_err(|error| error.to_string())?,
        None => match context.game.position() {
            Ok(position) => position.to_setup(),
            Err(_) => context.game.start().clone(),
        },
    };
    // A letter without a meaning is a mistake of the input, no argument against a position.
    Diagram::from_setup(&setup).map_err(|error| error.to_string())?;
    let searched_max = task.key("to").map(in_moves).transpose()?;
    Ok(Prepared::work(move |job| {
        let notify = |()| {};
        let control = job.control(&notify);
        let (mut legality, mut turn) = examine(&setup, &control);
        let least = match legality {
            Legality::Illegal(_) => vec![],
            _ => {
                let usual = match legality {
                    Legality::Undecided { .. } => SEARCHED_UNDECIDED,
                    _ => SEARCHED_MAX,
                };
                let searched_max = searched_max.unwrap_or(usual);
                least_lengths(&setup, (&legality, turn), searched_max, &control)
            }
        };
        if let Legality::Undecided { .. } = legality
            && let Some((side, LeastLength::Known(game))) = least.iter().find(is_known)
        {
            (legality, turn) = (Legality::Legal(game.clone()), Some(*side));
        }
        let is_open = matches!(legality, Legality::Undecided { .. });
        let least: Vec<LeastOfSide> = least.iter().map(least_record).collect();
        let record = LegalEnd { least, ..record(&legality, turn) };
        let text = sentence(&record, setup.fields < 2);
        let mut done = notify::holding(Kind::Done, &record)
            .with("legality", record.legality.as_str())
            .printing(text.as_str());
        done.page = vec![text];
        done.page.extend(record.game.clone());
        done.page.extend(record.least.iter().map(least_line));
        let status = match () {
            () if is_open && job.clock.is_over() => Status::Limit,
            () if is_open && job.is_over() => Status::Stopped,
            () => Status::Complete,
        };
        Completion { done, status }
    }))
}

/// Returns what is known of the least length with each side to move that the FEN allows.
fn least_lengths(
    setup: &Setup,
    (legality, turn): (&Legality, Option<Color>),
    searched_max: u16,
    control: &Control<'_, ()>,
) -> Vec<(Color, LeastLength)> {
    let sides = match setup.fields {
        0 | 1 => Color::ALL.to_vec(),
        _ => vec![setup.turn],
    };
    let known = |side: Color| match legality {
        Legality::Legal(game) if turn == Some(side) => Some(game.as_slice()),
        _ => None,
    };
    let least = |side| (side, least_length(setup, side, searched_max, known(side), control));
    sides.into_iter().map(least).collect()
}

fn is_known(least: &&(Color, LeastLength)) -> bool {
    matches!(least.1, LeastLength::Known(_))
}

fn least_record((turn, least): &(Color, LeastLength)) -> LeastOfSide {
    let of = LeastOfSide { turn: turn.to_string(), ..LeastOfSide::default() };
    match least {
        LeastLength::Known(game) => {
            LeastOfSide { plies: Some(game.len() as u64), moves: Some(san_of(game)), ..of }
        }
        LeastLength::AtLeast(plies) => {
            LeastOfSide { at_least_plies: Some(u64::from(*plies)), ..of }
        }
        LeastLength::Impossible(arguments) => {
            LeastOfSide { arguments: arguments.iter().map(ToString::to_string).collect(), ..of }
        }
    }
}

/// `with white to move: 2.0 moves at least, such as 1. e3 Nf6 2. e4 Ng8`.
fn least_line(least: &LeastOfSide) -> String {
    let moves = |plies: u64| length(usize::try_from(plies).unwrap_or(usize::MAX));
    let turn = &least.turn;
    match (least.plies, least.at_least_plies) {
        (Some(plies), _) => {
            let game = least.moves.as_deref().unwrap_or_default();
            let such =
                if game.is_empty() { String::new() } else { format!(": {}", numbered(game)) };
            format!("least length with {turn} to move: {} moves{such}", moves(plies))
        }
        (None, Some(plies)) => format!(
            "least length with {turn} to move: at least {} moves, not searched further (--to)",
            moves(plies)
        ),
        (None, None) => format!("no game with {turn} to move: {}", least.arguments.join("; ")),
    }
}

/// The moves with their numbers.
fn numbered(moves: &[String]) -> String {
    let words =
        moves.chunks(2).zip(1..).map(|(pair, at): (_, u32)| format!("{at}. {}", pair.join(" ")));
    words.collect::<Vec<_>>().join(" ")
}

fn record(legality: &Legality, turn: Option<Color>) -> LegalEnd {
    let turn = turn.map(|turn| turn.to_string());
    match legality {
        Legality::Illegal(arguments) => LegalEnd {
            legality: "illegal".to_owned(),
            turn,
            arguments: arguments.iter().map(ToString::to_string).collect(),
            ..LegalEnd::default()
        },
        Legality::Legal(game) => {
            let mut position = Position::startpos();
            let coordinates = game.iter().map(|&mv| {
                let text = to_uci(&position, mv, false);
                position = position.after(mv);
                text
            });
            LegalEnd {
                legality: "legal".to_owned(),
                turn,
                plies: Some(game.len() as u64),
                uci: Some(coordinates.collect()),
                moves: Some(san_of(game)),
                game: Some(text::numbered(game, 'N')),
                ..LegalEnd::default()
            }
        }
        Legality::Undecided { positions, nearest } => LegalEnd {
            legality: "undecided".to_owned(),
            turn,
            positions: Some(*positions),
            nearest_plies: Some(u64::from(*nearest)),
            ..LegalEnd::default()
        },
    }
}

fn sentence(record: &LegalEnd, names_turn: bool) -> String {
    let turn = match &record.turn {
        Some(turn) if names_turn => format!(" with {turn} to move"),
        _ => String::new(),
    };
    match (record.plies, record.positions) {
        (Some(plies), _) => {
            let moves = length(usize::from(u16::try_from(plies).unwrap_or(u16::MAX)));
            format!("legal{turn}: a game of {moves} moves leads to the position")
        }
        (None, Some(positions)) => format!(
            "undecided{turn}: no argument against it, and no game found by taking moves back from {positions} positions"
        ),
        (None, None) => format!("illegal: {}", record.arguments.join("; ")),
    }
}
