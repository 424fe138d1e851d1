//! Late-move reductions and the margin of reverse futility pruning.

use super::constants::SearchConstants;
use super::score::Value;
use std::sync::LazyLock;

/// A move that comes late in a node's list.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LateMove {
    /// Depth of the node.
    pub depth: i32,
    /// Moves searched before it; with itself once it is searched.
    pub tried: usize,
    /// Neither capture nor promotion.
    pub quiet: bool,
    /// Its history score.
    pub history: i32,
    /// The node lies on a principal variation.
    pub pv: bool,
    /// A cutoff is expected.
    pub cut: bool,
    /// The side to move stands better than two plies ago.
    pub improving: bool,
    /// It is the table's move.
    pub hash_move: bool,
    /// It gives check.
    pub checks: bool,
    /// It answers a check.
    pub evasion: bool,
    /// It is the first quiet move of its node.
    pub first_quiet: bool,
    /// It is a killer or the countermove.
    pub refutation: bool,
    /// The table's move is a capture or promotion.
    pub table_capture: bool,
    /// The node once lay on a principal variation.
    pub table_pv: bool,
    /// Many of the replies to earlier moves reached beta.
    pub cutoffs: bool,
    /// Best score of the moves before it.
    pub best: Value,
}

const SIZE: usize = 64;

/// ln(n) in 1/1024.
static LOGARITHMS: LazyLock<[i32; SIZE]> =
    LazyLock::new(|| std::array::from_fn(|n| ((n.max(1) as f64).ln() * 1024.0) as i32));

/// Plies by which a late move is searched less deep at first; not yet limited to the depth there is.
///
/// The product of the logarithms of depth and move number is the shape that engines have converged on since 2008 (Tord
/// Romstad's Glaurung, then Stockfish).
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

/// Margin of reverse futility pruning: how far above beta the static evaluation must be, centipawns.
pub(super) fn reverse_margin(depth: i32, improving: bool, constants: &SearchConstants) -> Value {
    constants.reverse_per_ply * depth - constants.reverse_improving * Value::from(improving)
}

#[cfg(test)]
mod tests {
    use super::LateMove;
    use crate::constants::SearchConstants;

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
