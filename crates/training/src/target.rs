//! Training target of a position, as an expected score.

/// Parameters of the training target and of the loss.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Target {
    /// Share of the game's result; the rest is that of the search's scores.
    pub(crate) wdl: f32,
    /// Share of the later positions' scores in the scores, and the factor from each of them to the
    /// next.
    pub(crate) lambda: f32,
    /// Centipawns for an output of 1.
    pub(crate) scale: f32,
    /// Loss that training minimizes.
    pub(crate) loss: Loss,
}

/// Power of the absolute error that training minimizes. Losses in reports are squared errors, whatever was minimized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loss {
    /// Squared error.
    #[default]
    Squared,
    /// Error to the power of 2.5, which gives large errors more weight.
    TwoAndAHalf,
}

impl Target {
    /// Returns the expected score of a score in centipawns.
    pub(crate) fn of_score(self, score: i16) -> f32 {
        sigmoid(f32::from(score) / self.scale)
    }

    /// Returns the derivative of the loss by the output's error.
    pub(crate) fn loss_slope(self, error: f32) -> f32 {
        match self.loss {
            Loss::Squared => 2.0 * error,
            Loss::TwoAndAHalf => 2.5 * error * error.abs().sqrt(),
        }
    }

    /// Returns the expected score of a score in centipawns, mixed with that of later positions.
    pub(crate) fn with_later(self, score: i16, later: f32) -> f32 {
        (1.0 - self.lambda) * self.of_score(score) + self.lambda * later
    }
}

/// Computes the logistic function, with identical results on every machine.
pub(crate) fn sigmoid(x: f32) -> f32 {
    let power = f64::from(-x.clamp(-40.0, 40.0)) * std::f64::consts::LOG2_E;
    let whole = power.floor();
    // The rest is 0 to 1; eleven terms of the series give 1e-9.
    let rest = (power - whole) * std::f64::consts::LN_2;
    let series = (1..=11).rev().fold(1.0, |sum, n| 1.0 + sum * rest / f64::from(n));
    let exponential = f64::from_bits(((whole as i64 + 1023) as u64) << 52) * series;
    (1.0 / (1.0 + exponential)) as f32
}

#[cfg(test)]
mod tests {
    use super::sigmoid;

    #[test]
    fn the_logistic_function_is_that_of_the_library() {
        for step in -4_000..=4_000 {
            let x = step as f32 / 100.0;
            let expected = 1.0 / (1.0 + f64::from(-x).exp());
            assert!((f64::from(sigmoid(x)) - expected).abs() < 1e-7, "{x}");
        }
    }
}
