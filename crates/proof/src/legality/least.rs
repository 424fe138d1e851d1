//! Least number of half-moves in which a position is reached, with a side to move: found, or bounded from below.
//!
//! The side to move fixes the parity of the length. Lengths are tried in ascending order: counting the moves that
//! each side needs and the captures that it must have made, then a search of positions. A length is excluded only if no game of this length ends in the
//! diagram, or if all such games are known and none of them ends with the castling rights and the en passant square
//! of the FEN. So a lower bound holds for the position as the FEN states it.

use super::stated::Stated;
use super::{Argument, refutation};
use crate::positions::{PositionEvent, PositionProblem, PositionSettings, Turns, count_games};
use crate::problem::diagram::Diagram;
use crate::problem::{Length, Problem};
use crate::run::least_moves;
use umbrail_chess::geometry::{Color, Setup};
use umbrail_chess::{Move, Position};
use umbrail_control::Control;

/// Result of the search for the least length of a game, with one side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeastLength {
    /// This game is one of the shortest.
    Known(Vec<Move>),
    /// No game has fewer half-moves than this number, whose parity is that of the side to move.
    AtLeast(u16),
    /// No game of any length leads to the position.
    Impossible(Vec<Argument>),
}

/// Memory of the table of one search.
const TABLE_BYTES: u64 = 64 << 20;

/// Games that are compared with castling rights and en passant.
const COMPARED_MAX: usize = 2_000;

/// Returns the least length of games to a position with this side to move. Searches try games of up to `searched_max`
/// half-moves; `known` is a game to the position, if one is known.
pub fn least_length(
    setup: &Setup,
    turn: Color,
    searched_max: u16,
    known: Option<&[Move]>,
    control: &Control<'_, ()>,
) -> LeastLength {
    let mut setup = setup.clone();
    (setup.turn, setup.fields) = (turn, setup.fields.max(2));
    let stated = match refutation(&setup, turn, control) {
        Ok(stated) => stated,
        Err(arguments) => return LeastLength::Impossible(arguments),
    };
    let diagram = Diagram::of(&stated.position);
    let known = known.filter(|game| stated.is_reached(game));
    let longest = known.map_or(crate::PLIES_MAX, |game| game.len() as u16);
    let mut plies = u16::from(!turn.is_white());
    while plies < longest {
        let problem = Problem { diagram, plies, length: Length::Exact };
        let needed = Color::ALL.into_iter().zip(least_moves(&problem));
        let is_short = |(side, least): (Color, Option<u16>)| {
            least.is_none_or(|least| least > problem.budget(side))
        };
        // Each man that is missing was captured by a move of the other side.
        let captures = |side: Color| (16 - diagram.piece_counts()[(!side).index()] as u16, side);
        let has_time = |(due, side): (u16, Color)| due <= problem.budget(side);
        if !needed.into_iter().any(is_short) && Color::ALL.map(captures).into_iter().all(has_time) {
            if plies > searched_max || control.cancel.is_raised() {
                return LeastLength::AtLeast(plies);
            }
            match search(&stated, diagram, plies, control) {
                Searched::Game(game) => return LeastLength::Known(game),
                Searched::Open => return LeastLength::AtLeast(plies),
                Searched::None => {}
            }
        }
        plies += 2;
    }
    match known {
        Some(game) => LeastLength::Known(game.to_vec()),
        None => LeastLength::AtLeast(plies),
    }
}

/// End of a search of one length.
enum Searched {
    /// A game that ends as the FEN states.
    Game(Vec<Move>),
    /// There is none.
    None,
    /// Games were not all compared.
    Open,
}

fn search(stated: &Stated, diagram: Diagram, plies: u16, control: &Control<'_, ()>) -> Searched {
    let problem = PositionProblem {
        start: Position::startpos(),
        diagram,
        plies,
        length: Length::Exact,
        turns: Turns::Alternating,
    };
    let quiet = |_: PositionEvent| {};
    let counting =
        Control::new(control.cancel.clone(), control.clock, control.progress, control.pool, &quiet);
    // The first game is mostly one that fits.
    for enough in [1, COMPARED_MAX] {
        let settings = PositionSettings {
            table_bytes: TABLE_BYTES,
            listed_max: enough,
            enough: enough as u128,
        };
        let report = count_games(&problem, &settings, None, &counting);
        if let Some(game) = report.games.iter().find(|game| stated.is_reached(game)) {
            return Searched::Game(game.clone());
        }
        let is_all = report.is_complete && report.count() == report.games.len() as u128;
        if is_all && report.faults.is_empty() {
            return Searched::None;
        }
    }
    Searched::Open
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{game_of, san_of};
    use umbrail_control::{Cancel, Clock, Pool, Progress};

    fn least(fen: &str, turn: Color, searched_max: u16, known: Option<&str>) -> LeastLength {
        let (clock, progress) = (Clock::started(std::time::Instant::now()), Progress::default());
        let pool = Pool::new(1).unwrap();
        let control = Control::new(Cancel::default(), &clock, &progress, &pool, &|()| {});
        let known = known.map(|game| game_of(game).unwrap());
        let setup: Setup = fen.parse().unwrap();
        least_length(&setup, turn, searched_max, known.as_deref(), &control)
    }

    fn plies(found: &LeastLength) -> usize {
        match found {
            LeastLength::Known(game) => game.len(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_side_to_move_has_a_least_length() {
        // White plays e4 at once, or in two moves; then Black has to lose a move, too.
        let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
        assert_eq!(plies(&least(fen, Color::Black, 10, None)), 1);
        assert_eq!(plies(&least(fen, Color::White, 10, None)), 4);
        let moves = san_of(&match least(fen, Color::White, 10, None) {
            LeastLength::Known(game) => game,
            other => panic!("{other:?}"),
        });
        assert_eq!([moves[0].as_str(), moves[2].as_str()], ["e3", "e4"]);
    }

    #[test]
    fn castling_rights_and_en_passant_lengthen_games() {
        let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        let of = |fields: &str, known| least(&format!("{board} {fields}"), Color::White, 6, known);
        assert_eq!(plies(&of("w KQkq -", None)), 0);
        // White's rook goes to g1 and back, and the knight before and after it. Games of four half-moves do not fit.
        assert_eq!(of("w Qkq -", None), LeastLength::AtLeast(8));
        let game = "Nf3 Nf6 Rg1 Ng8 Rh1 Nf6 Ng1 Ng8";
        assert_eq!(plies(&of("w Qkq -", Some(game))), 8);
        // A known game that ends in another position is ignored.
        assert_eq!(of("w Qkq -", Some("Nf3 Nf6 Ng1 Ng8")), LeastLength::AtLeast(8));
        let board = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR";
        let of = |fields: &str| least(&format!("{board} {fields}"), Color::Black, 9, None);
        assert_eq!(plies(&of("b KQkq e3")), 5);
        assert_eq!(plies(&of("b KQkq -")), 5);
    }

    #[test]
    fn a_bound_is_no_more_than_what_was_excluded() {
        let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
        // Nothing is searched, and the pawn alone needs a move.
        assert_eq!(least(fen, Color::White, 0, None), LeastLength::AtLeast(2));
        assert_eq!(least(fen, Color::White, 2, None), LeastLength::AtLeast(4));
        // Eight half-moves are known, and four are not excluded.
        let game = "Nf3 Nf6 Ng1 Ng8 e3 Nf6 e4 Ng8";
        assert_eq!(least(fen, Color::White, 2, Some(game)), LeastLength::AtLeast(4));
        // A known game shows that the least length is reached.
        let LeastLength::Known(game) = least(fen, Color::White, 2, Some("e3 Nf6 e4 Ng8")) else {
            panic!("a game of four half-moves is known, and two are excluded");
        };
        assert_eq!(san_of(&game), ["e3", "Nf6", "e4", "Ng8"]);
    }

    #[test]
    fn missing_men_were_captured_by_moves() {
        // Fifteen captures by each side; nothing is searched.
        let kings = "8/8/4k3/8/8/4K3/8/8";
        assert_eq!(least(kings, Color::White, 0, None), LeastLength::AtLeast(30));
        assert_eq!(least(kings, Color::Black, 0, None), LeastLength::AtLeast(31));
    }

    #[test]
    fn an_illegal_position_has_no_length() {
        let array = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq -";
        let found = least(array, Color::Black, 4, None);
        assert!(matches!(found, LeastLength::Impossible(_)), "{found:?}");
    }
}
