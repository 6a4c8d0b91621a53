//! Endpoints 6 to 10: the records of a dataset. A request is judged by one catalog; when that is no longer
//! the newest by the time it matters, it is judged again, whole.

mod authors;
mod changes;
mod current;
mod deleted;
mod history;
mod lookups;
mod page_cache;
mod pages;
mod rekey;
mod retry;
mod system_properties;
mod value_counts;

pub use authors::LastAuthor;
pub(crate) use changes::Ending;
pub use changes::{CHANGES_WAIT_MAX, Changes, ChangesPosition, ChangesRequest, Waited};
pub(crate) use current::{Current, current};
pub(crate) use page_cache::PageCache;

use crate::files::{KnownFiles, has_files};
use crate::pieces::Pieces;
use crate::{DatasetPermit, Owner, PageRequest, Permit as _, RecordPage, Refusal, Service, ids};
use bytes::Bytes;
use engine::validate::{Checked, Merged, PRIMARY_KEY_BYTES_MAX};
use lookups::CatalogLookups;
use page_cache::PageName;
use pages::RoomyPage;
use schema::json::write_string;
use std::borrow::Cow;
use std::sync::Arc;
use store::StoreError;
use store::catalog::SchemaVersion;
use store::records::{
    Change, NewContent, RecordId, RecordsPage, Shelf, StoredRecord, Write, WriteVerdict,
};
use system_properties::{same_id, sent_version};
use tracing::Instrument as _;

/// A record that was made.
#[derive(Clone)]
pub struct CreatedRecord {
    /// `_dataObjectId`
    pub id: String,
    /// The record, as every later read returns it.
    pub json: String,
}

impl Service {
    /// A page of the dataset's records, in order of creation.
    ///
    /// # Errors
    /// A bad page key; the store's.
    pub async fn list_records(
        &self,
        permit: &DatasetPermit,
        page: &PageRequest,
    ) -> Result<RecordPage, Refusal> {
        let span = tracing::trace_span!("records.list", dataset = permit.dataset().id);
        let judged = self.retry(
            permit,
            |permit| async move { self.page_of(&permit, page).await },
        );
        judged.instrument(span).await
    }

    async fn page_of(
        &self,
        permit: &DatasetPermit,
        page: &PageRequest,
    ) -> Result<RecordPage, Refusal> {
        let dataset = permit.dataset();
        let schema = permit.schema().current();
        let scope = format!("records {}", dataset.id);
        let size = self.page_size(page)?;
        let after = self.page_position(&scope, page)?.unwrap_or(0);
        let name = PageName {
            dataset: dataset.number,
            schema_version: schema.number,
            after,
            size,
        };
        if let Some(json) = self.pages.get(&*self.store, &name) {
            return Ok(RecordPage { json });
        }
        let commits = self.store.commits();
        let owner = Owner::of(permit.caller().id());
        let read = self.read_page(owner, (dataset.number, Shelf::Live), after, size);
        let RoomyPage { found, _room } = read.await?;
        let RecordsPage { records, behind } = found;
        let json = self
            .page_json(permit, &records, behind.map(|_| &*scope))
            .await?;
        // a link works for a time only, so a page with links is not kept
        if !has_files(&schema.schema) {
            let last = behind.unwrap_or(u64::MAX);
            self.pages.put(&*self.store, name, &json, last, commits);
        }
        Ok(RecordPage { json })
    }

    /// The body of a page; with a scope, more pages follow.
    async fn page_json(
        &self,
        permit: &DatasetPermit,
        records: &[StoredRecord],
        scope: Option<&str>,
    ) -> Result<Bytes, Refusal> {
        let bytes = records.iter().map(|record| record.bytes() + 96);
        let mut json = String::with_capacity(64 + bytes.sum::<usize>());
        json.push_str("{\"items\":[");
        let mut pieces = Pieces::default();
        for (index, record) in records.iter().enumerate() {
            if index > 0 {
                json.push(',');
            }
            let before = json.len();
            self.write_record(&mut json, permit, record)?;
            pieces.made(json.len() - before).await;
        }
        json.push(']');
        if let Some((last, scope)) = records.last().zip(scope) {
            json.push_str(",\"nextPageKey\":");
            write_string(&mut json, &self.ids.page_key(scope, last.id.place.sequence));
        }
        json.push('}');
        Ok(json.into())
    }

    /// Makes a record.
    ///
    /// # Errors
    /// What is wrong with the body or its primary key.
    pub async fn create_record(
        &self,
        permit: &DatasetPermit,
        body: &[u8],
    ) -> Result<CreatedRecord, Refusal> {
        let span = tracing::debug_span!("records.create", dataset = permit.dataset().id);
        let judged = self.retry(
            permit,
            |permit| async move { self.create(&permit, body).await },
        );
        judged.instrument(span).await
    }

    async fn create(&self, permit: &DatasetPermit, body: &[u8]) -> Result<CreatedRecord, Refusal> {
        let dataset = permit.dataset();
        let version = permit.schema().current();
        let files = self.known_files(permit, &[body]).await?;
        let checked = version
            .checker
            .check_with(body, Some(&lookups(permit, &files)))?;
        if let Some(field) = version.schema.primary_key()
            && checked.primary_key().is_none()
        {
            return Err(Refusal::PrimaryKeyRequired {
                field: field.name.clone(),
            });
        }
        self.require_record_room(&dataset.tenant).await?;
        let content = content(checked, version, None);
        let nonce = ids::new_nonce(&*self.entropy);
        let (body, errors) = (content.body.clone(), content.errors.clone());
        let verdict = self
            .write(permit, Change::Create { nonce, content })
            .await?;
        let WriteVerdict::Done {
            id,
            version: record_version,
        } = verdict
        else {
            return Err(refused(verdict, version, 0));
        };
        let record = StoredRecord {
            id,
            version: record_version,
            schema_version: version.number,
            body,
            errors,
            hidden: None,
            deleted: false,
        };
        let mut json = String::with_capacity(record.body.len() + 96);
        self.write_record(&mut json, permit, &record)?;
        debug_assert_eq!(id.place.dataset, dataset.number);
        Ok(CreatedRecord {
            id: self.ids.record(id),
            json,
        })
    }

    /// Changes a record. The order of judgement is that of docs/interface.md, "Order of judgement":
    /// body, record, version, primary key.
    ///
    /// # Errors
    /// What is wrong with the body, the record, the version or the primary key.
    pub async fn update_record(
        &self,
        permit: &DatasetPermit,
        id: &str,
        body: &[u8],
    ) -> Result<(), Refusal> {
        let span = tracing::debug_span!("records.update", dataset = permit.dataset().id, id);
        let judged = self.retry(permit, |permit| async move {
            let update = |id, version, content| Change::Update {
                id,
                version,
                content,
            };
            self.write_change(&permit, id, body, update).await
        });
        judged.instrument(span).await
    }

    /// Judges the change of a record and writes it as what it is made into.
    async fn write_change(
        &self,
        permit: &DatasetPermit,
        id: &str,
        body: &[u8],
        made_into: impl Fn(RecordId, i64, NewContent) -> Change,
    ) -> Result<(), Refusal> {
        let version = permit.schema().current();
        let found = self.find(permit, id).await?;
        let current = match &found {
            Some(record) => Some(current(permit.schema(), record)?),
            None => None,
        };
        let stored = current.as_ref().map_or("{}", |current| &current.body);
        let files = self.known_files(permit, &[stored.as_bytes(), body]).await?;
        let merged = version
            .checker
            .merge(stored, body, Some(&lookups(permit, &files)))?;
        let sent = sent_version(merged.version.as_ref())?;
        same_id(merged.data_object_id.as_ref(), id)?;
        let Some((record, current)) = found.as_ref().zip(current) else {
            return Err(Refusal::RecordNotFound);
        };
        if sent != record.version {
            return Err(Refusal::VersionConflict {
                sent,
                stored: record.version,
            });
        }
        let Merged {
            checked,
            names_primary_key,
            ..
        } = merged;
        if let Some(field) = version.schema.primary_key()
            && names_primary_key
            && checked.primary_key().is_none()
        {
            return Err(Refusal::PrimaryKeyRequired {
                field: field.name.clone(),
            });
        }
        let content = content(checked, version, current.hidden.map(Cow::into_owned));
        let change = made_into(record.id, sent, content);
        match self.write(permit, change).await? {
            WriteVerdict::Done { .. } => Ok(()),
            verdict => Err(refused(verdict, version, sent)),
        }
    }

    /// Deletes a record of the version it has now; a write that lands between wins.
    ///
    /// # Errors
    /// [`Refusal::RecordNotFound`], [`Refusal::Concurrent`].
    pub async fn delete_record(&self, permit: &DatasetPermit, id: &str) -> Result<(), Refusal> {
        let span = tracing::debug_span!("records.delete", dataset = permit.dataset().id, id);
        let judged = self.retry(
            permit,
            |permit| async move { self.delete(&permit, id).await },
        );
        judged.instrument(span).await
    }

    async fn delete(&self, permit: &DatasetPermit, id: &str) -> Result<(), Refusal> {
        let record = self
            .find(permit, id)
            .await?
            .ok_or(Refusal::RecordNotFound)?;
        let change = Change::Delete {
            id: record.id,
            version: record.version,
        };
        match self.write(permit, change).await? {
            WriteVerdict::Done { .. } => Ok(()),
            // another delete was first: nothing is left to try again
            WriteVerdict::NotFound => Err(Refusal::RecordNotFound),
            WriteVerdict::SchemaChanged => Err(StoreError::Overtaken.into()),
            _ => Err(Refusal::Concurrent),
        }
    }

    /// The record with a primary key; `None` when there is none, whatever the reason.
    ///
    /// # Errors
    /// The store's.
    pub async fn record_by_key(
        &self,
        permit: &DatasetPermit,
        key: &str,
    ) -> Result<Option<String>, Refusal> {
        self.retry(
            permit,
            |permit| async move { self.look_up(&permit, key).await },
        )
        .await
    }

    async fn look_up(&self, permit: &DatasetPermit, key: &str) -> Result<Option<String>, Refusal> {
        let key = key.trim();
        let has_key = permit.schema().current().schema.primary_key().is_some();
        if key.is_empty() || key.len() > PRIMARY_KEY_BYTES_MAX || !has_key {
            return Ok(None);
        }
        let Some(record) = self.store.by_key(permit.dataset().number, key).await? else {
            return Ok(None);
        };
        let mut json = String::with_capacity(record.body.len() + 96);
        self.write_record(&mut json, permit, &record)?;
        Ok(Some(json))
    }

    /// The live record that a public id names in the permit's dataset.
    async fn find(
        &self,
        permit: &DatasetPermit,
        id: &str,
    ) -> Result<Option<StoredRecord>, Refusal> {
        let dataset = permit.dataset();
        let named = self
            .ids
            .record_of(id)
            .filter(|id| id.place.dataset == dataset.number);
        let Some(RecordId { place, nonce }) = named else {
            return Ok(None);
        };
        let record = self.store.get(place).await?;
        Ok(record.filter(|record| record.id.nonce == nonce && !record.deleted))
    }

    async fn write(&self, permit: &DatasetPermit, change: Change) -> Result<WriteVerdict, Refusal> {
        let write = Write {
            dataset: permit.dataset().number,
            actor: permit.caller().actor().clone(),
            at: self.clock.now(),
            judged_under: Some(permit.schema().current().number),
            audit: None,
            change,
        };
        let verdict = self.store.write(write).await?;
        self.pace_writes(1).await;
        Ok(verdict)
    }
}

pub(crate) fn lookups<'a>(permit: &'a DatasetPermit, files: &'a KnownFiles) -> CatalogLookups<'a> {
    let caller = permit.caller();
    CatalogLookups {
        catalog: caller.catalog(),
        tenant: caller.tenant(),
        files,
    }
}

pub(crate) fn content(
    checked: Checked,
    version: &Arc<SchemaVersion>,
    hidden: Option<String>,
) -> NewContent {
    NewContent {
        primary_key: checked.primary_key().map(str::to_owned),
        schema_version: version.number,
        errors: (!checked.is_clean()).then(|| checked.errors_json()),
        hidden,
        body: checked.into_normal_form(),
    }
}

fn refused(verdict: WriteVerdict, version: &SchemaVersion, sent: i64) -> Refusal {
    match verdict {
        WriteVerdict::DuplicateKey => Refusal::DuplicateKey {
            field: version
                .schema
                .primary_key()
                .map(|field| field.name.clone())
                .unwrap_or_default(),
        },
        WriteVerdict::Stale { version } => Refusal::VersionConflict {
            sent,
            stored: version,
        },
        WriteVerdict::SchemaChanged => StoreError::Overtaken.into(),
        WriteVerdict::NotFound | WriteVerdict::Done { .. } => Refusal::RecordNotFound,
    }
}
