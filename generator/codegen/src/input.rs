//! What is read: schema documents, and the files that hold them. It looks into none.

use crate::error::Error;
use std::path::{Path, PathBuf};

/// One schema-detail document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Where it came from, as reports name it: a path, or `standard input`.
    pub name: String,
    /// Its JSON text.
    pub text: String,
}

impl Input {
    /// A document with its name.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Input {
            name: name.into(),
            text: text.into(),
        }
    }
}

/// The schema files that a path means: itself, or the `*.json` files directly in it, by name. Files whose names begin with a dot
/// are an editor's or a system's own.
///
/// # Errors
/// [`Error::File`] where the directory can't be read. A path that leads nowhere is given back: [`read`] tells of it.
pub fn schema_files(path: &Path) -> Result<Vec<PathBuf>, Error> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    let entries = path
        .read_dir()
        .map_err(|error| Error::file("read", path, error))?;
    for entry in entries {
        let file = entry
            .map_err(|error| Error::file("read", path, error))?
            .path();
        if is_document(&file) && file.is_file() {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a file's name is one of a schema document: `*.json`, and none that begins with a dot.
pub fn is_document(file: &Path) -> bool {
    let is_hidden = |name: &std::ffi::OsStr| name.as_encoded_bytes().starts_with(b".");
    file.extension().is_some_and(|end| end == "json") && !file.file_name().is_some_and(is_hidden)
}

/// Reads one schema file, which is UTF-8.
///
/// # Errors
/// [`Error::File`] where it can't be read, or is no UTF-8.
pub fn read(path: &Path) -> Result<Input, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::file("read", path, error))?;
    Ok(Input::new(path.display().to_string(), text))
}
