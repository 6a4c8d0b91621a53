//! Uploaded files. A record holds a file's id; whoever reads the record gets a link that works for a
//! while and needs no credential. What a file is, its content says: names and announced types are not
//! believed. Content is kept in an object store, what is known of it in rows. docs/interface.md, "Files";
//! docs/rules.md, "File values".

mod contents;
mod download;
mod leftovers;
mod links;
mod objects;
mod orphans;
mod sniff;
mod storage;
mod upload;
mod upload_places;

pub use contents::{ContentProblem, ContentReader};
pub use download::{Contents, Download};
pub use links::Link;
pub(super) use links::Links;
pub use objects::ObjectWriter;
pub(super) use orphans::ToldRecords;
pub use orphans::{CleaningReport, HeldFiles};
pub use storage::{FileStorage, StorageProblem};
pub use upload::Upload;
pub(super) use upload_places::UploadPlaces;
pub use wire::FileItem;

use crate::ids::FILES_PATH;
use crate::{DatasetPermit, Refusal, Service};
use engine::validate::{FileFacts, Rule};
use schema::json::{Node, Value, parse, write_string};
use schema::{Field, Schema};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;
use store::StoreError;
use store::catalog::{Dataset, SchemaEntry};
use store::files::{Files, StoredFile};
use wire::FieldError;

/// What an operator can set about files.
#[derive(Clone, Debug)]
pub struct FileSettings {
    /// Bytes a file has at most.
    pub bytes_max: u64,
    /// Seconds a download link works.
    pub link_seconds: i64,
    /// Seconds a file may wait for a record that refers to it.
    pub grace_seconds: i64,
}

impl Default for FileSettings {
    fn default() -> Self {
        FileSettings {
            bytes_max: 100 << 20,
            link_seconds: 15 * 60,
            grace_seconds: 24 * 3600,
        }
    }
}

/// Where a service keeps files.
pub(super) struct FileBackend {
    pub(crate) files: Arc<dyn Files>,
    pub(crate) storage: FileStorage,
    pub(crate) settings: FileSettings,
}

impl FileBackend {
    /// The file of a dataset that a record is about to refer to. One that was condemned for want of records
    /// is kept from now on; one that is being removed at this moment is not there.
    async fn claim(&self, dataset: &str, id: &str) -> Result<Option<StoredFile>, StoreError> {
        let row = self.files.file(id).await?;
        let Some(row) = row.filter(|row| row.file.dataset == dataset) else {
            return Ok(None);
        };
        let is_kept = row.condemned_at.is_none() || self.files.reprieve_file(id).await?;
        Ok(is_kept.then_some(row.file))
    }
}

/// The facts of the files that a body refers to, by what it says.
#[derive(Default)]
pub(super) struct KnownFiles(HashMap<String, FileFacts>);

impl KnownFiles {
    pub(super) fn facts(&self, reference: &str) -> Option<FileFacts> {
        self.0.get(reference).cloned()
    }
}

/// A link in what is shown of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLink {
    /// The id of the file.
    pub id: String,
    /// The link without scheme and host.
    pub path: String,
}

/// When to come back to a service that was given no place for files.
const RETRY_SECONDS: u64 = 60;

impl Service {
    /// Gives the service a place for files; the first one stays.
    pub fn use_files(&self, files: Arc<dyn Files>, storage: FileStorage, settings: FileSettings) {
        let backend = FileBackend {
            files,
            storage,
            settings,
        };
        // a second place would leave the first one's files behind
        let _ = self.file_backend.set(backend);
    }

    fn file_backend(&self) -> Result<&FileBackend, Refusal> {
        self.file_backend.get().ok_or(Refusal::NotReady {
            seconds: RETRY_SECONDS,
        })
    }

    /// The link that a text of a record of a dataset is, if this deployment signed it: any other text may look like one and
    /// lead elsewhere.
    pub fn file_link(&self, dataset: &str, text: &str) -> Option<FileLink> {
        let (id, rest) = self.links.link_of(dataset, text)?;
        let base = path_of(&self.settings.public_url);
        Some(FileLink {
            id: id.to_owned(),
            path: format!("{base}{FILES_PATH}{rest}"),
        })
    }

    /// What is stored of files of a dataset beside their content, in any order; nothing of those that are not there.
    ///
    /// # Errors
    /// The store's.
    pub async fn stored_files(
        &self,
        permit: &DatasetPermit,
        ids: Vec<String>,
    ) -> Result<Vec<StoredFile>, Refusal> {
        let Some(backend) = self.file_backend.get().filter(|_| !ids.is_empty()) else {
            return Ok(Vec::new());
        };
        let rows = backend.files.files_of(ids).await?;
        let files = rows.into_iter().map(|row| row.file);
        let own = files.filter(|file| file.dataset == permit.dataset().id);
        Ok(own.collect())
    }

    /// What is known of the files that bodies for a dataset refer to. Costs nothing where the schema has
    /// no files.
    pub(super) async fn known_files(
        &self,
        permit: &DatasetPermit,
        bodies: &[&[u8]],
    ) -> Result<KnownFiles, Refusal> {
        let schema = &permit.schema().current().schema;
        let mut known = KnownFiles::default();
        let Some(backend) = self.file_backend.get().filter(|_| has_files(schema)) else {
            return Ok(known);
        };
        let dataset = &permit.dataset().id;
        for body in bodies {
            for reference in references(schema, body) {
                if known.0.contains_key(&reference) {
                    continue;
                }
                let Some(id) = self.links.id_of(dataset, &reference) else {
                    continue;
                };
                if let Some(file) = backend.claim(dataset, id).await? {
                    known.0.insert(reference, facts(file));
                }
            }
        }
        Ok(known)
    }

    /// A record's values as they are shown: files as links. A reference that `errors` say is no file of the dataset
    /// stays as it was sent: a link to it would lead nowhere.
    pub(super) fn linked<'b>(
        &self,
        schema: &SchemaEntry,
        dataset: &Dataset,
        body: Cow<'b, str>,
        errors: Option<&str>,
    ) -> Result<Cow<'b, str>, Refusal> {
        let schema = &schema.current().schema;
        if !has_files(schema) {
            return Ok(body);
        }
        let errors = RecordErrors::of(errors)?;
        let tree = parse(&body)
            .map_err(|error| StoreError::Damaged(format!("a stored record: {error}")))?;
        let mut out = String::with_capacity(body.len() + 256);
        let mut done = 0;
        let mut show = |node: &Node<'_>| {
            // a faulty value is stored as it was sent, which may be a link: it too is shown as a fresh one
            if let Value::String(text) = &node.value
                && let Some(id) = self.links.id_of(&dataset.id, text)
            {
                out.push_str(&body[done..node.start]);
                write_string(&mut out, &self.link(&dataset.id, id));
                done = node.end;
            }
        };
        for field in files_of(schema) {
            let no_file = |position| errors.tell(&field.name, position, &Rule::File);
            match tree.get(&field.name).map(|node| (node, &node.value)) {
                Some((_, Value::Array(items))) => {
                    let numbered = (1..).zip(items);
                    // the fault of one value, which is an array of it since the field has several
                    let is_file = |position| !no_file(Some(position)) && !no_file(None);
                    let files = numbered.filter(|(position, _)| is_file(*position));
                    files.for_each(|(_, node)| show(node));
                }
                Some((node, _)) if !no_file(None) => show(node),
                _ => {}
            }
        }
        out.push_str(&body[done..]);
        Ok(Cow::Owned(out))
    }

    /// Seconds that a link works.
    fn link_seconds(&self) -> i64 {
        self.file_backend.get().map_or_else(
            || FileSettings::default().link_seconds,
            |backend| backend.settings.link_seconds,
        )
    }

    /// A fresh download link.
    fn link(&self, dataset: &str, id: &str) -> String {
        let expires = self.clock.now().plus_seconds(self.link_seconds());
        let expires = expires.millis() / 1000;
        self.links
            .write(&self.settings.public_url, dataset, id, expires)
    }
}

/// What an address has behind its host.
fn path_of(address: &str) -> &str {
    let host = address.split_once("://").map_or(address, |(_, host)| host);
    let path = host.find('/').map_or("", |at| &host[at..]);
    path.trim_end_matches('/')
}

/// The `_errors` of a record, where they tell what its files are.
struct RecordErrors(Vec<FieldError>);

impl RecordErrors {
    fn of(errors: Option<&str>) -> Result<Self, StoreError> {
        let Some(errors) = errors else {
            return Ok(RecordErrors(Vec::new()));
        };
        let read = serde_json::from_str(errors);
        read.map(RecordErrors).map_err(|source| {
            let what = "the errors of a record".to_owned();
            StoreError::Document { what, source }
        })
    }

    /// Whether they tell that the value of a field, or the element at a position, breaks a rule.
    fn tell(&self, field: &str, position: Option<usize>, rule: &Rule) -> bool {
        let Some(told) = self.0.iter().find(|told| told.name == field) else {
            return false;
        };
        let text = match position {
            Some(position) => format!("value {position} {rule}"),
            None => rule.to_string(),
        };
        told.errors.split("; ").any(|told| told == text)
    }
}

fn facts(file: StoredFile) -> FileFacts {
    FileFacts {
        id: file.id,
        media_type: file.media_type,
        size: file.size,
        width: file.width,
        height: file.height,
    }
}

/// The active fields that hold files, in the order of the schema.
fn files_of(schema: &Schema) -> impl Iterator<Item = &Field> {
    schema
        .active_fields()
        .filter(|field| field.data_type.is_file())
}

/// Whether records of a schema can hold files.
pub(super) fn has_files(schema: &Schema) -> bool {
    files_of(schema).next().is_some()
}

/// The texts in a body's file fields; none where it does not parse, which is for the checker to tell.
fn references(schema: &Schema, body: &[u8]) -> Vec<String> {
    let tree = std::str::from_utf8(body)
        .ok()
        .and_then(|text| parse(text).ok());
    let Some(tree) = tree else { return Vec::new() };
    let mut found = Vec::new();
    let mut take = |node: &Node<'_>| {
        if let Value::String(text) = &node.value {
            // a primary key is no file, so nothing is trimmed
            found.push(text.clone().into_owned());
        }
    };
    for field in files_of(schema) {
        match tree.get(&field.name).map(|node| (node, &node.value)) {
            Some((_, Value::Array(items))) => items.iter().for_each(&mut take),
            Some((node, _)) => take(node),
            None => {}
        }
    }
    found
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // INVARIANT: writing to a String cannot fail
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// A failure of the object store, as one of the store's. Its text holds what is beneath it already.
fn stored(error: impl std::error::Error) -> StoreError {
    StoreError::File(std::io::Error::other(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::path_of;

    #[test]
    fn what_stands_behind_a_host_is_the_path_of_an_address() {
        for (address, path) in [
            ("https://example.org", ""),
            ("https://example.org/", ""),
            ("http://127.0.0.1:8080/data", "/data"),
            ("https://example.org/a/b/", "/a/b"),
        ] {
            assert_eq!(path_of(address), path, "{address}");
        }
    }
}
