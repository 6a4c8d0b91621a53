//! What the figures stand on: the machine, and what its disk takes to sync a few bytes, which every
//! durable write waits for.

use anyhow::Context as _;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

const SYNCS: usize = 200;

/// Times of appending 4 KiB and `fdatasync`, in order of size.
pub(crate) fn sync_times(folder: &Path) -> std::io::Result<Vec<Duration>> {
    let path = folder.join("sync-times");
    let mut file = File::create_new(&path)?;
    let mut times = Vec::with_capacity(SYNCS);
    for _ in 0..SYNCS {
        let began = Instant::now();
        file.write_all(&[7; 4096])?;
        file.sync_data()?;
        times.push(began.elapsed());
    }
    drop(file);
    std::fs::remove_file(path)?;
    times.sort_unstable();
    Ok(times)
}

/// Memory and kernel, without a word of whose machine it is.
pub(crate) fn memory_and_kernel() -> anyhow::Result<String> {
    let memory = std::fs::read_to_string("/proc/meminfo")?;
    let memory = kilobytes(&memory, "MemTotal:")? >> 30;
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease")?;
    Ok(format!(
        "{memory} GiB of memory, Linux {}",
        version(&release)
    ))
}

/// The bytes that a line of `/proc` tells in kB.
pub(crate) fn kilobytes(text: &str, name: &str) -> anyhow::Result<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.split_whitespace().next());
    let number = number.with_context(|| format!("no line `{name}`"))?;
    Ok(number.parse::<u64>()? * 1024)
}

/// A kernel's number, without what its builder added.
fn version(release: &str) -> &str {
    let end = release.find(|c: char| !c.is_ascii_digit() && c != '.');
    &release[..end.unwrap_or(release.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_told_in_bytes() {
        let status = "VmHWM:\t   20 kB\nVmRSS:\t   12 kB\n";
        assert_eq!(kilobytes(status, "VmRSS:").unwrap(), 12 * 1024);
        assert!(kilobytes(status, "VmSwap:").is_err());
    }

    #[test]
    fn a_kernel_is_its_number() {
        assert_eq!(version("6.1.0-9-someones\n"), "6.1.0");
        assert_eq!(version("6.2"), "6.2");
    }
}
