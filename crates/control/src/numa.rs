//! Nodes of memory (NUMA): groups of processors to which a part of the memory is near.
//!
//! On a machine with several nodes, a pool that is too large for one of them distributes its
//! workers among the nodes and binds each to the processors of its node. Data that every worker
//! reads all the time can then have a copy for each node ([`Pool::node_of`](super::Pool::node_of)).

use std::path::Path;

/// Processors of each node, by the numbers of the operating system. Without nodes nothing is bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NumaNodes(Vec<Vec<usize>>);

impl NumaNodes {
    /// Returns the nodes of this machine with the processors that this process may use; no nodes
    /// if the system does not describe them.
    pub(super) fn detect() -> Self {
        Self::read(Path::new("/sys/devices/system/node"), &may_use)
    }

    /// Reads the nodes from a folder as Linux has it, without the processors that are not allowed.
    fn read(folder: &Path, is_allowed: &dyn Fn(usize) -> bool) -> Self {
        let list = |path: &str| {
            std::fs::read_to_string(folder.join(path)).map_or(vec![], |it| numbers(&it))
        };
        let nodes = list("online").into_iter().map(|node| {
            let mut processors = list(&format!("node{node}/cpulist"));
            processors.retain(|&processor| is_allowed(processor));
            processors
        });
        Self(nodes.filter(|processors| !processors.is_empty()).collect())
    }

    /// Returns the node of each of `size` workers; empty if one node has room for all of them, or
    /// if there is only one.
    pub(super) fn distribute(&self, size: usize) -> Vec<usize> {
        let room = self.0.iter().map(Vec::len).max().unwrap_or(0);
        if self.0.len() < 2 || size <= room {
            return vec![];
        }
        // The next worker goes where it leaves the most room for each processor.
        let mut placed = vec![0; self.0.len()];
        let place = |_| {
            let share = |node: &usize| (placed[*node] as f64 + 1.0) / self.0[*node].len() as f64;
            let node = (0..placed.len()).min_by(|a, b| share(a).total_cmp(&share(b))).unwrap_or(0);
            placed[node] += 1;
            node
        };
        (0..size).map(place).collect()
    }

    /// Binds the calling thread to the processors of a node. If that fails, it stays unbound.
    pub(super) fn bind(&self, node: usize) {
        if let Some(processors) = self.0.get(node) {
            bind(processors);
        }
    }
}

/// Parses a list such as `0-3,8,10-11`. Linux writes these lists; what does not fit is left out.
fn numbers(text: &str) -> Vec<usize> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        Some(first..=last)
    };
    text.split(',').filter_map(range).flatten().collect()
}

#[cfg(target_os = "linux")]
fn may_use(processor: usize) -> bool {
    use rustix::thread::{CpuSet, sched_getaffinity};
    processor < CpuSet::MAX_CPU && sched_getaffinity(None).is_ok_and(|set| set.is_set(processor))
}

#[cfg(target_os = "linux")]
fn bind(processors: &[usize]) {
    let mut set = rustix::thread::CpuSet::new();
    processors.iter().for_each(|&processor| set.set(processor));
    // A container may forbid it; the worker then runs anywhere.
    let _ = rustix::thread::sched_setaffinity(None, &set);
}

#[cfg(not(target_os = "linux"))]
fn may_use(_: usize) -> bool {
    false
}

#[cfg(not(target_os = "linux"))]
fn bind(_: &[usize]) {}

#[cfg(test)]
mod tests {
    use super::{NumaNodes, numbers};

    #[test]
    fn lists_of_processors_are_read() {
        assert_eq!(numbers("0-3,8,10-11\n"), [0, 1, 2, 3, 8, 10, 11]);
        assert!(numbers("\n").is_empty() && numbers("x-2,").is_empty());
    }

    #[test]
    fn nodes_come_from_the_folder_of_the_system() {
        let folder = std::env::temp_dir().join(format!("umbrail-numa-{}", std::process::id()));
        for (node, list) in [(0, "0-3\n"), (1, "\n"), (4, "4-5,9\n")] {
            let place = folder.join(format!("node{node}"));
            std::fs::create_dir_all(&place).unwrap();
            std::fs::write(place.join("cpulist"), list).unwrap();
        }
        std::fs::write(folder.join("online"), "0-1,4\n").unwrap();
        let nodes = NumaNodes::read(&folder, &|processor| processor != 2);
        assert_eq!(nodes, NumaNodes(vec![vec![0, 1, 3], vec![4, 5, 9]]));
        assert_eq!(NumaNodes::read(&folder.join("nosuch"), &|_| true), NumaNodes::default());
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn workers_are_distributed_by_processors_once_one_node_is_full() {
        let nodes = NumaNodes(vec![(0..4).collect(), (4..6).collect()]);
        assert!(nodes.distribute(4).is_empty());
        let placed = nodes.distribute(6);
        let on = |node| placed.iter().filter(|&&it| it == node).count();
        assert_eq!((placed.len(), on(0), on(1)), (6, 4, 2));
        assert!(NumaNodes(vec![vec![0, 1]]).distribute(9).is_empty());
        assert!(NumaNodes::default().distribute(9).is_empty());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_bound_thread_runs_on_its_node_only() {
        let own: Vec<usize> = (0..1_024).filter(|&processor| super::may_use(processor)).collect();
        let nodes = NumaNodes(vec![vec![own[0]], own.clone()]);
        let bound = std::thread::spawn(move || {
            nodes.bind(0);
            (0..1_024).filter(|&processor| super::may_use(processor)).collect::<Vec<_>>()
        });
        assert_eq!(bound.join().unwrap(), [own[0]]);
    }
}
