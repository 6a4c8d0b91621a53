//! Says when the store of a data folder nears what one machine should hold, and what comes then.

use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often it is looked, and how often the same is said.
const LOOK_AGAIN: Duration = Duration::from_secs(60 * 60);
const SAY_AGAIN: u32 = 24;
const FILES: [&str; 2] = ["fieldstone.db", "search.db"];

/// Looks at the folder as long as the server runs.
pub(crate) async fn watch(folder: PathBuf, bytes_max: u64) {
    let mut looks = 0;
    loop {
        let bytes = bytes_of(&folder);
        if bytes < bytes_max {
            looks = 0;
        } else {
            if looks % SAY_AGAIN == 0 {
                tracing::warn!(
                    bytes,
                    bytes_max,
                    "the store is as large as --store-warn-bytes: backups, `compact` and a new search index take as long as its size says; see scale.md, \"When one machine is not enough\", for `fieldstone move` into a database"
                );
            }
            looks += 1;
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

/// Store and index; what can't be looked at is said elsewhere.
fn bytes_of(folder: &Path) -> u64 {
    let sizes = FILES.map(|name| std::fs::metadata(folder.join(name)).map_or(0, |file| file.len()));
    sizes.iter().sum()
}
