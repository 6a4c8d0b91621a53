//! How much memory this process may use: what the machine has, or what the group it runs in (a container, a
//! service) or its own limit (`ulimit -v`) lets it have. What is taken without a setting is a part of it.

use std::fs::read_to_string;
use std::path::Path;

/// Where groups stand, and the file that has a group's limit: of control groups version 2, then of version 1.
const GROUPS: [(&str, &str, &str); 2] = [
    ("0::/", "/sys/fs/cgroup", "memory.max"),
    (
        ":memory:/",
        "/sys/fs/cgroup/memory",
        "memory.limit_in_bytes",
    ),
];
/// A process uses so many times more addresses than memory: stacks, and what allocators keep aside.
const ADDRESSES_OF_MEMORY: u64 = 2;
/// What is taken for the memory where a system does not tell.
const BYTES_UNKNOWN: u64 = 1 << 30;

/// Bytes of memory that this process may use; `None` where the system does not tell.
pub fn available() -> Option<u64> {
    let groups = read_to_string("/proc/self/cgroup").unwrap_or_default();
    let own = GROUPS.iter().filter_map(|(name, root, file)| {
        let folder = groups.lines().find_map(|line| folder_in(line, name))?;
        limit_of(Path::new(root), folder, file)
    });
    let process = address_space().map(|bytes| bytes / ADDRESSES_OF_MEMORY);
    own.chain(machine()).chain(process).min()
}

/// Bytes of addresses that this process may use; `None` without a limit.
pub fn address_space() -> Option<u64> {
    limit_in(&read_to_string("/proc/self/limits").ok()?)
}

/// One part in so many of the memory there is, `bytes_max` at most.
pub fn part(parts: u64, bytes_max: u64) -> u64 {
    (available().unwrap_or(BYTES_UNKNOWN) / parts).min(bytes_max)
}

/// The limit of addresses, from `/proc/self/limits`.
fn limit_in(limits: &str) -> Option<u64> {
    let of_addresses = |line| str::strip_prefix(line, "Max address space");
    let limit = limits.lines().find_map(of_addresses)?;
    limit.split_whitespace().next()?.parse().ok()
}

fn machine() -> Option<u64> {
    total(&read_to_string("/proc/meminfo").ok()?)
}

/// The folder of a group, from a line of `/proc/self/cgroup`.
fn folder_in<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    if name.starts_with(':') {
        return line.split_once(name).map(|(_, folder)| folder);
    }
    line.strip_prefix(name)
}

/// The least that a group and those around it allow.
fn limit_of(root: &Path, folder: &str, file: &str) -> Option<u64> {
    let own = root.join(folder);
    let groups = own.ancestors().take_while(|of| of.starts_with(root));
    let limit = |folder: &Path| -> Option<u64> {
        let limit = read_to_string(folder.join(file)).ok()?;
        limit.trim().parse().ok()
    };
    groups.filter_map(limit).min()
}

fn total(meminfo: &str) -> Option<u64> {
    let total = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = total.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machines_memory_is_read_from_what_the_system_tells() {
        let told = "MemTotal:       24683520 kB\nMemFree:        123 kB\n";
        assert_eq!(total(told), Some(24_683_520 << 10));
        assert_eq!(total("MemFree: 123 kB"), None);
        assert_eq!(total("MemTotal: many kB"), None);
    }

    #[test]
    fn the_limit_of_a_process_is_read_from_what_the_system_tells() {
        let told = |limit: &str| {
            format!(
                "Limit  Soft Limit  Hard Limit  Units\nMax cpu time  unlimited  unlimited  seconds\n\
                 Max address space         {limit}            unlimited            bytes\n"
            )
        };
        assert_eq!(limit_in(&told("734003200")), Some(734_003_200));
        assert_eq!(limit_in(&told("unlimited")), None);
        assert_eq!(limit_in(""), None);
    }

    #[test]
    fn a_group_is_found_in_either_version() {
        assert_eq!(folder_in("0::/a/b", GROUPS[0].0), Some("a/b"));
        assert_eq!(folder_in("4:memory:/a", GROUPS[0].0), None);
        assert_eq!(folder_in("4:memory:/a", GROUPS[1].0), Some("a"));
        assert_eq!(folder_in("0::/a/b", GROUPS[1].0), None);
    }

    #[test]
    fn the_least_of_a_group_and_those_around_it_counts() {
        let root = std::env::temp_dir().join(format!("fieldstone-groups-{}", std::process::id()));
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        std::fs::write(root.join("a/memory.max"), "1000\n").unwrap();
        std::fs::write(root.join("a/b/memory.max"), "max\n").unwrap();
        let limit = |folder| limit_of(&root, folder, "memory.max");
        assert_eq!(
            (limit("a/b"), limit("a"), limit("")),
            (Some(1000), Some(1000), None)
        );
        std::fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn a_part_is_no_more_than_its_bound() {
        assert_eq!(part(1, 7), 7);
        assert!(part(8, u64::MAX) >= 1 << 20);
    }
}
