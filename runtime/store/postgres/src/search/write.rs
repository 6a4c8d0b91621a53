//! What the index has of records, as rows: those that were there go, and what there is now is put in, so many statements
//! however many records there are.

use super::key_bytes::to_bytes;
use super::word_rows::{BETWEEN, WordRows};
use crate::connection::Outgoing;
use crate::connections::Transaction;
use crate::error::Failure;
use std::collections::BTreeSet;
use store::records::RecordPlace;
use store::search::{Content, Document, FactValue};
use tokio_postgres::types::ToSql;

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
