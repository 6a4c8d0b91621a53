//! A file that a command writes: beside its place first, which it takes at the end, so that a run that fails leaves an older
//! one as it was. What it holds is the caller's.

use crate::data_files::{Failure, is_standard_input};
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::TempPath;

/// A file that is written.
pub(crate) struct Output {
    path: PathBuf,
    file: BufWriter<File>,
    /// Where it is until it takes its place; none where that is a device or a pipe.
    beside: Option<TempPath>,
}

impl Output {
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        Self::open(path).map_err(|error| Failure::file("write", path, &error))
    }

    fn open(path: &Path) -> io::Result<Self> {
        // a link stays one: what it leads to is replaced
        let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let (file, beside) = match place.metadata() {
            Ok(there) if !there.is_file() => (OpenOptions::new().write(true).open(&place)?, None),
            there => {
                let (file, beside) = beside(&place)?.into_parts();
                if let Ok(there) = there {
                    file.set_permissions(there.permissions())?;
                }
                (file, Some(beside))
            }
        };
        Ok(Output {
            path: place,
            file: BufWriter::new(file),
            beside,
        })
    }

    /// Puts it in its place.
    pub(crate) fn end(mut self) -> Result<(), Failure> {
        self.write(BufWriter::flush)?;
        let placed = match self.beside {
            Some(beside) => beside.persist(&self.path).map_err(io::Error::from),
            None => Ok(()),
        };
        placed.map_err(|error| Failure::file("write", &self.path, &error))
    }

    pub(crate) fn write(
        &mut self,
        act: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<(), Failure> {
        act(&mut self.file).map_err(|error| Failure::file("write", &self.path, &error))
    }
}

/// Whether a path stands for standard output, as the same one does for standard input where a file is read.
pub(crate) fn is_standard_output(path: &Path) -> bool {
    is_standard_input(path)
}

/// Whether two paths lead to one file, be it by links; what is not there yet is the same where it is called so.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}

/// A file beside another one, open to whom any new file is open.
fn beside(place: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = match place.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}
