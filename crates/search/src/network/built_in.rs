//! Network built into the program.
//!
//! `networks/umbrail.nn` was made by `umbrail train`. `networks/umbrail.txt` beside it records its
//! data, options and losses; `docs/training.md` explains how to reproduce it.

use super::Network;
use std::sync::{Arc, OnceLock};

/// The network of the repository, or the file that `UMBRAIL_EVALFILE` named at build time.
static BYTES: &[u8] = include_bytes!(env!("UMBRAIL_NETWORK"));

impl Network {
    /// Returns the built-in network, shared by all callers. A test reads the file of the repository; with another file
    /// the result may be none.
    pub(crate) fn built_in() -> Option<Arc<Self>> {
        static READ: OnceLock<Option<Arc<Network>>> = OnceLock::new();
        READ.get_or_init(|| Self::from_bytes(BYTES).ok().map(Arc::new)).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::{BYTES, Network};
    use crate::bench::{POSITIONS, position};
    use umbrail_chess::Position;
    use umbrail_chess::geometry::{Setup, Square};

    /// Returns the position with every piece on another square; `exchanged` also swaps the colors.
    fn moved(position: &Position, exchanged: bool, to: impl Fn(Square) -> Square) -> Position {
        let setup = position.to_setup();
        let mut other = Setup::default();
        for (square, color, letter) in setup.pieces() {
            other.put(to(square), if exchanged { !color } else { color }, letter);
        }
        other.turn = if exchanged { !setup.turn } else { setup.turn };
        Position::try_from(&other).unwrap()
    }

    #[test]
    fn mirrored_and_color_flipped_positions_have_the_same_value() {
        let network = Network::built_in().unwrap();
        for fen in POSITIONS {
            let position = moved(&position(fen).unwrap(), false, |square| square);
            let value = network.evaluate(&position);
            for (exchanged, file, rank) in
                [(false, true, false), (true, false, true), (true, true, true)]
            {
                let other = moved(&position, exchanged, |square| {
                    let across = 7 - 2 * i32::from(square.file());
                    let square = if file { square.offset(across, 0).unwrap() } else { square };
                    if rank { square.flip_rank() } else { square }
                });
                assert_eq!(network.evaluate(&other), value, "{fen} {exchanged} {file} {rank}");
            }
        }
    }

    #[test]
    fn the_network_of_the_program_is_whole_and_the_one_of_the_ledger() {
        let network = Network::built_in().expect("it can be read");
        assert!(BYTES.len() < 2 << 20);
        let ledger = include_str!("../../networks/umbrail.txt");
        let named = format!("checksum {:016x}", network.checksum);
        assert!(ledger.contains(&named), "{named}");
    }
}
