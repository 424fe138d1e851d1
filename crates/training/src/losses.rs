//! Losses: mean squared errors of expected scores, each from 0 to 1.

/// Mean squared errors of an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EpochLoss {
    /// Number of the epoch, from 1.
    pub epoch: u32,
    /// Error on the positions learned, during the epoch.
    pub learned: f64,
    /// Error on the positions held out, after the epoch.
    pub held_out: f64,
}

/// Mean squared errors of the hand-written evaluation on the positions held out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HandLoss {
    /// Error with the scale of the options.
    pub plain: f64,
    /// Smallest error of the evaluation times a factor.
    pub best: f64,
    /// Factor of the smallest error.
    pub factor: f64,
}
