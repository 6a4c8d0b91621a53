//! Deleted records: they can be listed, restored and purged. Nothing else loses them but their age, where the operator
//! set one.

use super::authors::key_in;
use crate::Refusal;
use crate::audit::{masked, masked_actor};
use crate::manage::DeletedRecord;
use crate::memory_budget::PageRoom;
use crate::nouns::{UnderDataset as _, area_of};
use crate::personal::Look;
use crate::pieces::Pieces;
use crate::{Caller, DatasetPermit, Owner, PageInRoom, PageRequest, Permit as _, Service};
use std::collections::HashSet;
use store::catalog::{AuditAction, AuditEntry, Dataset, Kind, Resource, SchemaEntry, Verb};
use store::records::{Change, DeletedPage, PageLimit, RecordId, StoredRecord, Write, WriteVerdict};
use store::{RottenRow, StoreError};
use tracing::Instrument as _;
use wire::Page;

/// Entries of a record's past that are read at a time.
const PAST_AT_ONCE: PageLimit = PageLimit {
    records: 64,
    bytes: 512 << 10,
};

impl Service {
    /// The deleted records of a dataset, the one that was deleted last first.
    ///
    /// # Errors
    /// No such dataset, missing rights, a bad page key.
    pub async fn deleted_records(
        &self,
        by: &Caller,
        dataset: &str,
        page: &PageRequest,
    ) -> Result<PageInRoom<DeletedRecord>, Refusal> {
        let span = tracing::trace_span!("records.list_deleted", dataset);
        self.deleted_page(by, dataset, page).instrument(span).await
    }

    async fn deleted_page(
        &self,
        by: &Caller,
        dataset: &str,
        page: &PageRequest,
    ) -> Result<PageInRoom<DeletedRecord>, Refusal> {
        let caller = self.viewer(by, Resource::Records)?;
        let sight = caller.sight();
        let dataset = sight.living::<Dataset>(dataset)?;
        dataset.permit_under(sight, Resource::Records, Verb::View)?;
        let scope = format!("newest-deleted {}", dataset.id);
        let size = self.page_size(page).map_err(Refusal::of_management)?;
        let before = self
            .page_position(&scope, page)
            .map_err(Refusal::of_management)?
            .unwrap_or(u64::MAX);
        let owner = by.owner();
        let read = self.read_deleted(owner, dataset.number, before, size);
        let (found, room) = read.await?;
        let DeletedPage { records, has_more } = found;
        let last = records.last().filter(|_| has_more);
        let next_page_key = last.map(|(it, _)| self.ids.page_key(&scope, it.number));
        let entry = sight.catalog.schemas.get(&dataset.schema);
        let personal = entry
            .map(|entry| caller.ever_masked_fields(entry))
            .unwrap_or_default();
        if let Some(entry) = entry.filter(|_| !records.is_empty()) {
            let look = Look::past(entry, (Kind::Dataset, &dataset.id));
            self.tell_look(&caller, look).await?;
        }
        let (mut items, mut pieces) = (Vec::with_capacity(records.len()), Pieces::default());
        for (deletion, record) in records {
            pieces.made(record.body.len()).await;
            let (at, actor) = deletion.done.unzip();
            items.push(DeletedRecord {
                deleted_at: at,
                deleted_by: actor.map(|actor| masked_actor((*actor).clone())),
                data_object_id: self.ids.record(record.id),
                version: record.version,
                schema_version: record.schema_version,
                values: masked(&record.body, &personal),
            });
        }
        let page = Page {
            items,
            next_page_key,
        };
        Ok(PageInRoom::new(page, room))
    }

    /// Records that were deleted before an entry of the change log, so many at most, in the room that they were read into.
    async fn read_deleted(
        &self,
        owner: Owner,
        dataset: u32,
        mut before: u64,
        size: usize,
    ) -> Result<(DeletedPage, PageRoom), Refusal> {
        let page_bytes = self.settings.page_bytes;
        let mut room = self.memory.reserve_records_page(owner, page_bytes)?;
        let (mut found, mut taken) = (DeletedPage::default(), 0);
        loop {
            let limit = PageLimit {
                records: size - found.records.len(),
                bytes: room.bytes().saturating_sub(taken).max(1),
            };
            let more = self.store.newest_deleted(dataset, before, limit).await?;
            let bytes = more.records.iter().map(|(_, record)| record.bytes());
            taken += bytes.sum::<usize>();
            found.has_more = more.has_more;
            found.records.extend(more.records);
            let Some((last, _)) = found.records.last().filter(|_| found.has_more) else {
                break;
            };
            before = last.number;
            // one that ended before it was full has met a record that can't be read
            if found.records.len() >= size || taken < room.bytes() {
                break;
            }
            while taken >= room.bytes() {
                if !room.grow() {
                    return Ok((found, room));
                }
            }
        }
        Ok((found, room))
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
    ) -> Result<(), Refusal> {
        let span = tracing::debug_span!("records.restore", dataset, id = record);
        let restored = self.restore(by, dataset, record);
        restored.instrument(span).await
    }

    async fn restore(&self, by: &Caller, dataset: &str, record: &str) -> Result<(), Refusal> {
        let mut tries = self.tries();
        loop {
            match self.restore_once(by, dataset, record).await? {
                WriteVerdict::Done { .. } => return Ok(()),
                WriteVerdict::SchemaChanged => tries.another().await?,
                WriteVerdict::DuplicateKey => {
                    return Err(Refusal::Conflict(
                        "another record has the primary key by now; change that one first".into(),
                    ));
                }
                WriteVerdict::NotFound | WriteVerdict::Stale { .. } => {
                    return Err(Refusal::no_such("deleted record"));
                }
            }
        }
    }

    async fn restore_once(
        &self,
        by: &Caller,
        dataset: &str,
        record: &str,
    ) -> Result<WriteVerdict, Refusal> {
        let caller = self.viewer(by, Resource::Records)?;
        let sight = caller.sight();
        let dataset = sight.living::<Dataset>(dataset)?;
        dataset.permit_under(sight, Resource::Records, Verb::Delete)?;
        let found = self.deleted_record(dataset, record).await?;
        let _room = self.require_record_room(sight.tenant).await?;
        let entry = sight
            .catalog
            .schemas
            .get(&dataset.schema)
            .ok_or_else(|| Refusal::no_such("schema"))?;
        if !keeps_key(entry, &found) {
            return Err(Refusal::Conflict(
                "the schema's primary key is another by now; make the record anew".into(),
            ));
        }
        let permit = caller.permit_managed_records(&[Verb::Delete], &dataset.id)?;
        let write = |change| Write {
            judged_under: Some(permit.rules()),
            ..self.write_of(by, dataset, change)
        };
        let revised = self.revised(&permit, &found, b"{}").await?;
        // both wait for the same commit, and the second does nothing where the first is refused
        let restored = self.store().write(write(Change::Restore { id: found.id }));
        if revised.is_as_stored(&found) {
            let verdict = restored.await?;
            self.pace_writes(1).await;
            return Ok(verdict);
        }
        // its faults, or the forms of its values, are others by the schema and the domains of now
        let content = revised.content(&permit);
        let updated = self.store().write(write(Change::Update {
            id: found.id,
            version: found.version + 1,
            content,
        }));
        let verdict = restored.await?;
        updated.await?;
        self.pace_writes(2).await;
        Ok(verdict)
    }

    /// The record, by its id, that has the primary key of a deleted one by now, which keeps that from being restored; none where
    /// none has it, and for who does not see the key.
    ///
    /// # Errors
    /// No such deleted record, missing rights.
    pub async fn holder_of_key(
        &self,
        by: &Caller,
        dataset: &str,
        record: &str,
    ) -> Result<Option<String>, Refusal> {
        let caller = self.viewer(by, Resource::Records)?;
        let permit = caller.permit_managed_records(&[Verb::View], dataset)?;
        let found = self.deleted_record(permit.dataset(), record).await?;
        self.other_with_key_of(&permit, &found).await
    }

    /// Another record, by its id, that has the primary key of a state of one by now; none for who does not see the key.
    pub(super) async fn other_with_key_of(
        &self,
        permit: &DatasetPermit,
        state: &StoredRecord,
    ) -> Result<Option<String>, Refusal> {
        let schema = permit.schema();
        let Some(field) = schema.current().schema.primary_key() else {
            return Ok(None);
        };
        let masked = permit.caller().ever_masked_fields(schema);
        if masked.contains(&*field.name) || !keeps_key(schema, state) {
            return Ok(None);
        }
        let Some(key) = key_in(schema, state.schema_version, &state.body) else {
            return Ok(None);
        };
        let found = self.store().by_key(permit.dataset().number, &key).await?;
        let other = found.filter(|found| found.id != state.id);
        Ok(other.map(|other| self.ids.record(other.id)))
    }

    /// Removes a deleted record and its past for good; files that only it had are the next cleaning's, and what jobs of
    /// its dataset keep goes, of those under way at their end, since it may stand in there. Once the record is gone, that is the
    /// answer, whatever jobs still keep: the log tells of it, and the next cleaning takes it.
    ///
    /// # Errors
    /// No such deleted record; the caller is no administrator.
    pub async fn purge_record(
        &self,
        by: &Caller,
        dataset: &str,
        record: &str,
    ) -> Result<(), Refusal> {
        let span = tracing::debug_span!("records.purge", dataset, id = record);
        self.purge(by, dataset, record).instrument(span).await
    }

    async fn purge(&self, by: &Caller, dataset: &str, record: &str) -> Result<(), Refusal> {
        let caller = self.viewer(by, Resource::Records)?;
        let sight = caller.sight();
        let dataset = sight.living::<Dataset>(dataset)?;
        dataset.permit_under(sight, Resource::Records, Verb::Delete)?;
        if !sight.rights.is_administrator() {
            return Err(Refusal::Forbidden("only an administrator may purge".into()));
        }
        let id = self.deleted_id(dataset, record)?;
        let found = match self.store().get(id.place).await {
            // what a disk did to it keeps nobody from removing it: whether it was deleted, the store judges
            Err(StoreError::Rotten(RottenRow::Record(_))) => None,
            found => Some(deleted(found?, id)?),
        };
        let files = self.files_of(dataset, id, found.as_ref()).await?;
        if found.is_some() {
            // as long as the record is there, who was cut off may purge it again
            self.empty_jobs((&dataset.tenant, &dataset.id), None)
                .await?;
        }
        let write = self.write_of(by, dataset, Change::Purge { id });
        // the log of a purged record goes with it, so the trail remembers that it was done
        let entry = AuditEntry {
            tenant: by.tenant().to_owned(),
            at: write.at,
            actor: write.actor.clone(),
            action: AuditAction::Purge,
            noun: Kind::Record,
            id: record.to_owned(),
            area: area_of(sight.catalog, Kind::Dataset, &dataset.id).map(str::to_owned),
            before: None,
            after: None,
        };
        let write = Write {
            audit: Some(Box::new(entry)),
            ..write
        };
        match self.store().write(write).await? {
            WriteVerdict::Done { .. } => {}
            _ => return Err(Refusal::no_such("deleted record")),
        }
        self.condemn_files(&dataset.id, files).await?;
        // those that ended meanwhile, and those under way; where this fails or is cut off, the store knows
        self.settle_purge_of(dataset.number).await;
        self.pace_writes(1).await;
        Ok(())
    }

    /// The files that a record named, ever, as far as its texts and those of its past can be read: what somebody changed by
    /// hand, or a disk did, must not keep it from being purged.
    async fn files_of(
        &self,
        dataset: &Dataset,
        id: RecordId,
        record: Option<&StoredRecord>,
    ) -> Result<HashSet<String>, Refusal> {
        let mut ids = HashSet::new();
        if let Some(record) = record {
            let now = [Some(&record.body), record.hidden.as_ref()];
            self.named_files(&dataset.id, now, &mut ids);
        }
        let mut before: Option<u64> = None;
        loop {
            let past = self.store().history(id, before, PAST_AT_ONCE).await;
            let last = match &past {
                // what was before it is asked for behind its number
                Err(StoreError::Rotten(RottenRow::Entry { number, .. })) => Some(*number),
                Err(_) => None,
                Ok(past) => past.last().map(|last| last.number),
            };
            // a past that leads on to what came later leads nowhere
            let leads_back = last.is_some_and(|last| before.is_none_or(|before| last < before));
            before = last;
            match past {
                Ok(past) => {
                    for entry in &past {
                        let texts = [&entry.before, &entry.after, &entry.hidden];
                        self.named_files(&dataset.id, texts.map(Option::as_ref), &mut ids);
                    }
                }
                Err(StoreError::Rotten(RottenRow::Entry { .. })) => {}
                Err(error) => return Err(error.into()),
            }
            if !leads_back {
                return Ok(ids);
            }
            tokio::task::yield_now().await;
        }
    }

    async fn deleted_record(&self, dataset: &Dataset, id: &str) -> Result<StoredRecord, Refusal> {
        let id = self.deleted_id(dataset, id)?;
        deleted(self.store().get(id.place).await?, id)
    }

    /// Which record of a dataset this would be.
    fn deleted_id(&self, dataset: &Dataset, id: &str) -> Result<RecordId, Refusal> {
        let named = self.ids.record_of(id);
        let named = named.filter(|id| id.place.dataset == dataset.number);
        named.ok_or_else(|| Refusal::no_such("deleted record"))
    }

    /// A write that is compared with nothing yet.
    fn write_of(&self, by: &Caller, dataset: &Dataset, change: Change) -> Write {
        Write {
            dataset: dataset.number,
            actor: by.actor().clone(),
            at: self.now(),
            judged_under: None,
            audit: None,
            change,
        }
    }
}

/// Whether the primary key of a record is what it was when the record was written.
fn keeps_key(schema: &SchemaEntry, record: &StoredRecord) -> bool {
    let written = schema.version(record.schema_version);
    let facts = written.and_then(|version| version.key_facts());
    facts == schema.current().key_facts()
}

/// What was found at the place of a record, if it is that one and deleted.
fn deleted(found: Option<StoredRecord>, id: RecordId) -> Result<StoredRecord, Refusal> {
    let found = found.filter(|record| record.id.nonce == id.nonce && record.deleted);
    found.ok_or_else(|| Refusal::no_such("deleted record"))
}
