//! Endpoints 6 to 10: the records of a dataset. A request is judged by one catalog; when that is no longer
//! the newest by the time it matters, it is judged again, whole.

mod authors;
mod bulk;
mod changes;
mod current;
mod deleted;
mod find;
mod history;
mod lookups;
mod named;
mod once;
mod page_cache;
mod pages;
mod recent;
mod rekey;
pub(crate) mod retry;
mod revision;
mod room;
mod system_properties;
mod told_changes;
mod value_counts;

pub use authors::LastAuthor;
pub(crate) use authors::{is_judgement, key_in};
pub use bulk::{BULK_LINES_MAX, BulkAction, BulkDone, BulkJudged};
pub(crate) use changes::Ending;
pub use changes::{CHANGES_WAIT_MAX, Changes, ChangesPosition, ChangesRequest, Waited};
pub(crate) use current::{Current, back_to, current, errors_before, has_errors_of, hidden_back_to};
pub use history::PastRecord;
pub use named::{RecordName, SeenKey, SeenValue};
pub(crate) use page_cache::PageCache;
pub(crate) use revision::Revision;
pub(crate) use told_changes::{ChangeView, state_behind};

use crate::files::KnownFiles;
use crate::masking::{masked_for, require_no_masks};
use crate::{DatasetPermit, Permit as _, Refusal, Service, ids};
use engine::validate::{Checked, Merged};
pub(crate) use lookups::CatalogLookups;
use std::borrow::Cow;
use std::sync::Arc;
use store::StoreError;
use store::catalog::SchemaVersion;
use store::records::{Change, NewContent, RecordId, StoredRecord, Write, WriteVerdict};
use system_properties::{same_id, sent_version, told_version};
use tracing::Instrument as _;

/// A record that was made.
#[derive(Clone)]
pub struct CreatedRecord {
    /// `_dataObjectId`
    pub id: String,
    /// The record, as every later read returns it.
    pub json: String,
}

/// The change of a record, as it was judged.
struct JudgedChange {
    record: RecordId,
    /// The version that was compared.
    version: i64,
    content: NewContent,
    /// Whether it names the primary key; else the record has that already.
    names_key: bool,
}

impl Service {
    /// Makes a record. It is told whole to programs, and as management shows it to users.
    ///
    /// # Errors
    /// What is wrong with the body or its primary key.
    pub async fn create_record(
        &self,
        permit: &DatasetPermit,
        body: &[u8],
    ) -> Result<CreatedRecord, Refusal> {
        let nonce = ids::new_nonce(&*self.entropy);
        self.create_with(permit, body, nonce).await
    }

    /// Makes a record whose id has this random part.
    async fn create_with(
        &self,
        permit: &DatasetPermit,
        body: &[u8],
        nonce: u64,
    ) -> Result<CreatedRecord, Refusal> {
        let span = tracing::debug_span!("records.create", dataset = permit.dataset().id);
        let judged = self.retry(permit, |permit| async move {
            self.create(&permit, body, nonce).await
        });
        judged.instrument(span).await
    }

    async fn create(
        &self,
        permit: &DatasetPermit,
        body: &[u8],
        nonce: u64,
    ) -> Result<CreatedRecord, Refusal> {
        let version = permit.schema().current();
        self.require_writes()?;
        require_no_masks(permit, body)?;
        let content = self.judge_new(permit, body).await?;
        let _room = self.require_room_for(permit, &content).await?;
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
        if permit.caller().is_user() {
            json = masked_for(permit, &json)?;
        }
        debug_assert_eq!(id.place.dataset, permit.dataset().number);
        Ok(CreatedRecord {
            id: self.ids.record(id),
            json,
        })
    }

    /// Judges the body of a new record.
    async fn judge_new(&self, permit: &DatasetPermit, body: &[u8]) -> Result<NewContent, Refusal> {
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
        Ok(content(checked, version, None))
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
            require_no_masks(&permit, body)?;
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
        self.require_writes()?;
        let found = self.find(permit, id).await?;
        let judged = self.judge_change(permit, (id, found), body).await?;
        let sent = judged.version;
        let change = made_into(judged.record, sent, judged.content);
        match self.write(permit, change).await? {
            WriteVerdict::Done { .. } => Ok(()),
            verdict => Err(refused(verdict, permit.schema().current(), sent)),
        }
    }

    /// Judges the change of a record that was found by its public id, or was not.
    async fn judge_change(
        &self,
        permit: &DatasetPermit,
        (id, found): (&str, Option<StoredRecord>),
        body: &[u8],
    ) -> Result<JudgedChange, Refusal> {
        let version = permit.schema().current();
        let current = match &found {
            Some(record) => {
                self.require_form(record)?;
                Some(current(permit.schema(), record)?)
            }
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
                sent: told_version(merged.version.as_ref()),
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
        Ok(JudgedChange {
            record: record.id,
            version: sent,
            content: content(checked, version, current.hidden.map(Cow::into_owned)),
            names_key: names_primary_key,
        })
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
        self.require_writes()?;
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

    async fn write(&self, permit: &DatasetPermit, change: Change) -> Result<WriteVerdict, Refusal> {
        let verdict = self.store.write(self.write_by(permit, change)).await?;
        self.pace_writes(1).await;
        Ok(verdict)
    }

    /// A write that was judged by a permit.
    pub(crate) fn write_by(&self, permit: &DatasetPermit, change: Change) -> Write {
        Write {
            dataset: permit.dataset().number,
            actor: permit.caller().actor().clone(),
            at: self.clock.now(),
            judged_under: Some(permit.rules()),
            audit: None,
            change,
        }
    }
}

pub(crate) fn lookups<'a>(permit: &'a DatasetPermit, files: &'a KnownFiles) -> CatalogLookups<'a> {
    let caller = permit.caller();
    CatalogLookups {
        catalog: caller.catalog(),
        tenant: caller.tenant(),
        files,
        draft: None,
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
            sent: sent.to_string(),
            stored: version,
        },
        WriteVerdict::SchemaChanged => StoreError::Overtaken.into(),
        WriteVerdict::NotFound | WriteVerdict::Done { .. } => Refusal::RecordNotFound,
    }
}
