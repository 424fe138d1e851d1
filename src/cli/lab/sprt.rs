//! Statistics of a match in pairs of games: Elo with its interval, likelihood of superiority, and the sequential
//! probability ratio test.
//!
//! A pair is one opening played with both colors. Its two games are not independent, so everything is computed from
//! counts of pairs by points (the *pentanomial* model). The hypotheses of the test are in normalized Elo, as fastchess
//! has them by default: an advantage in units of the spread of a game's result. The log-likelihood ratio is that of the
//! two distributions nearest to the observed one that fulfil either hypothesis, after M. Van den Bergh, "The
//! generalized maximum likelihood ratio for the expectation value of a distribution" and "Comments on normalized Elo".

/// Points of a pair as a share of what it holds: 0, ½, 1, 1½, 2 of 2.
const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// Half width of a 95 % interval in standard deviations.
const Z95: f64 = 1.959_964;
/// Elo per unit of normalized advantage, for one game.
const NORMALIZED: f64 = 800.0 / std::f64::consts::LN_10;
/// Stands for a kind of pair that has not occurred: the likelihood of each must be above zero.
const UNSEEN: f64 = 1e-3;
/// Number of pairs below which the normal approximation of the interval is unreliable.
const PAIRS_MIN: u64 = 15;

/// Pairs by the points of the first player: 0, ½, 1, 1½, 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PairCounts(pub(super) [u64; 5]);

/// An estimate of strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Estimate {
    /// Logistic Elo of the first player above the second.
    pub(super) elo: f64,
    /// Half width of the 95 % interval.
    pub(super) error: f64,
    /// Likelihood that the first player is the stronger one, per cent.
    pub(super) los: f64,
}

/// Hypotheses in normalized Elo, and the chances of a wrong decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hypotheses {
    /// H0: the advantage is this.
    pub(super) elo0: f64,
    /// H1: the advantage is this.
    pub(super) elo1: f64,
}

/// The state of the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// The ratio lies between the bounds.
    Open,
    /// H0 was accepted.
    H0,
    /// H1 was accepted.
    H1,
}

impl Hypotheses {
    /// Chance of accepting the wrong hypothesis, for either.
    const RISK: f64 = 0.05;

    /// The ratio at which H1 is accepted; at the negative one H0 is.
    pub(super) fn bound() -> f64 {
        ((1.0 - Self::RISK) / Self::RISK).ln()
    }

    /// The decision at this log-likelihood ratio of `pairs` pairs. It is left open while there are too few pairs for
    /// the ratio, an approximation for many, to mean anything.
    pub(super) fn decide(llr: f64, pairs: u64) -> Decision {
        match llr {
            _ if pairs < PAIRS_MIN => Decision::Open,
            _ if llr >= Self::bound() => Decision::H1,
            _ if llr <= -Self::bound() => Decision::H0,
            _ => Decision::Open,
        }
    }
}

impl PairCounts {
    /// Adds a pair with this many half points, 0 to 4.
    pub(super) fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// Pairs in all.
    pub(super) fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    fn shares(&self, unseen: f64) -> [f64; 5] {
        let counts = self.0.map(|count| if count == 0 { unseen } else { count as f64 });
        let all: f64 = counts.iter().sum();
        counts.map(|count| count / all)
    }

    /// Elo, interval and likelihood of superiority; none when there are too few pairs for an interval, or all
    /// points went to one side.
    pub(super) fn estimate(&self) -> Option<Estimate> {
        let pairs = self.pairs();
        if pairs < PAIRS_MIN {
            return None;
        }
        let shares = self.shares(0.0);
        let (mean, variance) = moments(&SHARES, &shares);
        let spread = (variance / pairs as f64).sqrt();
        let (low, high) = (elo(mean - Z95 * spread), elo(mean + Z95 * spread));
        let error = (high - low) / 2.0;
        let los = match () {
            () if spread > 0.0 => 100.0 * normal((mean - 0.5) / spread),
            () => 50.0,
        };
        (elo(mean).is_finite() && error.is_finite()).then(|| Estimate {
            elo: elo(mean) + 0.0,
            error,
            los,
        })
    }

    /// The log-likelihood ratio of H1 to H0; 0 without pairs.
    pub(super) fn llr(&self, hypotheses: Hypotheses) -> f64 {
        let pairs = self.pairs();
        if pairs == 0 {
            return 0.0;
        }
        let observed = self.shares(UNSEEN);
        // A pair has twice the information of a game.
        let scale = std::f64::consts::SQRT_2 / NORMALIZED;
        let under = |elo: f64| nearest(&observed, elo * scale);
        let (none, some) = (under(hypotheses.elo0), under(hypotheses.elo1));
        let ratio: f64 = (0..5).map(|at| observed[at] * (some[at] / none[at]).ln()).sum();
        pairs as f64 * ratio
    }
}

fn moments(values: &[f64; 5], shares: &[f64; 5]) -> (f64, f64) {
    let mean: f64 = values.iter().zip(shares).map(|(value, share)| value * share).sum();
    let variance =
        values.iter().zip(shares).map(|(value, share)| share * (value - mean).powi(2)).sum();
    (mean, variance)
}

/// Logistic Elo of a share of the points; infinite at 0 and 1.
fn elo(share: f64) -> f64 {
    match share {
        _ if share <= 0.0 => f64::NEG_INFINITY,
        _ if share >= 1.0 => f64::INFINITY,
        _ => -400.0 * (1.0 / share - 1.0).log10(),
    }
}

/// The distribution nearest to the observed one whose advantage over ½, in units of its own spread, is `t`.
///
/// The condition `mean - ½ = t * spread` is not linear in the shares. It is made linear around the spread of the last
/// round; a few rounds settle it.
fn nearest(observed: &[f64; 5], t: f64) -> [f64; 5] {
    // From equal shares: the observed ones may have no spread at all.
    let mut found = [0.2; 5];
    for _ in 0..20 {
        let (mean, variance) = moments(&SHARES, &found);
        let spread = variance.sqrt();
        let bent = SHARES.map(|share| {
            let z = (mean - share) / spread;
            share - 0.5 - t * spread * (1.0 + z * z) / 2.0
        });
        let next = with_mean_zero(observed, &bent);
        let moved: f64 = next.iter().zip(&found).map(|(a, b)| (a - b).abs()).sum();
        found = next;
        if moved < 1e-12 {
            break;
        }
    }
    found
}

/// The maximum-likelihood distribution under which `values` have mean 0: each observed share divided by `1 + theta *
/// value`, where theta is the root of a falling function between its poles.
fn with_mean_zero(observed: &[f64; 5], values: &[f64; 5]) -> [f64; 5] {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        return *observed;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let sum = |theta: f64| -> f64 {
        observed
            .iter()
            .zip(values)
            .map(|(share, value)| share * value / (1.0 + theta * value))
            .sum()
    };
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if sum(middle) > 0.0 { low = middle } else { high = middle }
    }
    let theta = (low + high) / 2.0;
    let mut found = [0.0; 5];
    for at in 0..5 {
        found[at] = observed[at] / (1.0 + theta * values[at]);
    }
    found
}

/// The standard normal distribution function (Abramowitz and Stegun 7.1.26, error below 2e-7).
fn normal(z: f64) -> f64 {
    let x = z.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let series = [0.254_829_592, -0.284_496_736, 1.421_413_741, -1.453_152_027, 1.061_405_429];
    let tail = series.iter().rev().fold(0.0, |sum, term| t * (sum + term)) * (-x * x).exp();
    if z >= 0.0 { 1.0 - tail / 2.0 } else { tail / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::{Decision, Hypotheses, PairCounts, SHARES, moments, nearest};

    /// The numbers that fastchess 1.8 printed of the same counts.
    #[test]
    fn estimates_agree_with_those_of_fastchess() {
        let counts = PairCounts([9, 5, 21, 5, 24]);
        let found = counts.estimate().unwrap();
        assert!((found.elo - 82.97).abs() < 0.01, "{found:?}");
        assert!((found.error - 64.53).abs() < 0.01, "{found:?}");
        assert!((found.los - 99.60).abs() < 0.01, "{found:?}");
        let llr = counts.llr(Hypotheses { elo0: 0.0, elo1: 60.0 });
        assert!((llr - 3.07).abs() < 0.01, "{llr}");
        assert_eq!(Hypotheses::decide(llr, 64), Decision::H1);
        assert_eq!(Hypotheses::decide(-llr, 64), Decision::H0);
        assert_eq!(Hypotheses::decide(2.9, 64), Decision::Open);
        assert_eq!(Hypotheses::decide(-llr, 5), Decision::Open);
    }

    #[test]
    fn the_nearest_distribution_has_the_advantage_that_was_asked_for() {
        let observed = PairCounts([9, 5, 21, 5, 24]).shares(0.0);
        for t in [-0.3, 0.0, 0.1, 0.24] {
            let found = nearest(&observed, t);
            let (mean, variance) = moments(&SHARES, &found);
            assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{found:?}");
            assert!((mean - 0.5 - t * variance.sqrt()).abs() < 1e-6, "{t}: {mean} {variance}");
        }
    }

    #[test]
    fn few_games_and_lost_causes_have_no_interval() {
        assert_eq!(PairCounts([0, 1, 1, 1, 0]).estimate(), None);
        assert_eq!(PairCounts([0, 0, 0, 0, 40]).estimate(), None);
        assert_eq!(PairCounts::default().llr(Hypotheses { elo0: 0.0, elo1: 6.0 }), 0.0);
        let equal = PairCounts([0, 0, 50, 0, 0]).estimate().unwrap();
        assert_eq!((equal.elo, equal.error, equal.los), (0.0, 0.0, 50.0));
    }

    #[test]
    fn one_sided_counts_speak_for_the_nearer_hypothesis() {
        let hypotheses = Hypotheses { elo0: 0.0, elo1: 10.0 };
        for count in [1, 5, 50] {
            let (lost, won) = (PairCounts([count, 0, 0, 0, 0]), PairCounts([0, 0, 0, 0, count]));
            assert!(lost.llr(hypotheses) < 0.0, "{count}: {}", lost.llr(hypotheses));
            assert!(won.llr(hypotheses) > 0.0, "{count}: {}", won.llr(hypotheses));
        }
        assert!(PairCounts([0, 0, 90, 0, 0]).llr(hypotheses) < 0.0);
    }

    #[test]
    fn mirrored_counts_give_mirrored_numbers() {
        let (one, two) = (PairCounts([3, 20, 60, 25, 5]), PairCounts([5, 25, 60, 20, 3]));
        let (a, b) = (one.estimate().unwrap(), two.estimate().unwrap());
        assert!((a.elo + b.elo).abs() < 1e-9 && (a.los + b.los - 100.0).abs() < 1e-6);
        let both = Hypotheses { elo0: -4.0, elo1: 4.0 };
        assert!((one.llr(both) + two.llr(both)).abs() < 1e-6);
    }
}
