//! The room of proof games: its verbs and keys, and how its errands are made ready.

mod explain;
mod files;
mod gaze;
mod journal;
mod keep;
pub mod picture;
pub mod settings;
mod task;
mod tell;
mod verbs;
mod work;

use self::verbs::VERBS;
use super::errand::{Domain, Errand, Room, Surroundings, Work};

/// The room of shortest proof games.
pub const ROOM: Room = Room { domain: Domain::Spg, verbs: VERBS, prepare, from_board, workers };

/// `go` with this room as the solver: the diagram on the board, in as many moves as the option says.
fn from_board(surroundings: &Surroundings<'_>) -> Result<Errand, String> {
    let moves = surroundings.options.spg_moves.clone();
    if moves.is_empty() {
        return Err("the option SPG Moves is empty, expected a length such as 23.0".to_owned());
    }
    let keys = vec![("moves", moves)];
    Ok(Errand { domain: Domain::Spg, verb: "solve", subject: vec![], keys, text: None })
}

/// Seekers and players together, when both are told.
fn workers(errand: &Errand, around: &Surroundings<'_>) -> Option<usize> {
    let params = task::params(errand, around).ok()?;
    let told = params.seekers > 0 && params.players > 0;
    told.then_some(params.seekers + params.players)
}

fn prepare(errand: &Errand, surroundings: &Surroundings<'_>) -> Result<Work, String> {
    match errand.verb {
        "check" => work::checking(errand, surroundings),
        "explain" => explain::explaining(errand, surroundings),
        "min" => work::least(errand, surroundings),
        "merge" | "verify" => work::merging(errand),
        _ => work::solving(errand, surroundings),
    }
}
