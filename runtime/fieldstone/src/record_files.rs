//! The record files of a manifest that is exported: written into a folder as their lines come. The manifest itself goes
//! elsewhere.

use crate::out_file::OutFile;
use anyhow::{Context as _, bail};
use manifest::events::RecordLines;
use std::io::Write as _;
use std::path::{Component, Path, PathBuf};

/// Files of records, one of them under way.
pub(crate) struct RecordFiles {
    folder: PathBuf,
    /// The data folder, where no file may be.
    data: PathBuf,
    current: Option<(String, OutFile)>,
    failed: Option<anyhow::Error>,
}

impl RecordFiles {
    /// Files in a folder, which is made when the first one is.
    pub(crate) fn new(folder: &Path, data: &Path) -> Self {
        RecordFiles {
            folder: folder.to_owned(),
            data: data.to_owned(),
            current: None,
            failed: None,
        }
    }

    /// Writes lines; a failure is returned at the end.
    pub(crate) fn write(&mut self, records: &RecordLines) {
        if self.failed.is_none() {
            self.failed = self.append(records).err();
        }
    }

    fn append(&mut self, records: &RecordLines) -> anyhow::Result<()> {
        let current = self.current.take_if(|(name, _)| *name == records.file);
        let (name, mut file) = if let Some(current) = current {
            current
        } else {
            self.place()?;
            let path = path_in(&self.folder, &records.file)?;
            let file = OutFile::create(Some("--records"), &path, &[], &self.data)?;
            (records.file.clone(), file)
        };
        let written = file.write_all(records.lines.as_bytes());
        written.with_context(|| format!("can't write {}", file.path().display()))?;
        self.current = Some((name, file));
        Ok(())
    }

    /// Puts the file under way in its place.
    fn place(&mut self) -> anyhow::Result<()> {
        let folder = &self.folder;
        std::fs::create_dir_all(folder)
            .with_context(|| format!("can't make {}", folder.display()))?;
        let Some((_, file)) = self.current.take() else {
            return Ok(());
        };
        let path = file.path().display().to_string();
        file.end().with_context(|| format!("can't write {path}"))
    }

    /// Puts the last file in its place.
    ///
    /// # Errors
    /// When a file is not whole.
    pub(crate) fn end(mut self) -> anyhow::Result<()> {
        match self.failed.take() {
            Some(error) => Err(error),
            None => self.place(),
        }
    }
}

/// The path of a file in a folder: a server elsewhere names it, and it is to be written nowhere else.
///
/// # Errors
/// A name that leads out of the folder.
pub(crate) fn path_in(folder: &Path, file: &str) -> anyhow::Result<PathBuf> {
    let own = Path::new(file);
    if !own
        .components()
        .all(|part| matches!(part, Component::Normal(_)))
    {
        bail!("the server names a file outside of the folder: {file}");
    }
    Ok(folder.join(own))
}
