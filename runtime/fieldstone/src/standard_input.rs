//! Standard input: there is one of it, so it holds the data of a command or one of its secrets.

use crate::failure::usage;
use std::path::Path;

/// Refuses files of which standard input (`-`) is more than one: who reads second finds nothing there, and a file without rows
/// is imported as any other.
///
/// # Errors
/// Of wrong usage.
pub(crate) fn require_read_once<P: AsRef<Path>>(
    files: impl IntoIterator<Item = P>,
) -> anyhow::Result<()> {
    let files = files.into_iter();
    let standard_input = files.filter(|file| file.as_ref() == Path::new("-"));
    if standard_input.count() > 1 {
        return Err(usage("standard input (`-`) can be read only once"));
    }
    Ok(())
}
