//! The baseline: `pgbench`, which asks the same tables for the same rows, prepared and without a service between.

use anyhow::{Context as _, ensure};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Writes a script, and runs it for a time with so many clients; transactions a second.
pub(crate) fn rate(
    programs: &Path,
    address: &str,
    script: &str,
    clients: u64,
    time: Duration,
) -> anyhow::Result<f64> {
    let file = std::env::temp_dir().join(format!("pgbench-{}.sql", std::process::id()));
    std::fs::write(&file, script)?;
    let mut command = Command::new(programs.join("pgbench"));
    command
        .args(["--no-vacuum", "--protocol=prepared", "--jobs=1"])
        .arg(format!("--client={clients}"))
        .arg(format!("--time={}", time.as_secs().max(1)))
        .arg("--file")
        .arg(&file)
        .arg(address)
        .stdin(Stdio::null());
    let output = command.output().context("can't start pgbench");
    std::fs::remove_file(&file)?;
    let output = output?;
    let told = String::from_utf8_lossy(&output.stdout);
    let why = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "pgbench failed: {told}{why}");
    rate_of(&told).with_context(|| format!("pgbench told no rate: {told}{why}"))
}

fn rate_of(told: &str) -> Option<f64> {
    let line = told.lines().find_map(|line| line.strip_prefix("tps = "))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_read_from_what_pgbench_tells() {
        let told = "latency average = 1.5 ms\ntps = 641.25 (without initial connection time)\n";
        assert_eq!(rate_of(told), Some(641.25));
        assert_eq!(rate_of("no rate"), None);
    }
}
