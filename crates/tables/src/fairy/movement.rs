//! One atom of a piece's movement: a step, its repetition limit, and whether it captures.

use umbrail_chess::geometry::{Symmetry, SymmetryGroup};

/// Atom of a piece's movement, from its owner's view (`dy` > 0 is forward).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveAtom {
    /// Files to the right.
    pub dx: i8,
    /// Ranks forward.
    pub dy: i8,
    /// Maximum number of repetitions over empty squares: 1 for a leaper, up to 7.
    pub reach: u8,
    /// The step may capture, and so gives check.
    pub capture: bool,
    /// The step may be made to an empty square.
    pub quiet: bool,
}

impl MoveAtom {
    /// Repetition limit of an unlimited ride: the board's width.
    pub(crate) const SLIDE: u8 = 7;

    /// Returns a leap that both moves and captures.
    pub(crate) const fn leap(dx: i8, dy: i8) -> Self {
        Self { dx, dy, reach: 1, capture: true, quiet: true }
    }

    /// Returns a slide that both moves and captures.
    #[cfg(test)]
    pub(crate) const fn slide(dx: i8, dy: i8) -> Self {
        Self { reach: Self::SLIDE, ..Self::leap(dx, dy) }
    }

    /// Returns the step of the opponent's piece: forward reversed.
    pub(crate) const fn turned(self) -> Self {
        Self { dy: -self.dy, ..self }
    }

    /// Returns the image of the step under a symmetry of the board.
    pub(crate) const fn image(self, symmetry: Symmetry) -> Self {
        let (dx, dy) = symmetry.step(self.dx, self.dy);
        Self { dx, dy, ..self }
    }
}

/// Sorts the steps and drops those contained in a longer or more capable step.
pub(super) fn tidy(steps: &mut Vec<MoveAtom>) {
    steps.sort_unstable();
    steps.dedup();
    let all = steps.clone();
    steps.retain(|step| {
        !all.iter().any(|other| {
            other != step
                && (other.dx, other.dy) == (step.dx, step.dy)
                && other.reach >= step.reach
                && other.capture >= step.capture
                && other.quiet >= step.quiet
        })
    });
}

/// Returns the symmetries that map a set of steps (after [`tidy`]) to itself.
pub(super) fn symmetry(steps: &[MoveAtom]) -> SymmetryGroup {
    SymmetryGroup::of(|symmetry| {
        let mut images: Vec<MoveAtom> = steps.iter().map(|s| s.image(symmetry)).collect();
        images.sort_unstable();
        images == steps
    })
}

/// Returns all images of a step: under all eight symmetries, or under the two mirrors only.
pub(super) fn images(step: MoveAtom, mirrors_only: bool) -> Vec<MoveAtom> {
    let mut steps: Vec<MoveAtom> =
        Symmetry::all().filter(|s| !mirrors_only || s.index() < 4).map(|s| step.image(s)).collect();
    steps.sort_unstable();
    steps.dedup();
    steps
}
