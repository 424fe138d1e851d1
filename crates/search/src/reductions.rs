//! Late-move reductions and the margin of reverse futility pruning.

use super::constants::SearchConstants;
use super::score::Value;

/// Properties of a move for its reduction.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LateMove {
    /// Depth of the node.
    pub depth: i32,
    /// Number of moves searched before this one; includes this one once it is searched.
    pub tried: usize,
    /// Neither capture nor promotion.
    pub quiet: bool,
    /// History score of the move.
    pub history: i32,
    /// True at a node on a principal variation.
    pub pv: bool,
    /// True at an expected cut node.
    pub cut: bool,
    /// True if the side to move stands better than two plies ago.
    pub improving: bool,
    /// True for the table move.
    pub hash_move: bool,
    /// True for a move that gives check; only for quiet moves before the move is made.
    pub checks: bool,
    /// True for a move out of check.
    pub evasion: bool,
    /// True for the first quiet move of the node.
    pub first_quiet: bool,
    /// True for a killer or the countermove.
    pub refutation: bool,
    /// True if the table move is a capture or promotion.
    pub table_capture: bool,
    /// True if the node once lay on a principal variation.
    pub table_pv: bool,
    /// True if many of the replies to earlier moves reached beta.
    pub cutoffs: bool,
    /// Best score of the earlier moves.
    pub best: Value,
}

const SIZE: usize = 64;

/// Table of ln(n) in units of 1/1024, rounded down; 0 for 0.
#[rustfmt::skip]
static LOGARITHMS: [i32; SIZE] = [
    0, 0, 709, 1124, 1419, 1648, 1834, 1992, 2129, 2249, 2357, 2455,
    2544, 2626, 2702, 2773, 2839, 2901, 2959, 3015, 3067, 3117, 3165, 3210,
    3254, 3296, 3336, 3374, 3412, 3448, 3482, 3516, 3548, 3580, 3610, 3640,
    3669, 3697, 3724, 3751, 3777, 3802, 3827, 3851, 3875, 3898, 3920, 3942,
    3964, 3985, 4005, 4026, 4046, 4065, 4084, 4103, 4121, 4140, 4157, 4175,
    4192, 4209, 4226, 4242,
];

/// Returns the reduction of a late move, plies; not yet limited by the remaining depth.
///
/// The product of the logarithms of depth and move number is the formula that engines have
/// converged on since 2008 (Tord Romstad's Glaurung, then Stockfish).
pub(super) fn reduction(late: &LateMove, constants: &SearchConstants) -> i32 {
    let logarithm = |n: i32| LOGARITHMS[n.clamp(0, SIZE as i32 - 1) as usize];
    let product = logarithm(late.depth) * logarithm(late.tried as i32) / 1024;
    let mut plies = constants.lmr_base * 1024 / 100 + product * 100 / constants.lmr_divisor;
    let mut add = |applies: bool, weight: i32| plies += i32::from(applies) * weight;
    add(late.pv, -constants.lmr_pv);
    add(late.cut, constants.lmr_cut);
    add(!late.improving, constants.lmr_improving);
    add(late.checks, -constants.lmr_check);
    add(!late.quiet, -constants.lmr_capture);
    add(late.table_pv, -constants.lmr_table_pv);
    add(late.table_capture, constants.lmr_table_capture);
    add(late.cutoffs, constants.lmr_cutoffs);
    add(late.refutation, -constants.lmr_refutation);
    let most = if late.quiet { 2 * 1024 } else { i32::MAX / 2 };
    plies -= (late.history * 1024 / constants.lmr_history).clamp(-most, most);
    (plies >> 10).max(0)
}

/// Returns the margin of reverse futility pruning: the required excess of the static evaluation
/// over beta, centipawns.
pub(super) fn reverse_margin(depth: i32, improving: bool, constants: &SearchConstants) -> Value {
    constants.reverse_per_ply * depth - constants.reverse_improving * Value::from(improving)
}

#[cfg(test)]
mod tests {
    use super::LateMove;
    use crate::constants::SearchConstants;

    #[test]
    fn the_table_holds_logarithms() {
        let exact = |n: usize| ((n.max(1) as f64).ln() * 1024.0) as i32;
        assert_eq!(super::LOGARITHMS, std::array::from_fn(exact));
    }

    #[test]
    fn later_and_deeper_moves_are_reduced_more() {
        let late =
            LateMove { depth: 8, tried: 5, quiet: true, improving: true, ..LateMove::default() };
        let reduction = |late: &LateMove| super::reduction(late, &SearchConstants::DEFAULT);
        assert!(reduction(&late) <= reduction(&LateMove { tried: 20, ..late }));
        assert!(reduction(&late) <= reduction(&LateMove { depth: 16, ..late }));
        assert!(reduction(&late) < reduction(&LateMove { cut: true, ..late }));
        assert!(reduction(&LateMove { history: 20_000, ..late }) < reduction(&late));
    }
}
