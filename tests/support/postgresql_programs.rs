//! Where this machine has the programs of PostgreSQL. The build script asks, too, so this needs nothing else.

use std::path::{Path, PathBuf};

/// Where the programs of the newest PostgreSQL are, if there is one.
pub(crate) fn programs() -> Option<PathBuf> {
    let mut versions: Vec<_> = std::fs::read_dir("/usr/lib/postgresql")
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")))
        .filter(|folder| folder.join("initdb").is_file() && folder.join("psql").exists())
        .collect();
    versions.sort_by_key(|folder| {
        let name = folder.parent().and_then(Path::file_name);
        name.and_then(|name| name.to_str()?.parse::<u32>().ok())
    });
    versions.pop()
}
