//! `spg legal`: whether any game leads to a position.

use super::notify;
use super::problems::SolveSettings;
use crate::records::spg_legal::LegalEnd;
use umbrail_chess::geometry::{Color, Setup};
use umbrail_chess::{Position, to_uci};
use umbrail_proof::Diagram;
use umbrail_proof::legality::{Legality, examine};
use umbrail_proof::report::{length, text};
use umbrail_proof::san_of;
use umbrail_session::domain::Task;
use umbrail_session::message::{Completion, Kind};
use umbrail_session::module::{Context, Prepared};
use umbrail_session::status::Status;
use umbrail_session::task_error::TaskError;

/// `spg legal`: an argument, a game, or what was tried. Castling rights and en passant of a FEN
/// count; fields that it lacks are left open.
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
    Ok(Prepared::work(move |job| {
        let notify = |()| {};
        let (legality, turn) = examine(&setup, &job.control(&notify));
        let is_open = matches!(legality, Legality::Undecided { .. });
        let record = record(&legality, turn);
        let text = sentence(&record, setup.fields < 2);
        let mut done = notify::holding(Kind::Done, &record)
            .with("legality", record.legality.as_str())
            .printing(text.as_str());
        done.page = vec![text];
        done.page.extend(record.game.clone());
        let status = match () {
            () if is_open && job.clock.is_over() => Status::Limit,
            () if is_open && job.is_over() => Status::Stopped,
            () => Status::Complete,
        };
        Completion { done, status }
    }))
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
