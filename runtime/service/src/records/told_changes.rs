//! A change as those who follow a dataset are told of it: what was done, and the record as it was left behind.

use crate::masking::mask;
use crate::{Refusal, Service};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use store::catalog::{Dataset, SchemaEntry};
use store::records::{LogAction, LogEntry, RecordId, StoredRecord};
use wire::Timestamp;

/// How a change is shown: the dataset that it is of, and the fields that the reader does not see.
#[derive(Clone, Copy)]
pub(crate) struct ChangeView<'s> {
    pub(crate) schema: &'s SchemaEntry,
    pub(crate) dataset: &'s Dataset,
    /// The names of the fields whose values are masked.
    pub(crate) hidden: &'s BTreeSet<&'s str>,
}

/// What is told of a change beside the record.
pub(super) struct Told<'p> {
    pub(super) position: &'p str,
    pub(super) action: LogAction,
    pub(super) at: Timestamp,
    pub(super) id: RecordId,
    pub(super) version: i64,
}

impl Service {
    /// A change as it is told.
    pub(crate) fn change_json(
        &self,
        view: ChangeView<'_>,
        entry: LogEntry,
        position: &str,
    ) -> Result<String, Refusal> {
        let told = Told {
            position,
            action: entry.action,
            at: entry.at,
            id: entry.id,
            version: entry.version,
        };
        let record = state_behind(entry);
        self.told_json(view, &told, record.as_ref())
    }

    pub(super) fn told_json(
        &self,
        view: ChangeView<'_>,
        told: &Told<'_>,
        record: Option<&StoredRecord>,
    ) -> Result<String, Refusal> {
        let bytes = record.map_or(0, StoredRecord::bytes) + 256;
        let mut json = String::with_capacity(bytes);
        let id = self.ids.record(told.id);
        let Told {
            position,
            action,
            at,
            version,
            ..
        } = told;
        // a text takes whatever is written
        let _ = write!(
            json,
            r#"{{"position":"{position}","action":"{action}","at":"{at}","dataObjectId":"{id}","version":{version},"record":"#
        );
        match record {
            Some(record) => {
                let start = json.len();
                // a text takes whatever is written
                let _ = write!(json, r#"{{"_dataObjectId":"{id}","_version":{version}"#);
                self.write_members(&mut json, view.schema, view.dataset, record)?;
                if !view.hidden.is_empty() {
                    let masked = mask(&json[start..], view.hidden)?;
                    json.replace_range(start.., &masked);
                }
            }
            None => json.push_str("null"),
        }
        json.push('}');
        Ok(json)
    }
}

/// The record as an entry left it behind; of a delete, as it was then. A purge leaves none.
pub(crate) fn state_behind(entry: LogEntry) -> Option<StoredRecord> {
    let deleted = entry.action == LogAction::Delete;
    let body = if deleted { entry.before } else { entry.after };
    body.map(|body| StoredRecord {
        id: entry.id,
        version: entry.version,
        schema_version: entry.schema_version,
        body,
        errors: entry.errors,
        hidden: entry.hidden,
        deleted,
    })
}
