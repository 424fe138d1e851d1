//! Copies of the network for the nodes of memory (NUMA) of a large machine.

use super::Network;
use std::sync::Arc;

/// Copies of one network, of which the first node has the original.
#[derive(Debug, Default)]
pub(crate) struct Replicas(Vec<Option<Arc<Network>>>);

impl Replicas {
    /// Returns the copy for a node; makes it if there is none, or if the network is another one.
    pub(crate) fn on(&mut self, node: usize, network: &Arc<Network>) -> Arc<Network> {
        let original = self.0.first().and_then(Option::as_ref);
        if !original.is_some_and(|original| Arc::ptr_eq(original, network)) {
            self.0 = vec![Some(network.clone())];
        }
        if self.0.len() <= node {
            self.0.resize(node + 1, None);
        }
        self.0[node].get_or_insert_with(|| Arc::new(Network::clone(network))).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::{Network, Replicas};
    use crate::NetworkWeights;
    use std::sync::Arc;

    #[test]
    fn each_node_has_one_copy_and_the_first_the_original() {
        let network = || Arc::new(Network::new(&NetworkWeights::zero(16, 1, 400)).unwrap());
        let (first, second) = (network(), network());
        let mut replicas = Replicas::default();
        let far = replicas.on(2, &first);
        assert!(Arc::ptr_eq(&replicas.on(0, &first), &first) && !Arc::ptr_eq(&far, &first));
        assert!(Arc::ptr_eq(&replicas.on(2, &first), &far));
        assert_eq!(far.to_bytes(), first.to_bytes());
        // Another network replaces all copies.
        assert!(!Arc::ptr_eq(&replicas.on(2, &second), &far));
        assert!(Arc::ptr_eq(&replicas.on(0, &second), &second));
    }
}
