//! Where this machine has the programs of PostgreSQL. The build script asks, too, so this needs nothing else.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// The oldest version that is meant, which everything is tried with.
const VERSION: u32 = 15;
/// What asks for another one, by its number.
const ASKED: &str = "FIELDSTONE_TESTS_POSTGRESQL";

/// Where the programs of PostgreSQL 15 are, or of the version that the surroundings ask for. Where `CI` is set, no other one
/// is taken for it; elsewhere the newest one is.
pub(crate) fn programs() -> Option<PathBuf> {
    let mut folders = BTreeMap::new();
    for entry in std::fs::read_dir("/usr/lib/postgresql").ok()?.flatten() {
        let folder = entry.path().join("bin");
        if let Ok(version) = entry.file_name().to_string_lossy().parse::<u32>()
            && folder.join("initdb").is_file()
            && folder.join("psql").exists()
        {
            folders.insert(version, folder);
        }
    }
    let there: Vec<u32> = folders.keys().copied().collect();
    let asked = std::env::var(ASKED).unwrap_or_default();
    folders.remove(&choose(&there, &asked, is_ci())?)
}

/// Whether a machine runs the tests that should have all that they need.
pub(crate) fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| !value.is_empty() && value != "false")
}

/// Which of the versions that are there it is; what asks for none is empty.
pub(crate) fn choose(there: &[u32], asked: &str, is_ci: bool) -> Option<u32> {
    let is_there = |version: &u32| there.contains(version);
    if !asked.is_empty() {
        return asked.parse().ok().filter(is_there);
    }
    let newest = || there.iter().max().copied().filter(|_| !is_ci);
    Some(VERSION).filter(is_there).or_else(newest)
}
