//! JSON records of the training tools (`--json`): one object a line, with its kind in `"t"`.

use serde::Serialize;

/// Record of a tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "t", rename_all = "snake_case")]
pub(super) enum ToolRecord {
    /// Contents of a folder of games, of `datagen --summary`.
    Summary {
        /// Number of files.
        files: u64,
        /// Number of games.
        games: u64,
        /// Games that White won.
        wins: u64,
        /// Games that White lost.
        losses: u64,
        /// Drawn games.
        draws: u64,
        /// Games adjudicated by scores.
        adjudicated: u64,
        /// Positions in which a move was played.
        positions: u64,
        /// Positions suitable for training.
        quiet: u64,
    },
    /// Games written by `datagen --export`.
    Exported {
        /// Number of games.
        games: u64,
        /// Number of positions.
        positions: u64,
    },
    /// Opening, of `genfens`.
    Opening {
        /// The position.
        fen: String,
    },
    /// Games played by `datagen`.
    Generated {
        /// Number of games.
        games: u64,
        /// Number of positions.
        positions: u64,
    },
    /// Constant of the search, of `spsa --list`.
    Constant {
        /// Name.
        name: &'static str,
        /// Default value.
        default: i32,
        /// Smallest value.
        min: i32,
        /// Largest value.
        max: i32,
        /// Effect and unit.
        help: &'static str,
    },
    /// Result of `spsa`.
    Tuned {
        /// Pairs of games played.
        pairs: u64,
        /// Games that the raised values won.
        wins: u64,
        /// Games that the raised values lost.
        losses: u64,
        /// Drawn games.
        draws: u64,
        /// Value of the option `Search Constants`.
        constants: String,
    },
    /// Effect of a value, from `spsa --screen`.
    Effect {
        /// Name of the constant.
        name: &'static str,
        /// Values compared; the effect is that of the second one.
        values: [i32; 2],
        /// Difference in Elo, and half of its 95 % interval.
        elo: f64,
        /// See `elo`.
        half: f64,
        /// Pairs of games played.
        pairs: u64,
    },
    /// Result of `tune`.
    Fitted {
        /// File of the numbers.
        file: String,
        /// Loss on the positions held out, before.
        held_out_before: f64,
        /// The same, now.
        held_out: f64,
    },
    /// Result of `train`.
    Trained {
        /// File of the network.
        file: String,
        /// The network.
        network: String,
        /// Mean squared error on the positions held out; none for an imported network.
        #[serde(skip_serializing_if = "Option::is_none")]
        held_out: Option<f64>,
    },
    /// Result of `wdl`.
    WinModel {
        /// Number of games.
        games: u64,
        /// Number of positions.
        positions: u64,
        /// Loss by the current model.
        loss_before: f64,
        /// Loss by this model.
        loss: f64,
        /// Coefficients of the score with equal chances.
        even: [f64; 4],
        /// Coefficients of the width.
        width: [f64; 4],
    },
}
