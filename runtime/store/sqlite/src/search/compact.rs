//! The index written anew, smaller: its parts are joined first, so that words of records that are gone go.

use super::open;
use crate::anew::{put_in_place, write_anew};
use crate::error::Failure;
use std::path::Path;

const JOIN: &str = "INSERT INTO words (words) VALUES ('optimize')";

/// Compacts the index of a folder, which nobody has open. One that can't be used, or has not come as far as this entry of
/// the change log, begins empty: it may hold words that are to go.
pub(crate) fn compact(folder: &Path, at_least: u64) -> Result<(), Failure> {
    let file = folder.join(open::FILE);
    if !file.try_exists()? {
        return Ok(());
    }
    // the words that are to go are in what a link leads to
    let file = file.canonicalize()?;
    let index = open::existing(&file).and_then(|index| Ok((open::progress(&index)?, index)));
    let Ok((Some(progress), index)) = index else {
        return open::anew(&file).map(drop);
    };
    if progress.applied < at_least {
        drop(index);
        return open::anew(&file).map(drop);
    }
    index.execute_batch(JOIN)?;
    let fresh = write_anew(&index, &file)?;
    drop(index);
    put_in_place(&fresh, &file)
}
