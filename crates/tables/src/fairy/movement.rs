//! One way a piece moves: a step, how often it may be repeated, and whether it captures.

use umbrail_chess::geometry::{Symmetry, SymmetryGroup};

/// One atom of a piece's movement, seen from its own side (`dy` > 0 is forward).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveAtom {
    /// Files to the right.
    pub dx: i8,
    /// Ranks forward.
    pub dy: i8,
    /// How many times the step may be repeated over empty squares: 1 for a leaper, up to 7.
    pub reach: u8,
    /// The step may capture, and so gives check.
    pub capture: bool,
    /// The step may be made to an empty square.
    pub quiet: bool,
}

impl MoveAtom {
    /// As many repetitions as the board allows.
    pub(crate) const SLIDE: u8 = 7;

    /// A leap that both moves and captures.
    pub(crate) const fn leap(dx: i8, dy: i8) -> Self {
        Self { dx, dy, reach: 1, capture: true, quiet: true }
    }

    /// A slide that both moves and captures.
    #[cfg(test)]
    pub(crate) const fn slide(dx: i8, dy: i8) -> Self {
        Self { reach: Self::SLIDE, ..Self::leap(dx, dy) }
    }

    /// The step as the opponent's piece makes it: forward turned round.
    pub(crate) const fn turned(self) -> Self {
        Self { dy: -self.dy, ..self }
    }

    /// The step's image under a symmetry of the board.
    pub(crate) const fn image(self, symmetry: Symmetry) -> Self {
        let (dx, dy) = symmetry.step(self.dx, self.dy);
        Self { dx, dy, ..self }
    }
}

/// Sorts the steps and drops those that a longer or more useful one contains.
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

/// The symmetries that map a set of steps (tidied) to itself.
pub(super) fn symmetry(steps: &[MoveAtom]) -> SymmetryGroup {
    SymmetryGroup::of(|symmetry| {
        let mut images: Vec<MoveAtom> = steps.iter().map(|s| s.image(symmetry)).collect();
        images.sort_unstable();
        images == steps
    })
}

/// All images of a step: under all eight symmetries, or under the two mirrors only.
pub(super) fn images(step: MoveAtom, mirrors_only: bool) -> Vec<MoveAtom> {
    let mut steps: Vec<MoveAtom> =
        Symmetry::all().filter(|s| !mirrors_only || s.index() < 4).map(|s| step.image(s)).collect();
    steps.sort_unstable();
    steps.dedup();
    steps
}
