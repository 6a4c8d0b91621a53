//! Deleted records: they can be listed and restored. An explicit purge is the only way that anything is
//! ever lost.

use super::schema_change::key_facts;
use super::{Denied, datasets};
use crate::service::{Caller, PageRequest, Service};
use crate::store::catalog::{Dataset, Resource, Verb};
use crate::store::records::{Change, RecordId, Shelf, StoredRecord, Write, WriteVerdict};
use crate::wire::Page;
use serde::Serialize;
use serde_json::value::RawValue;
use std::sync::Arc;

/// A deleted record, under the names of the schema version it was written with.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "server", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DeletedRecord {
    /// `_dataObjectId`
    pub data_object_id: String,
    /// `_version`
    pub version: i64,
    /// The schema version of its values.
    pub schema_version: i64,
    /// Its values.
    #[cfg_attr(
        feature = "server",
        schemars(with = "Option<crate::openapi::RecordValues>")
    )]
    pub values: Option<Box<RawValue>>,
}

impl Service {
    /// The deleted records of a dataset, in order of creation.
    ///
    /// # Errors
    /// No such dataset, missing rights, a bad page key.
    pub async fn deleted_records(
        &self,
        by: &Caller,
        dataset: &str,
        page: &PageRequest,
    ) -> Result<Page<DeletedRecord>, Denied> {
        let sight = self.sight(by, Resource::Records)?;
        let dataset = datasets::seen(&sight, Resource::Records, Verb::View, dataset)?;
        let scope = format!("deleted {}", dataset.id);
        let size = self.page_size(page)?;
        let after = self.page_position(&scope, page)?.unwrap_or(0);
        let found = self
            .store()
            .page(dataset.number, Shelf::Deleted, after, size + 1);
        let mut found = found.await?;
        let has_more = found.len() > size;
        found.truncate(size);
        let last = found.last().map(|record| record.id.place.sequence);
        let next_page_key = last
            .filter(|_| has_more)
            .map(|last| self.ids.page_key(&scope, last));
        let items = found.into_iter().map(|record| DeletedRecord {
            data_object_id: self.ids.record(record.id),
            version: record.version,
            schema_version: record.schema_version,
            values: RawValue::from_string(record.body).ok(),
        });
        Ok(Page {
            items: items.collect(),
            next_page_key,
        })
    }

    /// Takes the deletion of a record back, if its primary key is still free.
    ///
    /// # Errors
    /// No such deleted record, a key that was taken meanwhile, missing rights.
    pub async fn restore_record(
        &self,
        by: &Caller,
        dataset: &str,
        record: &str,
    ) -> Result<(), Denied> {
        let sight = self.sight(by, Resource::Records)?;
        let dataset = datasets::seen(&sight, Resource::Records, Verb::Delete, dataset)?;
        let found = self.deleted_record(&dataset, record).await?;
        let entry = sight
            .catalog
            .schemas
            .get(&dataset.schema)
            .ok_or(Denied::NotFound("schema"))?;
        let written = entry.version(found.schema_version);
        let facts = written.and_then(|version| key_facts(&version.schema));
        if facts != key_facts(&entry.current().schema) {
            return Err(Denied::Conflict(
                "the schema's primary key is another by now; make the record anew".to_owned(),
            ));
        }
        let change = Change::Restore { id: found.id };
        match self.change_record(by, &dataset, change).await? {
            WriteVerdict::Done { .. } => Ok(()),
            WriteVerdict::DuplicateKey => Err(Denied::Conflict(
                "another record has the primary key by now; change that one first".to_owned(),
            )),
            _ => Err(Denied::NotFound("deleted record")),
        }
    }

    /// Removes a deleted record and its past for good.
    ///
    /// # Errors
    /// No such deleted record; the caller is no administrator.
    pub async fn purge_record(
        &self,
        by: &Caller,
        dataset: &str,
        record: &str,
    ) -> Result<(), Denied> {
        let sight = self.sight(by, Resource::Records)?;
        let dataset = datasets::seen(&sight, Resource::Records, Verb::Delete, dataset)?;
        if !sight.rights.is_administrator() {
            return Err(Denied::Forbidden(
                "only an administrator may purge".to_owned(),
            ));
        }
        let found = self.deleted_record(&dataset, record).await?;
        let change = Change::Purge { id: found.id };
        let id = record.to_owned();
        match self.change_record(by, &dataset, change).await? {
            WriteVerdict::Done { .. } => {}
            _ => return Err(Denied::NotFound("deleted record")),
        }
        // the log of a purged record goes with it, so the trail remembers that it was done
        self.change(by, move |draft| {
            draft.remember("purge", ["record", &id], None::<()>, None);
            Ok(())
        })
        .await
    }

    async fn deleted_record(&self, dataset: &Dataset, id: &str) -> Result<StoredRecord, Denied> {
        let named = self.ids.record_of(id);
        let named = named.filter(|id| id.place.dataset == dataset.number);
        let RecordId { place, nonce } = named.ok_or(Denied::NotFound("deleted record"))?;
        let record = self.store().get(place).await?;
        let record = record.filter(|record| record.id.nonce == nonce && record.deleted);
        record.ok_or(Denied::NotFound("deleted record"))
    }

    async fn change_record(
        &self,
        by: &Caller,
        dataset: &Arc<Dataset>,
        change: Change,
    ) -> Result<WriteVerdict, Denied> {
        let write = Write {
            dataset: dataset.number,
            actor: by.actor().clone(),
            at: self.now(),
            change,
        };
        Ok(self.store().write(write).await?)
    }
}
