//! What of a record can be found: the words of every value that a reader of the record sees under the
//! schema version in force. Files have none: what is shown of them is an address.

use super::versions::read_alike;
use crate::records::rekey;
use schema::json::{Member, Node, Value, parse};
use std::collections::HashMap;
use std::sync::Arc;
use store::StoreError;
use store::catalog::{Catalog, SchemaEntry, SchemaVersion};
use store::records::{LogEntry, StoredRecord};
use store::search::{Content, Document, FieldWords};

/// Makes the documents of one catalog's records.
pub(super) struct DocumentMaker {
    catalog: Arc<Catalog>,
    /// The datasets that were met, by number; `None` for one that is gone.
    datasets: HashMap<u32, Option<DatasetReader>>,
}

/// What there is to know of a dataset.
struct DatasetReader {
    entry: Arc<SchemaEntry>,
    schema: Arc<str>,
    /// The name and the id of each field with words.
    fields: Vec<(String, Arc<str>)>,
    /// Whether a body says the same whichever version it was written with.
    read_alike: bool,
}

impl DocumentMaker {
    pub(super) fn new(catalog: Arc<Catalog>) -> Self {
        DocumentMaker {
            catalog,
            datasets: HashMap::new(),
        }
    }

    /// Whose records they are.
    pub(super) fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    fn reader(&mut self, dataset: u32) -> Option<&DatasetReader> {
        let catalog = &self.catalog;
        let reader = self.datasets.entry(dataset).or_insert_with(|| {
            let dataset = catalog.datasets_by_number.get(&dataset)?;
            catalog.schemas.get(&dataset.schema).map(DatasetReader::new)
        });
        reader.as_ref()
    }

    /// The document of an entry of the change log; `None` where the record itself has to be asked: the log
    /// has the values that were shown then, and not those of fields that are active again, and it may be
    /// damaged.
    pub(super) fn of_entry(&mut self, entry: &LogEntry) -> Option<Document> {
        let place = entry.id.place;
        let content = match &entry.after {
            None => None,
            Some(body) => match self.reader(place.dataset) {
                None => None,
                Some(reader) if reader.entry.current().number == entry.schema_version => {
                    Some(reader.content(body).ok()?)
                }
                Some(_) => return None,
            },
        };
        Some(Document { place, content })
    }

    /// The document of a record. One of a dataset that is gone can't be found.
    pub(super) fn of_record(&mut self, record: &StoredRecord) -> Result<Document, StoreError> {
        let place = record.id.place;
        let reader = self.reader(place.dataset).filter(|_| !record.deleted);
        let content = reader.map(
            |reader| match written(&reader.entry, record.schema_version)? {
                None => reader.content(&record.body),
                Some(from) => {
                    let hidden = record.hidden.as_deref();
                    let moved = rekey(from, reader.entry.current(), &record.body, hidden)?;
                    reader.content(&moved.body)
                }
            },
        );
        Ok(Document {
            place,
            content: content.transpose()?,
        })
    }

    /// Whether an entry of the change log surely leaves the words of its record as they were.
    pub(super) fn keeps_words(&mut self, entry: &LogEntry) -> bool {
        let (Some(before), Some(after)) = (&entry.before, &entry.after) else {
            return false;
        };
        // the log does not say with which version the values before it were written
        let reader = self.reader(entry.id.place.dataset);
        reader.is_some_and(|reader| reader.read_alike && reader.says_the_same(before, after))
    }
}

impl DatasetReader {
    fn new(entry: &Arc<SchemaEntry>) -> Self {
        let active = entry.current().schema.active_fields();
        let fields = active
            .filter(|field| !field.data_type.is_file())
            .map(|field| (field.name.clone(), field.id.as_str().into()));
        DatasetReader {
            entry: entry.clone(),
            schema: entry.id.as_str().into(),
            fields: fields.collect(),
            read_alike: read_alike(entry),
        }
    }

    /// What is to be found of a body of the version in force.
    fn content(&self, body: &str) -> Result<Content, StoreError> {
        let damaged = |what: String| StoreError::Damaged(format!("a stored record: {what}"));
        let tree = parse(body).map_err(|error| damaged(error.to_string()))?;
        let Value::Object(members) = &tree.value else {
            return Err(damaged("it is no object".to_owned()));
        };
        let mut fields = Vec::with_capacity(self.fields.len());
        for ((_, id), node) in self.fields.iter().zip(self.values(members)) {
            let words = node.map(words_of).unwrap_or_default();
            if !words.is_empty() {
                fields.push((id.clone(), words));
            }
        }
        Ok(Content {
            schema: self.schema.clone(),
            fields,
        })
    }

    /// The value of each field with words.
    fn values<'m, 't>(
        &self,
        members: &'m [Member<'t>],
    ) -> impl Iterator<Item = Option<&'m Node<'t>>> {
        // a body has the active fields in its schema's order: look on from where the last one was
        let mut at = 0;
        self.fields.iter().map(move |(name, _)| {
            let (passed, ahead) = members.split_at(at);
            let mut behind = ahead.iter().chain(passed);
            let found = behind.position(|member| member.key == *name)?;
            let found = (at + found) % members.len();
            at = found + 1;
            Some(&members[found].value)
        })
    }

    /// Whether two bodies have the same words.
    fn says_the_same(&self, before: &str, after: &str) -> bool {
        if before == after {
            return true;
        }
        let (Ok(old), Ok(new)) = (parse(before), parse(after)) else {
            return false;
        };
        let (Value::Object(old), Value::Object(new)) = (&old.value, &new.value) else {
            return false;
        };
        let mut pairs = self.values(old).zip(self.values(new));
        pairs.all(|(old, new)| {
            text_of(old, before) == text_of(new, after)
                || old.map(words_of).unwrap_or_default() == new.map(words_of).unwrap_or_default()
        })
    }
}

fn text_of<'b>(node: Option<&Node<'_>>, body: &'b str) -> &'b str {
    node.map_or("null", |node| &body[node.start..node.end])
}

/// The version a record was written with, where it is not the one in force.
fn written(entry: &SchemaEntry, version: i64) -> Result<Option<&Arc<SchemaVersion>>, StoreError> {
    if entry.current().number == version {
        return Ok(None);
    }
    let found = entry.version(version);
    found.map(Some).ok_or_else(|| {
        StoreError::Damaged(format!("the schema {} has no version {version}", entry.id))
    })
}

/// The words of a field's value or values.
fn words_of(node: &Node<'_>) -> FieldWords {
    let mut words = FieldWords::default();
    match &node.value {
        Value::Array(items) => items.iter().for_each(|item| add_words(item, &mut words)),
        _ => add_words(node, &mut words),
    }
    words
}

fn add_words(node: &Node<'_>, words: &mut FieldWords) {
    match &node.value {
        Value::String(text) => words.push(text),
        Value::Number(token) => words.push(token),
        Value::Bool(true) => words.push("true"),
        Value::Bool(false) => words.push("false"),
        Value::Null | Value::Array(_) | Value::Object(_) => {}
    }
}
