//! XP5 LMPFutil: skip a late quiet move only if exchange and history agree; wide futility margin.
//!
//! Hypothesis: the count of moves alone prunes good quiet moves.

use crate::constants::SearchConstants;
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
pub(crate) struct Quiet {
    pub depth: i32,
    /// Depth after the usual reduction, plies.
    pub lowered: i32,
    /// Number of moves searched before this one.
    pub tried: usize,
    pub improving: bool,
    pub pv: bool,
    pub in_check: bool,
    pub checks: bool,
    /// Static evaluation.
    pub eval: Value,
    pub alpha: Value,
    /// History score, on the scale of the active histories.
    pub history: i32,
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

fn too_many(quiet: &Quiet, base: i32) -> bool {
    let limit = (base + quiet.depth * quiet.depth) / if quiet.improving { 1 } else { 2 };
    !quiet.pv && quiet.depth <= 8 && quiet.tried as i32 > limit
}

impl Futility {
    /// Decides whether to skip the move. `loses` returns true if the move loses material by
    /// exchanges.
    pub(crate) fn skips(
        self,
        quiet: &Quiet,
        constants: &SearchConstants,
        loses: impl Fn() -> bool,
    ) -> Skip {
        match self {
            Self::Base => base(quiet, constants),
            Self::Agreed => agreed(quiet, loses),
        }
    }
}

fn base(quiet: &Quiet, constants: &SearchConstants) -> Skip {
    if too_many(quiet, constants.late_base) {
        return Skip::All;
    }
    let lowered = quiet.lowered.max(0);
    let hopeless =
        quiet.eval + constants.futility_base + constants.futility_per_ply * lowered <= quiet.alpha;
    let applies = !quiet.checks && !quiet.in_check && quiet.alpha.abs() < DECISIVE;
    if applies && lowered <= 8 && hopeless { Skip::One } else { Skip::No }
}

fn agreed(quiet: &Quiet, loses: impl Fn() -> bool) -> Skip {
    if quiet.pv || quiet.in_check || quiet.checks {
        return Skip::No;
    }
    if too_many(quiet, 3) && quiet.history < -512 * quiet.depth && loses() {
        return Skip::One;
    }
    let hope = quiet.eval + 120 + 80 * quiet.depth;
    if quiet.depth <= 7 && quiet.alpha.abs() < DECISIVE && hope <= quiet.alpha {
        return Skip::OneWorth(hope);
    }
    Skip::No
}

#[cfg(test)]
mod tests {
    use super::{Futility, Quiet, Skip};
    use crate::constants::SearchConstants;

    const LATE: Quiet = Quiet {
        depth: 4,
        lowered: 2,
        tried: 30,
        improving: false,
        pv: false,
        in_check: false,
        checks: false,
        eval: 0,
        alpha: 10,
        history: -10_000,
    };

    #[test]
    fn late_moves_fall_only_when_exchange_and_history_agree() {
        assert_eq!(Futility::Base.skips(&LATE, &SearchConstants::DEFAULT, || false), Skip::All);
        assert_eq!(Futility::Agreed.skips(&LATE, &SearchConstants::DEFAULT, || true), Skip::One);
        assert_eq!(Futility::Agreed.skips(&LATE, &SearchConstants::DEFAULT, || false), Skip::No);
        assert_eq!(
            Futility::Agreed.skips(
                &Quiet { history: -2_048, ..LATE },
                &SearchConstants::DEFAULT,
                || true
            ),
            Skip::No
        );
        assert_eq!(
            Futility::Agreed.skips(&Quiet { depth: 9, ..LATE }, &SearchConstants::DEFAULT, || true),
            Skip::No
        );
    }

    #[test]
    fn checks_evasions_and_principal_variations_are_safe() {
        let hopeless = Quiet { alpha: 5_000, ..LATE };
        assert_eq!(
            Futility::Agreed.skips(
                &Quiet { history: 0, ..hopeless },
                &SearchConstants::DEFAULT,
                || false
            ),
            Skip::OneWorth(440)
        );
        for safe in [
            Quiet { checks: true, ..hopeless },
            Quiet { in_check: true, ..hopeless },
            Quiet { pv: true, ..hopeless },
        ] {
            assert_eq!(Futility::Agreed.skips(&safe, &SearchConstants::DEFAULT, || true), Skip::No);
        }
    }
}
