//! Kinds of pieces.

use super::movement::{MoveAtom, symmetry, tidy};
use umbrail_chess::geometry::{Color, SymmetryGroup};

/// Orthodox pawn in XBoard's notation: push, capture also en passant, and double step.
const PAWN: &str = "fmWfceFifmnD";
/// Only letter whose piece may be a pawn.
const PAWN_LETTER: char = 'P';

/// Kind of piece: its letter, a readable name, and its movement as data.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece {
    /// Letter of the piece in `KQ.KR`.
    pub letter: char,
    /// Readable name, such as `archbishop`; may be empty.
    pub name: String,
    /// True for a pawn: it promotes on its last rank, and never stands on its first or last rank.
    pub pawn: bool,
    /// True for a pawn with the double step from its second rank, and so with en passant.
    pub double_step: bool,
    steps: Vec<MoveAtom>,
}

impl Piece {
    /// Creates a piece with these steps; repeated and contained ones are dropped.
    pub(crate) fn new(letter: char, name: &str, mut steps: Vec<MoveAtom>) -> Self {
        tidy(&mut steps);
        Self { letter, name: name.to_owned(), pawn: false, double_step: false, steps }
    }

    /// Creates a user-defined piece. A definition of `P` that moves like a pawn is a pawn: its only
    /// move without capture is one step straight ahead, and its captures go to the next rank, onto
    /// its own file or a neighboring one. Such a pawn promotes, and has no double step.
    pub(crate) fn defined(letter: char, steps: Vec<MoveAtom>) -> Self {
        let piece = Self::new(letter, "", steps);
        let mut quiet = piece.steps.iter().filter(|step| step.quiet);
        let pushes = quiet.next().is_some_and(|step| step.dx == 0) && quiet.next().is_none();
        let advances = |step: &MoveAtom| (step.dy, step.reach) == (1, 1) && step.dx.abs() <= 1;
        let pawn = letter == PAWN_LETTER && pushes && piece.steps.iter().all(advances);
        Self { pawn, ..piece }
    }

    /// Creates the orthodox pawn. Its steps are the single push and the two captures; double step,
    /// en passant and promotion follow from [`Piece::double_step`] and [`Piece::pawn`].
    pub(crate) fn pawn(letter: char) -> Self {
        let capture = |dx| MoveAtom { quiet: false, ..MoveAtom::leap(dx, 1) };
        let push = MoveAtom { capture: false, ..MoveAtom::leap(0, 1) };
        let mut pawn = Self::new(letter, "pawn", vec![capture(-1), push, capture(1)]);
        (pawn.pawn, pawn.double_step) = (true, true);
        pawn
    }

    /// Returns White's steps, sorted.
    pub fn steps(&self) -> &[MoveAtom] {
        &self.steps
    }

    /// Returns the symmetries of the board that leave the movement unchanged. A pawn has only the
    /// left–right mirror.
    pub(crate) fn symmetry(&self) -> SymmetryGroup {
        symmetry(&self.steps)
    }

    /// Returns the symmetries of the opponent's piece of this kind, which moves in the opposite
    /// direction.
    pub(crate) fn symmetry_turned(&self) -> SymmetryGroup {
        let mut turned: Vec<MoveAtom> = self.steps.iter().map(|s| s.turned()).collect();
        turned.sort_unstable();
        symmetry(&turned)
    }

    /// Returns true when the piece never leaves the color of its square, judged by its moves
    /// without capture (as in EGTgen).
    pub(crate) fn is_color_bound(&self) -> bool {
        !self.pawn && self.steps.iter().filter(|s| s.quiet).all(|s| (s.dx + s.dy) % 2 == 0)
    }

    /// Returns true when both pieces have the same movement, regardless of their letters.
    pub fn moves_like(&self, other: &Self) -> bool {
        (self.pawn, self.double_step, &self.steps) == (other.pawn, other.double_step, &other.steps)
    }

    /// Returns the movement in Betza's notation, with directions as XBoard reads them.
    pub fn betza(&self) -> String {
        if self.double_step {
            return PAWN.to_owned();
        }
        super::betza::write(&self.steps)
    }

    /// Returns the movement of this color's piece as the argument of XBoard's `piece` command. None
    /// where XBoard has no text for it (a leap longer than three squares) or would truncate it
    /// (more than 511 characters).
    pub fn betza_for_xboard(&self, color: Color) -> Option<String> {
        if self.double_step {
            return Some(PAWN.to_owned());
        }
        // XBoard rotates Black's pieces by 180 degrees, and so exchanges left and right. Here they
        // are mirrored, and left stays left.
        let step = |step: &MoveAtom| match color {
            Color::White => *step,
            Color::Black => MoveAtom { dx: -step.dx, ..*step },
        };
        let mut steps: Vec<MoveAtom> = self.steps.iter().map(step).collect();
        steps.sort_unstable();
        super::betza::write_for_xboard(&steps)
    }
}
