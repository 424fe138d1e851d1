//! How far values are from what they ought to be: mean squared errors of chances to win, each from 0 to 1.

/// Mean squared errors after an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EpochLoss {
    /// Number of the epoch, from 1.
    pub epoch: u32,
    /// On the positions learned, while they were learned.
    pub learned: f64,
    /// On the positions held out, behind the epoch.
    pub held_out: f64,
}

/// Mean squared errors of the hand-written evaluation on the positions held out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HandLoss {
    /// With the scale of the options.
    pub plain: f64,
    /// With the factor before the evaluation that makes it least.
    pub best: f64,
    /// That factor.
    pub factor: f64,
}
