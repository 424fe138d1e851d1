//! Side to move, castling rights and en passant of a FEN. A missing field allows every value.

use super::argument::{Argument, UnlikelyRight};
use crate::problem::diagram::Diagram;
use crate::problem::{Length, PLIES_MAX, Problem, census::Census};
use umbrail_chess::geometry::{Bitboard, Color, Setup, Square};
use umbrail_chess::{Move, Position, Role};

/// A position with what its FEN states.
#[derive(Clone, Debug)]
pub(super) struct Stated {
    /// The position; its castling rights are those stated.
    pub(super) position: Position,
    /// Squares of the pieces whose castling right shows that they never moved.
    pub(super) rights: Bitboard,
    /// For each right that the FEN denies while king and rook stand at home: their squares. One of
    /// both has moved.
    pub(super) lost: Vec<Bitboard>,
    /// Square that a pawn passed with the last move; `None` if the FEN leaves it open.
    pub(super) passed: Option<Option<Square>>,
}

/// Letter of a right, its side, and the squares of rook and king.
const RIGHTS: [(char, Color, u8, u8); 4] = [
    ('K', Color::White, 7, 4),
    ('Q', Color::White, 0, 4),
    ('k', Color::Black, 63, 60),
    ('q', Color::Black, 56, 60),
];

impl Stated {
    /// Reads a setup.
    ///
    /// # Errors
    /// The arguments against any game that ends in it.
    pub(super) fn of(setup: &Setup) -> Result<Self, Vec<Argument>> {
        let Ok(diagram) = Diagram::from_setup(setup) else {
            return Err(vec![Argument::Letters]);
        };
        let plies = PLIES_MAX - u16::from(!setup.turn.is_white());
        let problem = Problem { diagram, plies, length: Length::Exact };
        if let Err(refusals) = Census::of(&problem) {
            return Err(refusals.into_iter().map(Argument::Counting).collect());
        }
        let at = |square: Square, color, role| diagram.pieces(color, role).contains(square);
        let (mut rights, mut lost, mut arguments) = (Bitboard::EMPTY, vec![], vec![]);
        for (letter, color, rook, king) in RIGHTS {
            let (rook, king) = (Square::new(rook), Square::new(king));
            let [has_king, has_rook] = [at(king, color, Role::King), at(rook, color, Role::Rook)];
            match (setup.fields >= 3, setup.castling.contains(letter)) {
                (true, true) if has_king && has_rook => rights = rights.with(rook).with(king),
                (true, true) => {
                    let missing = if has_king { UnlikelyRight::Rook } else { UnlikelyRight::King };
                    let square = if has_king { rook } else { king };
                    arguments.push(Argument::Castling { color, missing, square });
                }
                (true, false) if has_king && has_rook => {
                    lost.push(Bitboard::of(king).with(rook));
                }
                _ => {}
            }
        }
        let passed = (setup.fields >= 4).then_some(setup.en_passant);
        if let Some(Some(square)) = passed
            && !is_passed(&diagram, square, setup.turn)
        {
            arguments.push(Argument::EnPassant(square));
        }
        if !arguments.is_empty() {
            return Err(arguments);
        }
        let mut clean = setup.clone();
        clean.fields = 6;
        if setup.fields < 3 {
            clean.castling = "-".to_owned();
        }
        if setup.fields < 4 {
            clean.en_passant = None;
        }
        let position = Position::try_from(&clean);
        let position = position.map_err(|error| vec![Argument::Position(error.to_string())])?;
        Ok(Self { position, rights, lost, passed })
    }

    /// Returns true if a game is legal and leads to everything that is stated.
    pub(super) fn is_reached(&self, game: &[Move]) -> bool {
        let mut position = Position::startpos();
        for &mv in game {
            if !position.is_legal(mv) {
                return false;
            }
            position = position.after(mv);
        }
        let wanted = &self.position;
        let rights = position.castling_rooks();
        Diagram::of(&position) == Diagram::of(wanted)
            && position.turn() == wanted.turn()
            && self.lost.iter().all(|squares| (rights & *squares).is_empty())
            && wanted.castling_rooks().is_subset(rights)
            && match self.passed {
                Some(_) => position.en_passant() == wanted.en_passant(),
                None => true,
            }
    }
}

/// Returns true if a pawn can just have passed this square.
fn is_passed(diagram: &Diagram, square: Square, turn: Color) -> bool {
    let (rank, ahead) = if turn.is_white() { (5, -1) } else { (2, 1) };
    let empty = |at: Option<Square>| at.is_some_and(|at| diagram.at(at).is_none());
    let pawn = square.offset(0, ahead);
    square.rank() == rank
        && empty(Some(square))
        && empty(square.offset(0, -ahead))
        && pawn.is_some_and(|pawn| diagram.pieces(!turn, Role::Pawn).contains(pawn))
}
