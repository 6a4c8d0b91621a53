//! Where a field's words stand. The first fields of a schema have a column each; those beyond share one,
//! where each word has the field's number before it. A field keeps its number for good, whatever happens
//! to its name.

use rustc_hash::FxHashMap;
use std::sync::Arc;
use store::search::Content;

/// How many fields of a schema have a column of their own.
pub(super) const COLUMNS: usize = 32;

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

    /// Gives the fields of a record their numbers; those that are new.
    pub(super) fn add(&mut self, content: &Content) -> Vec<(Arc<str>, Arc<str>, u32)> {
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
    pub(super) fn write(&self, content: &Content, code: &str, texts: &mut [String]) {
        texts.iter_mut().for_each(String::clear);
        let Some(numbers) = self.of(&content.schema) else {
            return;
        };
        for (field, words) in &content.fields {
            let Some(number) = numbers.get(field) else {
                continue;
            };
            let (column, head) = column_of(*number, code);
            let text = &mut texts[column.min(COLUMNS)];
            let is_list = words.values().nth(1).is_some();
            for value in words.values() {
                for word in value {
                    text.push_str(&head);
                    text.push_str(word);
                    text.push(' ');
                }
                if is_list {
                    // no row of words goes on in the next value
                    text.push_str(code);
                    text.push_str("__ ");
                }
            }
        }
    }
}

/// The column of a field by its number, and what its words begin with.
pub(super) fn column_of(number: u32, code: &str) -> (usize, String) {
    match usize::try_from(number) {
        Ok(column) if column < COLUMNS => (column, format!("{code}_")),
        _ => (COLUMNS, format!("{code}__{number}_")),
    }
}

/// What stands before every word of a dataset. Words have no `_`, so that no two datasets meet.
pub(super) fn code(dataset: u32) -> String {
    format!("{dataset:x}")
}
