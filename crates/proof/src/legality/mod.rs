//! Legality: whether any game, of any length, leads to a position.
//!
//! [`examine`] answers with an argument, with a game, or with a list of what was tried. Arguments
//! come first: counts, origins of pieces, captures by pawns, parity, last moves. Then a best-first
//! search takes back moves until the initial position is reached (`retro`). Its games are long,
//! since it follows distances and no plan; each is played again by the rules of chess alone.
//! Repetitions and the 50-move rule are ignored.
//!
//! | module | what |
//! |---|---|
//! | `stated` | what a FEN states: side to move, castling rights, en passant |
//! | `argument` | arguments against a position |
//! | `origins` | squares that pieces can have reached, and captures that pawns need |
//! | `walks` | distances among walls that last |
//! | `homeward` | estimate of the moves back to the initial position |
//! | `least` | least length for each side to move, or a lower bound |
//! | `retro` | search of a game by taking moves back, and exhaustion of short histories |

mod argument;
mod assignment;
mod homeward;
mod least;
mod origins;
mod retro;
#[cfg(test)]
mod scale;
mod stated;
#[cfg(test)]
mod tests;
mod walks;

pub use argument::{Argument, UnlikelyRight};
pub use least::{LeastLength, least_length};

use crate::problem::diagram::Diagram;
use retro::{RetroEnd, RetroSearch};
use stated::Stated;
use umbrail_chess::Move;
use umbrail_chess::geometry::{Color, Setup};
use umbrail_control::{Control, keep_limit};

/// Result of the examination of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Legality {
    /// No game leads to it, for each of these reasons.
    Illegal(Vec<Argument>),
    /// This game leads to it.
    Legal(Vec<Move>),
    /// Neither an argument nor a game was found.
    Undecided {
        /// Positions from which moves were taken back.
        positions: u64,
        /// Fewest moves that the estimate left to the initial position.
        nearest: u32,
    },
}

/// Positions that the first attempts of the search take moves back from: most games need a few
/// hundred, and an attempt that went astray rarely recovers. Every eighth attempt doubles the number.
const ATTEMPT_MAX: u64 = 1_500;

/// Attempts, each with another share of chance.
const ATTEMPTS: u64 = 32;

/// Examines a position that a FEN states, with each side to move that it may have. The result names
/// the side to move, unless no game exists with either.
pub fn examine(setup: &Setup, control: &Control<'_, ()>) -> (Legality, Option<Color>) {
    let turns = match setup.fields {
        0 | 1 => vec![Color::White, Color::Black],
        _ => vec![setup.turn],
    };
    keep_limit(control.clock, &control.cancel, || {
        let mut worst: Option<(Legality, Option<Color>)> = None;
        for turn in turns {
            let one = one_turn(setup, turn, control);
            worst = Some(match (worst, one) {
                (_, found @ Legality::Legal(_)) => return (found, Some(turn)),
                (Some((Legality::Illegal(mut reasons), _)), Legality::Illegal(more)) => {
                    let new = more.into_iter().filter(|reason| !reasons.contains(reason));
                    let new: Vec<Argument> = new.collect();
                    reasons.extend(new);
                    (Legality::Illegal(reasons), None)
                }
                (Some(open @ (Legality::Undecided { .. }, _)), Legality::Illegal(_)) => open,
                (_, one) => (one, Some(turn)),
            });
        }
        worst.unwrap_or((Legality::Illegal(vec![]), None))
    })
}

fn one_turn(setup: &Setup, turn: Color, control: &Control<'_, ()>) -> Legality {
    let stated = match refutation(setup, turn, control) {
        Ok(stated) => stated,
        Err(arguments) => return Legality::Illegal(arguments),
    };
    let (mut positions, mut nearest) = (0, u32::MAX);
    for attempt in 0..ATTEMPTS {
        let search = RetroSearch::new(&stated, attempt);
        match search.run(ATTEMPT_MAX << (attempt / 8), control) {
            RetroEnd::Found(game) => return Legality::Legal(game),
            RetroEnd::Open { expanded, nearest: near } => {
                positions += expanded;
                nearest = nearest.min(near);
            }
        }
        if control.cancel.is_raised() {
            break;
        }
    }
    Legality::Undecided { positions, nearest }
}

/// Returns what a FEN states with this side to move.
///
/// # Errors
/// The arguments against any game that ends in it.
fn refutation(
    setup: &Setup,
    turn: Color,
    control: &Control<'_, ()>,
) -> Result<Stated, Vec<Argument>> {
    let mut setup = setup.clone();
    setup.turn = turn;
    let stated = Stated::of(&setup)?;
    let diagram = Diagram::of(&stated.position);
    let arguments = origins::arguments(&diagram, turn, stated.rights);
    if !arguments.is_empty() {
        return Err(arguments);
    }
    match retro::exhausted(&stated, control) {
        Some(argument) => Err(vec![argument]),
        None => Ok(stated),
    }
}
