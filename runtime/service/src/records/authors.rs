//! Who wrote a record last, and which keys were deleted or given up: for who brings records from elsewhere and is not to undo
//! what people did here. Whether it may write, the permit and the writes themselves say.

use super::current;
use crate::{DatasetPermit, Refusal, Service};
use engine::validate::PRIMARY_KEY_BYTES_MAX;
use schema::json::{Value, parse};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use store::StoreError;
use store::catalog::{Actor, SchemaEntry, Via};
use store::records::{LogAction, LogEntry, PageLimit, RecordId, RecordPlace, Shelf, StoredRecord};
use wire::Timestamp;

/// Deleted records that are read at a time.
const DELETED_AT_ONCE: PageLimit = PageLimit {
    records: 1000,
    bytes: 1 << 20,
};

/// Entries of the change log that are read at a time.
const LOG_AT_ONCE: PageLimit = PageLimit {
    records: 500,
    bytes: 256 << 10,
};

/// Entries of a record that are read at a time, as long as they are judgements: one for each schema or domain that changed.
const PAST_AT_ONCE: PageLimit = PageLimit {
    records: 100,
    bytes: 256 << 10,
};

/// Who wrote a record last.
#[derive(Clone, Debug)]
pub struct LastAuthor {
    /// Who.
    pub actor: Arc<Actor>,
    /// When.
    pub at: Timestamp,
}

impl Service {
    /// Who wrote a record last; `None` when there is no such record, or the log does not go back so far. Its judgement by a
    /// schema or a domain that changed is nobody's writing: who asked for that changed other things.
    ///
    /// # Errors
    /// The store's.
    pub async fn last_author(
        &self,
        permit: &DatasetPermit,
        id: &str,
    ) -> Result<Option<LastAuthor>, Refusal> {
        let Some(record) = self.find(permit, id).await? else {
            return Ok(None);
        };
        let entry = self.last_entry_but(record.id, is_judgement).await?;
        Ok(entry.map(|entry| LastAuthor {
            actor: entry.actor,
            at: entry.at,
        }))
    }

    /// The newest entry of the change log about a record that is not passed over; `None` when there is no such record, or the log
    /// does not go back so far.
    pub(crate) async fn last_entry_but(
        &self,
        id: RecordId,
        is_passed: impl Fn(&LogEntry) -> bool,
    ) -> Result<Option<LogEntry>, StoreError> {
        let mut entry = self.store.last_change(id.place).await?;
        while let Some(passed) = entry.take_if(|it| is_passed(it)) {
            let before = Some(passed.number);
            let mut past = self.store.history(id, before, PAST_AT_ONCE).await?;
            let last = past.iter().position(|it| !is_passed(it));
            entry = match last {
                Some(last) => Some(past.swap_remove(last)),
                None => past.pop(),
            };
        }
        Ok(entry)
    }

    /// Whether the dataset has a live record of this primary key.
    ///
    /// # Errors
    /// The store's.
    pub async fn has_key(&self, permit: &DatasetPermit, key: &str) -> Result<bool, Refusal> {
        if key.len() > PRIMARY_KEY_BYTES_MAX {
            return Ok(false);
        }
        let found = self.store.by_key(permit.dataset().number, key).await?;
        Ok(found.is_some())
    }

    /// The primary keys that deleted records of the dataset have, as texts. All of them are read.
    ///
    /// # Errors
    /// The store's.
    pub async fn deleted_keys(&self, permit: &DatasetPermit) -> Result<HashSet<String>, Refusal> {
        let mut keys = HashSet::new();
        let mut after = Some(0);
        while let Some(start) = after {
            let number = permit.dataset().number;
            let page = self
                .store
                .page(number, Shelf::Deleted, start, DELETED_AT_ONCE);
            let page = page.await?;
            for record in &page.records {
                keys.extend(key_of(permit, record)?);
            }
            let last = page.records.last().map(|record| record.id.place.sequence);
            after = last.filter(|_| page.behind.is_some());
        }
        Ok(keys)
    }
}

/// Whether an entry of the change log tells that a record was judged by a schema or a domain that changed: nobody wrote it.
pub(crate) fn is_judgement(entry: &LogEntry) -> bool {
    entry.actor.via == Some(Via::Revalidation)
}

/// What the change log told of a record so far.
#[derive(Clone, Copy)]
struct Past {
    /// The schema version of its values.
    schema_version: i64,
    /// Whether it was made by someone who counts, as far as the log goes back.
    counts: bool,
}

impl Service {
    /// The primary keys that records of the dataset had until someone gave them others, as texts: of records that were
    /// made by those for whom `counts` holds, or whose making the change log does not have any more. It reads all
    /// changes of the dataset; what was purged is not among them.
    ///
    /// # Errors
    /// The store's.
    pub async fn earlier_keys(
        &self,
        permit: &DatasetPermit,
        counts: impl Fn(&Actor) -> bool + Send,
    ) -> Result<HashSet<String>, Refusal> {
        let number = permit.dataset().number;
        let schema = permit.schema();
        let (mut keys, mut pasts) = (HashSet::new(), HashMap::<RecordPlace, Past>::new());
        let mut after = 0;
        loop {
            let changes = self.store.changes(number, after, LOG_AT_ONCE).await?;
            let entries = changes.entries;
            let Some(last) = entries.last() else {
                return Ok(keys);
            };
            after = last.number;
            for entry in &entries {
                let now = entry.schema_version;
                let past = pasts.entry(entry.id.place).or_insert_with(|| Past {
                    schema_version: now,
                    counts: entry.action != LogAction::Create || counts(&entry.actor),
                });
                let before = std::mem::replace(&mut past.schema_version, now);
                let values = entry.before.as_deref().zip(entry.after.as_deref());
                let Some((old, new)) = values.filter(|_| past.counts) else {
                    continue;
                };
                let old = key_in(schema, before, old);
                if old != key_in(schema, now, new) {
                    keys.extend(old);
                }
            }
            // it is read at once, and may be long
            tokio::task::yield_now().await;
        }
    }
}

/// The primary key of a record as a text, under the schema version in force.
pub(super) fn key_of(
    permit: &DatasetPermit,
    record: &StoredRecord,
) -> Result<Option<String>, Refusal> {
    let schema = permit.schema();
    let Some(field) = schema.current().schema.primary_key() else {
        return Ok(None);
    };
    let current = current(schema, record)?;
    text_of(&current.body, &field.name)
}

/// The primary key that values have by the version of the schema that they were written with, as a text: what a record of them is
/// known by in the store, however later versions show it.
pub(crate) fn key_in(schema: &SchemaEntry, version: i64, body: &str) -> Option<String> {
    let field = schema.version(version)?.schema.primary_key()?;
    text_of(body, &field.name).ok().flatten()
}

/// A value of a stored body as a text.
fn text_of(body: &str, name: &str) -> Result<Option<String>, Refusal> {
    let tree =
        parse(body).map_err(|error| StoreError::Damaged(format!("a stored record: {error}")))?;
    Ok(tree.get(name).and_then(|node| match &node.value {
        Value::Null => None,
        Value::String(text) => Some(text.clone().into_owned()),
        _ => Some(body[node.start..node.end].to_owned()),
    }))
}
