//! Records that stand for many, as in what a change would make faulty: what each is called, with the way to it.

use super::recent::shortened;
use super::texts::Texts;
use super::visit::Visit;
use crate::http::error::Failure;
use service::manage::LeftRecord;
use service::{RecordName, Refusal};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// One of them.
pub(super) struct SampleRecord {
    /// Its primary key, or its id where it has none.
    pub(super) name: String,
    pub(super) is_key: bool,
    pub(super) is_masked: bool,
    /// Its page, where it is there and the visitor may see it.
    pub(super) path: Option<String>,
}

/// What one of them has in a field.
pub(super) struct SampleValue {
    /// Empty where it has nothing there; of a long one the beginning.
    pub(super) text: String,
    pub(super) is_masked: bool,
}

/// One that a job left as it is.
pub(super) struct LeftOut {
    pub(super) record: SampleRecord,
    pub(super) reason: String,
}

/// What they are called, by their ids.
pub(super) struct SampleNames(HashMap<String, RecordName>);

impl SampleNames {
    /// Those of these ids; none for who may see no records.
    ///
    /// # Errors
    /// The store's.
    pub(super) async fn of<P>(visit: &Visit<P>, ids: BTreeSet<&str>) -> Result<Self, Failure> {
        Self::read(visit, &ids).await.map_err(Failure::from)
    }

    /// The same of ids with names of fields, of which the values come along.
    ///
    /// # Errors
    /// The store's.
    pub(super) async fn with_values<P>(
        visit: &Visit<P>,
        fields: &BTreeMap<&str, BTreeSet<&str>>,
    ) -> Result<Self, Failure> {
        let service = &visit.site.service;
        let found = service.record_names_with(&visit.caller, fields).await;
        Self::of_seen(found).map_err(Failure::from)
    }

    /// The same, and none where they can't be read: what stands beside them is shown all the same.
    pub(super) async fn if_readable<P>(visit: &Visit<P>, ids: BTreeSet<&str>) -> Self {
        let names = Self::read(visit, &ids).await;
        names.unwrap_or_else(|refusal| {
            let error = &refusal as &dyn std::error::Error;
            tracing::error!(error, "records are shown by their ids, not by their keys");
            SampleNames(HashMap::new())
        })
    }

    async fn read<P>(visit: &Visit<P>, ids: &BTreeSet<&str>) -> Result<Self, Refusal> {
        let service = &visit.site.service;
        Self::of_seen(service.record_names(&visit.caller, ids).await)
    }

    fn of_seen(found: Result<HashMap<String, RecordName>, Refusal>) -> Result<Self, Refusal> {
        match found {
            Ok(names) => Ok(SampleNames(names)),
            Err(Refusal::Forbidden(_)) => Ok(SampleNames(HashMap::new())),
            Err(refusal) => Err(refusal),
        }
    }

    /// The record of an id.
    pub(super) fn record(&self, id: &str) -> SampleRecord {
        let named = self.0.get(id);
        let key = named.and_then(|named| named.key.as_ref());
        let key = key.filter(|key| !key.text.is_empty());
        SampleRecord {
            name: key.map_or_else(|| id.to_owned(), |key| shortened(&key.text)),
            is_key: key.is_some(),
            is_masked: key.is_some_and(|key| key.is_masked),
            path: named.map(|named| format!("/datasets/{}/records/{id}", named.dataset)),
        }
    }

    /// What the record of an id has in a field that was asked for; nothing where that can't be told.
    pub(super) fn value(&self, id: &str, field: &str) -> Option<SampleValue> {
        let values = self.0.get(id)?.values.as_ref()?;
        let value = values.get(field);
        Some(SampleValue {
            text: value.map_or_else(String::new, |value| shortened(&value.text)),
            is_masked: value.is_some_and(|value| value.is_masked),
        })
    }

    /// Those that a job left as they are.
    pub(super) fn left_out(&self, left: &[LeftRecord], texts: &Texts) -> Vec<LeftOut> {
        let left = left.iter().map(|it| LeftOut {
            record: self.record(&it.data_object_id),
            reason: texts.said(&it.reason),
        });
        left.collect()
    }

    /// The records of these ids.
    pub(super) fn records(&self, ids: &[String]) -> Vec<SampleRecord> {
        ids.iter().map(|id| self.record(id)).collect()
    }
}
