//! The records that were changed last, over every dataset that a caller may see: who changed which one, when, and which of its
//! fields. The store is asked once for which they are, and once for each that is told. docs/interface.md, "History".

use super::history::field_changes;
use super::named::{SeenKey, permit_of};
use crate::audit::masked_actor;
use crate::manage::{RecentChange, RecentChanges};
use crate::{Caller, DatasetPermit, Overview, Refusal, Service};
use std::collections::{BTreeSet, HashMap};
use store::catalog::Resource;
use store::records::{LogAction, LogEntry, PageLimit, RecordId, StoredRecord};
use tracing::Instrument as _;

/// Records that are told at most.
const RECORDS_MAX: usize = 8;
/// The newest entries of the log among which they are looked for.
const ENTRIES_MAX: usize = 64;

impl Service {
    /// The records that were changed last, of those that the caller may see: eight at most, of the newest 64 changes.
    ///
    /// # Errors
    /// No role that shows records; [`Refusal::NoRoom`]; the store's.
    pub async fn recent_changes(&self, by: &Caller) -> Result<RecentChanges, Refusal> {
        let overview = self.overview(by).await?;
        self.recent_changes_in(by, &overview).await
    }

    /// The same, of what the caller may look at.
    ///
    /// # Errors
    /// As [`recent_changes`](Self::recent_changes).
    pub async fn recent_changes_in(
        &self,
        by: &Caller,
        overview: &Overview,
    ) -> Result<RecentChanges, Refusal> {
        let span = tracing::debug_span!("records.recent_changes");
        self.newest_of(by, overview).instrument(span).await
    }

    async fn newest_of(&self, by: &Caller, overview: &Overview) -> Result<RecentChanges, Refusal> {
        let caller = self.viewer(by, Resource::Records)?;
        let owner = caller.owner();
        let room = self
            .memory()
            .reserve_page(owner, self.settings().page_bytes)?;
        let limit = PageLimit {
            // the newest one, and what it is compared with
            records: 2,
            bytes: room.bytes(),
        };
        let datasets = overview.datasets.clone();
        let newest = self.store().newest_changes(datasets, ENTRIES_MAX).await?;
        let (mut seen, mut permits) = (BTreeSet::new(), HashMap::new());
        let mut items = Vec::new();
        for (_, id) in newest {
            let place = (id.place.dataset, id.place.sequence);
            if items.len() == RECORDS_MAX || !seen.insert(place) {
                continue;
            }
            let permit = permits
                .entry(id.place.dataset)
                .or_insert_with(|| permit_of(&caller, id.place.dataset));
            let Some(permit) = permit else { continue };
            // what was purged meanwhile has no past
            let past = self.store().history(id, None, limit).await?;
            if let Some(entry) = past.first() {
                items.push(self.recent_change(permit, id, entry, past.get(1)).await?);
            }
        }
        Ok(RecentChanges { items })
    }

    async fn recent_change(
        &self,
        permit: &DatasetPermit,
        id: RecordId,
        entry: &LogEntry,
        earlier: Option<&LogEntry>,
    ) -> Result<RecentChange, Refusal> {
        let dataset = permit.dataset();
        // only names are told of what changed, so that no value is shown
        let changes = if entry.action == LogAction::Create {
            Vec::new()
        } else {
            field_changes(permit, entry, earlier, &BTreeSet::new())?
        };
        let key = self.shown_key(permit, entry).await?;
        Ok(RecentChange {
            is_key_masked: key.as_ref().is_some_and(|key| key.is_masked),
            data_set_id: dataset.id.clone(),
            data_set_name: dataset.name.clone(),
            data_object_id: self.ids.record(id),
            primary_key: key.map(|key| key.text),
            version: entry.version,
            action: entry.action,
            at: entry.at,
            actor: masked_actor((*entry.actor).clone()),
            fields: changes.into_iter().map(|change| change.name).collect(),
        })
    }

    /// The primary key of a record behind an entry, as the caller may see it.
    async fn shown_key(
        &self,
        permit: &DatasetPermit,
        entry: &LogEntry,
    ) -> Result<Option<SeenKey>, Refusal> {
        let Some(body) = entry.after.as_ref().or(entry.before.as_ref()) else {
            return Ok(None);
        };
        let record = StoredRecord {
            id: entry.id,
            version: entry.version,
            schema_version: entry.schema_version,
            body: body.clone(),
            errors: None,
            hidden: entry.hidden.clone(),
            deleted: false,
        };
        self.seen_key(permit, &record).await
    }
}
