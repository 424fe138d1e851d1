//! The room of proof games: its verbs and keys, and how its errands are made ready.

mod explain;
mod files;
mod gaze;
mod journal;
mod keep;
pub mod picture;
mod task;
mod tell;
mod verbs;
mod work;

use self::verbs::VERBS;
use super::errand::{Domain, Errand, Prepared, Room, Surroundings};
use task::Chosen;

/// The room of shortest proof games.
pub const ROOM: Room = Room { domain: Domain::Spg, verbs: VERBS, prepare, from_board };

/// `go` with this room as the solver: the diagram on the board, in as many moves as the option says.
fn from_board(surroundings: &Surroundings) -> Result<Errand, String> {
    let moves = surroundings.options.proofs.moves.clone();
    if moves.is_empty() {
        return Err("the option SPG Moves is empty, expected a length such as 23.0".to_owned());
    }
    let keys = vec![("moves", moves)];
    Ok(Errand { domain: Domain::Spg, verb: "solve", subject: vec![], keys, text: None })
}

fn prepare(errand: &Errand, around: &Surroundings) -> Result<Prepared, String> {
    let chosen = Chosen::of(errand, around)?;
    let workers = chosen.workers();
    let prepared = match errand.verb {
        "check" => work::checking(errand, &chosen, around)?,
        "explain" => explain::explaining(errand, &chosen, around)?,
        "min" => work::least(errand, &chosen, around)?,
        "merge" | "verify" => work::merging(errand),
        _ => work::solving(errand, chosen, around)?,
    };
    Ok(Prepared { workers, ..prepared })
}
