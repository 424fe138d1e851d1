//! Statistics of pairs of games, counted by the points of DEV: 0, 0.5, 1, 1.5 and 2.
//!
//! The two games of a pair begin with the same opening and depend on each other, so that pairs are the sample, not
//! games. The sequential test is Wald's with the ratio of normal likelihoods, for hypotheses in normalized Elo (Michel
//! Van den Bergh, "Normalized Elo", 2021), as fastchess and fishtest compute it.

/// Logistic Elo of a score ratio of 10 to 1.
const ELO_SCALE: f64 = 400.0;
/// Pairs that are added to classes without any, so that the variance is never 0.
const ABSENT: f64 = 1e-3;
/// Bound of the log-likelihood ratio for errors of 5 %.
pub(super) const BOUND: f64 = 2.944_438_979_166_44;
/// Half the width of the interval that holds 95 % of a normal distribution.
const INTERVAL: f64 = 1.96;

/// Statistics of some pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PairStatistics {
    pairs: f64,
    /// Mean score of a pair, 0 to 1.
    mean: f64,
    /// Standard deviation of the score of a pair.
    deviation: f64,
}

impl PairStatistics {
    /// Returns the statistics; none without a pair.
    pub(super) fn new(counts: [u64; 5]) -> Option<Self> {
        let all: u64 = counts.iter().sum();
        if all == 0 {
            return None;
        }
        let counts = counts.map(|count| if count == 0 { ABSENT } else { count as f64 });
        let pairs: f64 = counts.iter().sum();
        let score = |class: usize| class as f64 / 4.0;
        let mean = (0..5).map(|class| counts[class] * score(class)).sum::<f64>() / pairs;
        let spread = |class: usize| counts[class] * (score(class) - mean).powi(2);
        let variance = (0..5).map(spread).sum::<f64>() / pairs;
        Some(Self { pairs, mean, deviation: variance.sqrt() })
    }

    /// Returns Elo and half the width of its 95 % interval; none if all games have one result.
    pub(super) fn elo(&self) -> Option<(f64, f64)> {
        let error = INTERVAL * self.deviation / self.pairs.sqrt();
        let [low, elo, high] = [-error, 0.0, error].map(|by| elo(self.mean + by));
        let is_known = low.is_finite() && high.is_finite();
        is_known.then_some((elo, (high - low) / 2.0))
    }

    /// Returns the probability that DEV is the stronger side, per cent.
    pub(super) fn superiority(&self) -> f64 {
        100.0 * normal((self.mean - 0.5) / self.deviation * self.pairs.sqrt())
    }

    /// Returns the log-likelihood ratio of two hypotheses in normalized Elo.
    pub(super) fn ratio(&self, hypotheses: (f64, f64)) -> f64 {
        // A pair has two games, so its mean score deviates less than that of a game by the root of 2.
        let unit = ELO_SCALE * 2.0 / std::f64::consts::LN_10 / std::f64::consts::SQRT_2;
        let expected = |elo: f64| 0.5 + elo / unit * self.deviation;
        let (low, high) = (expected(hypotheses.0), expected(hypotheses.1));
        let variance = self.deviation * self.deviation;
        self.pairs * (high - low) * (2.0 * self.mean - low - high) / (2.0 * variance)
    }
}

fn elo(score: f64) -> f64 {
    if score <= 0.0 || score >= 1.0 {
        return f64::NAN;
    }
    -ELO_SCALE * (1.0 / score - 1.0).log10()
}

/// Returns the standard normal distribution function (Abramowitz and Stegun, 7.1.26; error below 1.5e-7).
fn normal(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let factors = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let sum = factors.iter().fold(0.0, |sum, factor| (sum + factor) * t);
    let tail = sum * (-z * z).exp();
    if x < 0.0 { tail / 2.0 } else { 1.0 - tail / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::{PairStatistics, normal};

    #[test]
    fn elo_is_that_of_fastchess() {
        // fastchess printed these figures for twenty pairs.
        let known = PairStatistics::new([1, 4, 6, 9, 0]).unwrap();
        let ((elo, error), los) = (known.elo().unwrap(), known.superiority());
        for (ours, theirs) in [(elo, 26.11), (error, 70.62), (los, 76.96)] {
            // A class without pairs counts a thousandth here.
            assert!((ours - theirs).abs() < 0.02, "{ours} {theirs}");
        }
        assert_eq!(PairStatistics::new([0; 5]), None);
        assert_eq!(PairStatistics::new([0, 0, 0, 0, 9]).unwrap().elo(), None);
    }

    #[test]
    fn the_ratio_rises_with_the_score_and_is_symmetrical() {
        let ratio = |counts| PairStatistics::new(counts).unwrap().ratio((0.0, 10.0));
        assert!(ratio([5, 20, 40, 30, 10]) > ratio([5, 25, 40, 25, 10]));
        let (up, down) = ([5, 20, 50, 30, 10], [10, 30, 50, 20, 5]);
        let [up, down] = [
            PairStatistics::new(up).unwrap().ratio((-5.0, 5.0)),
            PairStatistics::new(down).unwrap().ratio((-5.0, 5.0)),
        ];
        assert!((up + down).abs() < 1e-9 && up > 0.0);
    }

    #[test]
    fn the_normal_distribution_has_its_known_values() {
        for (x, expected) in [(0.0, 0.5), (1.96, 0.975), (-1.0, 0.158_655)] {
            assert!((normal(x) - expected).abs() < 1e-5, "{x}");
        }
        let equal = PairStatistics::new([1, 2, 3, 2, 1]).unwrap();
        assert!((equal.superiority() - 50.0).abs() < 1e-6);
    }
}
