//! Kinds of pieces.

use super::bent::BentMove;
use super::expand::expand;
use super::movement::{MoveAtom, symmetry};
use super::moves::Movement;
use super::template::Template;
use super::templates::Templates;
use crate::grid::Grid;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use umbrail_chess::geometry::{Color, SymmetryGroup};

/// Orthodox pawn in XBoard's notation: push, capture also en passant, and double step.
const PAWN: &str = "fmWfceFifmnD";
/// Only letter whose piece may be a pawn.
const PAWN_LETTER: char = 'P';

/// Kind of piece: its letter, a readable name, and its movement as data.
#[derive(Clone, Debug)]
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
    bent: Vec<BentMove>,
    /// Moves of White's and of Black's piece, if some are bent. They follow from the moves above,
    /// so comparisons leave them out.
    templates: Option<Arc<[Templates; 2]>>,
}

impl Piece {
    /// Creates a piece with these moves; repeated and contained ones are dropped.
    pub(crate) fn new(letter: char, name: &str, movement: impl Into<Movement>) -> Self {
        let Movement { steps, bent } = movement.into().tidy();
        let (name, pawn, double_step) = (name.to_owned(), false, false);
        let mut piece = Self { letter, name, pawn, double_step, steps, bent, templates: None };
        if !piece.bent.is_empty() {
            let both = Color::ALL.map(|color| piece.move_templates(color));
            piece.templates = Some(Arc::new(both));
        }
        piece
    }

    /// Creates a user-defined piece. A definition of `P` that moves like a pawn is a pawn: its only
    /// move without capture is one step straight ahead, and its captures go to the next rank, onto
    /// its own file or a neighboring one. Such a pawn promotes, and has no double step.
    pub(crate) fn defined(letter: char, movement: impl Into<Movement>) -> Self {
        let piece = Self::new(letter, "", movement);
        let mut quiet = piece.steps.iter().filter(|step| step.quiet);
        let pushes = quiet.next().is_some_and(|step| step.dx == 0) && quiet.next().is_none();
        let advances = |step: &MoveAtom| (step.dy, step.reach) == (1, 1) && step.dx.abs() <= 1;
        let pawn = letter == PAWN_LETTER && pushes && piece.steps.iter().all(advances);
        let pawn = pawn && piece.bent.is_empty();
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

    /// Returns White's steps, sorted. They are all moves of the piece unless some are
    /// [`bent`](Self::bent).
    pub fn steps(&self) -> &[MoveAtom] {
        &self.steps
    }

    /// Returns White's moves that are no steps, sorted: lame, hopping, bent and crooked ones.
    pub fn bent(&self) -> &[BentMove] {
        &self.bent
    }

    /// Returns all moves of this color's piece as templates. A pawn has neither double step nor en
    /// passant there, and its promotions are moves to the last rank.
    pub fn move_templates(&self, color: Color) -> Templates {
        Templates::new(&self.steps, &self.bent, color)
    }

    /// Returns all moves of White's piece on a board, in ascending order.
    pub fn moves_on(&self, grid: &Grid) -> Vec<Template<u128>> {
        expand(&self.steps, &self.bent, Color::White, grid)
    }

    /// Returns all moves of this color's piece as templates, if some moves are bent.
    pub fn templates(&self, color: Color) -> Option<&Templates> {
        self.templates.as_ref().map(|both| &both[color.index()])
    }

    /// Returns the moves of White's and of Black's piece as templates, if some moves are bent.
    pub(crate) fn all_templates(&self) -> Option<&Arc<[Templates; 2]>> {
        self.templates.as_ref()
    }

    /// Returns true when a move may capture two pieces.
    pub(crate) fn takes_two(&self) -> bool {
        self.templates(Color::White).is_some_and(|templates| templates.takes_two)
    }

    /// Returns the symmetries of the board that leave the movement unchanged. A pawn has only the
    /// left–right mirror.
    pub(crate) fn symmetry(&self) -> SymmetryGroup {
        self.templates(Color::White).map_or_else(|| symmetry(&self.steps), |t| t.symmetry)
    }

    /// Returns the symmetries of the opponent's piece of this kind, which moves in the opposite
    /// direction.
    pub(crate) fn symmetry_turned(&self) -> SymmetryGroup {
        if let Some(templates) = self.templates(Color::Black) {
            return templates.symmetry;
        }
        let mut turned: Vec<MoveAtom> = self.steps.iter().map(|s| s.turned()).collect();
        turned.sort_unstable();
        symmetry(&turned)
    }

    /// Returns true when the piece never leaves the color of its square, judged by its moves
    /// without capture (as in EGTgen).
    pub(crate) fn is_color_bound(&self) -> bool {
        if let Some(templates) = self.templates(Color::White) {
            return templates.color_bound;
        }
        !self.pawn && self.steps.iter().filter(|s| s.quiet).all(|s| (s.dx + s.dy) % 2 == 0)
    }

    /// Returns true when both pieces have the same movement, regardless of their letters.
    pub fn moves_like(&self, other: &Self) -> bool {
        (self.pawn, self.double_step, &self.steps, &self.bent)
            == (other.pawn, other.double_step, &other.steps, &other.bent)
    }

    /// Returns the movement in Betza's notation, with directions as XBoard reads them.
    pub fn betza(&self) -> String {
        if self.double_step {
            return PAWN.to_owned();
        }
        super::betza::write(&self.steps, &self.bent)
    }

    /// Returns the movement of this color's piece as the argument of XBoard's `piece` command. None
    /// where XBoard has no text for it (a leap longer than three squares, a crooked ride) or would
    /// truncate it (more than 511 characters).
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
        let bent = |mv: &BentMove| match color {
            Color::White => mv.clone(),
            Color::Black => mv.mirrored(),
        };
        let steps = self.steps.iter().map(step).collect();
        let movement = Movement { steps, bent: self.bent.iter().map(bent).collect() }.tidy();
        super::betza::write_for_xboard(&movement.steps, &movement.bent)
    }

    fn identity(&self) -> (char, &str, bool, bool, &[MoveAtom], &[BentMove]) {
        (self.letter, &self.name, self.pawn, self.double_step, &self.steps, &self.bent)
    }
}

impl PartialEq for Piece {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for Piece {}

impl Hash for Piece {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

impl PartialOrd for Piece {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Piece {
    fn cmp(&self, other: &Self) -> Ordering {
        self.identity().cmp(&other.identity())
    }
}
