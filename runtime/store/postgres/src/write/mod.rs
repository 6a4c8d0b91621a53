//! The writes of one transaction. What they ask for is locked and read in one round, decided in memory one after the other
//! (`decide`), and what comes of it is written in another round (`flush`): so many statements, however many writes of a
//! dataset there are. The locks are the order: first the row that steps of the tables wait by, shared; then each dataset's row of
//! counters; then the number of the change log; last the catalog's version, shared. The number is one row for the whole store,
//! held until the commit is on disk: that is what numbers in the order of commits cost, and why one server commits all that waits
//! at once. The version comes behind it, so that one write has it at a time: where all had it that wait for the number, there was
//! always one of some server, and who decides, who needs it alone, waited for ever.

mod by_dataset;
mod decide;
mod draft;
mod flush;
mod rooms;

pub(crate) use rooms::RecordRooms;

use crate::Inner;
use crate::connection::Given;
use crate::connections::Transaction;
use crate::error::Failure;
use crate::migrate;
use by_dataset::{Grouping, Pairs, RowsStatement, rows_statement};
use draft::{DatasetDraft, Draft, numbers};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use store::StoreError;
use store::records::{Change, RecordId, RecordPlace, Write, WriteVerdict};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

/// The version of the catalog, which nobody changes until the transaction ends.
pub(crate) const CATALOG_VERSION: &str =
    "SELECT value FROM counters WHERE name = 'catalog' FOR SHARE";
const BEGIN_DATASETS: RowsStatement = RowsStatement {
    of_all: "INSERT INTO dataset_state (dataset, records, errored, last_sequence, last_change, changes_lost)
   SELECT d, 0, 0, 0, 0, 0 FROM unnest($1::bigint[]) AS w (d) ORDER BY d ON CONFLICT DO NOTHING",
    of_one: "INSERT INTO dataset_state (dataset, records, errored, last_sequence, last_change, changes_lost)
   VALUES ($1, 0, 0, 0, 0, 0) ON CONFLICT DO NOTHING",
};
// of one dataset at a time: an engine that divides tables holds no rows of several shards by one statement
const DATASET: &str = "SELECT dataset, records, errored, last_sequence, last_change, changes_lost
   FROM dataset_state WHERE dataset = $1 FOR UPDATE";
const RECORDS: RowsStatement = rows_statement!(
    "SELECT r.dataset, r.sequence, r.nonce, r.version, r.schema_version, r.deleted,
     r.last_change, r.primary_key, r.errors, r.hidden, r.body
   FROM unnest($1::bigint[], $2::bigint[]) AS w (dataset, sequence)
   JOIN records r ON r.dataset = w.dataset AND r.sequence = w.sequence",
    " WHERE r.dataset = $3"
);
const KEYS: RowsStatement = rows_statement!(
    "SELECT r.dataset, r.primary_key, r.sequence
   FROM unnest($1::bigint[], $2::text[]) AS w (dataset, primary_key)
   JOIN records r ON r.dataset = w.dataset AND r.primary_key = w.primary_key
   WHERE NOT r.deleted AND r.primary_key IS NOT NULL",
    " AND r.dataset = $3"
);
const LOG_HEAD: &str = "SELECT value FROM counters WHERE name = 'log' FOR UPDATE";

/// The longest primary key that stands in its column as it is, in bytes: an index takes no more than about 2,700.
const KEY_BYTES_MAX: usize = 1000;

/// What a primary key is kept and found by: its text, or of a long one its beginning and its digest. What stands for a
/// long one is always longer than any text that stands for itself.
pub(crate) fn folded_key(key: &str) -> String {
    if key.len() <= KEY_BYTES_MAX {
        return key.to_owned();
    }
    let mut end = KEY_BYTES_MAX;
    while !key.is_char_boundary(end) {
        end -= 1;
    }
    let mut folded = key[..end].to_owned();
    for byte in Sha256::digest(key) {
        // INVARIANT: writing to a String cannot fail
        let _ = write!(folded, "{byte:02x}");
    }
    folded
}

/// Whether a text stands for a long key.
pub(crate) fn is_folded(kept: &str) -> bool {
    kept.len() > KEY_BYTES_MAX
}

/// What became of the writes of a transaction that is not committed yet.
pub(crate) struct Written {
    /// One a write.
    pub(crate) verdicts: Vec<Result<WriteVerdict, StoreError>>,
    /// The newest entry of the change log with them; `None` where nothing was written.
    pub(crate) head: Option<u64>,
}

impl Written {
    /// Whether every write was done.
    pub(crate) fn is_whole(&self) -> bool {
        let is_done = |verdict: &Result<_, _>| matches!(verdict, Ok(WriteVerdict::Done { .. }));
        self.verdicts.iter().all(is_done)
    }
}

/// What becomes of writes when one of them is not done.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Together {
    /// The others are.
    Each,
    /// None is, and none behind one whose schema changed is asked.
    AllOrNone,
}

/// Does writes in a transaction, in their order.
pub(crate) async fn write_all(
    tx: &Transaction,
    inner: &Inner,
    writes: &[Write],
    together: Together,
) -> Result<Written, Failure> {
    // what was overtaken is nearly always known here, before the database is asked for it
    let known = inner.cache.catalog();
    let asked = writes.iter().filter(|write| write.is_in_force(&known));
    let asked: Vec<&Write> = asked.filter(|write| has_place(write)).collect();
    let (version, mut draft) = read(tx, &asked, inner.is_divided).await?;
    let catalog = inner.cache.as_of(tx, version).await?;
    let rooms = inner.rooms.of_writes(tx, &catalog, &asked, draft.head);
    draft.rooms = rooms.await?;
    let mut verdicts = Vec::with_capacity(writes.len());
    for write in writes {
        // one that only the newest catalog is in force for was not asked about
        if !(write.is_in_force(&known) && write.is_in_force(&catalog)) {
            verdicts.push(Ok(WriteVerdict::SchemaChanged));
            if together == Together::AllOrNone {
                break;
            }
            continue;
        }
        verdicts.push(draft.decide(write));
    }
    let mut written = Written {
        verdicts,
        head: None,
    };
    let is_wanted = together == Together::Each || written.is_whole();
    if is_wanted && draft.has_changed() {
        flush::flush(tx, &draft).await?;
        written.head = Some(draft.head);
    }
    Ok(written)
}

fn has_place(write: &Write) -> bool {
    write.dataset <= RecordPlace::DATASET_MAX
}

/// The record that a write is about, and the key that it asks for.
fn aim(write: &Write) -> (Option<RecordId>, Option<&str>) {
    match &write.change {
        Change::Create { content, .. } => (None, content.primary_key.as_deref()),
        Change::Update { id, content, .. }
        | Change::Revert { id, content, .. }
        | Change::RestoreAs { id, content, .. } => (Some(*id), content.primary_key.as_deref()),
        Change::Delete { id, .. } | Change::Restore { id } | Change::Purge { id } => {
            (Some(*id), None)
        }
    }
}

/// Locks and reads what writes ask for, and the version of the catalog.
async fn read(
    tx: &Transaction,
    writes: &[&Write],
    is_divided: bool,
) -> Result<(u64, Draft), Failure> {
    let all: BTreeSet<i64> = writes.iter().map(|it| i64::from(it.dataset)).collect();
    let new = writes
        .iter()
        .filter(|it| matches!(it.change, Change::Create { .. }));
    let new: BTreeSet<i64> = new.map(|it| i64::from(it.dataset)).collect();
    let (mut places, mut keys) = (vec![], vec![]);
    for write in writes {
        let (id, key) = aim(write);
        let place = id.map(|id| id.place);
        let is_own = |place: &RecordPlace| place.dataset == write.dataset;
        let place = place.filter(|place| place.number().is_some() && is_own(place));
        places.extend(place.map(numbers));
        keys.extend(key.map(|key| (i64::from(write.dataset), folded_key(key))));
    }
    let grouping = Grouping::of(all.len(), is_divided);
    // in one order, so that no two wait for one another
    let (all, new): (Vec<_>, Vec<_>) = (all.into_iter().collect(), new.into_iter().collect());
    let steps = tx.prepare(migrate::SHARE).await?;
    let begin = tx.prepare(grouping.text(BEGIN_DATASETS)).await?;
    let dataset = tx.prepare(DATASET).await?;
    let records = tx.prepare(grouping.text(RECORDS)).await?;
    let holders = tx.prepare(grouping.text(KEYS)).await?;
    let log_head = tx.prepare(LOG_HEAD).await?;
    let version = tx.prepare(CATALOG_VERSION).await?;
    let begun: Vec<Given<'_>> = match grouping {
        Grouping::ByDataset => {
            let each = new.iter().map(|it| vec![it as &(dyn ToSql + Sync)]);
            each.collect()
        }
        Grouping::Together => vec![vec![&new as &(dyn ToSql + Sync)]],
    };
    let places = Pairs::of(grouping, places);
    let places: Vec<Given<'_>> = places.iter().map(Pairs::given).collect();
    let asked_keys = Pairs::of(grouping, lent(&keys));
    let asked_keys: Vec<Given<'_>> = asked_keys.iter().map(Pairs::given).collect();
    // they go out together and are done one after the other: what is read is read behind the locks
    let (_, _, datasets, records, holders, head, version) = tokio::try_join!(
        biased;
        tx.query(&steps, &[]),
        tx.query_all(&begin, &begun),
        tx.query_each(&dataset, &all),
        tx.query_all(&records, &places),
        tx.query_all(&holders, &asked_keys),
        tx.query(&log_head, &[]),
        tx.query(&version, &[]),
    )?;
    let (version, mut draft) = (number(&version), Draft::new(number(&head), grouping));
    for row in &datasets {
        draft.know_dataset(dataset_of(row));
    }
    for row in &records {
        draft.know_record(row);
    }
    know_holders(&mut draft, keys, &holders);
    know_keys_of_restored(tx, &mut draft, writes).await?;
    Ok((version, draft))
}

/// Keys of datasets as they are sent: who has them is noted by the texts themselves.
fn lent(keys: &[(i64, String)]) -> impl Iterator<Item = (i64, &str)> {
    keys.iter().map(|(dataset, key)| (*dataset, key.as_str()))
}

/// The number that a statement gave.
fn number(rows: &[Row]) -> u64 {
    let row = rows.first();
    row.map_or(0, |row| row.get::<_, i64>(0).cast_unsigned())
}

/// Notes who has keys that were asked for: nobody, but for these rows.
fn know_holders(draft: &mut Draft, asked: Vec<(i64, String)>, rows: &[Row]) {
    for (dataset, key) in asked {
        draft.know_free(dataset, key);
    }
    for row in rows {
        draft.know_holder(row.get(0), row.get(1), row.get(2));
    }
}

/// Reads who has the keys of records that come back: each brings its own.
async fn know_keys_of_restored(
    tx: &Transaction,
    draft: &mut Draft,
    writes: &[&Write],
) -> Result<(), Failure> {
    let mut keys = vec![];
    for write in writes {
        if let Change::Restore { id } = &write.change
            && let Some(key) = draft.key_of_deleted(id.place)
        {
            keys.push((i64::from(write.dataset), key));
        }
    }
    if !keys.is_empty() {
        let asked = Pairs::of(draft.grouping, lent(&keys));
        let asked: Vec<Given<'_>> = asked.iter().map(Pairs::given).collect();
        let text = draft.grouping.text(KEYS);
        let holders = tx.rows_each(text, &asked).await?;
        let holders: Vec<Row> = holders.into_iter().flatten().collect();
        know_holders(draft, keys, &holders);
    }
    Ok(())
}

fn dataset_of(row: &Row) -> DatasetDraft {
    DatasetDraft {
        dataset: row.get(0),
        records: row.get(1),
        errored: row.get(2),
        last_sequence: row.get(3),
        last_change: row.get(4),
        changes_lost: row.get(5),
        is_changed: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_keys_are_kept_as_the_same_text() {
        let short = "k".repeat(KEY_BYTES_MAX);
        assert_eq!(folded_key(&short), short);
        let long = folded_key(&format!("{short}1"));
        assert_ne!(long, folded_key(&format!("{short}2")));
        assert!(long.len() > KEY_BYTES_MAX);
        // what stands for a long one is itself long, so no key of that very text is kept as it is
        assert_ne!(folded_key(&long), long);
        let widest = folded_key(&"\u{10348}".repeat(1024));
        assert!(widest.len() < 2_000);
    }
}
