//! What of a record can be found: the words of every value that a reader of the record sees under the
//! schema version in force. Files have none: what is shown of them is an address.

use super::super::rekey::rekey;
use crate::store::StoreError;
use crate::store::catalog::{Catalog, Dataset, SchemaEntry, SchemaVersion};
use crate::store::records::{LogEntry, RecordPlace, StoredRecord};
use crate::store::search::{Content, Document, words};
use schema::Field;
use schema::json::{Node, Value, parse};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// Makes the documents of one catalog's records.
pub(super) struct Documents<'c> {
    schemas: HashMap<u32, Known<'c>>,
}

struct Known<'c> {
    entry: &'c SchemaEntry,
    schema: Arc<str>,
    fields: Vec<(&'c Field, Arc<str>)>,
}

impl<'c> Documents<'c> {
    pub(super) fn new(catalog: &'c Catalog) -> Self {
        let known = |dataset: &'c Arc<Dataset>| {
            let entry = catalog.schemas.get(&dataset.schema)?;
            let active = entry.current().schema.active_fields();
            let shown = active.filter(|field| !field.data_type.is_file());
            let known = Known {
                entry,
                schema: entry.id.as_str().into(),
                fields: shown
                    .map(|field| (field, field.id.as_str().into()))
                    .collect(),
            };
            Some((dataset.number, known))
        };
        Documents {
            schemas: catalog.datasets.values().filter_map(known).collect(),
        }
    }

    /// The document of an entry of the change log.
    pub(super) fn of_entry(&self, entry: &LogEntry) -> Result<Document, StoreError> {
        let content = match &entry.after {
            Some(body) => self.content(entry.id.place, entry.schema_version, body, None)?,
            None => None,
        };
        Ok(Document {
            place: entry.id.place,
            content,
        })
    }

    /// The document of a record that is not deleted.
    pub(super) fn of_record(&self, record: &StoredRecord) -> Result<Document, StoreError> {
        let place = record.id.place;
        let hidden = record.hidden.as_deref();
        let content = self.content(place, record.schema_version, &record.body, hidden)?;
        Ok(Document { place, content })
    }

    /// A record of a dataset that is gone can't be found.
    fn content(
        &self,
        place: RecordPlace,
        version: i64,
        body: &str,
        hidden: Option<&str>,
    ) -> Result<Option<Content>, StoreError> {
        let Some(known) = self.schemas.get(&place.dataset) else {
            return Ok(None);
        };
        let body = match written(known.entry, version)? {
            Some(from) => Cow::Owned(rekey(from, known.entry.current(), body, hidden)?.body),
            None => Cow::Borrowed(body),
        };
        let tree = parse(&body)
            .map_err(|error| StoreError::Damaged(format!("a stored record: {error}")))?;
        let Value::Object(members) = &tree.value else {
            return Ok(None);
        };
        let mut fields = Vec::with_capacity(known.fields.len());
        // the body has the active fields in the schema's order: look on from where the last one was
        let mut at = 0;
        for (field, id) in &known.fields {
            let found = members[at..]
                .iter()
                .position(|member| member.key == field.name);
            let Some(found) = found else { continue };
            at += found + 1;
            let values = values(&members[at - 1].value);
            if !values.is_empty() {
                fields.push((id.clone(), values));
            }
        }
        Ok(Some(Content {
            schema: known.schema.clone(),
            fields,
        }))
    }
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

/// The words of each value of a field.
fn values(node: &Node<'_>) -> Vec<Vec<String>> {
    let own = |node: &Node<'_>| {
        let words = match &node.value {
            Value::String(text) => words(text),
            Value::Number(token) => words(token),
            Value::Bool(true) => vec!["true".to_owned()],
            Value::Bool(false) => vec!["false".to_owned()],
            Value::Null | Value::Array(_) | Value::Object(_) => Vec::new(),
        };
        (!words.is_empty()).then_some(words)
    };
    match &node.value {
        Value::Array(items) => items.iter().filter_map(own).collect(),
        _ => own(node).into_iter().collect(),
    }
}
