//! What the disk takes to sync a few bytes: the figure that every durable write stands on.

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
