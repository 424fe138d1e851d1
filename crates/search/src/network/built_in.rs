//! The network that is part of the program.
//!
//! `networks/umbrail.nn` was made by `umbrail train`; `networks/umbrail.txt` beside it is the ledger of its data, options
//! and losses, and `docs/training.md` tells how to make it again.

use super::Network;
use std::sync::{Arc, OnceLock};

static BYTES: &[u8] = include_bytes!("../../networks/umbrail.nn");

impl Network {
    /// The network that is part of the program, shared by all who ask. A test reads it, so it is always there.
    pub(crate) fn built_in() -> Option<Arc<Self>> {
        static READ: OnceLock<Option<Arc<Network>>> = OnceLock::new();
        READ.get_or_init(|| Self::from_bytes(BYTES).ok().map(Arc::new)).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::{BYTES, Network};

    #[test]
    fn the_network_of_the_program_is_whole_and_the_one_of_the_ledger() {
        let network = Network::built_in().expect("it can be read");
        assert!(BYTES.len() < 2 << 20);
        let ledger = include_str!("../../networks/umbrail.txt");
        let named = format!("checksum {:016x}", network.checksum);
        assert!(ledger.contains(&named), "{named}");
    }
}
