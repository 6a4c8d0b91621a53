//! A change as those who follow a dataset are told of it: what was done, and the record as it was left behind.

use crate::{Refusal, Service};
use std::fmt::Write as _;
use store::catalog::{Dataset, SchemaEntry};
use store::records::{LogAction, LogEntry, RecordId, StoredRecord};
use wire::Timestamp;

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
    pub(crate) async fn change_json(
        &self,
        schema: &SchemaEntry,
        dataset: &Dataset,
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
        let record = self.state_behind(schema, entry).await?;
        self.told_json(schema, dataset, &told, record.as_ref())
    }

    pub(super) fn told_json(
        &self,
        schema: &SchemaEntry,
        dataset: &Dataset,
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
                // a text takes whatever is written
                let _ = write!(json, r#"{{"_dataObjectId":"{id}","_version":{version}"#);
                self.write_members(&mut json, schema, dataset, record)?;
            }
            None => json.push_str("null"),
        }
        json.push('}');
        Ok(json)
    }

    /// The record as an entry left it behind; of a delete, as it was then. A purge leaves none.
    pub(crate) async fn state_behind(
        &self,
        schema: &SchemaEntry,
        entry: LogEntry,
    ) -> Result<Option<StoredRecord>, Refusal> {
        let errors = match &entry.errors {
            Some(errors) => Some(errors.clone()).filter(|errors| !errors.is_empty()),
            None => self.errors_of_before(schema, &entry).await?,
        };
        let deleted = entry.action == LogAction::Delete;
        let body = if deleted { entry.before } else { entry.after };
        Ok(body.map(|body| StoredRecord {
            id: entry.id,
            version: entry.version,
            schema_version: entry.schema_version,
            body,
            errors,
            hidden: entry.hidden,
            deleted,
        }))
    }

    /// The faults of an entry from before the log kept them: those of the record where it is the same still, else what
    /// its values are judged to be without looking anything up.
    async fn errors_of_before(
        &self,
        schema: &SchemaEntry,
        entry: &LogEntry,
    ) -> Result<Option<String>, Refusal> {
        let Some(body) = entry.after.as_ref().or(entry.before.as_ref()) else {
            return Ok(None);
        };
        let now = self.store.get(entry.id.place).await?;
        let same = now.filter(|now| now.id == entry.id && now.body == *body);
        if let Some(now) = same.filter(|now| now.schema_version == entry.schema_version) {
            return Ok(now.errors);
        }
        let version = schema.version(entry.schema_version);
        let checked = version.and_then(|it| it.checker.check(body.as_bytes()).ok());
        let faulty = checked.filter(|checked| !checked.is_clean());
        Ok(faulty.map(|checked| checked.errors_json()))
    }
}
