//! XP8 QSCap: a capped check extension, quiet checks at the first ply of quiescence, and wide delta
//! pruning that spares pawns about to promote.
//!
//! Hypothesis: searching more checks and fewer hopeless captures gains tactically at equal cost.

use crate::score::Value;
use umbrail_chess::exchange::{VALUES, see_at_least};
use umbrail_chess::geometry::{Bitboard, Color};
use umbrail_chess::{Move, Position, Role};

/// Check extension, and pruning of captures in quiescence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuiescencePolicy {
    /// No check extension, no quiet checks, futility per capture.
    Base,
    /// One ply for safe checks, quiet checks at the first ply, two conditions for delta pruning.
    Capped,
}

/// Capture in quiescence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QsCapture<'a> {
    pub position: &'a Position,
    pub role: Role,
    pub mv: Move,
    pub eval: Value,
    pub alpha: Value,
    /// Futility margin of the baseline, centipawns.
    pub margin: Value,
}

/// Delta of the experiment, centipawns: a queen less a small margin. Only a capture that also loses
/// by exchange is pruned. Quiescence tries few of those, so hardly anything is pruned.
const DELTA: Value = 925;

impl QuiescencePolicy {
    /// Returns true if quiet moves that give check are tried at this ply of quiescence.
    pub(crate) fn tries_checks(self, qs_ply: usize) -> bool {
        self == Self::Capped && qs_ply == 0
    }

    /// Caps the extension at one ply, after adding one for a safe check unless one of the last two
    /// plies had such an extension.
    pub(crate) fn extension(
        self,
        singular: i32,
        checks: bool,
        lately: bool,
        is_safe: impl Fn() -> bool,
    ) -> (i32, bool) {
        match self {
            Self::Base => (singular, false),
            Self::Capped => {
                let check = checks && !lately && is_safe();
                ((singular + i32::from(check)).min(1), check)
            }
        }
    }

    /// Delta pruning: returns the upper bound of a capture that cannot reach alpha; none if the
    /// capture must be searched.
    pub(crate) fn futile(self, capture: &QsCapture<'_>) -> Option<Value> {
        let QsCapture { position, mv, eval, alpha, margin, .. } = *capture;
        if mv.promotion().is_some() {
            return None;
        }
        let victim = position.captured(mv).map_or(0, |victim| VALUES[victim.index()]);
        match self {
            Self::Base => {
                let hope = eval + victim + margin;
                (hope <= alpha).then_some(hope)
            }
            Self::Capped => {
                if is_bare(position) || frees_a_passer(capture) {
                    return None;
                }
                let hope = eval + DELTA;
                (hope <= alpha && !see_at_least(position, mv, 0)).then_some(hope)
            }
        }
    }
}

/// Returns true if the opponent has no queen or rook and at most one minor piece.
fn is_bare(position: &Position) -> bool {
    let theirs = position.by_color(!position.turn());
    let majors = position.by_role(Role::Queen) | position.by_role(Role::Rook);
    let minors = position.by_role(Role::Knight) | position.by_role(Role::Bishop);
    (theirs & majors).is_empty() && (theirs & minors).len() <= 1
}

/// Returns true for a pawn capture that creates a passed pawn on its sixth or a later rank.
fn frees_a_passer(capture: &QsCapture<'_>) -> bool {
    let (us, to) = (capture.position.turn(), capture.mv.to());
    let far = if us.is_white() { to.rank() >= 5 } else { to.rank() <= 2 };
    if capture.role != Role::Pawn || !far {
        return false;
    }
    let file = Bitboard::file(to.file());
    let lanes = file | file.shift(1, 0) | file.shift(-1, 0);
    let ahead = match us {
        Color::White => Bitboard(!0 << (8 * u32::from(to.rank())) << 8),
        Color::Black => Bitboard((1 << (8 * u32::from(to.rank()))) - 1),
    };
    let guards = capture.position.pieces(!us, Role::Pawn) & lanes & ahead;
    guards.is_empty()
}

#[cfg(test)]
mod tests {
    use super::{QsCapture, QuiescencePolicy};
    use umbrail_chess::geometry::Setup;
    use umbrail_chess::{Position, Role, parse_uci};

    fn futile(fen: &str, uci: &str, eval: i32, alpha: i32) -> [bool; 2] {
        let position = &Position::try_from(&fen.parse::<Setup>().unwrap()).unwrap();
        let mv = parse_uci(position, uci).unwrap();
        let role = position.role_at(mv.from()).unwrap_or(Role::King);
        let capture = QsCapture { position, role, mv, eval, alpha, margin: 180 };
        [
            QuiescencePolicy::Base.futile(&capture).is_some(),
            QuiescencePolicy::Capped.futile(&capture).is_some(),
        ]
    }

    #[test]
    fn extensions_add_up_to_one_at_most() {
        let capped = |singular, checks, lately, safe: bool| {
            QuiescencePolicy::Capped.extension(singular, checks, lately, || safe)
        };
        assert_eq!(capped(2, true, false, true), (1, true));
        assert_eq!(capped(0, true, false, true), (1, true));
        assert_eq!(capped(0, true, true, true), (0, false));
        assert_eq!(capped(0, true, false, false), (0, false));
        assert_eq!(capped(-1, false, false, true), (-1, false));
        assert_eq!(QuiescencePolicy::Base.extension(2, true, false, || true), (2, false));
        assert!(
            QuiescencePolicy::Capped.tries_checks(0) && !QuiescencePolicy::Capped.tries_checks(1)
        );
        assert!(!QuiescencePolicy::Base.tries_checks(0));
    }

    #[test]
    fn only_losing_captures_out_of_reach_are_pruned() {
        let winning = "1q2k3/8/8/3p4/8/8/8/3RK3 w - - 0 1";
        assert_eq!(futile(winning, "d1d5", 0, 300), [true, false]);
        assert_eq!(futile(winning, "d1d5", 0, 5_000), [true, false]);
        let losing = "1q2k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1";
        assert_eq!(futile(losing, "d1d5", 0, 300), [true, false]);
        assert_eq!(futile(losing, "d1d5", 0, 950), [true, true]);
    }

    #[test]
    fn pawns_about_to_promote_and_bare_opponents_are_spared() {
        let fen = "r3k3/8/1p6/P7/8/8/8/4K3 w - - 0 1";
        assert_eq!(futile(fen, "a5b6", 0, 2_000), [true, false]);
        let bare = "4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1";
        assert_eq!(futile(bare, "d1d5", 0, 2_000), [true, false]);
    }
}
