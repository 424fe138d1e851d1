//! State of a training run between two epochs.

use crate::losses::EpochLoss;
use crate::optimizer::Optimizer;
use std::path::Path;
use umbrail_control::{FILE_BYTES_MAX, ReadError, Unreadable, WriteError, read_own, write_whole};
use xxhash_rust::xxh3::xxh3_64;

/// First bytes of a file.
const MAGIC: &[u8; 19] = b"umbrail training 1\n";

/// Reason why the state of a training cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrainingStateError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file is damaged.
    #[error("the training checkpoint is damaged")]
    Damaged,
    /// The state belongs to other data or options.
    #[error("the checkpoint belongs to another training ({theirs}), not of {ours}")]
    Other {
        /// Recipe in the file.
        theirs: String,
        /// Recipe of this training.
        ours: String,
    },
}

/// Complete input of the next epoch.
///
/// File format: magic bytes; length of the recipe, steps and number of epochs; the losses of the
/// epochs; the text of the recipe; the weights, the means of their gradients and of the squares, and with a running mean
/// of the weights that mean; an XXH3 hash of all preceding bytes. Numbers have 8 bytes, weights 4, all little-endian.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Checkpoint {
    /// Options and data, as text.
    pub(crate) recipe: String,
    pub(crate) optimizer: Optimizer,
    /// Losses of the complete epochs.
    pub(crate) losses: Vec<EpochLoss>,
}

impl Checkpoint {
    pub(crate) fn write(&self, path: &Path) -> Result<(), WriteError> {
        let mut bytes = MAGIC.to_vec();
        let mut number = |number: u64| bytes.extend(number.to_le_bytes());
        number(self.recipe.len() as u64);
        number(self.optimizer.steps);
        number(self.losses.len() as u64);
        for loss in &self.losses {
            number(loss.learned.to_bits());
            number(loss.held_out.to_bits());
        }
        bytes.extend(self.recipe.as_bytes());
        let Optimizer { weights, first, second, mean, .. } = &self.optimizer;
        for weight in weights.iter().chain(first).chain(second).chain(mean) {
            bytes.extend(weight.to_le_bytes());
        }
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        write_whole(path, |out| out.write_all(&bytes))
    }

    /// Reads the state written with this recipe for this number of weights, with or without their running mean; none if
    /// there is no file.
    ///
    /// # Errors
    /// Reason why the file cannot be used.
    pub(crate) fn read(
        path: &Path,
        recipe: &str,
        count: usize,
        with_mean: bool,
    ) -> Result<Option<Self>, TrainingStateError> {
        let bytes = match read_own(path, FILE_BYTES_MAX) {
            Ok(bytes) => bytes,
            Err(error) if error.reason == Unreadable::Absent => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let damaged = || TrainingStateError::Damaged;
        let (body, check) = bytes.split_last_chunk::<8>().ok_or_else(damaged)?;
        if *check != xxh3_64(body).to_le_bytes() {
            return Err(damaged());
        }
        let mut rest = body.strip_prefix(MAGIC).ok_or_else(damaged)?;
        let mut number = || {
            let (first, others) = rest.split_first_chunk::<8>()?;
            rest = others;
            Some(u64::from_le_bytes(*first))
        };
        let head = (number(), number(), number());
        let (Some(length), Some(steps), Some(epochs)) = head else { return Err(damaged()) };
        let mut losses = vec![];
        for epoch in 1..=epochs as u32 {
            let (Some(learned), Some(held)) = (number(), number()) else { return Err(damaged()) };
            let [learned, held_out] = [learned, held].map(f64::from_bits);
            losses.push(EpochLoss { epoch, learned, held_out });
        }
        let (text, rest) = rest.split_at_checked(length as usize).ok_or_else(damaged)?;
        if text != recipe.as_bytes() {
            let theirs = String::from_utf8_lossy(text).into_owned();
            return Err(TrainingStateError::Other { theirs, ours: recipe.to_owned() });
        }
        let all: Vec<f32> =
            rest.as_chunks().0.iter().map(|&four| f32::from_le_bytes(four)).collect();
        if all.len() != (3 + usize::from(with_mean)) * count {
            return Err(damaged());
        }
        let part = |index: usize| all[index * count..(index + 1) * count].to_vec();
        let mean = if with_mean { part(3) } else { vec![] };
        let optimizer =
            Optimizer { weights: part(0), first: part(1), second: part(2), mean, steps };
        Ok(Some(Self { recipe: recipe.to_owned(), optimizer, losses }))
    }
}
