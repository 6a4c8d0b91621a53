//! The baseline: `pgbench`, which asks the same tables for the same rows, prepared and without a service between.

use anyhow::{Context as _, ensure};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// How often a script is run in which no transaction came to its end, each time twice as long.
const RUNS_MAX: u32 = 4;

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
    let mut told = Ok(String::new());
    for run in 0..RUNS_MAX {
        let seconds = time.as_secs().max(1) << run;
        told = run_for(programs, address, &file, clients, seconds);
        if !told.as_ref().is_ok_and(|told| rate_of(told).is_none()) {
            break;
        }
    }
    std::fs::remove_file(&file)?;
    let told = told?;
    rate_of(&told).with_context(|| format!("pgbench told no rate: {told}"))
}

/// What it tells of a script that it ran for a time.
fn run_for(
    programs: &Path,
    address: &str,
    file: &Path,
    clients: u64,
    seconds: u64,
) -> anyhow::Result<String> {
    let mut command = Command::new(programs.join("pgbench"));
    command
        .args(["--no-vacuum", "--protocol=prepared", "--jobs=1"])
        .arg(format!("--client={clients}"))
        .arg(format!("--time={seconds}"))
        .arg("--file")
        .arg(file)
        .arg(address)
        .stdin(Stdio::null());
    let output = command.output().context("can't start pgbench")?;
    let told = [output.stdout, output.stderr].concat();
    let told = String::from_utf8_lossy(&told).into_owned();
    ensure!(output.status.success(), "pgbench failed: {told}");
    Ok(told)
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
        // of a run in which no transaction came to its end there is none
        let told = "number of transactions actually processed: 0\n";
        assert_eq!(rate_of(told), None);
    }
}
