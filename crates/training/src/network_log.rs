//! Ledger: data, options and losses of a network, as a text file beside it.

use crate::dataset::Dataset;
use crate::losses::{EpochLoss, HandLoss};
use crate::options::TrainOptions;
use crate::start::StartNetworks;
use std::fmt;
use umbrail_search::Network;

/// Text of the ledger. The named files, truncated to the named lengths, give an identical network
/// with these options.
pub(crate) struct NetworkLog<'a> {
    pub(crate) options: &'a TrainOptions,
    pub(crate) start: Option<&'a StartNetworks>,
    pub(crate) data: &'a Dataset,
    pub(crate) by_hand: HandLoss,
    pub(crate) losses: &'a [EpochLoss],
    /// Loss of the quantized network on the positions held out.
    pub(crate) held_out: f64,
    pub(crate) network: &'a Network,
}

impl fmt::Display for NetworkLog<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { options, start, data, by_hand, losses, held_out, network } = self;
        writeln!(f, "network: {network}")?;
        writeln!(f, "made by: umbrail {} train", env!("CARGO_PKG_VERSION"))?;
        writeln!(f, "options: {}", options.recipe())?;
        if let Some(start) = start {
            writeln!(f, "begun with: {start}")?;
        }
        writeln!(
            f,
            "positions: {} learned, {} held out, {} repeated ones not used",
            data.learned.len(),
            data.held_out.len(),
            data.repeated
        )?;
        writeln!(f, "\ndata (bytes, games, positions used, XXH3 hash of these bytes, file):")?;
        for file in &data.files {
            let name = file.path.file_name().unwrap_or_default().to_string_lossy();
            let (bytes, games, used, hash) = (file.bytes, file.games, file.used, file.hash);
            writeln!(f, "{bytes:>12} {games:>9} {used:>10} {hash:016x} {name}")?;
        }
        writeln!(f, "\nmean squared error, learned and held out, after each epoch:")?;
        for EpochLoss { epoch, learned, held_out } in *losses {
            writeln!(f, "{epoch:>4} {learned:.6} {held_out:.6}")?;
        }
        writeln!(f, "\nmean squared error on the positions held out:")?;
        writeln!(f, "{held_out:.6} the network, quantised")?;
        writeln!(f, "{:.6} the hand-written evaluation", by_hand.plain)?;
        writeln!(f, "{:.6} the same, multiplied by {:.2}", by_hand.best, by_hand.factor)
    }
}
