//! Least costs of each man to each man of the target, each man seen alone on the board.
//!
//! The man-state graph has a node for each role and square. Its edges are the own moves of one man
//! ([`RuleSet::man_steps`]). Three costs are counted separately: moves, captures that a pawn must
//! make, and moves of a pawn that cannot capture. *Admissible*: other men only forbid moves, so no
//! game brings a man anywhere for less.

use crate::positions::board::{Man, ManKind};
use crate::positions::rules::{ManStep, RuleSet};
use std::collections::VecDeque;
use umbrail_chess::geometry::{Bitboard, Color, Square};

/// Cost of what is impossible.
pub(super) const FAR: u8 = u8::MAX;

/// Largest number of men of a side.
pub(super) const MEN_MAX: usize = 16;

/// Kinds of costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cost {
    /// Own moves.
    Moves,
    /// Captures by pawns.
    Captures,
    /// Moves of pawns that do not capture.
    Quiet,
}

impl Cost {
    /// All kinds.
    pub(super) const ALL: [Self; 3] = [Self::Moves, Self::Captures, Self::Quiet];

    fn of(self, step: &ManStep) -> u8 {
        u8::from(match self {
            Self::Moves => !step.is_free,
            Self::Captures => step.captures,
            Self::Quiet => step.is_quiet,
        })
    }
}

/// Costs of one man to each man of the target.
pub(super) type CostRow = [u8; MEN_MAX];

/// Costs from every state of a man of one side to the men of that side in the target.
#[derive(Debug, Default)]
pub(super) struct ArmyCosts {
    /// Number of men in the target.
    pub men: usize,
    states: Vec<[CostRow; 3]>,
}

fn state(kind: ManKind, square: Square) -> usize {
    kind.index() * 64 + square.index()
}

impl ArmyCosts {
    /// Computes all costs.
    pub(super) fn new<R: RuleSet>(
        rules: &R,
        color: Color,
        targets: &[(Vec<Man>, Square)],
        walls: Bitboard,
    ) -> Self {
        let into = edges_into(rules, color, walls);
        let mut states = vec![[[FAR; MEN_MAX]; 3]; into.len()];
        for (row, (men, square)) in targets.iter().enumerate().take(MEN_MAX) {
            // Where several men may stand, the cheapest counts. Kinds without a state do not occur.
            for man in men.iter().filter(|man| man.kind().index() < rules.kinds()) {
                for cost in Cost::ALL {
                    let costs = least_costs(&into, state(man.kind(), *square), cost);
                    for (state, &least) in states.iter_mut().zip(&costs) {
                        let known = &mut state[cost as usize][row];
                        *known = least.min(*known);
                    }
                }
            }
        }
        Self { men: targets.len(), states }
    }

    /// Returns the costs of a man on a square.
    #[inline]
    pub(super) fn of(&self, kind: ManKind, square: Square, cost: Cost) -> &CostRow {
        &self.states[state(kind, square)][cost as usize]
    }
}

/// Returns for each state the states from which one step leads to it.
fn edges_into<R: RuleSet>(rules: &R, color: Color, walls: Bitboard) -> Vec<Vec<(usize, ManStep)>> {
    let mut into = vec![vec![]; rules.kinds() * 64];
    let mut steps = vec![];
    for kind in (0..rules.kinds()).map(ManKind::at) {
        for from in Square::all() {
            steps.clear();
            rules.man_steps(Man::of(color, kind), from, walls, &mut steps);
            for step in &steps {
                into[state(step.man.kind(), step.to)].push((state(kind, from), *step));
            }
        }
    }
    into
}

/// Returns the least cost from each state to the goal (breadth-first search with edges of cost 0
/// and 1).
fn least_costs(into: &[Vec<(usize, ManStep)>], goal: usize, cost: Cost) -> Vec<u8> {
    let mut least = vec![FAR; into.len()];
    let mut waiting = VecDeque::from([(goal, 0)]);
    while let Some((at, so_far)) = waiting.pop_front() {
        if least[at] != FAR {
            continue;
        }
        least[at] = so_far;
        for (from, step) in &into[at] {
            if least[*from] == FAR {
                match cost.of(step) {
                    0 => waiting.push_front((*from, so_far)),
                    _ => waiting.push_back((*from, so_far + 1)),
                }
            }
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions::rules::Orthodox;
    use umbrail_chess::Role;

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    fn costs(color: Color, walls: &[&str], target: (Role, &str), from: (Role, &str)) -> [u8; 3] {
        let walls = walls.iter().map(|name| square(name)).collect();
        let target = [(vec![Man::new(color, target.0)], square(target.1))];
        let costs = ArmyCosts::new(&Orthodox, color, &target, walls);
        Cost::ALL.map(|cost| costs.of(from.0.into(), square(from.1), cost)[0])
    }

    #[test]
    fn men_reach_their_squares_in_the_least_number_of_moves() {
        use Color::{Black, White};
        use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
        assert_eq!(costs(White, &[], (Knight, "g1"), (Knight, "a8")), [5, 0, 0]);
        assert_eq!(costs(White, &[], (Bishop, "c4"), (Bishop, "c1")), [FAR; 3]);
        assert_eq!(costs(Black, &[], (Pawn, "d6"), (Pawn, "d7")), [1, 0, 1]);
        // The three costs have different paths: a double step, or two captures.
        assert_eq!(costs(Black, &[], (Pawn, "d5"), (Pawn, "d7")), [1, 0, 0]);
        assert_eq!(costs(White, &[], (Pawn, "c5"), (Pawn, "d2")), [2, 1, 0]);
        assert_eq!(costs(White, &[], (Queen, "a8"), (Pawn, "a2")), [5, 0, 0]);
        assert_eq!(costs(White, &[], (Rook, "h1"), (Pawn, "a2")), [7, 0, 0]);
        assert_eq!(costs(White, &[], (Pawn, "d3"), (Pawn, "a2")), [FAR; 3]);
        assert_eq!(costs(White, &[], (King, "a1"), (Queen, "a1")), [FAR; 3]);
    }

    #[test]
    fn walls_block_lines_and_squares() {
        use Color::White;
        use Role::{Bishop, Knight};
        assert_eq!(costs(White, &["d2", "b2"], (Bishop, "f4"), (Bishop, "c1")), [FAR; 3]);
        assert_eq!(costs(White, &["d2"], (Bishop, "f4"), (Bishop, "c1"))[0], 3);
        assert_eq!(costs(White, &["f3", "h3", "e2"], (Knight, "f5"), (Knight, "g1")), [FAR; 3]);
    }
}
