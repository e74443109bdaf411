//! How much memory this process may still take: what the machine has, its control groups (containers) and its own
//! limits (`ulimit`) allow. Read from `/proc` and `/sys`, as Linux has them.

use serde::Serialize;
use std::path::Path;

/// Bytes that can still be taken, and what limits them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct AvailableMemory {
    /// The bytes.
    #[serde(rename = "available")]
    pub bytes: u64,
    /// What limits them, in words.
    pub limited_by: &'static str,
}

/// How a limit on address space is named, which counts what is reserved but never used, too.
pub const ADDRESS_SPACE: &str = "ulimit -v";

/// The least of all limits; `None` if the system reports none.
pub fn available_memory() -> Option<AvailableMemory> {
    available_below(Path::new("/"))
}

/// As [`available_memory`], with `proc` and `sys` below a folder.
fn available_below(root: &Path) -> Option<AvailableMemory> {
    let read = |path: &str| std::fs::read_to_string(root.join(path)).ok();
    let machine = read("proc/meminfo").and_then(|text| kib_in(&text, "MemAvailable:"));
    let status = read("proc/self/status").unwrap_or_default();
    let limits = read("proc/self/limits").unwrap_or_default();
    let left_of = |limit: &str, used: &str| {
        let limit = soft_limit_in(&limits, limit)?;
        Some(limit.saturating_sub(kib_in(&status, used).unwrap_or(0)))
    };
    let groups = read("proc/self/cgroup").unwrap_or_default();
    let group = groups.lines().filter_map(|line| left_in_group(root, line)).min();
    [
        (machine, "free memory of the machine"),
        (group, "limit of the control group"),
        (left_of("Max address space", "VmSize:"), ADDRESS_SPACE),
        (left_of("Max data size", "VmData:"), "ulimit -d"),
    ]
    .into_iter()
    .filter_map(|(bytes, limited_by)| Some(AvailableMemory { bytes: bytes?, limited_by }))
    .min_by_key(|available| available.bytes)
}

/// A value in kB after a name at the start of a line, in bytes.
fn kib_in(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// The soft limit in a line of `/proc/self/limits`; `None` if it is unlimited.
fn soft_limit_in(limits: &str, name: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// What a control group and those around it have left. `line` is of `/proc/self/cgroup`: `0::/path` of version 2, or
/// `4:memory:/path` of version 1.
fn left_in_group(root: &Path, line: &str) -> Option<u64> {
    let mut parts = line.splitn(3, ':');
    let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
    let (mount, limit, used) = match controllers {
        "" => ("sys/fs/cgroup", "memory.max", "memory.current"),
        _ if controllers.split(',').any(|name| name == "memory") => {
            ("sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes")
        }
        _ => return None,
    };
    // In a container the path may be that of the host, which is not mounted: the mount itself is tried, too.
    let groups = Path::new(path.trim_start_matches('/')).ancestors();
    groups.filter_map(|group| left_in(&root.join(mount).join(group), limit, used)).min()
}

/// The limit less what is used; files in the cache that can be dropped do not count as used.
fn left_in(folder: &Path, limit: &str, used: &str) -> Option<u64> {
    let number = |name: &str| -> Option<u64> {
        std::fs::read_to_string(folder.join(name)).ok()?.trim().parse().ok()
    };
    let stat = std::fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
    let cached = stat.lines().find_map(|line| line.strip_prefix("inactive_file "));
    let cached: u64 = cached.and_then(|bytes| bytes.trim().parse().ok()).unwrap_or(0);
    Some(number(limit)?.saturating_sub(number(used)?.saturating_sub(cached)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with these files below it.
    fn system(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        dir
    }

    const MEMINFO: (&str, &str) =
        ("proc/meminfo", "MemTotal:  2000 kB\nMemFree:  10 kB\nMemAvailable:     1000 kB\n");

    fn found(more: &[(&str, &str)]) -> Option<(u64, &'static str)> {
        let dir = system(&[&[MEMINFO], more].concat());
        available_below(dir.path()).map(|found| (found.bytes, found.limited_by))
    }

    #[test]
    fn the_least_of_machine_groups_and_limits_counts() {
        assert_eq!(available_below(Path::new("/nowhere")), None);
        assert_eq!(found(&[]), Some((1_024_000, "free memory of the machine")));
        let group = [
            ("proc/self/cgroup", "0::/a/b\n"),
            ("sys/fs/cgroup/a/memory.max", "900000\n"),
            ("sys/fs/cgroup/a/memory.current", "500000\n"),
            ("sys/fs/cgroup/a/memory.stat", "anon 1\ninactive_file 100000\n"),
            ("sys/fs/cgroup/a/b/memory.max", "max\n"),
            ("sys/fs/cgroup/a/b/memory.current", "5\n"),
        ];
        assert_eq!(found(&group), Some((500_000, "limit of the control group")));
        let older = [
            ("proc/self/cgroup", "5:cpu:/\n4:memory,hugetlb:/c\n"),
            ("sys/fs/cgroup/memory/c/memory.limit_in_bytes", "700000\n"),
            ("sys/fs/cgroup/memory/c/memory.usage_in_bytes", "600000\n"),
        ];
        assert_eq!(found(&older), Some((100_000, "limit of the control group")));
        let limits = "Limit Soft Hard\nMax address space   3072000  unlimited  bytes\n\
                      Max data size   unlimited  unlimited  bytes\n";
        let limits = [("proc/self/limits", limits), ("proc/self/status", "VmSize:  2500 kB\n")];
        assert_eq!(found(&limits), Some((512_000, "ulimit -v")));
    }
}
