//! What the index has of records, as rows: those that were there go, and what there is now is put in, so many statements
//! however many records there are.

use super::condition::lexeme;
use super::key_bytes::to_bytes;
use crate::connection::Outgoing;
use crate::connections::Transaction;
use crate::error::Failure;
use std::collections::BTreeSet;
use std::sync::Arc;
use store::records::RecordPlace;
use store::search::{Content, Document, FactValue, FieldWords};
use tokio_postgres::types::ToSql;

/// Bytes of different words that are looked up in a row; PostgreSQL takes 1 MB. Of a field that has more, the words behind
/// them are not found.
const LEXEME_BYTES_MAX: usize = 900_000;
/// What stands between the texts of two fields; no word has it.
const BETWEEN: &str = "\n\n";

// most records that are told of are new: only of those that were there, rows are looked for
const REMOVE_RECORDS: &str = "DELETE FROM search_records t
   USING unnest($1::bigint[], $2::bigint[]) AS w (dataset, sequence)
   WHERE t.dataset = w.dataset AND t.sequence = w.sequence RETURNING t.dataset, t.sequence";
const REMOVE: [&str; 3] = [
    "DELETE FROM search_words t USING unnest($1::bigint[], $2::bigint[]) AS w (dataset, sequence)
   WHERE t.dataset = w.dataset AND t.sequence = w.sequence",
    "DELETE FROM search_keys t USING unnest($1::bigint[], $2::bigint[]) AS w (dataset, sequence)
   WHERE t.dataset = w.dataset AND t.sequence = w.sequence",
    "DELETE FROM search_marks t USING unnest($1::bigint[], $2::bigint[]) AS w (dataset, sequence)
   WHERE t.dataset = w.dataset AND t.sequence = w.sequence",
];
const RECORDS: &str = "INSERT INTO search_records (dataset, sequence, version)
   SELECT d, s, v FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS w (d, s, v)";
const WORDS: &str = "INSERT INTO search_words (dataset, sequence, part, fields, words, lexemes)
   SELECT d, s, p, string_to_array(f, $7::text), string_to_array(t, $7::text), l::tsvector
   FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[])
     AS w (d, s, p, f, t, l)";
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

/// Rows of a record's words.
#[derive(Default)]
struct WordRows {
    datasets: Vec<i64>,
    sequences: Vec<i64>,
    parts: Vec<i64>,
    fields: Vec<String>,
    words: Vec<String>,
    lexemes: Vec<String>,
}

impl WordRows {
    /// Adds the words of a record: as few rows as take what is looked up of them.
    fn push(&mut self, place: (i64, i64), fields: &[(Arc<str>, FieldWords)]) {
        let (mut part, mut row) = (0, WordRow::default());
        for (field, words) in fields {
            let (different, bytes) = different(place.0, words);
            if row.bytes > 0 && row.bytes + bytes > LEXEME_BYTES_MAX {
                self.push_row((place, part), std::mem::take(&mut row));
                part += 1;
            }
            row.add(field, words, different, bytes);
        }
        if row.bytes > 0 {
            self.push_row((place, part), row);
        }
    }

    fn push_row(&mut self, (place, part): ((i64, i64), i64), row: WordRow<'_>) {
        self.datasets.push(place.0);
        self.sequences.push(place.1);
        self.parts.push(part);
        self.lexemes.push(lexemes(place.0, &row.different));
        self.fields.push(row.fields);
        self.words.push(row.text);
    }
}

/// What of a record stands in one row.
#[derive(Default)]
struct WordRow<'a> {
    fields: String,
    text: String,
    different: BTreeSet<&'a str>,
    /// Bytes of what is looked up, at most.
    bytes: usize,
}

impl<'a> WordRow<'a> {
    fn add(&mut self, field: &str, words: &FieldWords, different: BTreeSet<&'a str>, bytes: usize) {
        if !self.fields.is_empty() {
            self.fields.push_str(BETWEEN);
            self.text.push_str(BETWEEN);
        }
        self.fields.push_str(field);
        write_text(words, &mut self.text);
        self.different.extend(different);
        self.bytes += bytes;
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
    words: WordRows,
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
        self.words.push(place, &content.fields);
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

    /// Removes what was there.
    async fn remove(&self, tx: &Transaction) -> Result<(), Failure> {
        let (of, sequences) = (&self.datasets, &self.sequences);
        let there = tx.rows(REMOVE_RECORDS, &[of, sequences]).await?;
        if there.is_empty() {
            return Ok(());
        }
        let number = |at: usize| there.iter().map(|row| row.get(at)).collect::<Vec<i64>>();
        let (datasets, sequences) = (number(0), number(1));
        for remove in REMOVE {
            tx.execute(remove, &[&datasets, &sequences]).await?;
        }
        Ok(())
    }

    /// Puts them in place of what was there.
    pub(super) async fn put(&self, tx: &Transaction) -> Result<(), Failure> {
        if self.datasets.is_empty() {
            return Ok(());
        }
        self.remove(tx).await?;
        let [datasets, sequences, versions] = &self.there;
        let records = vec![boxed(datasets), boxed(sequences), boxed(versions)];
        let of = &self.words;
        let words = vec![
            boxed(&of.datasets),
            boxed(&of.sequences),
            boxed(&of.parts),
            boxed(&of.fields),
            boxed(&of.words),
            boxed(&of.lexemes),
            boxed(&BETWEEN),
        ];
        let of = &self.of_keys;
        let keys = vec![
            boxed(&of.datasets),
            boxed(&of.sequences),
            boxed(&of.fields),
            boxed(&self.keys),
        ];
        let of = &self.of_marks;
        let marks = vec![
            boxed(&of.datasets),
            boxed(&of.sequences),
            boxed(&of.fields),
            boxed(&self.kinds),
            boxed(&self.rules),
        ];
        let all = [
            (RECORDS, records),
            (WORDS, words),
            (KEYS, keys),
            (MARKS, marks),
        ];
        let all = all.map(|(sql, values)| Outgoing { sql, values });
        tx.execute_all(&all).await
    }
}

fn boxed<'v>(value: &'v (impl ToSql + Sync + Send)) -> Box<dyn ToSql + Sync + Send + 'v> {
    Box::new(value)
}

/// Writes the words of a field value by value, with a space on both sides of each.
fn write_text(words: &FieldWords, text: &mut String) {
    let mut is_first = true;
    for value in words.values() {
        if !is_first {
            text.push('\n');
        }
        is_first = false;
        text.push(' ');
        for word in value {
            text.push_str(word);
            text.push(' ');
        }
    }
}

/// The different words of a field that are looked up, and the bytes that these take.
fn different(dataset: i64, words: &FieldWords) -> (BTreeSet<&str>, usize) {
    let all: BTreeSet<&str> = words.values().flatten().collect();
    let (mut taken, mut bytes) = (BTreeSet::new(), 0);
    for word in all {
        // beside its letters, PostgreSQL notes where each one begins
        let more = lexeme(dataset, word).len() + 4;
        if bytes + more > LEXEME_BYTES_MAX {
            break;
        }
        bytes += more;
        taken.insert(word);
    }
    (taken, bytes)
}

/// Words, as PostgreSQL reads them.
fn lexemes(dataset: i64, words: &BTreeSet<&str>) -> String {
    let mut text = String::new();
    for word in words {
        text.push_str(&lexeme(dataset, word));
        text.push(' ');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, value: &str) -> (Arc<str>, FieldWords) {
        let mut words = FieldWords::default();
        words.push(value);
        (name.into(), words)
    }

    #[test]
    fn a_record_is_one_row_of_words_and_many_words_are_several() {
        let mut rows = WordRows::default();
        rows.push((7, 1), &[field("f1", "Blue Danube"), field("f2", "Blue")]);
        assert_eq!(rows.fields, ["f1\n\nf2"]);
        assert_eq!(rows.words, [" blue danube \n\n blue "]);
        assert_eq!(rows.lexemes, ["'7:blue' '7:danube' "]);
        let words: Vec<String> = (0..60_000).map(|number| format!("w{number:05}")).collect();
        let many = words.join(" ") + " ";
        let mut rows = WordRows::default();
        let large = [field("f1", &many), field("f2", &many), field("f3", "last")];
        rows.push((7, 2), &large);
        assert_eq!(rows.parts, [0, 1]);
        assert_eq!(rows.fields, ["f1", "f2\n\nf3"]);
        assert!(rows.lexemes.iter().all(|it| it.len() < 1_000_000));
    }
}
