//! Late-move reductions and the margin of reverse futility pruning.

use super::score::Value;
use std::sync::LazyLock;

/// A move that comes late in a node's list.
#[derive(Clone, Copy, Debug)]
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
}

const SIZE: usize = 64;

/// ln(depth) · ln(move number), scaled: the shape that engines have converged on since 2008 (Tord
/// Romstad's Glaurung, then Stockfish).
static REDUCTIONS: LazyLock<[[i32; SIZE]; SIZE]> = LazyLock::new(|| {
    let mut table = [[0; SIZE]; SIZE];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (tried, plies) in row.iter_mut().enumerate().skip(1) {
            *plies = (0.80 + (depth as f64).ln() * (tried as f64).ln() / 2.3) as i32;
        }
    }
    table
});

/// Plies by which a late move is searched less deep at first; not yet limited to the depth there is.
pub(super) fn reduction(late: &LateMove) -> i32 {
    let mut plies = REDUCTIONS[late.depth.clamp(0, 63) as usize][late.tried.min(63)];
    plies -= i32::from(late.pv);
    plies += i32::from(late.cut) + i32::from(!late.improving) - i32::from(late.checks);
    if late.quiet {
        plies -= (late.history / 8_000).clamp(-2, 2);
    } else {
        plies -= 1 + late.history / 8_000;
    }
    plies.max(0)
}

/// Margin of reverse futility pruning: how far above beta the static evaluation must be, centipawns.
pub(super) fn reverse_margin(depth: i32, improving: bool) -> Value {
    80 * depth - 65 * Value::from(improving)
}

#[cfg(test)]
mod tests {
    use super::{LateMove, reduction};

    #[test]
    fn later_and_deeper_moves_are_reduced_more() {
        let late = LateMove {
            depth: 8,
            tried: 5,
            quiet: true,
            history: 0,
            pv: false,
            cut: false,
            improving: true,
            hash_move: false,
            checks: false,
            evasion: false,
            first_quiet: false,
        };
        assert!(reduction(&late) <= reduction(&LateMove { tried: 20, ..late }));
        assert!(reduction(&late) <= reduction(&LateMove { depth: 16, ..late }));
        assert!(reduction(&late) < reduction(&LateMove { cut: true, ..late }));
        assert!(reduction(&LateMove { history: 20_000, ..late }) < reduction(&late));
    }
}
