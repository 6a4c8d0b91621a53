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

/// How much of a file is looked at, unpacked: behind as much no head can be that is read. A small file may unpack to blank lines
/// without end, and nothing of it is counted yet.
const LOOK_BYTES_MAX: u64 = 32 << 20;

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
    let mut reader = Reader::open_within(file, named, LOOK_BYTES_MAX)?;
    if let Some(names) = reader.header(|_| true)? {
        return Ok(is_marked(&names));
    }
    let first = reader.next()?;
    Ok(first.is_some_and(|row| behind_marks(row.raw).is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn a_file_is_looked_at_no_further_than_its_head_may_be() {
        let looked = |blank: usize| {
            let mut file = tempfile::NamedTempFile::new().expect("a file");
            let lines = vec![b'\n'; blank];
            file.write_all(&lines).expect("blank lines");
            file.write_all(b"_line,_reason,Code\n2,why,a\n")
                .expect("a head and a row");
            is_part(file.path(), &ImportOptions::default()).ok()
        };
        assert_eq!(looked(2), Some(true));
        // the job looks at all of it, and may be cancelled
        assert_eq!(looked(33 << 20), None);
    }
}
