//! What the index has of records, as rows: those that were there go, and what there is now is put in, so many statements
//! however many records there are.

use super::condition::lexeme;
use super::key_bytes::to_bytes;
use crate::connection::Values;
use crate::connections::Transaction;
use crate::error::Failure;
use std::collections::BTreeSet;
use store::records::RecordPlace;
use store::search::{Content, Document, FactValue, FieldWords};

/// Bytes of a field's different words that are looked up; PostgreSQL takes 1 MB. The words behind them are not found.
const LEXEME_BYTES_MAX: usize = 900_000;

const REMOVE: [&str; 4] = [
    "DELETE FROM search_words t USING unnest($1::bigint[], $2::bigint[]) AS w (dataset, sequence)
   WHERE t.dataset = w.dataset AND t.sequence = w.sequence",
    "DELETE FROM search_keys t USING unnest($1::bigint[], $2::bigint[]) AS w (dataset, sequence)
   WHERE t.dataset = w.dataset AND t.sequence = w.sequence",
    "DELETE FROM search_marks t USING unnest($1::bigint[], $2::bigint[]) AS w (dataset, sequence)
   WHERE t.dataset = w.dataset AND t.sequence = w.sequence",
    "DELETE FROM search_records t USING unnest($1::bigint[], $2::bigint[]) AS w (dataset, sequence)
   WHERE t.dataset = w.dataset AND t.sequence = w.sequence",
];
const RECORDS: &str = "INSERT INTO search_records (dataset, sequence, version)
   SELECT d, s, v FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS w (d, s, v)";
const WORDS: &str = "INSERT INTO search_words (dataset, sequence, field, words, lexemes)
   SELECT d, s, f, t, l::tsvector
   FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[]) AS w (d, s, f, t, l)";
const KEYS: &str = "INSERT INTO search_keys (dataset, sequence, field, key)
   SELECT d, s, f, k FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bytea[]) AS w (d, s, f, k)";
const MARKS: &str = "INSERT INTO search_marks (dataset, sequence, field, kind, rule)
   SELECT d, s, f, k, r
   FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[]) AS w (d, s, f, k, r)";

/// Rows of a field of a record.
#[derive(Default)]
struct FieldRows {
    datasets: Vec<i64>,
    sequences: Vec<i64>,
    fields: Vec<String>,
}

impl FieldRows {
    fn push(&mut self, (dataset, sequence): (i64, i64), field: &str) {
        self.datasets.push(dataset);
        self.sequences.push(sequence);
        self.fields.push(field.to_owned());
    }
}

/// All rows of some documents, column by column.
#[derive(Default)]
pub(super) struct Rows {
    /// The records that are told of, there or gone.
    datasets: Vec<i64>,
    sequences: Vec<i64>,
    /// Those that are there, and by which version they were read.
    there: [Vec<i64>; 3],
    of_words: FieldRows,
    words: Vec<String>,
    lexemes: Vec<String>,
    of_keys: FieldRows,
    keys: Vec<Vec<u8>>,
    of_marks: FieldRows,
    kinds: Vec<&'static str>,
    rules: Vec<String>,
}

impl Rows {
    /// Those of documents, the last of each record.
    pub(super) fn of(documents: Vec<Document>) -> Self {
        let (mut rows, mut seen) = (Rows::default(), BTreeSet::new());
        for document in documents.into_iter().rev() {
            let RecordPlace { dataset, sequence } = document.place;
            if !seen.insert((dataset, sequence)) {
                continue;
            }
            let place = (i64::from(dataset), sequence.cast_signed());
            rows.datasets.push(place.0);
            rows.sequences.push(place.1);
            if let Some(content) = document.content {
                rows.add(place, &content);
            }
        }
        rows
    }

    fn add(&mut self, place: (i64, i64), content: &Content) {
        let [datasets, sequences, versions] = &mut self.there;
        datasets.push(place.0);
        sequences.push(place.1);
        versions.push(content.version);
        for (field, words) in &content.fields {
            self.of_words.push(place, field);
            self.words.push(text(words));
            self.lexemes.push(lexemes(place.0, words));
        }
        for facts in &content.facts {
            match &facts.value {
                FactValue::Missing => self.mark(place, &facts.field, "missing", ""),
                FactValue::Unread => self.mark(place, &facts.field, "unread", ""),
                FactValue::Plain => {}
                FactValue::Keys(keys) => {
                    let keys: BTreeSet<Vec<u8>> = keys.iter().map(to_bytes).collect();
                    for key in keys {
                        self.of_keys.push(place, &facts.field);
                        self.keys.push(key);
                    }
                }
            }
            for rule in &facts.faults {
                self.mark(place, &facts.field, "fault", rule);
            }
        }
    }

    fn mark(&mut self, place: (i64, i64), field: &str, kind: &'static str, rule: &str) {
        self.of_marks.push(place, field);
        self.kinds.push(kind);
        self.rules.push(rule.to_owned());
    }

    /// Puts them in place of what was there.
    pub(super) async fn put(&self, tx: &Transaction) -> Result<(), Failure> {
        if self.datasets.is_empty() {
            return Ok(());
        }
        for remove in REMOVE {
            tx.execute(remove, &[&self.datasets, &self.sequences])
                .await?;
        }
        let [datasets, sequences, versions] = &self.there;
        tx.execute(RECORDS, &[datasets, sequences, versions])
            .await?;
        let of = &self.of_words;
        let words: Values<'_> = &[
            &of.datasets,
            &of.sequences,
            &of.fields,
            &self.words,
            &self.lexemes,
        ];
        tx.execute(WORDS, words).await?;
        let of = &self.of_keys;
        let keys: Values<'_> = &[&of.datasets, &of.sequences, &of.fields, &self.keys];
        tx.execute(KEYS, keys).await?;
        let of = &self.of_marks;
        let marks: Values<'_> = &[
            &of.datasets,
            &of.sequences,
            &of.fields,
            &self.kinds,
            &self.rules,
        ];
        tx.execute(MARKS, marks).await?;
        Ok(())
    }
}

/// The words of a field value by value, with a space on both sides of each.
fn text(words: &FieldWords) -> String {
    let mut text = String::new();
    for value in words.values() {
        text.push(' ');
        for word in value {
            text.push_str(word);
            text.push(' ');
        }
        text.push('\n');
    }
    text
}

/// Its different words, as PostgreSQL reads them.
fn lexemes(dataset: i64, words: &FieldWords) -> String {
    let different: BTreeSet<&str> = words.values().flatten().collect();
    let (mut text, mut bytes) = (String::new(), 0);
    for word in different {
        let lexeme = lexeme(dataset, word);
        // beside its letters, PostgreSQL notes where each one begins
        bytes += lexeme.len() + 4;
        if bytes > LEXEME_BYTES_MAX {
            break;
        }
        text.push_str(&lexeme);
        text.push(' ');
    }
    text
}
