//! Memory that the control groups of a process leave, in version 2, in version 1, or in both
//! (hybrid systems).
//!
//! A limit applies to a group and everything below it, so every ancestor is read up to the root of
//! the mount. A container may see only a subtree, mounted as if it were the whole, or may have a
//! name space of its own. The group's path then begins with the root of the mount, or leads out of
//! it.

use std::path::{Path, PathBuf};

/// File names of a memory controller.
struct Names {
    limits: &'static [&'static str],
    usage: &'static str,
    /// Entry of `memory.stat`: file pages that are reclaimed before anything else. They are counted
    /// as used there and as free here.
    reclaimable: &'static str,
    /// Entry of `memory.stat`: the narrowest limit of all ancestors, also of those outside the
    /// mount.
    inherited: Option<&'static str>,
}

const VERSION_2: Names = Names {
    limits: &["memory.max", "memory.high"],
    usage: "memory.current",
    reclaimable: "inactive_file",
    inherited: None,
};

const VERSION_1: Names = Names {
    limits: &["memory.limit_in_bytes"],
    usage: "memory.usage_in_bytes",
    reclaimable: "total_inactive_file",
    inherited: Some("hierarchical_memory_limit"),
};

/// Version 1 writes a number near 2^63 for "no limit".
const UNLIMITED: u64 = 1 << 62;

/// Returns the bytes that the groups of a process leave; none without a limit. `groups` is
/// `/proc/self/cgroup`, `mounts` is `/proc/self/mountinfo`, and `root` is the folder that contains
/// the mount points.
pub(super) fn left(root: &Path, groups: &str, mounts: &str) -> Option<u64> {
    let of = |names: &Names, group: Option<&str>, is_wanted: &dyn Fn(&Mount<'_>) -> bool| {
        let group = group?;
        let mount = mounts.lines().filter_map(Mount::parse).find(is_wanted)?;
        left_below(root, &mount, group, names)
    };
    let version_2 = of(&VERSION_2, group(groups, None), &|mount| mount.kind == "cgroup2");
    let version_1 = of(&VERSION_1, group(groups, Some("memory")), &|mount| {
        mount.kind == "cgroup" && mount.options.split(',').any(|option| option == "memory")
    });
    version_2.into_iter().chain(version_1).min()
}

/// Returns the path of the group with this controller; none for version 2, whose line names no
/// controller.
fn group<'a>(groups: &'a str, controller: Option<&str>) -> Option<&'a str> {
    groups.lines().find_map(|line| {
        let mut fields = line.splitn(3, ':');
        let (number, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
        let found = match controller {
            None => number == "0" && controllers.is_empty(),
            Some(name) => controllers.split(',').any(|controller| controller == name),
        };
        found.then_some(path)
    })
}

/// Line of `/proc/self/mountinfo`.
struct Mount<'a> {
    /// Mounted folder of the file system.
    root: PathBuf,
    /// Mount point.
    point: PathBuf,
    kind: &'a str,
    /// Options of the file system.
    options: &'a str,
}

impl<'a> Mount<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let (mount, system) = line.split_once(" - ")?;
        let mut mount = mount.split(' ').skip(3);
        let mut system = system.split(' ');
        Some(Self {
            root: unescape(mount.next()?),
            point: unescape(mount.next()?),
            kind: system.next()?,
            options: system.nth(1).unwrap_or_default(),
        })
    }
}

/// Decodes blanks and other characters in mount points, such as `\040`.
fn unescape(text: &str) -> PathBuf {
    let mut bytes = vec![];
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = (first == b'\\').then(|| after.get(..3)).flatten();
        let code =
            code.and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 8).ok());
        bytes.push(code.unwrap_or(first));
        rest = if code.is_some() { &after[3..] } else { after };
    }
    PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the bytes that a group and its ancestors in the mount leave.
fn left_below(root: &Path, mount: &Mount<'_>, group: &str, names: &Names) -> Option<u64> {
    let point = root.join(mount.point.strip_prefix("/").unwrap_or(&mount.point));
    // A group outside the mounted subtree is seen as the mount's root.
    let below = Path::new(group).strip_prefix(&mount.root).ok();
    let below = below.filter(|path| path.components().all(|part| part.as_os_str() != ".."));
    let mut folder = point.join(below.unwrap_or(Path::new("")));
    let mut least: Option<u64> = None;
    loop {
        if let Some(left) = left_in(&folder, names) {
            least = Some(least.map_or(left, |least| least.min(left)));
        }
        if folder == point || !folder.pop() {
            return least;
        }
    }
}

/// Returns the bytes that one group leaves; none without a limit.
fn left_in(folder: &Path, names: &Names) -> Option<u64> {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let number = |name: &str| read(name)?.trim().parse::<u64>().ok();
    let statistics = read("memory.stat").unwrap_or_default();
    let entry = |name: &str| {
        let value = |line: &str| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse().ok();
        statistics.lines().find_map(value)
    };
    let limits = names.limits.iter().filter_map(|name| number(name));
    let inherited = names.inherited.and_then(entry);
    let limit = limits.chain(inherited).min().filter(|&limit: &u64| limit < UNLIMITED)?;
    let used = number(names.usage).unwrap_or(0);
    Some(limit.saturating_sub(used.saturating_sub(entry(names.reclaimable).unwrap_or(0))))
}

#[cfg(test)]
mod tests {
    use super::super::available::tests::Tree;
    use super::left;

    const V2: &str =
        "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
    const V1: &str = "35 32 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
                      36 32 0:32 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n";

    fn check(name: &str, groups: &str, mounts: &str, files: &[(&str, &str)]) -> Option<u64> {
        let tree = Tree::new(&format!("cgroup-{name}"), files);
        left(&tree.0, groups, mounts)
    }

    #[test]
    fn every_ancestor_is_asked() {
        let files = [
            ("sys/fs/cgroup/a.slice/memory.max", "5000\n"),
            ("sys/fs/cgroup/a.slice/memory.current", "4500\n"),
            ("sys/fs/cgroup/a.slice/memory.stat", "anon 4000\ninactive_file 300\n"),
            ("sys/fs/cgroup/a.slice/b.scope/memory.max", "max\n"),
            ("sys/fs/cgroup/a.slice/b.scope/memory.high", "2000\n"),
            ("sys/fs/cgroup/a.slice/b.scope/memory.current", "1100\n"),
        ];
        // The outer group leaves 5,000 - (4,500 - 300), the inner one 2,000 - 1,100.
        assert_eq!(check("nested", "0::/a.slice/b.scope\n", V2, &files), Some(800));
        assert_eq!(check("outer", "0::/a.slice\n", V2, &files), Some(800));
        assert_eq!(check("inner", "0::/a.slice/b.scope\n", V2, &files[3..]), Some(900));
    }

    #[test]
    fn without_files_or_with_max_there_is_no_limit() {
        assert_eq!(check("none", "0::/a\n", V2, &[]), None);
        let files =
            [("sys/fs/cgroup/a/memory.max", "max\n"), ("sys/fs/cgroup/a/memory.high", "max\n")];
        assert_eq!(check("max", "0::/a\n", V2, &files), None);
        assert_eq!(check("unmounted", "0::/a\n", "", &files), None);
        assert_eq!(check("nonsense", "what\n", "what\n", &files), None);
        let files = [("sys/fs/cgroup/a/memory.max", "7000\n")];
        assert_eq!(check("unused", "0::/a\n", V2, &files), Some(7000));
    }

    #[test]
    fn a_container_sees_its_subtree_as_the_whole() {
        let files =
            [("sys/fs/cgroup/memory.max", "9000\n"), ("sys/fs/cgroup/memory.current", "1000\n")];
        // A mount of the subtree, a name space, and a group outside it.
        let mount = "30 23 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
        assert_eq!(check("mount", "0::/docker/abc\n", mount, &files), Some(8000));
        assert_eq!(check("space", "0::/\n", V2, &files), Some(8000));
        assert_eq!(check("outside", "0::/../other\n", V2, &files), Some(8000));
        let below = [("sys/fs/cgroup/x/memory.max", "10\n")];
        assert_eq!(check("below", "0::/docker/abc/x\n", mount, &below), Some(10));
    }

    #[test]
    fn version_1_is_read_and_its_inherited_limit() {
        let groups = "5:cpu,cpuacct:/job\n4:memory:/slurm/job\n1:name=systemd:/\n";
        let files = [
            ("sys/fs/cgroup/memory/slurm/job/memory.limit_in_bytes", "9223372036854771712\n"),
            ("sys/fs/cgroup/memory/slurm/job/memory.usage_in_bytes", "500\n"),
            (
                "sys/fs/cgroup/memory/slurm/job/memory.stat",
                "cache 1\nhierarchical_memory_limit 9223372036854771712\ntotal_inactive_file 100\n",
            ),
            ("sys/fs/cgroup/memory/slurm/memory.limit_in_bytes", "4000\n"),
            ("sys/fs/cgroup/memory/slurm/memory.usage_in_bytes", "900\n"),
        ];
        assert_eq!(check("v1", groups, V1, &files), Some(3100));
        assert_eq!(check("v1-open", groups, V1, &files[..3]), None);
        let inherited = [
            files[0],
            files[1],
            ("sys/fs/cgroup/memory/slurm/job/memory.stat", "hierarchical_memory_limit 3000\n"),
        ];
        assert_eq!(check("v1-inherited", groups, V1, &inherited), Some(2500));
    }

    #[test]
    fn on_a_hybrid_system_the_narrower_version_counts() {
        let mounts = format!("{V1}40 23 0:40 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
        let groups = "4:memory:/job\n0::/job\n";
        let v1 = ("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "4000\n");
        let v2 = ("sys/fs/cgroup/unified/job/memory.max", "3000\n");
        assert_eq!(check("hybrid-1", groups, &mounts, &[v1]), Some(4000));
        assert_eq!(check("hybrid-2", groups, &mounts, &[v1, v2]), Some(3000));
    }

    #[test]
    fn a_mount_point_with_blanks_is_understood() {
        let mount = "30 23 0:26 / /a\\040b rw - cgroup2 cgroup2 rw\n";
        assert_eq!(check("blank", "0::/\n", mount, &[("a b/memory.max", "12\n")]), Some(12));
    }
}
