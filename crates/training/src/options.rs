//! Options of the training of a network.

use crate::model::Shape;
use crate::target::{Loss, Target};
use std::path::PathBuf;
use umbrail_search::features::{BUCKETS_MAX, KING_BUCKETS, WIDTHS};

/// Shares of the epochs after which the rate is multiplied by [`RATE_STEP`].
const RATE_STEPS: [f64; 3] = [0.5, 0.7, 0.85];
const RATE_STEP: f32 = 0.3;

/// Options of the training of a network.
#[derive(Clone, Debug)]
pub struct TrainOptions {
    /// Game files, and folders of them.
    pub data: Vec<PathBuf>,
    /// File of the network. The ledger (`.txt` appended) is written beside it and, until the
    /// training is complete, the state (`.part` appended).
    pub network: PathBuf,
    /// Networks of the same shape and scale in place of random weights: training starts with the
    /// mean of each weight. Networks with a single king bucket are also accepted; their weights are
    /// used for each bucket. In networks of a smaller width the missing sums start with random
    /// weights and without effect on the output.
    pub start: Vec<PathBuf>,
    /// Number of sums per side, one of [`WIDTHS`].
    pub width: usize,
    /// Number of weight sets of the first layer, selected by the own king's square: 1 or 3.
    pub king_buckets: usize,
    /// Number of output buckets, 1 to 8.
    pub buckets: usize,
    /// Centipawns for an output of 1.
    pub scale: u16,
    /// Centipawns for an output of 1 of the written network, if not [`TrainOptions::scale`]. The
    /// ratio multiplies all scores that the search sees.
    pub output_scale: Option<u16>,
    /// Share of the game's result in the target, 0 to 1; the rest is the score of the search.
    pub wdl: f32,
    /// Share of the later positions' scores in the scores of the target, 0 to below 1, and the
    /// factor from the weight of each to the next.
    pub lambda: f32,
    /// Number of passes over all positions.
    pub epochs: u32,
    /// Number of initial passes that learn the hand-written evaluation, on positions a few random
    /// moves away from those of the games. Each pass uses other positions, so that a network has a
    /// general knowledge before it sees the limited data.
    pub imitate: u32,
    /// Number of final passes that compute with the weights as rounded for the network, but change
    /// the exact ones.
    pub rounded: u32,
    /// Number of positions per step.
    pub batch: usize,
    /// Factor of the past in a running mean of the weights over the steps, 0 to below 1. The network gets the mean, which
    /// is more exact than the weights of the last step. With 0 it gets the last weights.
    pub mean: f32,
    /// Loss that training minimizes.
    pub loss: Loss,
    /// Initial rate; it falls by the factor 0.3 after 50, 70 and 85 % of the epochs after the
    /// imitating ones.
    pub rate: f32,
    /// Seed of the random weights and of the order of the positions.
    pub seed: u64,
    /// Number of threads; the result does not depend on it.
    pub threads: usize,
}

/// Reason why an option of the training was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrainOptionError {
    /// The value is outside its range.
    #[error("{name} must be {expected}, got {got}")]
    Range {
        /// Name of the option.
        name: &'static str,
        /// Accepted values.
        expected: String,
        /// Given value.
        got: String,
    },
    /// A number is 0.
    #[error("scale, epochs and batch must be at least 1")]
    Zero,
}

impl TrainOptions {
    /// Options of a small training, for tests.
    #[cfg(test)]
    pub(crate) fn sample() -> Self {
        Self {
            data: vec![],
            network: PathBuf::new(),
            start: vec![],
            width: 16,
            king_buckets: 1,
            buckets: 2,
            scale: 400,
            output_scale: None,
            wdl: 0.3,
            lambda: 0.0,
            epochs: 6,
            imitate: 0,
            rounded: 0,
            batch: 500,
            mean: 0.0,
            loss: Loss::Squared,
            rate: 0.003,
            seed: 9,
            threads: 1,
        }
    }

    /// Returns an error that names an option outside its range.
    pub(crate) fn check(&self) -> Result<(), TrainOptionError> {
        let wrong = |name, expected: String, got: &dyn std::fmt::Display| {
            Err(TrainOptionError::Range { name, expected, got: got.to_string() })
        };
        if !WIDTHS.contains(&self.width) {
            return wrong("the width", format!("one of {WIDTHS:?}"), &self.width);
        }
        if !KING_BUCKETS.contains(&self.king_buckets) {
            let expected = format!("one of {KING_BUCKETS:?}");
            return wrong("king buckets", expected, &self.king_buckets);
        }
        if !(1..=BUCKETS_MAX).contains(&self.buckets) {
            return wrong("buckets", format!("1 to {BUCKETS_MAX}"), &self.buckets);
        }
        if !(0.0..=1.0).contains(&self.wdl) {
            return wrong("the share of results", "0 to 1".to_owned(), &self.wdl);
        }
        if !(0.0..1.0).contains(&self.lambda) {
            return wrong("the factor lambda", "at least 0 and below 1".to_owned(), &self.lambda);
        }
        if !(0.0..1.0).contains(&self.mean) {
            return wrong(
                "the factor of the mean",
                "at least 0 and below 1".to_owned(),
                &self.mean,
            );
        }
        if !(self.rate > 0.0 && self.rate <= 1.0) {
            return wrong("the rate", "above 0 and at most 1".to_owned(), &self.rate);
        }
        if self.scale == 0 || self.output_scale == Some(0) || self.epochs == 0 || self.batch == 0 {
            return Err(TrainOptionError::Zero);
        }
        if self.imitate >= self.epochs {
            let Self { imitate, epochs, .. } = self;
            return wrong("imitating epochs", format!("fewer than all {epochs}"), imitate);
        }
        if self.rounded > self.epochs - self.imitate {
            let most = format!("at most the {} that learn", self.epochs - self.imitate);
            return wrong("rounded epochs", most, &self.rounded);
        }
        Ok(())
    }

    /// Returns the centipawns for an output of 1 of the written network.
    pub(crate) fn written_scale(&self) -> u16 {
        self.output_scale.unwrap_or(self.scale)
    }

    pub(crate) fn shape(&self) -> Shape {
        Shape { width: self.width, king_buckets: self.king_buckets, buckets: self.buckets }
    }

    pub(crate) fn target(&self) -> Target {
        Target { wdl: self.wdl, lambda: self.lambda, scale: self.scale.into(), loss: self.loss }
    }

    /// Returns true if an epoch, counted from 0, computes with rounded weights.
    pub(crate) fn rounds(&self, epoch: u32) -> bool {
        epoch + self.rounded >= self.epochs
    }

    /// Returns the rate of an epoch, counted from 0.
    pub(crate) fn rate_of(&self, epoch: u32) -> f32 {
        let own = epoch.saturating_sub(self.imitate);
        let share = f64::from(own) / f64::from(self.epochs - self.imitate);
        let steps = RATE_STEPS.iter().filter(|&&step| share >= step).count();
        (0..steps).fold(self.rate, |rate, _| rate * RATE_STEP)
    }

    /// Returns all options that affect the network, except the data, as one line of text.
    pub(crate) fn recipe(&self) -> String {
        let kings = match self.king_buckets {
            1 => String::new(),
            kings => format!("king buckets {kings} "),
        };
        let output_scale = match self.output_scale {
            None => String::new(),
            Some(scale) => format!("output scale {scale} "),
        };
        let lambda = match self.lambda {
            0.0 => String::new(),
            lambda => format!("lambda {lambda} "),
        };
        let rounded = match self.rounded {
            0 => String::new(),
            rounded => format!("rounded {rounded} "),
        };
        let mean = match self.mean {
            0.0 => String::new(),
            mean => format!("mean {mean} "),
        };
        let loss = match self.loss {
            Loss::Squared => "",
            Loss::TwoAndAHalf => "loss 2.5 ",
        };
        format!(
            "width {} {kings}buckets {} scale {} {output_scale}wdl {} {lambda}epochs {} imitate {} {rounded}{mean}{loss}batch {} rate {} seed {}",
            self.width,
            self.buckets,
            self.scale,
            self.wdl,
            self.epochs,
            self.imitate,
            self.batch,
            self.rate,
            self.seed
        )
    }
}
