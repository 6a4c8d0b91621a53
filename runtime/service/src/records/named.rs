//! What records are called whose ids are told elsewhere, as in samples of what a change would make faulty: their primary keys,
//! for who may see the records, and a mask for who may not see the key. Who sees a personal one is told in the trail.

use super::authors::key_of;
use super::find::BYTES_AT_ONCE;
use crate::nouns::MASK;
use crate::personal::{Look, personal_names};
use crate::{Caller, DatasetPermit, Permit as _, Refusal, Service};
use std::collections::{BTreeSet, HashMap};
use store::StoreError;
use store::catalog::{Kind, Resource, Verb};
use store::records::{RecordId, RecordPlace, StoredRecord};

/// Records that are named at a time.
const NAMED_MAX: usize = 1_000;

/// A primary key as the caller may see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenKey {
    /// Its text, or a mask.
    pub text: String,
    /// Whether it is a mask.
    pub is_masked: bool,
}

/// What a record is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordName {
    /// The id of its dataset.
    pub dataset: String,
    /// Its primary key; `None` where it has none.
    pub key: Option<SeenKey>,
}

impl Service {
    /// What the records of these public ids are called, by their ids: those that are there and that the caller may see, a
    /// thousand at most.
    ///
    /// # Errors
    /// No role that shows records; the store's.
    pub async fn record_names(
        &self,
        by: &Caller,
        ids: &BTreeSet<&str>,
    ) -> Result<HashMap<String, RecordName>, Refusal> {
        let caller = self.viewer(by, Resource::Records)?;
        let mut permits: HashMap<u32, Option<DatasetPermit>> = HashMap::new();
        let known = ids.iter().filter_map(|id| self.ids.record_of(id));
        let mut wanted: Vec<RecordId> = known.take(NAMED_MAX).collect();
        wanted.retain(|id| {
            let number = id.place.dataset;
            let permit = permits.entry(number);
            let permit = permit.or_insert_with(|| permit_of(&caller, number));
            permit.is_some()
        });
        let places: Vec<RecordPlace> = wanted.iter().map(|id| id.place).collect();
        let (mut names, mut at) = (HashMap::with_capacity(places.len()), 0);
        while at < places.len() {
            let found = self.store().get_some(&places[at..], BYTES_AT_ONCE).await?;
            let count = found.len().max(1);
            for (id, record) in wanted[at..].iter().zip(found) {
                let own = match record {
                    // one that a disk damaged hides no others: it is told as one that is not there
                    Err(error @ StoreError::Rotten(_)) => {
                        tell_nameless(&error);
                        continue;
                    }
                    own => own?.filter(|own| own.id.nonce == id.nonce && !own.deleted),
                };
                let permit = permits.get(&id.place.dataset).and_then(Option::as_ref);
                if let (Some(record), Some(permit)) = (own, permit) {
                    let name = self.record_name(permit, &record).await?;
                    names.insert(self.ids.record(*id), name);
                }
            }
            at += count;
        }
        Ok(names)
    }

    async fn record_name(
        &self,
        permit: &DatasetPermit,
        record: &StoredRecord,
    ) -> Result<RecordName, Refusal> {
        let key = match self.seen_key(permit, record).await {
            // one that was written under a newer schema at this moment goes by its id
            Err(Refusal::Store(StoreError::Overtaken)) => None,
            // and so does one whose values can't be read
            Err(Refusal::Store(
                error @ (StoreError::Damaged(_)
                | StoreError::Document { .. }
                | StoreError::Rotten(_)),
            )) => {
                tell_nameless(&error);
                None
            }
            key => key?,
        };
        Ok(RecordName {
            dataset: permit.dataset().id.clone(),
            key,
        })
    }

    /// The primary key of a record, as the caller may see it; who sees a personal one is told in the trail.
    pub(super) async fn seen_key(
        &self,
        permit: &DatasetPermit,
        record: &StoredRecord,
    ) -> Result<Option<SeenKey>, Refusal> {
        let (schema, caller) = (permit.schema(), permit.caller());
        let Some(field) = schema.current().schema.primary_key() else {
            return Ok(None);
        };
        let key = key_of(permit, record)?;
        let is_personal = field.is_pii() || personal_names(schema).contains(&*field.name);
        if is_personal {
            let look = Look::past(schema, (Kind::Dataset, &permit.dataset().id));
            self.tell_look(caller, look).await?;
        }
        let is_masked = is_personal && !caller.sees_personal();
        Ok(key.map(|text| SeenKey {
            text: if is_masked { MASK.to_owned() } else { text },
            is_masked,
        }))
    }
}

fn tell_nameless(error: &StoreError) {
    let error = error as &dyn std::error::Error;
    tracing::error!(error, "a record is shown by its id, not by its key");
}

/// What lets the caller see the records of a dataset, by its number.
pub(super) fn permit_of(caller: &Caller, number: u32) -> Option<DatasetPermit> {
    let id = &caller.catalog().datasets_by_number.get(&number)?.id;
    let permit = caller
        .clone()
        .permit_managed_dataset(Resource::Records, Verb::View, id);
    permit.ok()
}
