//! The list beside fetched schema files of where each came from. It reads no schema and writes no file.

use super::download::Download;
use super::error::FetchError;
use schema::json::unmarked;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The list: a line for each file, its parts separated by tabs.
pub(super) const SOURCES: &str = "fieldstone.sources";
const HEAD: &str =
    "# Where the schema files of this directory were fetched: file, address, schemaId, version.\n";

/// The list as it is.
pub(super) struct Sources {
    /// Its text; `None` when there is none.
    pub(super) text: Option<String>,
    /// What is said of each file: address, schema, version.
    lines: BTreeMap<String, String>,
}

impl Sources {
    pub(super) fn read(dir: &Path) -> Result<Self, FetchError> {
        let path = dir.join(SOURCES);
        let text = match fs::read_to_string(&path) {
            // as version control gives it back on other systems
            Ok(text) => Some(unmarked(&text).replace("\r\n", "\n")),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(FetchError::file("read", &path, &error)),
        };
        let lines = text.iter().flat_map(|text| text.lines());
        let lines = lines.filter(|line| !line.starts_with('#'));
        let lines = lines.filter_map(|line| line.split_once('\t'));
        // a file of this directory, whatever somebody wrote
        let lines = lines.filter(|(name, _)| Path::new(name).file_name() == Some(OsStr::new(name)));
        let lines = lines.map(|(name, rest)| (name.to_owned(), rest.to_owned()));
        Ok(Sources {
            lines: lines.collect(),
            text,
        })
    }

    /// The files, each with its address and its schema's id.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.lines.iter().filter_map(|(name, rest)| {
            let (address, rest) = rest.split_once('\t')?;
            let id = rest.split_once('\t').map_or(rest, |(id, _)| id);
            Some((name.as_str(), address, id))
        })
    }

    /// The list with these files; lines of others stay.
    pub(super) fn with(mut self, names: &[String], downloads: &[Download]) -> String {
        for (name, schema) in names.iter().zip(downloads) {
            let Download {
                address,
                id,
                version,
                ..
            } = schema;
            self.lines
                .insert(name.clone(), format!("{address}\t{id}\t{version}"));
        }
        let mut text = HEAD.to_owned();
        for (name, rest) in self.lines {
            text.extend([&name, "\t", &rest, "\n"]);
        }
        text
    }
}
