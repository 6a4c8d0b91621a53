//! A file that a command writes: beside its place, which it takes when the work has come to its end, so that a command
//! that did nothing leaves an older one as it was, and one that does leaves who may read it as it was. It is never a file that
//! the command reads, nor one in the data folder.

use crate::failure::usage;
use crate::outside::{flag, is_same, require_outside};
use anyhow::Context as _;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};

/// A file under way.
pub(crate) struct OutFile {
    path: PathBuf,
    file: BufWriter<File>,
    /// Where it is until it takes its place; none where that is a device or a pipe.
    beside: Option<TempPath>,
}

impl OutFile {
    /// Begins one, which the flag `said` names, where one does; `inputs` are the files that the command reads, `data` is the
    /// data folder.
    ///
    /// # Errors
    /// `-`, since standard output has what the command tells; a path that is one of the inputs or lies in the data folder, and
    /// one that can't be written.
    pub(crate) fn create(
        said: Option<&str>,
        path: &Path,
        inputs: &[PathBuf],
        data: &Path,
    ) -> anyhow::Result<Self> {
        if path == Path::new("-") {
            return Err(usage(format!(
                "{}- would be a file of this name, since standard output has what comes of the command; name a file, or this one as `./-`",
                flag(said)
            )));
        }
        refuse_inputs(said, path, inputs)?;
        require_outside(said, path, data)?;
        Self::open(path).with_context(|| format!("can't write {}", path.display()))
    }

    fn open(path: &Path) -> io::Result<Self> {
        // a link stays one: what it leads to is replaced
        let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let is_plain = place.metadata().map_or(true, |there| there.is_file());
        let (file, beside) = if is_plain {
            let (file, beside) = NamedTempFile::new_in(folder_of(&place))?.into_parts();
            (file, Some(beside))
        } else {
            (OpenOptions::new().write(true).open(&place)?, None)
        };
        Ok(OutFile {
            path: place,
            file: BufWriter::new(file),
            beside,
        })
    }

    /// The place that it is to have.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts it in its place.
    ///
    /// # Errors
    /// When it is not whole; the one that was there stays then.
    pub(crate) fn end(mut self) -> io::Result<()> {
        self.file.flush()?;
        let Some(beside) = self.beside else {
            return Ok(());
        };
        #[cfg(unix)]
        if let Ok(there) = self.path.metadata() {
            keep_access(self.file.get_ref(), &there)?;
        }
        Ok(beside.persist(&self.path)?)
    }
}

impl Write for OutFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Gives a file who owned the one that was there, as far as this user may, and who could read it.
#[cfg(unix)]
fn keep_access(file: &File, there: &std::fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
    let own = file.metadata()?;
    let mut mode = there.permissions().mode() & 0o777;
    if (own.uid(), own.gid()) != (there.uid(), there.gid()) {
        let is_given = fchown(file, Some(there.uid()), Some(there.gid())).is_ok()
            || fchown(file, None, Some(there.gid())).is_ok();
        if !is_given {
            // the group would be another one
            mode &= 0o707;
        }
    }
    file.set_permissions(std::fs::Permissions::from_mode(mode))
}

/// A file that is read must not be written over.
fn refuse_inputs(said: Option<&str>, path: &Path, inputs: &[PathBuf]) -> anyhow::Result<()> {
    if !inputs.iter().any(|input| is_same(path, input)) {
        return Ok(());
    }
    let (said, shown) = (flag(said), path.display());
    Err(usage(format!(
        "{said}{shown} would be written over a file that this command reads; name another file"
    )))
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
