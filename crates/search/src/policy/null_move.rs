//! XP4 NMPSoft: null move only when clearly ahead, with smaller reductions and not near zugzwang.
//!
//! Hypothesis: fewer wrong cutoffs in endgames outweigh the additional nodes.

use crate::constants::SearchConstants;
use crate::score::{DECISIVE, Value};
use umbrail_chess::geometry::Color;
use umbrail_chess::{Position, Role};

/// Conditions and reductions of the null move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NullMove {
    /// At expected cut nodes, with any piece, whenever the evaluation reaches the window less a
    /// margin; large reductions.
    Base,
    /// At all null-window nodes, with a margin above beta that grows with depth, smaller reductions, and never near
    /// zugzwang.
    Soft,
}

/// Null-window node for which a null move may be tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NullMoveNode<'a> {
    pub position: &'a Position,
    pub depth: i32,
    /// True at an expected cut node.
    pub cut: bool,
    pub eval: Value,
    pub beta: Value,
    pub constants: &'a SearchConstants,
}

/// Ban on null moves during the verification of a null-move cutoff. By default there is none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NullMoveBan {
    /// First ply at which null moves are allowed.
    until: usize,
    /// Side that may not pass before; none for both sides.
    side: Option<Color>,
}

impl NullMoveBan {
    /// Returns the ban for a verification at this ply by a search of this depth.
    pub(crate) fn during(ply: usize, depth: i32, side: Option<Color>) -> Self {
        Self { until: ply + depth.max(1) as usize * 3 / 4, side }
    }

    /// Returns true if this side may not pass at this ply.
    pub(crate) fn bars(self, ply: usize, side: Color) -> bool {
        ply < self.until && self.side.is_none_or(|barred| barred == side)
    }

    /// Returns true at the plies of the verification.
    pub(crate) fn covers(self, ply: usize) -> bool {
        self.until > ply
    }
}

impl NullMove {
    /// Returns the reduction of the search after a null move, plies; none if no null move is tried.
    pub(crate) fn reduction(self, pass: &NullMoveNode<'_>) -> Option<i32> {
        let NullMoveNode { position, depth, cut, eval, beta, constants } = *pass;
        if depth < 3 || beta <= -DECISIVE {
            return None;
        }
        match self {
            Self::Base => (cut
                && eval >= beta - constants.null_margin * depth
                && has_pieces(position))
            .then(|| {
                let ahead = ((eval - beta) / constants.null_eval).clamp(0, 3);
                constants.null_base + depth / constants.null_depth + ahead
            }),
            // The null move itself is one ply; R = 3 + depth / 8 are the others.
            Self::Soft => (eval >= beta + 80 + 8 * depth && !is_zugzwang_like(position))
                .then_some(1 + 3 + depth / 8),
        }
    }

    /// Returns true if a verification disables null moves only for the side that passed.
    pub(crate) fn bars_one_side(self) -> bool {
        self == Self::Soft
    }

    /// Returns the smallest depth at which a null-move cutoff is verified without null moves.
    pub(crate) fn verify_from(self) -> i32 {
        match self {
            Self::Base => 14,
            Self::Soft => 12,
        }
    }
}

/// Returns true if the side to move has more than pawns and the king.
pub(crate) fn has_pieces(position: &Position) -> bool {
    let others = position.by_role(Role::Pawn) | position.by_role(Role::King);
    (position.by_color(position.turn()) - others).any()
}

/// Returns true if the side to move has no piece, or a single knight or bishop.
fn is_zugzwang_like(position: &Position) -> bool {
    let own = position.by_color(position.turn());
    let majors = position.by_role(Role::Rook) | position.by_role(Role::Queen);
    let minors = position.by_role(Role::Knight) | position.by_role(Role::Bishop);
    (own & majors).is_empty() && (own & minors).len() <= 1
}

#[cfg(test)]
mod tests {
    use super::{NullMove, NullMoveNode};
    use crate::constants::SearchConstants;
    use umbrail_chess::Position;
    use umbrail_chess::geometry::Setup;

    fn reductions(fen: &str, depth: i32, eval: i32, beta: i32) -> [Option<i32>; 2] {
        let position = &Position::try_from(&fen.parse::<Setup>().unwrap()).unwrap();
        let constants = &SearchConstants::DEFAULT;
        let pass = NullMoveNode { position, depth, cut: true, eval, beta, constants };
        [NullMove::Base.reduction(&pass), NullMove::Soft.reduction(&pass)]
    }

    #[test]
    fn a_lone_minor_piece_does_not_pass_softly() {
        let [base, soft] = reductions("4k3/pppp4/8/8/8/8/PPPP4/4KB2 w - - 0 1", 8, 900, 0);
        assert!(base.is_some() && soft.is_none());
        let [base, soft] = reductions("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", 8, 900, 0);
        assert!(base.is_none() && soft.is_none());
    }

    #[test]
    fn softly_means_a_margin_and_a_smaller_reduction() {
        assert_eq!(reductions(Setup::START_FEN, 8, 143, 0)[1], None);
        assert_eq!(reductions(Setup::START_FEN, 8, 144, 0), [Some(6), Some(5)]);
        assert_eq!(reductions(Setup::START_FEN, 2, 999, 0), [None, None]);
        for depth in 3..60 {
            let [base, soft] = reductions(Setup::START_FEN, depth, 999, 0);
            assert!(soft < base, "depth {depth}");
        }
    }
}
