//! Files that are a part only: rows that an import before could not store, known by the marks at their head. Records that
//! such a file does not have are not missing. Here it is told before there is a job, where a look at the first row does; a
//! workbook, which has to be unpacked for that, and rows behind the first the job looks at (`rows.rs`), before it deletes.

use super::file_head::is_marked;
use super::marks::behind_marks;
use crate::Refusal;
use crate::jobs::options::reader_of;
use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::path::{Path, PathBuf};
use tabular::{Options, Reader};
use wire::manage::{DataFormat, ImportOptions};

/// Why records that the file does not have are not deleted.
const NO_PART: &str = "goes with a whole file; this one has rows that an import before could not store (`_line`, `_reason`), \
    so all other records would be deleted";
/// Why a job ends that finds out later.
pub(super) const IS_PART: &str = "the file has rows that an import before could not store (`_line`, `_reason`), so records that it \
    does not have are not deleted; leave `deleteMissing` out";

/// Refuses to delete what a file does not have that is a part only.
///
/// # Errors
/// [`Refusal::Invalid`].
pub(in crate::jobs) async fn require_whole(
    options: ImportOptions,
    path: PathBuf,
) -> Result<(), Refusal> {
    if !options.delete_missing {
        return Ok(());
    }
    let looked = tokio::task::spawn_blocking(move || is_part(&path, &options));
    // what can't be read is told when the rows are
    match looked.await {
        Ok(Ok(true)) => Err(Refusal::invalid("deleteMissing", NO_PART)),
        _ => Ok(()),
    }
}

/// Whether the head of a file, or its first row, has the marks.
fn is_part(path: &Path, options: &ImportOptions) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let mut begin = Vec::new();
    file.by_ref().take(4).read_to_end(&mut begin)?;
    if options.format == Some(DataFormat::Xlsx) || begin == b"PK\x03\x04" {
        return Ok(false);
    }
    file.rewind()?;
    let named = Options {
        header: Some(true),
        ..reader_of(options)
    };
    let mut reader = Reader::open(file, named)?;
    if let Some(names) = reader.header(|_| true)? {
        return Ok(is_marked(&names));
    }
    let first = reader.next()?;
    Ok(first.is_some_and(|row| behind_marks(row.raw).is_some()))
}
