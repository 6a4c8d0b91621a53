//! The past of a record: who wrote it when, field by field, each earlier version as a whole, and the way back to one. Values
//! are followed by their fields' ids and shown under today's names; what today's schema does not show stays hidden, and
//! what is personal is masked as in the trail for who may not see it. docs/interface.md, "History".

use super::{back_to, current, state_behind};
use crate::audit::{masked, masked_actor};
use crate::manage::{Actor, FieldChange, HistoryItem, LogAction};
use crate::nouns::MASK;
use crate::personal::Look;
use crate::pieces::Pieces;
use crate::{Caller, DatasetPermit, PageInRoom, PageRequest, Permit as _, Refusal, Service};
use schema::json::parse;
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use std::sync::Arc;
use store::StoreError;
use store::catalog::{Kind, Resource, SchemaEntry, Verb};
use store::records::{Change, LogEntry, PageLimit, RecordId, StoredRecord};
use tracing::Instrument as _;
use wire::{Page, Timestamp};

/// Entries that are read at a time, where an earlier version is looked for.
const LOOK_AT: PageLimit = PageLimit {
    records: 64,
    bytes: 512 << 10,
};

/// A record as it was in a version.
pub struct PastRecord {
    /// Its JSON text, with what is personal masked for who may not see it.
    pub json: String,
    /// What made it what it was.
    pub action: LogAction,
    /// When.
    pub at: Timestamp,
    /// Who, masked as in the history.
    pub actor: Actor,
}

impl Service {
    /// What was done to a record, the newest first; of one that is deleted, too. A page of large records ends early.
    ///
    /// # Errors
    /// No such dataset or record, missing rights, a bad page key.
    pub async fn record_history(
        &self,
        by: &Caller,
        dataset: &str,
        record: &str,
        page: &PageRequest,
    ) -> Result<PageInRoom<HistoryItem>, Refusal> {
        let span = tracing::trace_span!("records.history", dataset, id = record);
        let past = self.past_of(by, dataset, record, page);
        past.instrument(span).await
    }

    async fn past_of(
        &self,
        by: &Caller,
        dataset: &str,
        record: &str,
        page: &PageRequest,
    ) -> Result<PageInRoom<HistoryItem>, Refusal> {
        let permit = self.managed_dataset(by, dataset, Verb::View)?;
        let id = self.known_record(&permit, record).await?.id;
        let scope = format!("history {dataset} {record}");
        let size = self.page_size(page).map_err(Refusal::of_management)?;
        let before = self.page_position(&scope, page);
        let before = before.map_err(Refusal::of_management)?;
        let owner = by.owner();
        let room = self
            .memory()
            .reserve_page(owner, self.settings.page_bytes)?;
        let limit = PageLimit {
            records: size,
            bytes: room.bytes(),
        };
        let entries = self.store().history(id, before, limit).await?;
        let Some(last) = entries.last().map(|last| last.number) else {
            let page = Page {
                items: Vec::new(),
                next_page_key: None,
            };
            return Ok(PageInRoom::new(page, room));
        };
        // what the last one is compared with, and where the next page begins
        let behind = self.store().history(id, Some(last), PageLimit::of(1));
        let behind = behind.await?;
        let next_page_key = (!behind.is_empty()).then(|| self.ids.page_key(&scope, last));
        let mut earlier = entries.iter().skip(1).chain(&behind);
        let personal = permit.caller().ever_masked_fields(permit.schema());
        let look = Look::past(permit.schema(), (Kind::Record, record));
        self.tell_look(permit.caller(), look).await?;
        let (mut items, mut pieces) = (Vec::with_capacity(entries.len()), Pieces::default());
        for entry in &entries {
            pieces.made(entry.bytes()).await;
            let changes = field_changes(&permit, entry, earlier.next(), &personal);
            items.push(HistoryItem {
                version: entry.version,
                action: entry.action,
                at: entry.at,
                actor: masked_actor((*entry.actor).clone()),
                changes: changes?,
            });
        }
        let page = Page {
            items,
            next_page_key,
        };
        Ok(PageInRoom::new(page, room))
    }

    /// A record as it was in an earlier version, with what is personal masked for who may not see it.
    ///
    /// # Errors
    /// No such dataset, record or version, or one that is not kept any more; missing rights.
    pub async fn record_version(
        &self,
        by: &Caller,
        dataset: &str,
        record: &str,
        version: &str,
    ) -> Result<PastRecord, Refusal> {
        let permit = self.managed_dataset(by, dataset, Verb::View)?;
        let id = self.known_record(&permit, record).await?.id;
        let entry = self.entry_of(id, version).await?;
        let (action, at, actor) = (entry.action, entry.at, (*entry.actor).clone());
        let found = state_behind(entry).ok_or_else(no_version)?;
        let mut json = String::with_capacity(found.body.len() + 96);
        self.write_record(&mut json, &permit, &found)?;
        let look = Look::past(permit.schema(), (Kind::Record, record));
        self.tell_look(permit.caller(), look).await?;
        let personal = permit.caller().ever_masked_fields(permit.schema());
        let shown = masked(&json, &personal);
        let shown = shown.ok_or_else(|| StoreError::Damaged("a stored record".to_owned()))?;
        Ok(PastRecord {
            json: shown.get().to_owned(),
            action,
            at,
            actor: masked_actor(actor),
        })
    }

    /// Brings a record back to an earlier version: an update with the values of then, judged by the rules of now, which the
    /// log tells as a restore. `sent` is the version that the record must have.
    ///
    /// # Errors
    /// No such dataset, record or version; a record of another version by now; a primary key that was taken, or is
    /// missing; missing rights.
    pub async fn restore_version(
        &self,
        by: &Caller,
        dataset: &str,
        record: &str,
        version: &str,
        sent: i64,
    ) -> Result<(), Refusal> {
        let span = tracing::debug_span!("records.restore_version", dataset, id = record);
        let restored = self.revert(by, dataset, record, version, sent);
        restored.instrument(span).await.map_err(in_management)
    }

    async fn revert(
        &self,
        by: &Caller,
        dataset: &str,
        record: &str,
        version: &str,
        sent: i64,
    ) -> Result<(), Refusal> {
        let mut tries = self.tries();
        loop {
            let permit = self.managed_dataset(by, dataset, Verb::Edit)?;
            let found = self.known_record(&permit, record).await?;
            let past = self.version_of(found.id, version).await?;
            // values as the record would have them today; the schema's hidden ones stay what they are
            let past = if found.version == sent {
                back_to(permit.schema(), &past, &found)?
            } else {
                current(permit.schema(), &past)?.body.into_owned()
            };
            let members = past.strip_prefix('{');
            let members =
                members.ok_or_else(|| StoreError::Damaged("a stored record".to_owned()))?;
            let mut body = format!("{{\"_version\":{sent}");
            if members != "}" {
                body.push(',');
            }
            body.push_str(members);
            let revert = |id, version, content| Change::Revert {
                id,
                version,
                content,
            };
            match self
                .write_change(&permit, record, body.as_bytes(), revert)
                .await
            {
                Err(Refusal::Store(StoreError::Overtaken)) => tries.another().await?,
                result => return result,
            }
        }
    }

    /// The record, by its id, that has the primary key of an earlier version of this one, which keeps that from being brought
    /// back; none where none has it, where the record has another version than `sent` by now, and for who does not see the key.
    ///
    /// # Errors
    /// No such dataset, record or version; missing rights.
    pub async fn holder_of_key_in_version(
        &self,
        by: &Caller,
        dataset: &str,
        record: &str,
        version: &str,
        sent: i64,
    ) -> Result<Option<String>, Refusal> {
        let permit = self.managed_dataset(by, dataset, Verb::View)?;
        let found = self.known_record(&permit, record).await?;
        if found.version != sent {
            return Ok(None);
        }
        let past = self.version_of(found.id, version).await?;
        self.other_with_key_of(&permit, &past).await
    }

    /// What a caller of management may do to a dataset's records, by the newest catalog.
    fn managed_dataset(
        &self,
        by: &Caller,
        dataset: &str,
        verb: Verb,
    ) -> Result<DatasetPermit, Refusal> {
        let caller = self.newest(by)?;
        caller.permit_managed_dataset(Resource::Records, verb, dataset)
    }

    /// The record of an id, deleted or not.
    async fn known_record(
        &self,
        permit: &DatasetPermit,
        id: &str,
    ) -> Result<StoredRecord, Refusal> {
        let named = self.ids.record_of(id);
        let named = named.filter(|id| id.place.dataset == permit.dataset().number);
        let RecordId { place, nonce } = named.ok_or_else(|| Refusal::no_such("record"))?;
        let found = self.store().get(place).await?;
        let found = found.filter(|record| record.id.nonce == nonce);
        found.ok_or_else(|| Refusal::no_such("record"))
    }

    /// A record as it was in a version.
    async fn version_of(&self, id: RecordId, version: &str) -> Result<StoredRecord, Refusal> {
        let entry = self.entry_of(id, version).await?;
        state_behind(entry).ok_or_else(no_version)
    }

    /// What made a record what it was in a version.
    async fn entry_of(&self, id: RecordId, version: &str) -> Result<LogEntry, Refusal> {
        let version: i64 = version.parse().map_err(|_| no_version())?;
        // a deletion leaves the version as it is, and did not make it
        let (mut before, mut deletion) = (None, None);
        loop {
            let entries = self.store().history(id, before, LOOK_AT).await?;
            let Some(oldest) = entries.last() else {
                return deletion.ok_or_else(no_version);
            };
            before = Some(oldest.number);
            let is_behind = oldest.version < version;
            for entry in entries.into_iter().filter(|it| it.version == version) {
                if entry.action != LogAction::Delete {
                    return Ok(entry);
                }
                deletion.get_or_insert(entry);
            }
            if is_behind {
                return deletion.ok_or_else(no_version);
            }
            // others get their turn
            tokio::task::yield_now().await;
        }
    }
}

fn no_version() -> Refusal {
    Refusal::NotFound("the record has no such version, or it is not kept any more".into())
}

/// The fields that have another value behind an entry than behind the one before.
pub(super) fn field_changes(
    permit: &DatasetPermit,
    entry: &LogEntry,
    earlier: Option<&LogEntry>,
    personal: &BTreeSet<&str>,
) -> Result<Vec<FieldChange>, Refusal> {
    let (Some(body), schema) = (&entry.after, permit.schema()) else {
        return Ok(Vec::new());
    };
    let state = |entry: &LogEntry, body: &str| StoredRecord {
        id: entry.id,
        version: entry.version,
        schema_version: entry.schema_version,
        body: body.to_owned(),
        errors: None,
        hidden: entry.hidden.clone(),
        deleted: false,
    };
    let after = state(entry, body);
    let before = match earlier {
        Some(earlier) => {
            let body = earlier.after.as_ref().or(earlier.before.as_ref());
            body.map(|body| state(earlier, body))
        }
        // the entry before is not kept any more, and with it the version of these values
        None => entry.before.as_ref().map(|body| state(entry, body)),
    };
    differences(schema, before.as_ref(), &after, personal)
}

/// What differs between two states of a record, under today's names.
fn differences(
    schema: &Arc<SchemaEntry>,
    before: Option<&StoredRecord>,
    after: &StoredRecord,
    personal: &BTreeSet<&str>,
) -> Result<Vec<FieldChange>, Refusal> {
    let damaged = |error| StoreError::Damaged(format!("a stored record: {error}"));
    let before = before.map(|it| current(schema, it)).transpose()?;
    let after = current(schema, after)?;
    let before = before.as_ref().map_or("{}", |it| &it.body);
    let (old, new) = (
        parse(before).map_err(damaged)?,
        parse(&after.body).map_err(damaged)?,
    );
    let mut changes = Vec::new();
    for field in schema.current().schema.active_fields() {
        let value = |node: Option<&schema::json::Node<'_>>, text: &str| {
            let raw = node.map(|node| text[node.start..node.end].to_owned());
            raw.filter(|raw| raw != "null")
        };
        let old = value(old.get(&field.name), before);
        let new = value(new.get(&field.name), &after.body);
        if old == new {
            continue;
        }
        let shown = |raw: Option<String>| {
            let is_personal = personal.contains(field.name.as_str());
            let raw = raw.map(|raw| {
                if is_personal {
                    format!("\"{MASK}\"")
                } else {
                    raw
                }
            });
            raw.and_then(|raw| RawValue::from_string(raw).ok())
        };
        changes.push(FieldChange {
            field_id: field.id.as_str().to_owned(),
            name: field.name.clone(),
            before: shown(old),
            after: shown(new),
        });
    }
    Ok(changes)
}

/// A refusal of the data interface as management tells it.
fn in_management(refusal: Refusal) -> Refusal {
    match refusal {
        Refusal::RecordNotFound => {
            Refusal::NotFound("the record is deleted; restore it first".into())
        }
        Refusal::VersionConflict { .. }
        | Refusal::DuplicateKey { .. }
        | Refusal::PrimaryKeyRequired { .. } => Refusal::Conflict(refusal.to_string().into()),
        refusal => refusal,
    }
}
