//! The audit trail: changes of the catalog, and changes of records with what is personal masked.

use super::Denied;
use super::datasets;
use super::views::MASK;
use crate::service::{Caller, PageRequest, Service};
use crate::store::catalog::{Actor, AuditEntry, Resource, SchemaEntry, Verb};
use crate::store::records::LogEntry;
use crate::value::Timestamp;
use crate::wire::Page;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// How many entries of the log one request looks through at most.
const LOG_STEP: usize = 1000;

/// One change of the catalog.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "server", derive(schemars::JsonSchema))]
pub struct AuditItem {
    /// Its number: rises with every change.
    pub number: i64,
    /// What was done.
    #[serde(flatten)]
    pub entry: AuditEntry,
}

/// One change of a record.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "server", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RecordChange {
    /// Its number: rises with every write.
    pub number: u64,
    /// `_dataObjectId`
    pub data_object_id: String,
    /// `create`, `update`, `delete` or `restore`.
    pub action: String,
    /// `_version` after it.
    pub version: i64,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// The values before it, personal ones masked.
    pub before: Option<Value>,
    /// The values after it, personal ones masked.
    pub after: Option<Value>,
}

impl Service {
    /// Changes of the tenant's catalog, newest first.
    ///
    /// # Errors
    /// Missing rights, a bad page key.
    pub async fn audit_trail(
        &self,
        by: &Caller,
        page: &PageRequest,
    ) -> Result<Page<AuditItem>, Denied> {
        let sight = self.sight(by, Resource::Audit)?;
        let scope = format!("audit {}", sight.tenant);
        let size = self.page_size(page)?;
        let before = self.page_position(&scope, page)?;
        let before = before.and_then(|before| i64::try_from(before).ok());
        let mut found = self.store().audit(&sight.tenant, before, size + 1).await?;
        let has_more = found.len() > size;
        found.truncate(size);
        let last = found
            .last()
            .and_then(|(number, _)| u64::try_from(*number).ok());
        let next_page_key = last
            .filter(|_| has_more)
            .map(|last| self.ids.page_key(&scope, last));
        let items = found
            .into_iter()
            .map(|(number, entry)| AuditItem { number, entry });
        Ok(Page {
            items: items.collect(),
            next_page_key,
        })
    }

    /// Changes of a dataset's records, oldest first. A page may hold fewer items than it could, or none,
    /// while there is a next one.
    ///
    /// # Errors
    /// No such dataset, missing rights, a bad page key.
    pub async fn record_changes(
        &self,
        by: &Caller,
        dataset: &str,
        page: &PageRequest,
    ) -> Result<Page<RecordChange>, Denied> {
        let sight = self.sight(by, Resource::Audit)?;
        let dataset = datasets::seen(&sight, Resource::Audit, Verb::View, dataset)?;
        let personal = sight.catalog.schemas.get(&dataset.schema);
        let personal = personal
            .map(|entry| personal_names(entry))
            .unwrap_or_default();
        let scope = format!("changes {}", dataset.id);
        let size = self.page_size(page)?;
        let mut after = self.page_position(&scope, page)?.unwrap_or(0);
        let log = self.store().log(after, LOG_STEP).await?;
        let is_end = log.len() < LOG_STEP;
        let mut items = Vec::new();
        for entry in log {
            if items.len() == size {
                let next_page_key = Some(self.ids.page_key(&scope, after));
                return Ok(Page {
                    items,
                    next_page_key,
                });
            }
            after = entry.number;
            if entry.id.place.dataset == dataset.number {
                items.push(self.record_change(entry, &personal));
            }
        }
        let next_page_key = (!is_end).then(|| self.ids.page_key(&scope, after));
        Ok(Page {
            items,
            next_page_key,
        })
    }

    fn record_change(&self, entry: LogEntry, personal: &BTreeSet<&str>) -> RecordChange {
        RecordChange {
            number: entry.number,
            data_object_id: self.ids.record(entry.id),
            action: entry.action,
            version: entry.version,
            at: entry.at,
            actor: entry.actor,
            before: entry.before.map(|text| masked(&text, personal)),
            after: entry.after.map(|text| masked(&text, personal)),
        }
    }
}

/// The names of all fields that hold or ever held personal values: an entry may be older than the
/// schema's version in force.
fn personal_names(entry: &SchemaEntry) -> BTreeSet<&str> {
    let fields = entry
        .versions
        .iter()
        .flat_map(|version| &version.schema.fields);
    let ids: BTreeSet<&str> = fields
        .clone()
        .filter(|field| field.is_pii())
        .map(|field| field.id.as_str())
        .collect();
    let personal = fields.filter(|field| ids.contains(field.id.as_str()));
    personal.map(|field| field.name.as_str()).collect()
}

fn masked(text: &str, personal: &BTreeSet<&str>) -> Value {
    // what can't be read could be anything
    let mut value = serde_json::from_str(text).unwrap_or_else(|_| MASK.into());
    if let Value::Object(members) = &mut value {
        for (name, value) in members {
            if personal.contains(name.as_str()) && !value.is_null() {
                *value = MASK.into();
            }
        }
    }
    value
}
