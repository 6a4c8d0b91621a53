//! Where a field's words stand. The first fields of a schema have a column each; those beyond share one,
//! where each word has the field's number before it. A field keeps its number for good, whatever happens
//! to its name.

use rustc_hash::FxHashMap;
use std::sync::Arc;
use store::search::Content;

/// How many fields of a schema have a column of their own.
pub(super) const COLUMNS: usize = 32;

/// How many fields are kept at hand.
const FIELDS_MET_MAX: usize = 256;

/// The numbers of a schema's fields, by `fieldId`.
pub(super) type FieldNumbers = FxHashMap<Arc<str>, u32>;

/// The numbers of all fields.
#[derive(Clone, Default)]
pub(super) struct Columns {
    // shared until it changes: a batch that brings no new field copies nothing
    of: Arc<FxHashMap<Arc<str>, FieldNumbers>>,
}

impl Columns {
    pub(super) fn put(&mut self, schema: Arc<str>, field: Arc<str>, number: u32) {
        let fields = Arc::make_mut(&mut self.of).entry(schema).or_default();
        fields.insert(field, number);
    }

    /// The numbers of a schema's fields.
    pub(super) fn of(&self, schema: &str) -> Option<&FieldNumbers> {
        self.of.get(schema)
    }

    /// The number of a field of a record, which is looked up once for many records.
    pub(super) fn number(&self, met: &mut MetFields, field: &Arc<str>) -> Option<u32> {
        if let Some(number) = met.number(field) {
            return Some(number);
        }
        let number = *self.of(met.schema.as_ref()?)?.get(field)?;
        met.add(field, number);
        Some(number)
    }

    /// Gives the fields of a record their numbers; those that are new.
    pub(super) fn add(
        &mut self,
        content: &Content,
        met: &mut MetFields,
    ) -> Vec<(Arc<str>, Arc<str>, u32)> {
        met.turn_to(&content.schema);
        let with_facts = content.facts.iter().map(|facts| &facts.field);
        let with_words = content.fields.iter().map(|(field, _)| field);
        if with_facts
            .chain(with_words)
            .all(|field| self.number(met, field).is_some())
        {
            return Vec::new();
        }
        let known = self.of.get(&content.schema);
        let is_new = |field: &&Arc<str>| known.is_none_or(|known| !known.contains_key(*field));
        let with_words = content.fields.iter().map(|(field, _)| field);
        // in the schema's order, where there are facts
        let fields = content.facts.iter().map(|facts| &facts.field);
        let mut fresh: Vec<Arc<str>> = Vec::new();
        for field in fields.chain(with_words).filter(is_new) {
            if !fresh.contains(field) {
                fresh.push(field.clone());
            }
        }
        let first = known.map_or(0, |known| u32::try_from(known.len()).unwrap_or(u32::MAX));
        let mut added = Vec::new();
        for (field, number) in fresh.into_iter().zip(first..) {
            self.put(content.schema.clone(), field.clone(), number);
            added.push((content.schema.clone(), field, number));
        }
        added
    }

    /// Writes a record's words into the columns; the last one is the shared one.
    pub(super) fn write(
        &self,
        content: &Content,
        met: &mut MetFields,
        code: &str,
        texts: &mut [String],
    ) {
        texts.iter_mut().for_each(String::clear);
        let own = head(code);
        // no row of words goes on in the next value
        let behind_value = format!("{code}__ ");
        for (field, words) in &content.fields {
            let Some(number) = self.number(met, field) else {
                continue;
            };
            match usize::try_from(number) {
                Ok(column) if column < COLUMNS => {
                    words.write(&own, &behind_value, &mut texts[column]);
                }
                _ => {
                    let (column, shared) = column_of(number, code);
                    words.write(&shared, &behind_value, &mut texts[column]);
                }
            }
        }
    }
}

/// The numbers of fields that were met in records of one schema. Records of a dataset name theirs by the same piece of
/// memory and in the same order, so the next one is most often where the last one was.
#[derive(Default)]
pub(super) struct MetFields {
    schema: Option<Arc<str>>,
    fields: Vec<(Arc<str>, u32)>,
    at: usize,
}

impl MetFields {
    /// Goes on with records of a schema.
    fn turn_to(&mut self, schema: &Arc<str>) {
        let is_same = |known: &Arc<str>| Arc::ptr_eq(known, schema);
        if !self.schema.as_ref().is_some_and(is_same) {
            self.schema = Some(schema.clone());
            self.fields.clear();
            self.at = 0;
        }
    }

    fn number(&mut self, field: &Arc<str>) -> Option<u32> {
        let (passed, ahead) = self.fields.split_at(self.at);
        let mut behind = ahead.iter().chain(passed);
        let found = behind.position(|(met, _)| Arc::ptr_eq(met, field))?;
        let found = (self.at + found) % self.fields.len();
        self.at = found + 1;
        Some(self.fields[found].1)
    }

    fn add(&mut self, field: &Arc<str>, number: u32) {
        // names that are new with each record are no help
        if self.fields.len() >= FIELDS_MET_MAX {
            self.fields.clear();
        }
        self.fields.push((field.clone(), number));
        self.at = self.fields.len();
    }
}

/// The column of a field by its number, and what its words begin with.
pub(super) fn column_of(number: u32, code: &str) -> (usize, String) {
    match usize::try_from(number) {
        Ok(column) if column < COLUMNS => (column, head(code)),
        _ => (COLUMNS, format!("{code}__{number}_")),
    }
}

/// What words of a column of its own begin with.
fn head(code: &str) -> String {
    format!("{code}_")
}

/// What stands before every word of a dataset. Words have no `_`, so that no two datasets meet.
pub(super) fn code(dataset: u32) -> String {
    format!("{dataset:x}")
}
