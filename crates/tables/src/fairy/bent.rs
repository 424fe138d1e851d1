//! Moves that no [`MoveAtom`](super::MoveAtom) expresses: lame leaps, hops, crooked rides, rides
//! round a cylinder, and moves of several legs.

use super::movement::MoveAtom;

/// Move of one direction, from its owner's view. All legs are given as steps, so that the images
/// under a symmetry are moves of their own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BentMove {
    /// Legs, in the order in which the piece makes them. Only the last one may end the move.
    pub legs: Vec<Leg>,
    /// Files wrap around: the a-file is next to the h-file.
    pub cylinder: bool,
    /// Course of a ride with several steps.
    pub course: Course,
}

/// Course of a ride.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Course {
    /// All steps have one direction.
    #[default]
    Straight,
    /// Steps turn by 90 degrees, alternately to the left and to the right (`z`).
    Crooked,
    /// Oblique steps turn by 45 degrees, always to the same side (`q`).
    Circular,
}

/// One leg of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Leg {
    /// Files to the right.
    pub dx: i8,
    /// Ranks forward.
    pub dy: i8,
    /// Maximum number of steps.
    pub reach: u8,
    /// Number of squares at the start that the leg passes whatever stands there, and where it does
    /// not end.
    pub skip: u8,
    /// Condition on the square half way of each step.
    pub midway: Midway,
    /// The leg may end on an empty square.
    pub quiet: bool,
    /// The leg may end on an enemy piece, which is captured.
    pub capture: bool,
    /// Hurdle of the leg.
    pub hop: Hop,
}

/// Condition on the square half way of a leap, rounded towards its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Midway {
    /// The square does not matter.
    #[default]
    Any,
    /// The square must be empty: a lame leap (`n`).
    Empty,
    /// The square must be occupied (`j`).
    Occupied,
}

/// Hurdle of a leg.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hop {
    /// The leg has no hurdle.
    #[default]
    None,
    /// The last leg passes exactly one piece; an earlier leg may end on a piece, which stays there.
    Any,
    /// An earlier leg may end on an own piece, which stays there.
    Own,
    /// The last leg passes exactly one piece and ends on the square after it.
    Behind,
}

impl BentMove {
    /// Returns the move of the opponent's piece: forward reversed.
    pub(crate) fn turned(&self) -> Self {
        self.with_steps(|dx, dy| (dx, -dy))
    }

    /// Returns the move with left and right exchanged.
    pub(crate) fn mirrored(&self) -> Self {
        self.with_steps(|dx, dy| (-dx, dy))
    }

    fn with_steps(&self, image: impl Fn(i8, i8) -> (i8, i8)) -> Self {
        let leg = |leg: &Leg| {
            let (dx, dy) = image(leg.dx, leg.dy);
            Leg { dx, dy, ..*leg }
        };
        Self { legs: self.legs.iter().map(leg).collect(), ..self.clone() }
    }

    /// Returns a step as a move of one leg.
    pub(crate) fn of_step(step: &MoveAtom) -> Self {
        let MoveAtom { dx, dy, reach, capture, quiet } = *step;
        let (midway, hop) = (Midway::Any, Hop::None);
        let leg = Leg { dx, dy, reach, skip: 0, midway, quiet, capture, hop };
        Self { legs: vec![leg], cylinder: false, course: Course::Straight }
    }

    /// Returns the steps of the ride of a leg: one list, or two where it may turn to either side.
    pub(crate) fn courses(&self, leg: &Leg) -> Vec<Vec<(i8, i8)>> {
        // A crooked ride of rook steps crosses the board in 14 steps.
        let unlimited = leg.reach == MoveAtom::SLIDE && self.course == Course::Crooked;
        let reach = usize::from(leg.reach) * if unlimited { 2 } else { 1 };
        let first = (leg.dx, leg.dy);
        let right = |(dx, dy): (i8, i8)| (dy, -dx);
        let left = |(dx, dy): (i8, i8)| (-dy, dx);
        match self.course {
            Course::Straight => vec![vec![first; reach]],
            Course::Crooked => [right(first), left(first)]
                .map(|other| (0..reach).map(|n| if n % 2 == 0 { first } else { other }).collect())
                .into(),
            Course::Circular => [false, true]
                .map(|to_left| {
                    let mut step = first;
                    let mut steps = Vec::with_capacity(reach);
                    for _ in 0..reach {
                        steps.push(step);
                        step = next_oblique(step, to_left);
                    }
                    steps
                })
                .into(),
        }
    }
}

impl Leg {
    /// Returns the square half way of a step, relative to its start.
    pub(crate) const fn half((dx, dy): (i8, i8)) -> (i8, i8) {
        (dx / 2, dy / 2)
    }
}

/// Returns the oblique step next to this one, clockwise or to the left.
fn next_oblique((dx, dy): (i8, i8), to_left: bool) -> (i8, i8) {
    // Mirrored, the neighbor to the left is the one to the right.
    let (x, y) = if to_left { (-dx, dy) } else { (dx, dy) };
    let turned = if x.signum() == y.signum() {
        // First and third quadrant: the long side first, then the short one.
        if y.abs() > x.abs() { (y.abs() * x.signum(), x.abs() * y.signum()) } else { (x, -y) }
    } else if x.abs() > y.abs() {
        (y.abs() * x.signum(), x.abs() * y.signum())
    } else {
        (-x, y)
    };
    if to_left { (-turned.0, turned.1) } else { turned }
}

/// Sorts the moves and drops repeated ones.
pub(super) fn tidy(bent: &mut Vec<BentMove>) {
    bent.sort_unstable();
    bent.dedup();
}

#[cfg(test)]
mod tests {
    use super::next_oblique;

    #[test]
    fn a_circle_of_knight_leaps_closes_after_eight() {
        let right =
            [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2), (1, 2)];
        for pair in right.windows(2) {
            assert_eq!(next_oblique(pair[0], false), pair[1], "{pair:?}");
            assert_eq!(next_oblique(pair[1], true), pair[0], "{pair:?}");
        }
    }
}
