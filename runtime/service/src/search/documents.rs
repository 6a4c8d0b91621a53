//! What of a record can be found: the words of every value that a reader of the record sees under the
//! schema version in force, its keys and its faults. Files have no words: what is shown of them is an address. Nor has a
//! field that is not searched.

use super::values::value_of;
use crate::Refusal;
use crate::records::current;
use engine::validate::{is_blank, rules_told};
use schema::json::{Member, Node, Value, parse};
use schema::{DataType, Field};
use std::collections::HashMap;
use std::sync::Arc;
use store::StoreError;
use store::catalog::{Catalog, SchemaEntry};
use store::records::{RecordPlace, StoredRecord};
use store::search::{Content, Document, FieldFacts, FieldWords};
use wire::FieldError;

/// Makes the documents of one catalog's records.
pub(super) struct DocumentMaker {
    catalog: Arc<Catalog>,
    /// The datasets that were met, by number; `None` for one that the catalog does not know.
    datasets: HashMap<u32, Option<DatasetReader>>,
}

/// What there is to know of a dataset.
struct DatasetReader {
    entry: Arc<SchemaEntry>,
    schema: Arc<str>,
    /// The number of each active field in the schema, and its id.
    fields: Vec<(usize, Arc<str>)>,
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

    /// The document of a record. No dataset ever leaves the catalog, so a record of one that it does not know is none that is
    /// gone: the catalog is too old, or damaged.
    pub(super) fn of_record(&mut self, record: &StoredRecord) -> Result<Document, StoreError> {
        let place = record.id.place;
        if record.deleted {
            return Ok(gone(place));
        }
        let reader = self.reader(place.dataset).ok_or_else(|| {
            let number = place.dataset;
            StoreError::Damaged(format!("the catalog has no dataset of number {number}"))
        })?;
        let content = Some(reader.content(record)?);
        Ok(Document { place, content })
    }
}

impl DatasetReader {
    fn new(entry: &Arc<SchemaEntry>) -> Self {
        let fields = entry.current().schema.fields.iter().enumerate();
        let active = fields.filter(|(_, field)| field.active);
        DatasetReader {
            entry: entry.clone(),
            schema: entry.id.as_str().into(),
            fields: active
                .map(|(number, field)| (number, field.id.as_str().into()))
                .collect(),
        }
    }

    /// What is to be found of a record.
    fn content(&self, record: &StoredRecord) -> Result<Content, StoreError> {
        let damaged = |what: String| StoreError::Damaged(format!("a stored record: {what}"));
        let shown = current(&self.entry, record).map_err(|refusal| match refusal {
            Refusal::Store(error) => error,
            refusal => damaged(refusal.to_string()),
        })?;
        let tree = parse(&shown.body).map_err(|error| damaged(error.to_string()))?;
        let Value::Object(members) = &tree.value else {
            return Err(damaged("it is no object".to_owned()));
        };
        let errors: Vec<FieldError> = match shown.errors.as_deref() {
            None => Vec::new(),
            Some(errors) => {
                serde_json::from_str(errors).map_err(|error| damaged(error.to_string()))?
            }
        };
        let mut content = Content {
            schema: self.schema.clone(),
            version: self.entry.current().number,
            fields: Vec::with_capacity(self.fields.len()),
            facts: Vec::with_capacity(self.fields.len()),
        };
        for ((field, id), node) in self.active().zip(self.values(members)) {
            let words = node.map(|node| words_of(field, node)).unwrap_or_default();
            if !words.is_empty() {
                content.fields.push((id.clone(), words));
            }
            let told = errors.iter().find(|told| told.name == field.name);
            content.facts.push(FieldFacts {
                field: id.clone(),
                value: value_of(field, node),
                faults: told.map(faults_of).unwrap_or_default(),
            });
        }
        Ok(content)
    }

    fn active(&self) -> impl Iterator<Item = (&Field, &Arc<str>)> {
        let fields = &self.entry.current().schema.fields;
        self.fields
            .iter()
            .map(|(number, id)| (&fields[*number], id))
    }

    /// The value of each active field.
    fn values<'m, 't>(
        &self,
        members: &'m [Member<'t>],
    ) -> impl Iterator<Item = Option<&'m Node<'t>>> {
        // a body has the active fields in its schema's order: look on from where the last one was
        let mut at = 0;
        self.active().map(move |(field, _)| {
            let (passed, ahead) = members.split_at(at);
            let mut behind = ahead.iter().chain(passed);
            let found = behind.position(|member| member.key == *field.name)?;
            let found = (at + found) % members.len();
            at = found + 1;
            Some(&members[found].value)
        })
    }
}

/// Takes a record out of the index.
pub(super) fn gone(place: RecordPlace) -> Document {
    Document {
        place,
        content: None,
    }
}

/// The rules that an entry of `_errors` tells of. One whose texts no rule has any more is a fault all the same.
fn faults_of(told: &FieldError) -> Vec<Box<str>> {
    let rules = rules_told(&told.errors);
    if rules.is_empty() {
        return vec!["other".into()];
    }
    rules.into_iter().map(Into::into).collect()
}

/// The words of a field's value or values. Files have none, nor has a field that is not searched.
fn words_of(field: &Field, node: &Node<'_>) -> FieldWords {
    let mut words = FieldWords::default();
    if field.data_type.is_file() || !field.is_searched() {
        return words;
    }
    match &node.value {
        Value::Array(items) => {
            let items = items.iter();
            items.for_each(|item| add_words(field, item, &mut words));
        }
        _ => add_words(field, node, &mut words),
    }
    words
}

/// Adds the words of a value, and its mark where it is a text, or a boolean in a field of these. A faulty value has none that is no text,
/// or whose letters are those of a boolean: it would be taken for another one.
fn add_words(field: &Field, node: &Node<'_>, words: &mut FieldWords) {
    let is_boolean = field.data_type == DataType::Boolean;
    match &node.value {
        Value::String(text) if is_blank(text) => {}
        Value::String(text) if is_boolean && matches!(&**text, "true" | "false") => {
            words.push(text);
        }
        Value::String(text) => words.push_marked(text),
        Value::Number(token) => words.push(token),
        Value::Bool(value) => {
            let text = if *value { "true" } else { "false" };
            if is_boolean {
                words.push_marked(text);
            } else {
                words.push(text);
            }
        }
        Value::Null | Value::Array(_) | Value::Object(_) => {}
    }
}
