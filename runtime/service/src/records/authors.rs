//! Who wrote a record last, and which keys were deleted: for who brings records from elsewhere and is not to undo
//! what people did here. Whether it may write, the permit and the writes themselves say.

use super::current;
use crate::{DatasetPermit, Refusal, Service};
use engine::validate::PRIMARY_KEY_BYTES_MAX;
use schema::json::{Value, parse};
use std::collections::HashSet;
use std::sync::Arc;
use store::StoreError;
use store::catalog::Actor;
use store::records::{PageLimit, Shelf, StoredRecord};
use wire::Timestamp;

/// Deleted records that are read at a time.
const DELETED_AT_ONCE: PageLimit = PageLimit {
    records: 1000,
    bytes: 1 << 20,
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
    /// Who wrote a record last; `None` when there is no such record.
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
        let entry = self.store.last_change(record.id.place).await?;
        Ok(entry.map(|entry| LastAuthor {
            actor: entry.actor,
            at: entry.at,
        }))
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

/// The primary key of a record as a text, under the schema version in force.
fn key_of(permit: &DatasetPermit, record: &StoredRecord) -> Result<Option<String>, Refusal> {
    let schema = permit.schema();
    let Some(field) = schema.current().schema.primary_key() else {
        return Ok(None);
    };
    let current = current(schema, record)?;
    let tree = parse(&current.body)
        .map_err(|error| StoreError::Damaged(format!("a stored record: {error}")))?;
    Ok(tree.get(&field.name).and_then(|node| match &node.value {
        Value::Null => None,
        Value::String(text) => Some(text.clone().into_owned()),
        _ => Some(current.body[node.start..node.end].to_owned()),
    }))
}
