//! Memory available to this process: the free memory of the machine, reduced by the limits of the
//! process.
//!
//! The sources are `MemAvailable`, the limits of address space and data (`ulimit -v`, `ulimit -d`),
//! and the memory controllers of both versions of control groups. Only Linux provides them.

use super::cgroup;
use std::fmt;
use std::path::Path;

/// Memory available to a process, and the limit that determines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Available {
    /// Available memory, bytes.
    pub bytes: u64,
    /// Narrowest of the limits.
    pub limit: MemoryLimit,
}

/// Limits of the memory of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryLimit {
    /// Free memory of the machine.
    Machine,
    /// Limit of the address space.
    AddressSpace,
    /// Limit of the data segment.
    Data,
    /// Control group: a container, a systemd unit, a job of a cluster.
    ControlGroup,
}

impl fmt::Display for MemoryLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Machine => "memory that is free",
            Self::AddressSpace => "the limit of address space (ulimit -v)",
            Self::Data => "the limit of data (ulimit -d)",
            Self::ControlGroup => "the memory limit of the control group",
        })
    }
}

impl fmt::Display for Available {
    /// Writes a sentence such as "200 MiB are left of the limit of data (ulimit -d)".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.bytes >> 20, self.limit) {
            (mib, MemoryLimit::Machine) => write!(f, "{mib} MiB of memory are free"),
            (mib, limit) => write!(f, "{mib} MiB are left of {limit}"),
        }
    }
}

/// Name of the address space limit in `/proc/self/limits`.
const ADDRESS_SPACE: &str = "Max address space";

/// Memory that large blocks leave for threads and small allocations: least bytes, most bytes, and
/// divisor of the available bytes.
const SPARED: (u64, u64, u64) = (16 << 20, 1 << 30, 4);

impl Available {
    /// Returns the memory for all large blocks together, bytes; the rest is for stacks and small
    /// allocations.
    pub fn for_blocks(&self) -> u64 {
        let (least, most, share) = SPARED;
        self.bytes.saturating_sub((self.bytes / share).clamp(least, most))
    }
}

/// Returns the memory available to this process; none if the system does not provide it.
pub fn available() -> Option<Available> {
    available_in(Path::new("/"))
}

/// Returns [`Available::bytes`] of [`available`].
pub fn available_bytes() -> Option<u64> {
    available().map(|available| available.bytes)
}

/// Returns true if the address space has a limit (`ulimit -v`).
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) fn address_space_is_limited() -> bool {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    soft_limit(&limits, ADDRESS_SPACE).is_some()
}

/// Implements [`available`]; `root` is the folder that contains `proc` and `sys`.
fn available_in(root: &Path) -> Option<Available> {
    let read = |name: &str| std::fs::read_to_string(root.join("proc").join(name)).ok();
    let machine = read("meminfo").and_then(|text| kib(&text, "MemAvailable:"));
    let limits = read("self/limits").unwrap_or_default();
    let status = read("self/status").unwrap_or_default();
    let left = |limit, used| {
        let limit = soft_limit(&limits, limit)?;
        Some(limit.saturating_sub(kib(&status, used).unwrap_or(0)))
    };
    let of_groups = match (read("self/cgroup"), read("self/mountinfo")) {
        (Some(groups), Some(mounts)) => cgroup::left(root, &groups, &mounts),
        _ => None,
    };
    [
        (machine, MemoryLimit::Machine),
        (left(ADDRESS_SPACE, "VmSize:"), MemoryLimit::AddressSpace),
        (left("Max data size", "VmData:"), MemoryLimit::Data),
        (of_groups, MemoryLimit::ControlGroup),
    ]
    .into_iter()
    .filter_map(|(bytes, limit)| Some(Available { bytes: bytes?, limit }))
    .min_by_key(|available| available.bytes)
}

/// Parses the bytes of a line such as `MemAvailable:   22714100 kB`.
fn kib(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1 << 10)
}

/// Parses the soft limit of a line of `/proc/self/limits`, bytes; none if unlimited.
fn soft_limit(limits: &str, name: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Available, MemoryLimit, available_in};
    use std::path::PathBuf;

    /// Simulated system: the text of each file by its path.
    pub(crate) struct Tree(pub(crate) PathBuf);

    impl Tree {
        pub(crate) fn new(name: &str, files: &[(&str, &str)]) -> Self {
            let root = format!("umbrail-memory-{}-{name}", std::process::id());
            let tree = Self(std::env::temp_dir().join(root));
            let _ = std::fs::remove_dir_all(&tree.0);
            for (path, text) in files {
                let path = tree.0.join(path);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text).unwrap();
            }
            tree
        }
    }

    impl Drop for Tree {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    const MEMINFO: (&str, &str) =
        ("proc/meminfo", "MemTotal:       24683712 kB\nMemAvailable:   22714100 kB\n");
    const STATUS: (&str, &str) = (
        "proc/self/status",
        "Name:\tumbrail\nVmPeak:\t  50000 kB\nVmSize:\t  40000 kB\nVmData:\t  10000 kB\n",
    );

    fn limits(address_space: &str, data: &str) -> String {
        format!(
            "Limit                     Soft Limit           Hard Limit           Units     \n\
             Max data size             {data:<20} unlimited            bytes     \n\
             Max address space         {address_space:<20} unlimited            bytes     \n"
        )
    }

    fn found(name: &str, files: &[(&str, &str)]) -> Option<(u64, MemoryLimit)> {
        let tree = Tree::new(name, files);
        available_in(&tree.0).map(|Available { bytes, limit }| (bytes, limit))
    }

    #[test]
    fn without_limits_it_is_what_the_machine_has_free() {
        let free = Some((22_714_100 << 10, MemoryLimit::Machine));
        assert_eq!(found("meminfo", &[MEMINFO]), free);
        let none = limits("unlimited", "unlimited");
        assert_eq!(found("unlimited", &[MEMINFO, STATUS, ("proc/self/limits", &none)]), free);
        assert_eq!(found("nothing", &[]), None);
        assert_eq!(found("odd", &[("proc/meminfo", "MemAvailable: much\n")]), None);
    }

    #[test]
    fn limits_of_the_process_leave_what_it_has_not_taken() {
        let both = limits("307200000", "unlimited");
        let left = found("ulimit-v", &[MEMINFO, STATUS, ("proc/self/limits", &both)]);
        assert_eq!(left, Some((307_200_000 - (40_000 << 10), MemoryLimit::AddressSpace)));
        let both = limits("307200000", "20480000");
        let left = found("ulimit-d", &[MEMINFO, STATUS, ("proc/self/limits", &both)]);
        assert_eq!(left, Some((20_480_000 - (10_000 << 10), MemoryLimit::Data)));
        let less = limits("1024", "unlimited");
        let left = found("less", &[MEMINFO, STATUS, ("proc/self/limits", &less)]);
        assert_eq!(left, Some((0, MemoryLimit::AddressSpace)));
    }

    #[test]
    fn the_narrowest_limit_counts() {
        let wide = limits("307200000000", "unlimited");
        let files = [
            MEMINFO,
            STATUS,
            ("proc/self/limits", &wide),
            ("proc/self/cgroup", "0::/job\n"),
            ("proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"),
            ("sys/fs/cgroup/job/memory.max", "1000000\n"),
            ("sys/fs/cgroup/job/memory.current", "400000\n"),
        ];
        assert_eq!(found("narrow", &files), Some((600_000, MemoryLimit::ControlGroup)));
    }

    #[test]
    fn large_blocks_leave_room_for_everything_small() {
        let blocks = |mib: u64| {
            Available { bytes: mib << 20, limit: MemoryLimit::Machine }.for_blocks() >> 20
        };
        assert_eq!((blocks(12), blocks(40), blocks(400)), (0, 24, 300));
        assert_eq!(blocks(16 << 10), 15 << 10);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_may_have_some() {
        assert!(super::available_bytes().is_some_and(|bytes| bytes > 1 << 20));
    }
}
