//! XP5 LMPFutil: skip a late quiet move only if exchange and history agree; wide futility margin.
//!
//! Hypothesis: the count of moves alone prunes good quiet moves.

use crate::constants::SearchConstants;
use crate::reductions::LateMove;
use crate::score::{DECISIVE, Value};

/// Conditions that prune a quiet move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Futility {
    /// Prunes by count, and by evaluation at the reduced depth.
    Base,
    /// Prunes by count only with a losing exchange and a bad history; by evaluation with a wide
    /// margin.
    Agreed,
}

/// Quiet move at a node that already has a move which does not lose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quiet<'a> {
    /// The move, before it is made.
    pub late: &'a LateMove,
    /// Depth after the usual reduction, plies.
    pub lowered: i32,
    /// Static evaluation.
    pub eval: Value,
    pub alpha: Value,
}

/// Decision about a quiet move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Skip {
    /// Search the move.
    No,
    /// Skip the move.
    One,
    /// Skip the move; the value of the node is at least this.
    OneWorth(Value),
    /// Skip all further quiet moves.
    All,
}

fn too_many(late: &LateMove, base: i32) -> bool {
    let limit = (base + late.depth * late.depth) / if late.improving { 1 } else { 2 };
    !late.pv && late.depth <= 8 && late.tried as i32 > limit
}

impl Futility {
    /// Decides whether to skip the move. `loses` returns true if the move loses material by
    /// exchanges.
    pub(crate) fn skips(
        self,
        quiet: &Quiet<'_>,
        constants: &SearchConstants,
        loses: impl Fn() -> bool,
    ) -> Skip {
        match self {
            Self::Base => base(quiet, constants),
            Self::Agreed => agreed(quiet, loses),
        }
    }
}

fn base(quiet: &Quiet<'_>, constants: &SearchConstants) -> Skip {
    if too_many(quiet.late, constants.late_base) {
        return Skip::All;
    }
    let lowered = quiet.lowered.max(0);
    let hopeless =
        quiet.eval + constants.futility_base + constants.futility_per_ply * lowered <= quiet.alpha;
    let applies = !quiet.late.checks && !quiet.late.evasion && quiet.alpha.abs() < DECISIVE;
    if applies && lowered <= 8 && hopeless { Skip::One } else { Skip::No }
}

fn agreed(quiet: &Quiet<'_>, loses: impl Fn() -> bool) -> Skip {
    let late = quiet.late;
    if late.pv || late.evasion || late.checks {
        return Skip::No;
    }
    if too_many(late, 3) && late.history < -512 * late.depth && loses() {
        return Skip::One;
    }
    let hope = quiet.eval + 120 + 80 * late.depth;
    if late.depth <= 7 && quiet.alpha.abs() < DECISIVE && hope <= quiet.alpha {
        return Skip::OneWorth(hope);
    }
    Skip::No
}

#[cfg(test)]
mod tests {
    use super::{Futility, Quiet, Skip};
    use crate::constants::SearchConstants;
    use crate::reductions::LateMove;

    fn late(depth: i32, history: i32) -> LateMove {
        LateMove { depth, history, tried: 30, quiet: true, ..LateMove::default() }
    }

    fn skips(arm: Futility, late: &LateMove, alpha: i32, loses: bool) -> Skip {
        let quiet = Quiet { late, lowered: 2, eval: 0, alpha };
        arm.skips(&quiet, &SearchConstants::DEFAULT, || loses)
    }

    #[test]
    fn late_moves_fall_only_when_exchange_and_history_agree() {
        assert_eq!(skips(Futility::Base, &late(4, -10_000), 10, false), Skip::All);
        assert_eq!(skips(Futility::Agreed, &late(4, -10_000), 10, true), Skip::One);
        assert_eq!(skips(Futility::Agreed, &late(4, -10_000), 10, false), Skip::No);
        assert_eq!(skips(Futility::Agreed, &late(4, -2_048), 10, true), Skip::No);
        assert_eq!(skips(Futility::Agreed, &late(9, -10_000), 10, true), Skip::No);
    }

    #[test]
    fn checks_evasions_and_principal_variations_are_safe() {
        let hopeless = late(4, -10_000);
        let worth = skips(Futility::Agreed, &late(4, 0), 5_000, false);
        assert_eq!(worth, Skip::OneWorth(440));
        for safe in [
            LateMove { checks: true, ..hopeless },
            LateMove { evasion: true, ..hopeless },
            LateMove { pv: true, ..hopeless },
        ] {
            assert_eq!(skips(Futility::Agreed, &safe, 5_000, true), Skip::No);
        }
    }
}
