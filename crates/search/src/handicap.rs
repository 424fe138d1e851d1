//! Limited strength: fewer nodes, and a choice among the best moves that is sometimes not the best.
//!
//! A level runs from 0 to 20, full strength. Each level looks at 1.4 times as many positions as the one
//! below, and every level at all moves one ply deep. The choice follows Stockfish's idea: every candidate
//! gets a random push that grows with the weakness and with what it is worse.

use super::limits::SearchParams;
use super::score::Value;

/// Full strength.
pub(super) const FULL: f64 = 20.0;
/// `UCI_Elo` at level 0, which is nominal, and at full strength, which `docs/strength.md` measures.
pub const ELO_MIN: u32 = 1_000;
/// See [`ELO_MIN`].
pub const ELO_MAX: u32 = 3_100;
/// Positions at level 0.
const LEAST_NODES: f64 = 400.0;
/// Moves that a weak player chooses among.
pub(super) const CANDIDATES: usize = 4;
/// A worse move than this below the best is never pushed further.
const PAWN: f64 = 100.0;

/// A strength below the full one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Handicap {
    level: f64,
}

impl Handicap {
    /// The handicap that the parameters ask for.
    pub(super) fn new(params: &SearchParams) -> Option<Self> {
        let level = if params.limit_strength {
            let above = f64::from(params.elo.clamp(ELO_MIN, ELO_MAX) - ELO_MIN);
            above * FULL / f64::from(ELO_MAX - ELO_MIN)
        } else {
            f64::from(params.skill)
        };
        (level < FULL).then_some(Self { level })
    }

    /// How many positions may be looked at.
    pub(super) fn nodes(self) -> u64 {
        (LEAST_NODES * 1.4_f64.powf(self.level)) as u64
    }

    /// Which of these scores, best first, is chosen. `random` gives numbers evenly from [0, 1).
    pub(super) fn choose(self, scores: &[Value], mut random: impl FnMut() -> f64) -> usize {
        let (Some(&best), Some(&worst)) = (scores.first(), scores.last()) else { return 0 };
        let weakness = 120.0 - 5.0 * self.level;
        let spread = f64::from(best - worst).min(PAWN);
        let pushed = scores.iter().map(|&score| {
            let behind = f64::from(best - score);
            f64::from(score) + (weakness * behind + spread * random() * weakness) / 128.0
        });
        let chosen = pushed.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
        chosen.map_or(0, |(at, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::{ELO_MAX, ELO_MIN, Handicap};
    use crate::SearchParams;

    #[test]
    fn levels_and_ratings_are_one_scale() {
        let skill = |skill| Handicap::new(&SearchParams { skill, ..SearchParams::default() });
        let elo = |elo| {
            Handicap::new(&SearchParams { limit_strength: true, elo, ..SearchParams::default() })
        };
        assert_eq!(skill(20), None);
        assert_eq!((elo(ELO_MAX), elo(ELO_MIN)), (None, skill(0)));
        assert_eq!(elo((ELO_MIN + ELO_MAX) / 2), skill(10));
        let nodes: Vec<_> = (0..20).map(|level| skill(level).unwrap().nodes()).collect();
        assert!(nodes.windows(2).all(|pair| pair[0] < pair[1]), "{nodes:?}");
    }

    #[test]
    fn weaker_levels_choose_worse_moves_more_often() {
        let mistakes = |level| {
            let handicap = Handicap { level };
            let mut state = 1_u32;
            let mut random = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                f64::from(state) / f64::from(u32::MAX)
            };
            (0..1_000).filter(|_| handicap.choose(&[30, 10, -20, -90], &mut random) > 0).count()
        };
        assert!(mistakes(0.0) > mistakes(10.0) + 50 && mistakes(10.0) > mistakes(19.0));
        assert_eq!(Handicap { level: 3.0 }.choose(&[12], || 0.5), 0);
    }
}
