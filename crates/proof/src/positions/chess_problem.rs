//! Problems of orthodox chess among all others: those that both solvers know.

use super::fairy_problem::{FairyProblem, PieceName, PlacedMan, castling_of};
use super::turns::Turns;
use crate::problem::Problem;
use crate::problem::diagram::Diagram;
use umbrail_chess::geometry::Setup;
use umbrail_chess::{CastlingMode, Position};

impl FairyProblem {
    /// Returns the problem with its start if it is one of orthodox chess: no conditions, fairy pieces or series, and a
    /// start that is a legal position.
    pub fn orthodox(&self) -> Option<(Problem, Position)> {
        let is_plain = self.conditions.is_empty()
            && self.pieces.is_empty()
            && self.imitator_end.is_none()
            && !self.uncolored
            && self.added.is_empty()
            && self.turns == Turns::Alternating;
        let target = setup_of(&self.target).filter(|_| is_plain)?;
        let diagram = Diagram::from_setup(&target).ok()?;
        let start = match &self.start.men {
            None if self.start.turn.is_white() => Position::startpos(),
            men => {
                let mut setup = match men {
                    Some(men) => setup_of(men)?,
                    None => Setup::START_FEN.parse().ok()?,
                };
                setup.turn = self.start.turn;
                setup.castling = castling_field(self.start.castling);
                setup.en_passant = self.start.en_passant;
                let position = Position::from_setup(&setup, CastlingMode::Standard).ok()?;
                // Rights and squares that chess does not grant may mean something else here.
                let read = position.to_setup();
                let agrees = castling_of(&read.castling) == self.start.castling
                    && read.en_passant == self.start.en_passant;
                agrees.then_some(position)?
            }
        };
        let problem = Problem { diagram, plies: self.plies, length: self.length };
        Some((problem, start))
    }
}

impl FairyProblem {
    /// Returns the first position.
    pub fn start_setup(&self) -> Setup {
        let mut setup = match &self.start.men {
            Some(men) => self.setup_of(men),
            None => Setup::START_FEN.parse().unwrap_or_default(),
        };
        setup.turn = self.start.turn;
        setup.castling = castling_field(self.start.castling);
        setup.en_passant = self.start.en_passant;
        setup
    }

    /// Returns the conditions in words, with what the diagram leaves open.
    pub fn condition_words(&self) -> Vec<String> {
        let mut words: Vec<String> = self.conditions.iter().map(ToString::to_string).collect();
        if self.uncolored {
            words.push("color the pieces".to_owned());
        }
        for (color, piece) in &self.added {
            let name = match piece {
                PieceName::Any | PieceName::Anything => "piece".to_owned(),
                piece => piece.word(),
            };
            words.push(format!("add a {color} {name}"));
        }
        words
    }

    /// Returns the parts of the last position that are not compared with the diagram, besides castling rights and en
    /// passant.
    pub(super) fn open_parts(&self) -> Vec<&'static str> {
        let has = |name| self.conditions.iter().any(|one| one.name == name);
        let is_open = |open| self.target.iter().any(|man| man.piece == open);
        let (any, anything) = (is_open(PieceName::Any), is_open(PieceName::Anything));
        let parts = [
            (has("AliceChess") && !self.states_boards, "the boards of the pieces"),
            (has("Imitator") && self.imitator_end.is_none(), "the square of the imitator"),
            (self.uncolored, "the colors of the pieces"),
            (any || anything, "the kind of pieces with a letter for any"),
            (anything, "their color"),
            (!self.added.is_empty(), "the squares of the added pieces"),
        ];
        parts.into_iter().filter(|(open, _)| *open).map(|(_, what)| what).collect()
    }
}

/// Returns the placement of standard pieces; `None` if there are others.
fn setup_of(men: &[PlacedMan]) -> Option<Setup> {
    let mut setup = Setup::default();
    for man in men {
        let PieceName::Standard(role) = man.piece else { return None };
        if man.on_b {
            return None;
        }
        setup.put(man.square, man.color, role.letter());
    }
    Some(setup)
}

fn castling_field(rights: u8) -> String {
    let letters = ['K', 'Q', 'k', 'q'].into_iter().enumerate();
    let field: String =
        letters.filter(|(bit, _)| rights & 1 << bit != 0).map(|(_, letter)| letter).collect();
    if field.is_empty() { "-".to_owned() } else { field }
}
