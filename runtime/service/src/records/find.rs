//! Records of a dataset, one by its key or its id, or several by their ids, and how many there are.

use crate::{DatasetPermit, Permit as _, Refusal, Service};
use engine::validate::PRIMARY_KEY_BYTES_MAX;
use store::records::{Counts, RecordId, RecordPlace, StoredRecord};

/// Bytes of records that are read at a time, about.
pub(super) const BYTES_AT_ONCE: usize = 256 << 10;

impl Service {
    /// The record with a primary key; `None` when there is none, whatever the reason. It is whole for programs, and as
    /// management shows it for users.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] for a user who does not see the values of the primary key; the store's.
    pub async fn record_by_key(
        &self,
        permit: &DatasetPermit,
        key: &str,
    ) -> Result<Option<String>, Refusal> {
        if permit.caller().is_user() {
            return self.seen_by_key(permit, key).await;
        }
        self.whole_record_by_key(permit, key).await
    }

    /// The same with all values, whoever asks: for what compares them and shows none.
    ///
    /// # Errors
    /// The store's.
    pub async fn whole_record_by_key(
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
        Ok(Some(self.record_json(permit, &record)?))
    }

    /// The record of a public id; `None` when there is none, whatever the reason. It is whole for programs, and as management
    /// shows it for users.
    ///
    /// # Errors
    /// The store's.
    pub async fn record_by_id(
        &self,
        permit: &DatasetPermit,
        id: &str,
    ) -> Result<Option<String>, Refusal> {
        if permit.caller().is_user() {
            return self.seen_record(permit, id).await;
        }
        let judged = self.retry(permit, |permit| async move {
            let Some(record) = self.find(&permit, id).await? else {
                return Ok(None);
            };
            Ok(Some(self.record_json(&permit, &record)?))
        });
        judged.await
    }

    /// The first of the records of these public ids, each as `show` gives it under the permit by which it was read, which may be of
    /// a newer schema: in their order and read together, one at least, and no more once they have so many bytes; `None` for each
    /// of which there is none, whatever the reason.
    ///
    /// # Errors
    /// The store's.
    pub(crate) async fn first_by_ids(
        &self,
        permit: &DatasetPermit,
        ids: &[&str],
        show: impl Fn(&DatasetPermit, &str) -> Result<String, Refusal> + Copy + Send,
    ) -> Result<Vec<Option<String>>, Refusal> {
        let judged = self.retry(permit, |permit| async move {
            let mut found = Vec::with_capacity(ids.len());
            for record in self.find_first(&permit, ids).await? {
                let seen = record.map(|record| show(&permit, &self.record_json(&permit, &record)?));
                found.push(seen.transpose()?);
            }
            Ok(found)
        });
        judged.await
    }

    /// A record as the interface shows it.
    fn record_json(
        &self,
        permit: &DatasetPermit,
        record: &StoredRecord,
    ) -> Result<String, Refusal> {
        let mut json = String::with_capacity(record.body.len() + 96);
        self.write_record(&mut json, permit, record)?;
        Ok(json)
    }

    /// How many records a dataset has, and how many of them have faults.
    ///
    /// # Errors
    /// The store's.
    pub async fn record_counts(&self, permit: &DatasetPermit) -> Result<Counts, Refusal> {
        Ok(self.store.counts(permit.dataset().number).await?)
    }

    /// The live record that a public id names in the permit's dataset.
    pub(super) async fn find(
        &self,
        permit: &DatasetPermit,
        id: &str,
    ) -> Result<Option<StoredRecord>, Refusal> {
        let Some(named) = self.named_in(permit, id) else {
            return Ok(None);
        };
        let record = self.store.get(named.place).await?;
        Ok(record.filter(|record| is_live(record, named)))
    }

    /// The first of the live records that public ids name in the permit's dataset, in their order: one at least, and no more
    /// once they have so many bytes.
    pub(super) async fn find_first(
        &self,
        permit: &DatasetPermit,
        ids: &[&str],
    ) -> Result<Vec<Option<StoredRecord>>, Refusal> {
        let named = ids.iter().map(|id| self.named_in(permit, id));
        let named: Vec<Option<RecordId>> = named.collect();
        let places: Vec<RecordPlace> = named.iter().flatten().map(|id| id.place).collect();
        if places.is_empty() {
            return Ok(vec![None; ids.len()]);
        }
        let mut read = self
            .store
            .get_some(&places, BYTES_AT_ONCE)
            .await?
            .into_iter();
        let mut found = Vec::with_capacity(named.len());
        for id in named {
            let Some(id) = id else {
                found.push(None);
                continue;
            };
            let Some(record) = read.next() else { break };
            found.push(record?.filter(|record| is_live(record, id)));
        }
        Ok(found)
    }

    /// What a public id names, if that is in the permit's dataset.
    fn named_in(&self, permit: &DatasetPermit, id: &str) -> Option<RecordId> {
        let named = self.ids.record_of(id)?;
        (named.place.dataset == permit.dataset().number).then_some(named)
    }
}

/// Whether what stands at a place is the record that an id names, and is not deleted.
fn is_live(record: &StoredRecord, named: RecordId) -> bool {
    record.id.nonce == named.nonce && !record.deleted
}
