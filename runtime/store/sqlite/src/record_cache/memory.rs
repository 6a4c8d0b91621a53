//! Memory for what is kept only to be quicker: how much of it, and how it is laid out.

use memmap2::MmapMut;
use std::fs::read_to_string;
use std::path::Path;

/// What is kept without a setting: this part of the memory, and no more than the bytes below.
const PART: u64 = 8;
const BYTES_MAX: u64 = 1 << 30;
/// Where a system does not tell.
const BYTES_UNKNOWN: u64 = 128 << 20;

/// Bytes for records that were looked up, where nobody has said how many.
pub(in super::super) fn default_bytes() -> u64 {
    let limits = [machine(), group()];
    let all = limits.into_iter().flatten().min();
    all.map_or(BYTES_UNKNOWN, |all| (all / PART).min(BYTES_MAX))
}

fn machine() -> Option<u64> {
    total(&read_to_string("/proc/meminfo").ok()?)
}

/// The limit of the container or service this process runs in.
fn group() -> Option<u64> {
    let groups = read_to_string("/proc/self/cgroup").ok()?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let root = Path::new("/sys/fs/cgroup");
    let limit = |folder: &Path| -> Option<u64> {
        let limit = read_to_string(folder.join("memory.max")).ok()?;
        limit.trim().parse().ok()
    };
    let own = root.join(own);
    let groups = own.ancestors().take_while(|of| of.starts_with(root));
    groups.filter_map(limit).min()
}

fn total(meminfo: &str) -> Option<u64> {
    let total = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = total.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// Zeroed memory. It is taken from the system as it is touched, on large pages where there are such: a place
/// that nobody looked at for a while costs its address more than its bytes.
pub(super) fn scattered(bytes: usize) -> Option<MmapMut> {
    let memory = MmapMut::map_anon(bytes).ok()?;
    // a system that knows no large pages goes on with small ones
    #[cfg(target_os = "linux")]
    let _ = memory.advise(memmap2::Advice::HugePage);
    Some(memory)
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
    fn what_is_kept_by_default_is_within_its_bounds() {
        let bytes = default_bytes();
        assert!((1 << 20..=BYTES_MAX).contains(&bytes), "{bytes}");
    }
}
